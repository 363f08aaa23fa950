"""Test files that the session changed and that no run of it executed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from analyzer.commands.kinds import READERS, SEARCHERS
from analyzer.failures.roles import MARKS, is_test_name, is_test_path
from analyzer.model.action import Action, Command
from analyzer.model.difference import ChangeKind
from analyzer.model.words import MAIN_LANE, RUN_NOTHING, Kind
from analyzer.text.late import late
from analyzer.timeline.calls.judging import judges
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.verification.checks import (
    HANDLES_FILES,
    could_not_run,
    hooks_tested,
    runs_checker,
    tested_by_tool,
)

_LONGEST = 60_000
_TEST_FILE = late(
    r"(?:test_\w+|\w+_(?:test|spec)|[\w.-]+\.(?:" + MARKS + r")|\w*[a-z0-9]Tests?|Test[A-Z]\w*|\w*[a-z]IT)"
    r"\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|scala|groovy|rb|php|cs|swift|exs?|dart|cpp|cc|c|lua|clj|hs)"
)
_NOT_ONE = late(r"helpers?|util\w*|fixtures?|conftest|setup|mocks?|stubs?|base", re.IGNORECASE)
_MAY_TEST = frozenset(
    {"make", "mvn", "mvnw", "gradle", "gradlew", "just", "task", "rake", "ninja", "bazel", "tox", "nox"}
)
"""Programs that build and may run tests with it."""
_QUIET = HANDLES_FILES | READERS | SEARCHERS

_NOT_RUN = late(
    r"(?:\bnot|n['’]t|\bnever|\bwithout) (?:yet |actually |been |be )*(?:run|ran|running|execut\w+|tested|able)"
    r"|\b(?:could not|cannot|unable to|skipp\w+|needs? (?:a |an |the )?[\w-]+ to run|requires? [^.\n]{1,60} to run"
    r"|you (?:can|should|may|could|might|will|['’]ll)(?: (?:now|also|want to|need to|like to)){0,2} (?:run|test|verify"
    r"|execute))\b|\b(?:to run|run) (?:it|them|the tests?|this|these)\b[^.\n]{0,40}(?:[:`]|…)",
    re.IGNORECASE,
)
"""Words by which the agent says that tests weren't run, or leaves that to the user."""


@dataclass(frozen=True, slots=True)
class NeverRun:
    """A test file, the action that changed it first, and the checks since, of which none executes it."""

    path: str
    changed: Action
    checks: tuple[Action, ...]


def never_run(actions: Sequence[Action], delivery: Delivery) -> Iterator[NeverRun]:
    """The delivered test files that the agent changed and that nothing executed afterwards, for all that is known:
    each later call looks, edits, records or moves files, is a linter, a compiler or a type check, or a run of other
    test files by name."""
    for change in delivery.files:
        if change.kind is ChangeKind.REMOVED or not _is_tests(change.file):
            continue
        edits = [action for action in actions if action.accepted_edits and _edits(action, change.file)]
        if not edits or any(tested_by_tool(edit) for edit in edits):
            continue
        later = delivery.after(edits[0])
        names = _other_names(actions, change.file)
        if all(_leaves_out(action, change.file, names) for action in later):
            checks = tuple(
                action
                for action in later
                if action.failure is None and (_is_static(action) or action.kind is Kind.TEST)
            )
            yield NeverRun(change.file, edits[0], checks)


def is_loud(command: Command) -> bool:
    """Whether a command does more than show, search, record or move files."""
    return command.program not in _QUIET


def says_not_run(text: str) -> bool:
    """Whether the agent says that tests weren't run, or leaves that to the user."""
    return _NOT_RUN.search(text[:_LONGEST]) is not None


def _is_tests(path: str) -> bool:
    slashed = path.replace("\\", "/")
    name = PurePosixPath(slashed).name
    return _TEST_FILE.fullmatch(name) is not None and is_test_name(slashed) and _NOT_ONE.search(name) is None


def _edits(action: Action, path: str) -> bool:
    name = PurePosixPath(path).name
    return any(PurePosixPath(edit.path).name == name for edit in action.operation.edits)


def _leaves_out(action: Action, path: str, others: frozenset[str]) -> bool:
    """Whether an action doesn't execute a test file."""
    if action.lane != MAIN_LANE or action.asks_agent:
        return action.kind in (Kind.READ, Kind.SEARCH) and not action.asks_agent
    commands = action.operation.commands
    if action.kind in RUN_NOTHING and not _runs_something(commands):
        return True
    if action.task_done or could_not_run(action) or _is_static(action):
        return True
    if hooks_tested(action):
        return False
    if action.kind not in (Kind.RUN, Kind.TEST) or not commands or _base(path) in (action.result or "")[-_LONGEST:]:
        return False
    return all(
        command.program in _QUIET or not judges(command) or _is_of_others(command, path, others) for command in commands
    )


def _runs_something(commands: Iterable[Command]) -> bool:
    return any(map(is_loud, commands))


def _is_static(action: Action) -> bool:
    """Whether nothing but a linter, a compiler or a type check ran."""
    runner = action.operation.runner if action.kind is Kind.RUN else None
    if runner is None or runner.split()[0] in _MAY_TEST:
        return False
    loud = list(filter(is_loud, action.operation.commands))
    return runs_checker(action) or len(loud) <= max(1, len(action.operation.runners))


def _is_of_others(command: Command, path: str, others: frozenset[str]) -> bool:
    """Whether a command names test files, and this one isn't among them."""
    words = [word.split("::", 1)[0].removeprefix("./") for word in command.args if not word.startswith("-")]
    named = [word for word in words if word in others or _is_path_of_tests(word)]
    return bool(named) and not any(word and word.rstrip("/") in path for word in words if len(word) > 1)


def _is_path_of_tests(word: str) -> bool:
    """Whether a word names a test file, or a folder of tests below another folder."""
    if "." in word.rsplit("/", 1)[-1]:
        return is_test_path(word)
    return "/" in word.strip("/") and not set("*?[$=:@") & set(word) and is_test_path(f"{word.rstrip('/')}/x.y")


def _other_names(actions: Iterable[Action], path: str) -> frozenset[str]:
    """The names of other test files of the session, without what makes them tests."""
    paths = {
        entry
        for action in actions
        for entry in (action.operation.path or "", *(edit.path for edit in action.operation.edits))
        if entry and _is_tests(entry)
    }
    return frozenset(_base(entry) for entry in paths if PurePosixPath(entry).name != PurePosixPath(path).name)


def _base(path: str) -> str:
    return re.sub(rf"\.(?:{MARKS})$", "", PurePosixPath(path).stem)
