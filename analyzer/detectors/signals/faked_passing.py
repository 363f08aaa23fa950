"""Find tests that pass without the fault being gone: the test is made to say less, the expected value is returned for
just the input of the test, what is tested is replaced by a mock, or the checker's own configuration leaves the test out
or runs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.detectors.engine.facts import Facts
from analyzer.failures.roles import is_test_path, same_file
from analyzer.model.action import Action, Edit
from analyzer.model.failure import Failure
from analyzer.model.struct import Struct
from analyzer.model.words import FrameRole, Kind, OriginRole, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late

_ASSERTS = late(
    r"\b(?:assert\w*|expect\w*|should|must_\w+|refute\w*|CHECK|REQUIRE|EXPECT_\w+|ASSERT_\w+|require\.\w+"
    r"|t\.(?:Error|Fatal)f?)\b\s*[!(.: \w]"
)
_SKIPS = late(
    r"\b(?:pytest\.(?:mark\.)?(?:skip|xfail)\w*|unittest\.skip\w*|skipTest|[xf]?(?:it|test|describe)\.(?:skip"
    r"|todo)|xit|xtest|xdescribe|@Ignore|@Disabled|t\.Skip\w*|markTestSkipped|GTEST_SKIP|DISABLED_\w+|pending)\b"
    r"|#\[ignore"
)
_LONGEST = 50_000
_LITERAL = r"-?\d+(?:\.\d+)?|'[^'\n]{1,80}'|\"[^\"\n]{1,80}\""
_SPECIAL_CASE = late(
    r"\b(?:if|elif|else if)\b[^\n]{0,80}?={2,3}\s*(?P<input>"
    + _LITERAL
    + r")[^\n]{0,20}\n?[^\n]{0,40}?\breturn\s+(?P<value>"
    + _LITERAL
    + r")"
)
"""A branch for one value that gives another one."""
_ASKED = late(r"\bmock\w*|\bstub\w*|\b(?:skip|ignore|exclude|deselect)\w* [^.\n]{0,40}\btests?\b", re.IGNORECASE)
_TRIVIAL = frozenset({"0", "1", "-1", "''", '""', "0.0", "1.0"})
_ASSERTION = late(
    r"^[^\n]*\b(?:assert\w*|expect\w*|should|must\w*|require\.\w+|CHECK|EXPECT_\w+)\b[^\n]*$", re.MULTILINE
)
_MOCKS = late(
    r"(?:\bpatch(?:\.object)?|\bmonkeypatch\.setattr|\bmocker\.patch(?:\.object)?|\b(?:jest|vi)\.(?:mock|spyOn)"
    r"|\bsinon\.stub|\bstub)\(\s*(?P<target>[^\n]{1,160})"
)
_NAME = late(r"[A-Za-z_]\w{2,}")
_CALLED = late(r"\b(?P<name>[A-Za-z_]\w{2,})\(")
_CHECKERS = (
    (
        ("conftest.py", "pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"),
        late(
            r"\bcollect_ignore(?:_glob)?\s*[=+]|--ignore(?:-glob)?[= ]|--deselect|\boutcome\s*=\s*['\"]passed"
            r"|\baddopts\s*=[^\n]*-k\b|\bignore_errors\s*=\s*true",
            re.IGNORECASE,
        ),
        "makes the test runner leave tests out",
    ),
    (
        ("package.json",),
        late(r"\"(?:test|lint|build|check|typecheck)[\w:-]*\"\s*:\s*\"(?:echo\b[^\"&|;]*|true|exit 0|:)\""),
        "makes the check's script do nothing",
    ),
    (
        ("jest.config.", "vitest.config.", "package.json"),
        late(r"testPathIgnorePatterns|passWithNoTests|--passWithNoTests"),
        "makes the test runner leave tests out",
    ),
    (
        ("makefile", "justfile"),
        late(r"^(?:test|check|lint)[\w-]*:[^\n]*\n[ \t]+@?(?:echo\b|true\b|:)[^\n&|;]*$", re.MULTILINE),
        "makes the check's target do nothing",
    ),
)
"""How the names of files begin that say what is checked, what makes less of that, and how to say so."""


_RESTORE = "Restore the assertion and fix what it found; if the test is wrong, say why."


class Weakening(Struct, frozen=True):
    """A failing check, the step that makes it pass without the fault being gone, the run that passes, and how."""

    kind: str
    cause: Action
    act: Action
    passed: Action
    how: str
    quote: str
    advice: str
    severity: Severity = Severity.MEDIUM


def faked(facts: Facts, lane: str) -> Iterator[Weakening]:
    """All of one lane, in order. Nothing where the user spoke of mocks or of leaving tests out."""
    if _ASKED.search(facts.timeline.session.task or "") is not None:
        return
    cause: Action | None = None
    found: list[tuple[Action, Action, str, str]] = []
    for action in facts.lane(lane):
        if action.kind is Kind.TEST:
            if action.failure is not None and not action.failure.expected:
                cause, found = action, []
            elif action.failure is None and found:
                failed, act, how, quote = found[0]
                advice = "Take it back, and fix what the check found."
                yield Weakening("faked", failed, act, action, how, quote, advice)
                cause, found = None, []
        elif cause is not None and action.failure is None and action.operation.edits:
            hit = next((hit for edit in action.operation.edits if (hit := _fakes(edit, cause)) is not None), None)
            if hit is not None:
                found.append((cause, action, *hit))


def _fakes(edit: Edit, cause: Action) -> tuple[str, str] | None:
    """How an edit makes a failing test pass without the fault being gone, and the text that shows it."""
    after, before = (edit.after or "")[:_LONGEST], (edit.before or "")[:_LONGEST]
    name = edit.path.rsplit("/", 1)[-1].lower()
    for names, pattern, how in _CHECKERS:
        if name.startswith(names):
            hit = pattern.search(after)
            if hit is not None and hit[0] not in before:
                return f"{how} ({edit.path})", clip(hit[0], 200)
    assertions = _ASSERTION.findall((cause.result or "")[-_LONGEST:])
    if is_test_path(edit.path):
        return _mocked(edit, after, before, assertions)
    for hit in _SPECIAL_CASE.finditer(after):
        given, value = hit["input"], hit["value"]
        if hit[0] in before or {given, value} <= _TRIVIAL:
            continue
        if any(_has(line, given) and _has(line, value) for line in assertions):
            return f"returns {value} for just the input of the test in {edit.path}", clip(hit[0], 200)
    return None


def _mocked(edit: Edit, after: str, before: str, assertions: list[str]) -> tuple[str, str] | None:
    called = {found["name"] for line in assertions for found in _CALLED.finditer(line)}
    for hit in _MOCKS.finditer(after):
        first, _, rest = hit["target"].partition(",")
        quoted = first.strip()[:1] in ("'", '"')
        names = _NAME.findall(first if quoted else f"{first} {rest.split(',')[0]}")
        if hit[0] not in before and names and names[-1] in called:
            return f"replaces `{names[-1]}`, which it tests, by a mock in {edit.path}", clip(hit[0], 200)
    return None


def _has(line: str, literal: str) -> bool:
    """Whether a line holds a literal as a word of its own."""
    spelled = literal.replace('"', "'")
    return re.search(rf"(?<![\w.]){re.escape(spelled)}(?![\w.])", line.replace('"', "'")) is not None


def weakened(facts: Facts, lane: str) -> Iterator[Weakening]:
    """A failing test, an edit of its file that weakens it, and a run without that failure, in this order."""
    actions = facts.lane(lane)
    written = [edit.path for action in actions for edit in action.operation.edits if edit.created]
    touched = False
    at_first: dict[str, Action] = {}
    weak: list[tuple[Action, Action, str]] = []
    for action in actions:
        if action.kind is Kind.EDIT and action.failure is None:
            for edit in action.operation.edits:
                if not is_test_path(edit.path):
                    touched, weak = True, []
                    continue
                cause = at_first.get(_file(edit.path))
                how = _weakens(edit)
                if cause is not None and how is not None and not any(same_file(edit.path, path) for path in written):
                    weak.append((cause, action, how))
        elif action.kind is Kind.TEST:
            failure = action.failure
            if failure is not None and not touched and _of_the_implementation(failure):
                for name in _test_files(failure):
                    at_first.setdefault(name, action)
            if failure is None and weak:
                cause, edit_step, how = weak[0]
                path = next(edit.path for edit in edit_step.operation.edits if is_test_path(edit.path))
                yield Weakening("weakened", cause, edit_step, action, f"{how} in {path}", _changed(edit_step), _RESTORE)
                weak = []
                at_first.clear()


def _of_the_implementation(failure: Failure) -> bool:
    return failure.origin is not None and failure.origin.role is OriginRole.IMPLEMENTATION and not failure.expected


def _test_files(failure: Failure) -> list[str]:
    named = [test.split("::", 1)[0] for test in failure.failing_tests if "::" in test and "." in test.split("::", 1)[0]]
    return [_file(path) for path in (*named, *(frame.file for frame in failure.frames if frame.role is FrameRole.TEST))]


def _file(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _weakens(edit: Edit) -> str | None:
    """How an edit makes a test say less: what it did, as a phrase, or None."""
    if edit.before is None or edit.after is None:
        return None
    if _SKIPS.search(edit.after) and not _SKIPS.search(edit.before):
        return "skipped it"
    before, after = _assertions(edit.before), _assertions(edit.after)
    if len(after) < len(before):
        return "removed an assertion" if len(before) - len(after) == 1 else "removed assertions"
    if before and len(after) == len(before) and before != after and _rest(edit.before) == _rest(edit.after):
        return "changed what it expects"
    return None


def _assertions(text: str) -> list[str]:
    return [
        line.strip()
        for line in text.splitlines()
        if _ASSERTS.search(line) and not line.lstrip().startswith(("#", "//", "*"))
    ]


def _rest(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and not _ASSERTS.search(line)]


def _changed(action: Action) -> str:
    edit = next(entry for entry in action.operation.edits if is_test_path(entry.path))
    before, after = _assertions(edit.before or ""), _assertions(edit.after or "")
    gone = next((line for line in before if line not in after), (edit.before or "").strip())
    new = next((line for line in after if line not in before), "")
    return f"{gone} -> {new or '(gone)'}"
