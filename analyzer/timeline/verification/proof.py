"""What a check that passed proves: whether it could have failed, and whose check it is.

Whether a script that an agent ran could have failed if the work were wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from analyzer.commands.runners import is_linter, script
from analyzer.commands.statements import HIDES_STATUS
from analyzer.commands.table import Does, does, knows
from analyzer.failures.readers.verdicts import failing_line
from analyzer.failures.roles import is_test_path, same_file
from analyzer.failures.runners.registry import counts_passed
from analyzer.model.action import Action, Command
from analyzer.model.words import FailureKind, Kind, Status
from analyzer.text.late import late
from analyzer.text.plain import plain
from analyzer.timeline.delivery import WANTS_TESTS, Delivery
from analyzer.timeline.verification.checks import (
    COULD_NOT_RUN,
    counts_findings,
    hooks_tested,
    is_check,
    named_by_user,
    passed_hooks,
)

_ASSERTS = late(
    r"(?:^|[;\"'])\s*assert\b|\bassert\w*\s*[!(]|\braise\b|\bthrow\b|\bsys\.exit\(|\bprocess\.exit\(|\bexit\(?\s*1\b|\bpanic!?\("
    r"|\bexpect\w*\(|\brequire\.\w+\(|\bt\.(?:Error|Fatal)f?\(|\bset -e\b|\bos\._exit\(",
    re.MULTILINE,
)
_TELLS_FAILURE = late(
    r"(?:print\w*|echo|puts|log|write\w*|say)\b[^\n]{0,80}?(?:\b(?:fail(?:ed|ure|s)?|incorrect|mismatch\w*|inconsistent\w*"
    r"|wrong|broken|not ok|bug)\b|[✗❌✘])",
    re.IGNORECASE,
)
_COMPARES = late(
    r"[=!]=|\bif not\b|\bif \[|\bassert|\bnot in\b|\.equals\(|allclose\(|array_equal\(|isequal\(", re.IGNORECASE
)
_TELLS_SUCCESS = late(
    r"\b(?:success\w*|pass(?:ed|es)?|ok|correct(?:ly)?|works|fixed|match(?:es)?|consistent(?:ly)?|as expected)\b"
    r"|[✓✅✔]",
    re.IGNORECASE,
)
_ZERO = late(
    r"\bno tests? (?!(?:fail|broke|regress|needed|change)\w*)(?:\w+ )?"
    r"(?:ran|found|collected|match\w*|to run|run|files?|executed)\b"
    r"|\b(?:collected|ran|running) 0 (?:items|tests)\b|^\W{0,20}(?:tests?|pass(?:ing|ed)?) 0$"
    r"|^\s*0 passing\b|\b0 passed\b|\bTests run: 0\b|\bNo projects matched\b|:\w*test\w* NO-SOURCE\b"
    r"|\b0 tests? (?:ran|run)\b|^\W{0,20}0 (?:tests?|runs|examples|specs|scenarios)\b"
    r"|^(?:Tests:)?\W{0,20}\d{1,6} skipped\b(?![^\n]*\b(?:pass|fail))"
    r"|\[no test files\]|\bnone of the selected \w+ ha(?:s|ve)\b"
    r"|^\w*make(?:\[\d+\])?: [^\n]*(?:is up to date|Nothing to be done)\b|^ninja: no work to do\b",
    re.IGNORECASE | re.MULTILINE,
)
"""What says that no test ran: none was found, or all were skipped."""
_BUILT = late(
    r"\b(?:compiled|built|build|compilation) (?:was |completed |finished )?success(?:ful(?:ly)?)?\b"
    r"|\bBUILD SUCCESS(?:FUL)?\b|^\s*Finished `?\w+`? (?:profile|\[)|\bFound 0 errors\b|\bbuilt in [\d.]+ ?m?s\b"
    r"|\bAll checks passed\b|\bno issues found\b",
    re.IGNORECASE | re.MULTILINE,
)
_CHECKING_NAME = late(r"(?:^|[_\W])(?:tests?|check\w*|verif\w*|validat\w*|lint\w*)(?:[_\W]|$)", re.IGNORECASE)
_WANTS_BUILD = late(
    r"\b(?:fix|pass|clean|resolv|solv|repair|silenc|remov)\w*\b[^.\n]{0,40}"
    r"\b(?:build|compil\w+|lint\w*|type[- ]?(?:check\w*|errors?)|typecheck\w*|warnings?)\b"
    r"|\b(?:compil\w+|lint\w*|type) (?:errors?|warnings?)\b"
    r"|\b(?:build|lint\w*|type-?check\w*|compilation)\b[^.\n]{0,20}\b(?:fails?|passes|errors?|is broken|green)\b",
    re.IGNORECASE,
)
NO_SYMPTOM = COULD_NOT_RUN | {
    FailureKind.MISSING_DEPENDENCY,
    FailureKind.USAGE,
    FailureKind.PERMISSION,
    FailureKind.NETWORK,
    FailureKind.TIMEOUT,
}
"""What keeps a check from running, and so says nothing about the code."""
_MAY_PROVE = frozenset({Kind.RUN, Kind.TEST, Kind.SEARCH})
_LONGEST = 8_000


def could_fail(code: str, result: str) -> bool:
    """Whether a script asserts something, or compares and says of each result whether it's right, of this one that it
    is."""
    if _ASSERTS.search(code):
        return True
    compares = _COMPARES.search(code) is not None
    return _TELLS_FAILURE.search(code) is not None and compares and _TELLS_SUCCESS.search(result) is not None


class Proof(IntEnum):
    """What a check proves, from nothing to tests that aren't the agent's own."""

    NOTHING = 0
    """It didn't pass, nothing was run, or it passes whatever the code does."""
    RAN = 1
    """Something ran to its end; its exit code doesn't depend on whether the result is right."""
    BUILT = 2
    """A compiler, a type checker or a linter found nothing."""
    OWN = 3
    """A check that the agent wrote for itself, and that could have failed."""
    TURNED = 4
    """What failed on the code as it was before, as a run or the task shows, and passes now."""
    TESTED = 5
    """Tests that were there before, that the task asks for, or the command that the user named."""


