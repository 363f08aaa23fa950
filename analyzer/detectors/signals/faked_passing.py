"""Find tests that pass without the fault being gone: the expected value is returned for just the input of the test,
what is tested is replaced by a mock, or the checker's own configuration leaves the test out or runs nothing.

Used by the detector of weakened tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.detectors.engine.facts import Facts
from analyzer.failures.roles import is_test_path
from analyzer.model.action import Action, Edit
from analyzer.model.words import Kind
from analyzer.text.clip import clip
from analyzer.text.late import late

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


@dataclass(frozen=True, slots=True)
class Faked:
    """A failing test, the step that makes it pass without the fault being gone, the run that passes, and how."""

    cause: Action
    act: Action
    passed: Action
    how: str
    quote: str


def faked(facts: Facts, lane: str) -> Iterator[Faked]:
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
                yield Faked(failed, act, action, how, quote)
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
