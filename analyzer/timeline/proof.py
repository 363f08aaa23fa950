"""What a check that passed proves: whether it could have failed, and whose check it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from analyzer.failures.roles import is_test_path, same_file
from analyzer.model.action import Action
from analyzer.model.words import Kind, Status
from analyzer.text.late import late
from analyzer.timeline.changes import WANTS_TESTS, Changes
from analyzer.timeline.checks import is_check
from analyzer.timeline.programs import script

_COUNTED = late(
    r"\b[1-9]\d* (?:tests? |specs? |examples? )?(?:passed|passing|succeeded)\b|\b(?:Passed|PASSED|pass|passed):? +[1-9]"
    r"|^ok\s+[\w./-]+\s+(?:[\d.]+s|\(cached\))|\bRan [1-9]\d* tests?\b|\bOK \([1-9]\d* tests?\b"
    r"|\bTests run: [1-9]|\b[1-9]\d* (?:examples?|runs|tests?), (?:\d+ assertions?, )?0 failures\b|^# pass [1-9]"
    r"|\b100% tests passed\b|\bAll [1-9]\d* tests? (?:have )?pass(?:ed)?\b|^--- PASS: |\b[1-9]\d* pass$",
    re.IGNORECASE | re.MULTILINE,
)
_ZERO = late(
    r"\bno tests? (?:ran|found|collected|matched|to run|were run|files?)\b|\bcollected 0 items\b|\bRan 0 tests\b"
    r"|\brunning 0 tests\b|^\s*0 passing\b|\b0 passed\b|\bTests run: 0\b|\bNo projects matched\b"
    r"|\b0 tests? (?:ran|run)\b|\[no test files\]",
    re.IGNORECASE | re.MULTILINE,
)
_MASKED = late(
    r"\|\|\s*(?:true|:|echo|exit 0|printf)(?=\W|$)|;\s*(?:true|:|exit 0)\s*$|(?<![|&])\|(?![|&])|\bset \+e\b"
)
_ASSERTS = late(
    r"^\s*assert\b|\bassert\w*\s*[!(]|\braise\b|\bthrow\b|\bsys\.exit\(|\bprocess\.exit\(|\bexit\(?\s*1\b|\bpanic!?\("
    r"|\bexpect\w*\(|\brequire\.\w+\(|\bt\.(?:Error|Fatal)f?\(|\bset -e\b|\bos\._exit\(",
    re.MULTILINE,
)
_CHECKING_NAME = late(r"(?:^|[_\W])(?:tests?|check\w*|verif\w*|validat\w*|lint\w*)(?:[_\W]|$)", re.IGNORECASE)
_WANTS_BUILD = late(
    r"\b(?:fix|pass|clean|resolv|solv|repair|silenc|remov)\w*\b[^.\n]{0,40}"
    r"\b(?:build|compil\w+|lint\w*|type[- ]?(?:check\w*|errors?)|typecheck\w*|warnings?)\b"
    r"|\b(?:build|lint\w*|type-?check\w*|compilation)\b[^.\n]{0,20}\b(?:fails?|passes|errors?|is broken|green)\b",
    re.IGNORECASE,
)
_SHORTEST_COMMAND = 6
_LONGEST = 8_000


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
    TESTED = 4
    """Tests that were there before, that the task asks for, or the command that the user named."""


def proof_of(action: Action, written: Mapping[str, str], task: str = "") -> Proof:
    """What an action proves; `written` are the files that the agent made, with what it wrote last."""
    if action.failure is not None or action.status is not Status.OK or action.harness:
        return Proof.NOTHING
    result = _ends(action.result or "")
    counted = _COUNTED.search(result) is not None
    command = action.operation.command or ""
    if not counted and (_ZERO.search(result) or (command and _MASKED.search(command))):
        return Proof.NOTHING
    decided = counted or action.exit_code == 0
    if decided and is_check(action, written) and _named_by_user(command, task):
        return Proof.TESTED
    if _is_test(action, counted=counted):
        if not decided:
            return Proof.RAN
        own = _own_tests(action, written) and not WANTS_TESTS.search(task)
        return Proof.OWN if own else Proof.TESTED
    if action.kind is not Kind.RUN or not is_check(action, written):
        return Proof.NOTHING
    if action.operation.runner:
        return Proof.TESTED if decided and _WANTS_BUILD.search(task) else Proof.BUILT
    return _of_script(action, written)


def _is_test(action: Action, *, counted: bool) -> bool:
    """Whether tests were run, by the kind of the call or by what a program that isn't a viewer printed."""
    if action.kind is Kind.TEST:
        return True
    if not counted or action.kind not in (Kind.RUN, Kind.SEARCH):
        return False
    words = [entry.text.split(maxsplit=1)[0] for entry in action.operation.commands if entry.text.strip()]
    return action.kind is Kind.RUN or any("/" in word and not word.startswith(("/bin", "/usr")) for word in words)


def _own_tests(action: Action, written: Mapping[str, str]) -> bool:
    """Whether a test run is one of the agent's own test files only: it names no other, or there's no other."""
    named = [
        word.split("::", 1)[0]
        for entry in action.operation.commands
        for word in entry.args
        if is_test_path(word.split("::", 1)[0]) or any(same_file(word, path) for path in written)
    ]
    files = [word for word in named if "." in word.rsplit("/", 1)[-1]]
    return bool(files) and all(any(same_file(word, path) for path in written) for word in files)


def _of_script(action: Action, written: Mapping[str, str]) -> Proof:
    names = [name for entry in action.operation.commands if (name := script(entry))]
    for name in names:
        content = next((text for path, text in written.items() if same_file(path, name)), None)
        if content is not None:
            return Proof.OWN if _ASSERTS.search(content) else Proof.RAN
        if _CHECKING_NAME.search(name.rsplit("/", 1)[-1]) and action.exit_code == 0:
            return Proof.OWN
    return Proof.OWN if _ASSERTS.search(action.operation.command or "") and not names else Proof.RAN


def _named_by_user(command: str, task: str) -> bool:
    """Whether the task says to run this very command."""
    words = " ".join(command.split())
    return len(words) >= _SHORTEST_COMMAND and " " in words and words in " ".join(task.split())


def same_before(actions: Sequence[Action], check: Action, changes: Changes) -> Action | None:
    """The action before the first change of code that already failed as a check does which passes in part; None where
    there's none, and where nothing passes: then it may be the very fault that was to be mended."""
    group = check.failure.group if check.failure is not None else None
    if group is None or not _COUNTED.search(_ends(check.result or "")):
        return None
    for index, action in enumerate(actions):
        if action is check or changes.code(index):
            return None
        if action.failure is not None and action.failure.group == group:
            return action
    return None


def written_by(actions: Iterable[Action]) -> dict[str, str]:
    """The files that the agent made, with what it wrote into them last."""
    written: dict[str, str] = {}
    for action in actions:
        if action.failure is not None:
            continue
        for edit in action.operation.edits:
            known = next((path for path in written if same_file(path, edit.path)), None)
            if edit.created and edit.path:
                written[known or edit.path] = edit.after or ""
            elif known is not None and edit.after:
                written[known] = f"{written[known]}\n{edit.after}"
    return written


def _ends(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:2_000]}\n{text[-6_000:]}"