def proof_of(action: Action, written: Mapping[str, str], task: str = "") -> Proof:
    """What an action proves by itself; `written` are the files that the agent made, with what it wrote last."""
    if action.failure is not None or action.status is not Status.OK or action.harness:
        return Proof.NOTHING
    if action.kind is Kind.WAIT and passed_hooks(action):
        return Proof.TESTED if hooks_tested(action) else Proof.BUILT
    if action.kind not in _MAY_PROVE and not action.operation.runner:
        return Proof.NOTHING
    result = _ends(action.result or "")
    counted = counts_passed(result) and failing_line(result) is None
    compiles = action.operation.runner is not None and action.kind is not Kind.TEST
    clean = counts_findings(action)
    spoke = counted or clean or (compiles and _BUILT.search(result) is not None)
    command = action.operation.command or ""
    if not spoke and (_ZERO.search(result) is not None or (command and HIDES_STATUS.search(command))):
        return Proof.NOTHING
    # A test run that printed nothing, though its output goes nowhere else, may have run no test.
    printed = action.kind is not Kind.TEST or bool(result.strip()) or bool(action.operation.writes)
    decided = spoke or (action.exit_code == 0 and printed)
    if decided and is_check(action, written) and named_by_user(action, task):
        return Proof.TESTED
    if _is_test(action, counted=counted):
        if not decided:
            return _of_script(action, written)
        own = not WANTS_TESTS.search(task) and _own_tests(action, written, task)
        return Proof.OWN if own else Proof.TESTED
    if passed_hooks(action):
        return Proof.TESTED if hooks_tested(action) else Proof.BUILT
    if action.kind is not Kind.RUN or not is_check(action, written):
        return Proof.NOTHING
    if action.operation.runner or clean:
        return Proof.TESTED if decided and is_asked_for(action, task) else Proof.BUILT
    return _of_script(action, written)


def is_asked_for(action: Action, task: str) -> bool:
    """Whether the task is about what a build, a type check or a linter finds, and this is one of that sort: a build
    says nothing of what a linter finds, nor a linter of what a compiler does."""
    operation = action.operation
    lints = any(map(is_linter, operation.commands)) or "lint" in f"{operation.runner} {operation.command}"[:_LONGEST]
    sorts = ("lint", "warning") if lints else ("build", "compil", "type", "warning")
    counts = counts_findings(action)
    return any(counts or any(sort in wish[0].casefold() for sort in sorts) for wish in _WANTS_BUILD.finditer(task))


