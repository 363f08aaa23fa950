"""Find tests that pass without the fault being gone: the test is made to say less, the expected value is returned for
just the input of the test, what is tested is replaced by a mock, or the checker's own configuration leaves the test out
or runs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.commands.effects import UPDATES
from analyzer.commands.harm import removed_names
from analyzer.commands.parse import parse
from analyzer.commands.runners import lessened
from analyzer.commands.table import Does, knows
from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.signals.check_claims import narrower
from analyzer.failures.envelope import printed
from analyzer.failures.roles import is_test_path, last_part, same_file
from analyzer.model.action import Action, Command, Edit
from analyzer.model.failure import Failure
from analyzer.model.struct import Struct, replace
from analyzer.model.words import FailureKind, FrameRole, Kind, OriginRole, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.text.plain import holds_any

_ASSERTS = late(
    r"\b(?:assert\w*|expect\w*|should|must_\w+|refute\w*|CHECK|REQUIRE|EXPECT_\w+|ASSERT_\w+|require\.\w+"
    r"|t\.(?:Error|Fatal)f?)\b\s*[!(.: \w]"
)
_SKIPS = late(
    r"(?:\b|(?=@))(?:pytest\.(?:mark\.)?(?:skip|xfail)\w*|unittest\.skip\w*|skipTest|[xf]?(?:it|test|describe)\.(?:skip"
    r"|todo)|xit|xtest|xdescribe|@Ignore|@Disabled|t\.Skip\w*|markTestSkipped|GTEST_SKIP|DISABLED_\w+|pending)\b"
    r"|#\[ignore"
)
_ANYTHING = late(
    r"\.toBe(?:Defined|Truthy)\(\)|\.toBeGreaterThan(?:OrEqual)?\((?:0|-1)\)|\.not\.toBe(?:Null|Undefined)\(\)"
    r"|\bis not None\b|\bassertIsInstance\("
    r"|\bassertIsNotNone\(|\bassert True\b|\bexpect\(true\)|\bassertNotNull\(|\brequire\.NotNil\(|\bassert\.NotNil\("
)
"""An assertion that nearly every result meets."""
_LIMIT = late(
    r"\b(?P<name>\w*(?:toler|tol|eps|delta|precision|places|threshold|fail_under|min_|max_)\w*)\b[^\n=]{0,30}=\s*"
    r"(?P<value>[\d.e+-]+)",
    re.IGNORECASE,
)
"""How far a result may be off, or what it must reach."""
_BOUND = late(r"([<>])=?\s*(-?\d[\d.]*(?:e[+-]?\d+)?)", re.IGNORECASE)
_CASE = late(r"[ \t]*[\[({'\"-].*[,}\])][ \t]*$")
"""A line that holds a case of a test among others."""
_KNOWS_TEST = late(
    r"\bPYTEST_CURRENT_TEST\b|\bJEST_WORKER_ID\b|\bVITEST\b|['\"]pytest['\"] in sys\.modules|\btesting\.Testing\(\)"
    r"|\bNODE_ENV\b\W{0,6}={2,3} ?['\"]test\b"
)
"""What a program asks that does something else when it's tested."""
_LONGEST, _ROUND = 50_000, 4
_SHORT = 5_000
"""Characters of a look of which the text is remembered."""
_LITERAL = r"-?\d+(?:\.\d+)?|'[^'\n]{1,80}'|\"[^\"\n]{1,80}\""
_BRANCHES = ("if ", "case ", "when ", "match ", "switch", "==", "=>", "->", "?")
"""What chooses a value for another one."""
_LITERALS = late(_LITERAL)
_WANTED = names("assert expect want should must got check require == !=")
_TRIVIAL = frozenset({"0", "1", "-1", "''", '""', "0.0", "1.0"})
_ASSERTION = late(
    r"^[^\n]*\b(?:assert\w*|expect\w*|should|must\w*|require\.\w+|CHECK|EXPECT_\w+)\b[^\n]*$", re.MULTILINE
)
_NUMBER = late(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_GATE = late(
    r"\b(?:thresholds?|not met|minimum|required?|at least|below|less than|exceed\w*|limit|budget|maximum|allowed)\b", 2
)
"""What a check says of a number that it holds something against."""
_DIFFERS = ("diff ", "\n+++ ", "differ", "mismatch", "not equal", "not match", "n't match")
_FINDS = late(
    r"\bexit\(?\s*[1-9]|\braise\b|\breturn [1-9]\b|\b(?:bad|errors?|failures?|failed|violations?)\s*(?:\+=|=)"
)
"""What makes a check fail."""
_RUNS = frozenset({Kind.RUN, Kind.TEST})
_FOR_OUTPUT = Does.FILTERS | Does.ARRANGES | Does.SPEAKS
_VERDICTS = frozenset({FailureKind.OTHER, FailureKind.TEST, FailureKind.LINT, FailureKind.COMPILE})
_MOCKS = late(
    r"(?:\bpatch(?:\.object)?|\bmonkeypatch\.setattr|\bmocker\.patch(?:\.object)?|\b(?:jest|vi)\.(?:mock|spyOn)"
    r"|\bsinon\.stub|\bstub)\(\s*(?P<target>[^\n]{1,160})"
)
_NAME = late(r"[A-Za-z_]\w{2,}")
_CALLED = late(r"\b(?P<name>[A-Za-z_]\w{2,})\(")
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


_EXPECTED = ("expected", "golden", "snapshot", "baseline")
"""A file that holds what a check compares with."""


class _Cause(Struct):
    """A failing check, whether it failed before anything was changed, and the calls that may make it pass."""

    action: Action
    found: list[tuple[Action, str, str]]
    original: bool


def faked(facts: Facts, lane: str) -> Iterator[Weakening]:
    """All of one lane, in order."""
    causes: dict[str, _Cause] = {}
    made: list[str] = []
    held: dict[str, str] = {}
    changed = False
    for action in facts.lane(lane):
        if action.kind is Kind.READ and 0 < len(action.result or "") < _SHORT:
            last = action.operation.commands[-1].args if action.operation.commands else (action.operation.path or "",)
            held.update(dict.fromkeys(last[-1:], action.result or ""))
        for cause in causes.values() if action.failure is None else ():
            for edit in action.operation.edits:
                was = held.get(edit.path) if edit.created and edit.before is None else None
                hit = _fakes(replace(edit, before=was) if was is not None else edit, cause.action, made, held)
                if hit is not None:
                    cause.found.append((action, *hit))
            for name in action.operation.writes if cause.original else ():
                if name not in made and holds_any(name.lower(), _EXPECTED):
                    cause.found.append((action, f"writes what comes out into {name}", action.operation.command or ""))
            if action.kind is Kind.RUN and action.operation.commands:
                cause.found += [(action, *hit) for hit in _replaced(action.operation.commands, cause.action)]
        changed = changed or action.kind is Kind.EDIT
        if action.operation.edits:
            made += [edit.path for edit in action.operation.edits if edit.created]
        if action.failure is not None and _is_verdict(action):
            causes[_check(action)] = _Cause(action, [], original=not changed)
        elif causes and action.kind in _RUNS and action.failure is None and (check := _check(action)) in causes:
            cause = causes.pop(check)
            if cause.original and any(UPDATES.match(word) for one in action.operation.commands for word in one.args):
                how = "has the check take what comes out for what it expects"
                cause.found.append((action, how, action.operation.command or ""))
            for act, how, quote in cause.found[:1]:
                advice = "Take it back, and fix what the check found."
                yield Weakening("faked", cause.action, act, action, how, quote, advice)


def _check(action: Action) -> str:
    """What a call checks: tests, or what its last command says that isn't there for its output; empty for other
    calls."""
    if action.operation.runner is None:
        for command in reversed(action.operation.commands):
            if not knows(command.program, _FOR_OUTPUT):
                return command.text
    return "tests" if action.kind is Kind.TEST else ""


def _is_verdict(action: Action) -> bool:
    """Whether a call is a check that found something, rather than a program that broke off."""
    failure = action.failure
    if failure is None or failure.expected or action.kind not in (Kind.TEST, Kind.RUN):
        return False
    return action.kind is Kind.TEST or (not failure.frames and failure.kind in _VERDICTS)


def _replaced(commands: Sequence[Command], cause: Action) -> Iterator[tuple[str, str]]:
    """The files that a check compares with, which a command overwrites by something else."""
    result = (cause.result or "")[-_LONGEST:]
    for command in commands:
        target = command.args[-1] if len(command.args) > 1 and knows(command.program, Does.MOVES) else ""
        if (
            "/" in target
            and target in result
            and target not in removed_names(command)
            and holds_any(result.lower(), _DIFFERS)
        ):
            yield f"overwrites {target}, with which it compares", clip(command.text, 200)


def _fakes(edit: Edit, cause: Action, made: list[str], held: dict[str, str]) -> tuple[str, str] | None:
    """How an edit makes a failing check pass without the fault being gone, and the text that shows it. `made` are the
    files that the agent had written before."""
    after, before = (edit.after or "")[:_LONGEST], (edit.before or "")[:_LONGEST]
    name, result = edit.path.rsplit("/", 1)[-1].lower(), (cause.result or "")[-_LONGEST:]
    if (less := lessened(name, after, before)) is not None:
        return f"{less[0]} ({edit.path})", clip(less[1], 200)
    if not is_test_path(edit.path) and (gate := _gate_moved(before, after, result)) is not None:
        return f"sets {gate[0]} to {gate[1]}, which the check holds it against ({edit.path})", clip(after.strip(), 200)
    for was, now in zip(before.splitlines(), after.splitlines(), strict=False):
        taken = [word for word in was.split() if word not in now.split()]
        kept = [word for word in was.split() if word not in taken] == now.split()
        if kept and taken and was.strip() in result and all(word.startswith("-") for word in taken):
            return f"takes {' '.join(taken)} out of what the check runs ({edit.path})", clip(was.strip(), 200)
    fresh = [line for line in after.splitlines() if "/" in line and line not in before]
    for line in fresh:
        for how, quote in _replaced(parse(line.strip().lstrip("@-")).commands, cause):
            return f"{how} ({edit.path})", quote
    own = any(name in command.text.lower() for command in cause.operation.commands) and edit.path not in made
    if own and cause.kind is Kind.RUN and _FINDS.search(before) and not _FINDS.search(after):
        return f"takes out of {edit.path} what makes it fail", clip(before.strip(), 200)
    new = "\n".join(line for line in after.splitlines() if line not in before)
    spared = [
        one for one in _LITERALS.findall(new) if one[0] in "'\"" and len(one) > _ROUND + 1 and one[1:-1] in result
    ]
    if own and spared and holds_any(new, ("continue", "return", "skip", "pass")):
        return f"makes an exception for {spared[0]} in {edit.path}", clip(new.strip(), 200)
    if is_test_path(edit.path):
        tests = cause.failure.failing_tests if cause.failure is not None else ()
        return _mocked(edit, after, before, _ASSERTION.findall(result), tests)
    if (knows_test := _KNOWS_TEST.search(after)) is not None and knows_test[0] not in before:
        return f"has {edit.path} do something else when it's tested", clip(after.strip(), 200)
    exact = (number for line in _ASSERTION.findall(result) for number in _NUMBER.findall(line) if len(number) > _ROUND)
    copied = sorted({number for number in exact if "." in number and number in after and number not in before})
    if len(copied) > 1:
        return f"writes the numbers that the test expects into {edit.path}", ", ".join(copied)[:200]
    return _hardcoded(edit, after, before, result, held)


def _gate_moved(before: str, after: str, result: str) -> tuple[str, str] | None:
    """The number that a failing check names as its gate and that an edit, which changes numbers only, replaces, with
    the new one."""
    if not before or _NUMBER.sub("0", before) != _NUMBER.sub("0", after):
        return None
    gates = {number for line in result.splitlines() if _GATE.search(line) for number in _NUMBER.findall(line)}
    changed = zip(_NUMBER.findall(before), _NUMBER.findall(after), strict=True)
    return next(((old, new) for old, new in changed if old != new and old in gates), None)


def _hardcoded(edit: Edit, after: str, before: str, result: str, shown: dict[str, str]) -> tuple[str, str] | None:
    """A value that an edit of the program returns for just the input with which the test fails, or values for the
    inputs of the tests that were `shown`, and for no others."""
    rows = after.splitlines()
    pairs = (f"{row}\n{below}" for row, below in zip(rows, (*rows[1:], ""), strict=False) if row not in before)
    windows = [window for window in pairs if holds_any(window, _BRANCHES) and len(_LITERALS.findall(window)) > 1]
    for line in result.splitlines() if windows else ():
        wanted = holds_any(line.lower(), _WANTED)
        for window in windows if wanted else ():
            written = [found for found in _LITERALS.findall(window) if found not in _TRIVIAL]
            held = [one for one in written if _has(line, one) or (one[0] in "'\"" and _has(line, one[1:-1]))]
            if len(held) > 1:
                return f"returns {held[-1]} for just the input of the test in {edit.path}", clip(window, 200)
    texts = "\n".join(printed(text) for text in shown.values()) if windows else ""
    asserted = [_LITERALS.findall(line) for line in _ASSERTION.findall(texts)]
    # One branch may be where a rule begins, unless what it's for is as long as no such value is.
    expected = [
        given for given in asserted if len(given) > 1 and (len(windows) > 1 or max(map(len, given)) > _ROUND + 2)
    ]
    hits = [window for window in windows if any(all(_has(window, one) for one in given) for given in expected)]
    if expected and len(hits) == len(windows):
        return f"returns what the tests want for their own inputs, and only for these, in {edit.path}", clip(
            hits[0], 200
        )
    return None


def _mocked(edit: Edit, after: str, before: str, assertions: list[str], tests: Sequence[str]) -> tuple[str, str] | None:
    called = {found["name"] for line in assertions for found in _CALLED.finditer(line)}
    called |= {name for test in tests for name in _NAME.findall(test.partition(" > ")[2])}
    for hit in _MOCKS.finditer(after):
        first, _, rest = hit["target"].partition(",")
        quoted = first.strip()[:1] in ("'", '"')
        targets = _NAME.findall(first if quoted else f"{first} {rest.split(',')[0]}")
        if "/" in first:  # a module, of which the factory names what is replaced
            targets = [name for name in _NAME.findall(rest) if name in called]
        if hit[0] not in before and targets and targets[-1] in called:
            return f"replaces `{targets[-1]}`, which it tests, by a mock in {edit.path}", clip(hit[0], 200)
    return None


def _has(line: str, literal: str) -> bool:
    """Whether a line holds a literal as a word of its own."""
    spelled = literal.replace('"', "'")
    return re.search(rf"(?<![\w.]){re.escape(spelled)}(?![\w.])", line.replace('"', "'")) is not None


def weakened(facts: Facts, lane: str) -> Iterator[Weakening]:
    """A failing test, an edit of its file that weakens it, and a run without that failure, in this order. That an
    expectation is another one weakens the test only where the implementation is known to be at fault."""
    actions = facts.lane(lane)
    written = [edit.path for action in actions for edit in action.operation.edits if edit.created]
    touched = False
    failing, at_fault, checks = list[Action](), dict[str, Action](), set[str]()
    weak: list[tuple[Action, Action, Edit, str]] = []
    for action in actions:
        failure = action.failure
        if action.kind is Kind.EDIT and failure is None:
            for edit in action.operation.edits:
                if not is_test_path(edit.path):
                    touched, weak = True, []
                    continue
                how = _weakens(edit)
                wrong = how not in (None, _SKIPPED) and not (how or "").startswith("set ")
                cause = (
                    at_fault.get(last_part(edit.path))
                    if how == _OTHER
                    else _failing_in(edit.path, failing, may_be_wrong=wrong)
                )
                if cause is not None and how is not None and not any(same_file(edit.path, path) for path in written):
                    weak.append((cause, action, edit, how))
        elif _tests(action) and failure is not None and not failure.expected:
            failing.append(action)
            checks.add(_check(action))
            theirs = failure.origin is not None and failure.origin.role is OriginRole.IMPLEMENTATION and not touched
            for name in _test_files(failure) if theirs else ():
                at_fault.setdefault(name, action)
        elif failure is None and (action.kind is Kind.TEST or (failing and _check(action) in checks)):
            for cause, act, edit, how in weak[:1]:
                yield Weakening("weakened", cause, act, action, f"{how} in {edit.path}", _changed(act, edit), _RESTORE)
            weak, at_fault = [], {}
            failing = [one for one in failing if narrower(action, one)]


def _tests(action: Action) -> bool:
    """Whether a call ran tests, by what it is or by what came out."""
    failure = action.failure
    told = failure is not None and (failure.kind is FailureKind.TEST or "test" in failure.message.lower())
    return action.kind is Kind.TEST or (told and _is_verdict(action))


def _failing_in(path: str, failing: list[Action], *, may_be_wrong: bool) -> Action | None:
    """The last failing test run that names a test's file; none where that test `may_be_wrong` and is at fault."""
    stem = last_part(path).split(".", 1)[0]
    for action in reversed(failing):
        origin = action.failure.origin if action.failure is not None else None
        if stem in action.operation.target or stem in (action.result or "")[-_LONGEST:]:
            return None if may_be_wrong and origin is not None and origin.role is OriginRole.TEST else action
    return None


def _test_files(failure: Failure) -> list[str]:
    named = (test.split("::", 1)[0] for test in failure.failing_tests if "::" in test)
    framed = (frame.file for frame in failure.frames if frame.role is FrameRole.TEST)
    return [last_part(path) for path in (*(name for name in named if "." in name), *framed)]


_OTHER, _SKIPPED = "changed what it expects", "skipped it"


def _weakens(edit: Edit) -> str | None:
    """How an edit makes a test say less: what it did, as a phrase, or None."""
    if edit.before is None or edit.after is None:
        return None
    if _SKIPS.search(edit.after) and not _SKIPS.search(edit.before):
        return _SKIPPED
    before, after = _assertions(edit.before), _assertions(edit.after)
    if len(after) < len(before):
        return "removed an assertion" if len(before) - len(after) == 1 else "removed assertions"
    if _ANYTHING.search(edit.after) and not _ANYTHING.search(edit.before) and before:
        return "made it hold for nearly anything"
    if before and len(after) == len(before) and before != after and _rest(edit.before) == _rest(edit.after):
        return _OTHER
    left = edit.after.splitlines()
    gone = [line for line in edit.before.splitlines() if line not in left]
    if gone and len(left) + len(gone) == len(edit.before.splitlines()) and all(map(_CASE.match, gone)):
        return "took out a case" if len(gone) == 1 else "took out cases"
    limit = _other_limit(edit.before, edit.after)
    return f"set {limit[0]} from {limit[1]} to {limit[2]}" if limit is not None else None


def _other_limit(before: str, after: str) -> tuple[str, str, str] | None:
    """The name of a limit that an edit changes, and what it was and is; a bound without a name where it's wider."""
    bounds = zip(_BOUND.findall(before), _BOUND.findall(after), strict=False)
    if _BOUND.sub("", before) == _BOUND.sub("", after):
        # What the condition is true of is what fails.
        fails = before.lstrip("\t }").startswith(("if ", "elif ", "else if "))
        for (sign, old), (_, new) in bounds:
            if _wider("<>"[(sign == ">") != fails], old, new):
                return "the bound", old, new
    was, now = _LIMIT.search(before), _LIMIT.search(after)
    if was is None or now is None or was["name"] != now["name"] or was["value"] == now["value"]:
        return None
    return was["name"], was["value"], now["value"]


def _wider(sign: str, old: str, new: str) -> bool:
    """Whether a bound lets more pass than before."""
    try:
        return float(new) > float(old) if sign == "<" else float(new) < float(old)
    except ValueError:
        return False


def _assertions(text: str) -> list[str]:
    lines = map(str.strip, text.splitlines())
    return [line for line in lines if _ASSERTS.search(line) and not line.startswith(("#", "//", "*"))]


def _rest(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and not _ASSERTS.search(line)]


def _changed(action: Action, edit: Edit) -> str:
    before, after = _assertions(edit.before or ""), _assertions(edit.after or "")
    gone = next((line for line in before if line not in after), (edit.before or action.operation.target).strip())
    new = next((line for line in after if line not in before), "" if before else (edit.after or "").strip())
    return f"{gone} -> {new or '(gone)'}"
