"""Which of the checks that the user lists ran, at which steps, and which never did, as far as that can be known."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.failures.envelope import printed
from analyzer.model.action import Action, Command
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.task.checklist import ListedCheck, checks_listed
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.timeline.calls.programs import READERS, SEARCHERS
from analyzer.timeline.calls.umbrellas import RUN_TASKS, is_umbrella, repeats_commands
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.verification.hooks import passed_hooks
from analyzer.timeline.verification.shown_runs import ShownRuns, shown_runs
from analyzer.timeline.verification.withdrawn_checks import withdrawn

_LONGEST = 8_000
_ONLY_WORDS = frozenset({Kind.PLAN, Kind.THINK, Kind.FINISH, Kind.EDIT, Kind.READ})
_FEWEST = 2
"""Checks that make a list."""
_FILLERS = frozenset({"run", "run-script", "exec", "--", "-s", "--silent"})
_SHOWS = late(r"browser|screenshot|playwright|puppeteer|chrome|navigate|devtools|preview", re.IGNORECASE)
"""Tools by which a page is looked at."""
_SERVES = frozenset({"dev", "start", "serve", "preview", "storybook"})
_TESTS = frozenset({"test", "tests", "t"})
_LOCAL = late(r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d|/)|\[::1\]", re.IGNORECASE)
"""The address of a server on the same machine."""
_MANY = name_set(
    "cargo go python python3 uv poetry hatch dotnet docker bundle php npx bunx deno node mvn gradle nx turbo"
)
"""Programs that do many things."""
_SAYS_ONLY = READERS | SEARCHERS | {"git", "gh", "glab", "echo", "printf", "true", "exit", "cd"}
"""Programs that run nothing that their words name."""


@dataclass(frozen=True, slots=True)
class ListedChecks:
    """A check that the user listed, and the actions that ran it, in any lane. `may_have_run` is True where something
    ran that may have run the check without showing it."""

    check: ListedCheck
    runs: tuple[Action, ...]
    may_have_run: bool = False


def listed_checks(timeline: Timeline) -> list[ListedChecks]:
    """The checks of the user's list with their runs; nothing where the user lists fewer than two by their commands, and
    where another agent may have run them unseen."""
    turns = [message.text for message in timeline.messages if message.role == "user" and message.lane == MAIN_LANE]
    turns = list(dict.fromkeys([timeline.session.task or "", *turns]))
    found: dict[tuple[str, ...], tuple[int, ListedCheck]] = {}
    for number, text in enumerate(turns):
        for check in checks_listed(text):
            found[check.words] = number, check
    kept = [check for number, check in found.values() if not withdrawn(check, turns[number + 1 :])]
    if len(kept) < _FEWEST or any(action.asks_agent for action in timeline.actions):
        return []
    actions = [action for action in timeline.actions if not action.harness and action.mark is None]
    shown = [_shown_by(action) for action in actions]
    return [
        ListedChecks(
            check,
            tuple(action for action, output in zip(actions, shown, strict=True) if ran(check, action, output)),
            any(may_hold(check, action, kept) for action in actions),
        )
        for check in kept
    ]


def _shown_by(action: Action) -> ShownRuns | None:
    """What the output of an action that runs something shows to have run."""
    if action.kind in _ONLY_WORDS or action.kind is Kind.SEARCH:
        return None
    return shown_runs(printed_by(action), repeated=any(map(repeats_commands, action.operation.commands)))


def ran(check: ListedCheck, action: Action, shown: ShownRuns | None = None) -> bool:
    """Whether an action ran a check: by its command, by a task of the same name, in a hook, by a tool that takes the
    command or looks at what it serves, or within another one whose output (`shown`) shows it."""
    last = check.words[-1].casefold() if len(check.words) > 1 else ""
    if _by_command(check, action):
        return True
    if action.kind is Kind.TEST and (_TESTS & {word.casefold() for word in check.words} or len(check.words) == 1):
        return True
    if last and any(last in name.casefold().replace(":", " ").split() for name in passed_hooks(action)):
        return True
    if _serves(check) and _SHOWS.search(action.tool) is not None:
        return True
    if shown is not None and shown.have(check.words, _names_of(check)):
        return True
    told = action.operation.command is None and action.kind not in _ONLY_WORDS
    return told and check.command in _flat(action)


def may_hold(check: ListedCheck, action: Action, listed: Sequence[ListedCheck]) -> bool:
    """Whether an action may have run a check without showing it: a script or a task that runs several, a line or a call
    that names the check's task in another way, or a look at what a server of the same machine serves. What ran one of
    the checks that are `listed` is no more than that."""
    given = _flat(action).replace("\\n", " ")
    if action.kind is Kind.READ and action.operation.command is None:
        return _serves(check) and _LOCAL.search(given) is not None
    if action.kind in _ONLY_WORDS or action.kind is Kind.SEARCH:
        return False
    if _serves(check) and _LOCAL.search(f"{given}\n{printed_by(action)[:_LONGEST]}") is not None:
        return True
    if action.operation.command is None:
        return _names(check, given) or (_serves(check) and _SHOWS.search(given) is not None)
    rest: list[Command] = []
    for command in action.operation.commands:
        if any(_is_command(one, command) for one in listed):
            given = given.replace(command.text, "")
        elif command.program not in _SAYS_ONLY:
            rest.append(command)
    return bool(rest) and (any(_may_be(check, command) for command in rest) or _names(check, given))


def _may_be(check: ListedCheck, command: Command) -> bool:
    """Whether a command runs several others, starts what a check serves, or is the check's program with other words."""
    if is_umbrella(command) or (_serves(check) and _SERVES & set(command.args)):
        return True
    return command.program == check.words[0] and command.program not in RUN_TASKS | _MANY