def speaks(action: Action) -> bool:
    """Whether a result says by itself how a check ended."""
    return counts_findings(action) or counts_tests(action)


def ran_nothing(action: Action) -> str | None:
    """The line in which a test run or a build says that there was nothing to run; None where it doesn't, or where tests
    ran as well."""
    if action.harness or (action.kind is not Kind.TEST and not action.operation.runner):
        return None
    result = _ends(action.result or "")
    found = _ZERO.search(result)
    if found is None or counts_passed(result):
        return None
    start, end = result.rfind("\n", 0, found.start()) + 1, result.find("\n", found.end())
    return result[start : end if end >= 0 else None].strip()


def counts_tests(action: Action) -> bool:
    """Whether a result counts tests that passed."""
    return counts_passed(_ends(action.result or ""))


def _is_test(action: Action, *, counted: bool) -> bool:
    """Whether tests were run, by the kind of the call or by what a program that isn't a viewer printed."""
    if action.kind is Kind.TEST:
        return True
    if not counted or action.kind not in (Kind.RUN, Kind.SEARCH) or any(map(_shows_others, action.operation.commands)):
        return False
    words = [entry.text.split(maxsplit=1)[0] for entry in action.operation.commands if entry.text.strip()]
    return action.kind is Kind.RUN or any("/" in word and not word.startswith(("/bin", "/usr")) for word in words)


def _shows_others(command: Command) -> bool:
    """Whether a command shows what something else printed: a log, a screen, what runs elsewhere."""
    shows = does(command.program, command.args) & (Does.SHOWS | Does.REMOTE)
    return bool(shows) and not knows(command.program, Does.HANDLES | Does.FILTERS)


def _own_tests(action: Action, written: Mapping[str, str], task: str) -> bool:
    """Whether a test run is one of test files only that the agent wrote without being asked for them by name."""
    named = [
        word.split("::", 1)[0]
        for entry in action.operation.commands
        for word in entry.args
        if is_test_path(word.split("::", 1)[0]) or any(same_file(word, path) for path in written)
    ]
    files = [word for word in named if "." in word.rsplit("/", 1)[-1]]
    return bool(files) and all(
        any(same_file(word, path) for path in written) and word.rsplit("/", 1)[-1] not in task for word in files
    )


def _of_script(action: Action, written: Mapping[str, str]) -> Proof:
    names = [name for entry in action.operation.commands if (name := script(entry))]
    for name in names:
        content = next((text for path, text in written.items() if same_file(path, name)), None)
        if content is not None:
            return Proof.OWN if could_fail(content, action.result or "") else Proof.RAN
        if _CHECKING_NAME.search(name.rsplit("/", 1)[-1]) and action.exit_code == 0:
            return Proof.OWN
    return Proof.OWN if not names and could_fail(action.operation.command or "", action.result or "") else Proof.RAN


def same_before(actions: Sequence[Action], check: Action, delivery: Delivery) -> Action | None:
    """The action on the original code that already failed as a check does which passes in part; None where there's
    none, and where nothing passes: then it may be the very fault that was to be fixed."""
    group = check.failure.group if check.failure is not None else None
    if group is None or not counts_tests(check):
        return None
    for action in actions:
        if action is check:
            return None
        if action.failure is not None and action.failure.group == group and delivery.on_original(action):
            return action
    return None


def written_by(actions: Iterable[Action], made: Sequence[str] | None = None) -> dict[str, str]:
    """The files that the agent made (`made`, where that is known), with what it wrote into them last."""
    written: dict[str, str] = {}
    for action in actions:
        if action.failure is not None:
            continue
        for edit in action.operation.edits:
            known = next((path for path in written if same_file(path, edit.path)), None)
            if edit.created and edit.path and (made is None or any(same_file(path, edit.path) for path in made)):
                written[known or edit.path] = edit.after or ""
            elif known is not None and edit.after:
                written[known] = f"{written[known]}\n{edit.after}"
    return written


def _ends(text: str) -> str:
    """The beginning and the end of a text, where runners sum up, without its colours."""
    return plain(text if len(text) <= _LONGEST else f"{text[:2_000]}\n{text[-6_000:]}")