def _names(check: ListedCheck, text: str) -> bool:
    """Whether a text has the name of a check's task, or its program's where it has none, as a word of its own."""
    name = _task(check) or check.words[0].rsplit("/", 1)[-1]
    return re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w/-])", text) is not None


def _by_command(check: ListedCheck, action: Action) -> bool:
    return any(_is_command(check, command) for command in action.operation.commands)


def _serves(check: ListedCheck) -> bool:
    return bool(_SERVES & {word.split(":", 1)[0] for word in check.words})


def _task(check: ListedCheck) -> str:
    """The name of the task that a check runs; empty where it runs a program with paths or options."""
    wanted = [word for word in check.words if word not in _FILLERS]
    return wanted[1] if len(wanted) > 1 and not wanted[1].startswith("-") and "/" not in wanted[1] else ""


def _names_of(check: ListedCheck) -> list[str]:
    """The names by which runners speak of a check: that of its task, or of its program where it has no tasks."""
    program = check.words[0].rsplit("/", 1)[-1]
    return [name for name in (_task(check), "" if program in RUN_TASKS | _MANY else program) if name]


def _is_command(check: ListedCheck, command: Command) -> bool:
    words = [command.program, *(part for word in command.args for part in (word, *_parts(word)))]
    wanted = [word for word in check.words if word not in _FILLERS]
    if _follows(wanted, words):
        return True
    task = _task(check)
    if command.program in _SAYS_ONLY:
        return False
    return bool(task) and (task in words or any(word.startswith(f"{task}:") for word in words))


def _parts(word: str) -> list[str]:
    """The names of a list in one word (`lint,types`)."""
    return word.split(",") if "," in word else []


def _follows(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words are among others, in their order."""
    rest = iter(word.rsplit("/", 1)[-1] if number == 0 else word for number, word in enumerate(words))
    return all(
        any(word.removeprefix("./").rsplit("/", 1)[-1] == other.rsplit("/", 1)[-1] for other in rest) for word in wanted
    )


def printed_by(action: Action) -> str:
    """What an action printed, out of what a recorder or a tool put around it."""
    return printed(action.result or "")


def _flat(action: Action) -> str:
    given = action.arguments
    return (json.dumps(given, default=str) if isinstance(given, Mapping) else given)[:_LONGEST]
