"""Which of the checks that the user lists ran, at which steps, and which never did."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.model.action import Action, Command
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.task.checklist import ListedCheck, checks_listed
from analyzer.text.late import late
from analyzer.timeline.hooks import passed_hooks
from analyzer.timeline.timeline import Timeline

_LONGEST = 8_000
_ONLY_WORDS = frozenset({Kind.PLAN, Kind.THINK, Kind.FINISH, Kind.EDIT, Kind.READ})
_FEWEST = 2
"""Checks that make a list."""
_FILLERS = frozenset({"run", "run-script", "exec", "--", "-s", "--silent"})
_SHOWS = late(r"browser|screenshot|playwright|puppeteer|chrome|navigate|devtools|preview", re.IGNORECASE)
"""Tools by which a page is looked at."""
_SERVES = frozenset({"dev", "start", "serve", "preview", "storybook"})
_TESTS = frozenset({"test", "tests", "t"})
_TAKEN_BACK = late(r"\b(?:skip|no need|don['’]t (?:need|bother|run)|without running|forget|leave out)\b", re.IGNORECASE)
_SEEN_TO = late(
    r"\b(?:looks? (?:good|great|fine|right)|works?|I(?:['’]ve| have)? (?:checked|tested|verified|looked))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ticked:
    """A check that the user listed, and the actions that ran it, in any lane."""

    check: ListedCheck
    runs: tuple[Action, ...]


def ticked(timeline: Timeline) -> list[Ticked]:
    """The checks of the user's list with their runs; nothing where the user lists fewer than two by their commands, and
    where another agent may have run them unseen."""
    turns = [message.text for message in timeline.messages if message.role == "user" and message.lane == MAIN_LANE]
    turns = list(dict.fromkeys([timeline.session.task or "", *turns]))
    found: dict[tuple[str, ...], tuple[int, ListedCheck]] = {}
    for number, text in enumerate(turns):
        for check in checks_listed(text):
            found[check.words] = number, check
    kept = [check for number, check in found.values() if not _taken_back(check, turns[number + 1 :])]
    if len(kept) < _FEWEST or any(action.asks_agent for action in timeline.actions):
        return []
    actions = [action for action in timeline.actions if not action.harness and action.mark is None]
    return [Ticked(check, tuple(action for action in actions if ran(check, action))) for check in kept]


def ran(check: ListedCheck, action: Action) -> bool:
    """Whether an action ran a check: by its command, by a task of the same name, in a hook, or by a tool that takes the
    command or looks at what it serves."""
    last = check.words[-1].casefold() if len(check.words) > 1 else ""
    if any(_is_command(check, command) for command in action.operation.commands):
        return True
    if action.kind is Kind.TEST and (_TESTS & {word.casefold() for word in check.words} or len(check.words) == 1):
        return True
    if last and any(last in name.casefold().replace(":", " ").split() for name in passed_hooks(action)):
        return True
    if _SERVES & {word.split(":", 1)[0] for word in check.words} and _SHOWS.search(action.tool) is not None:
        return True
    told = action.operation.command is None and action.kind not in _ONLY_WORDS
    return told and check.command in _flat(action)


def _is_command(check: ListedCheck, command: Command) -> bool:
    words = [command.program, *command.args]
    wanted = [word for word in check.words if word not in _FILLERS]
    if _follows(wanted, words):
        return True
    task = wanted[1] if len(wanted) > 1 and not wanted[1].startswith("-") and "/" not in wanted[1] else ""
    return bool(task) and (task in words or any(word.startswith(f"{task}:") for word in words))


def _follows(wanted: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words are among others, in their order."""
    rest = iter(word.rsplit("/", 1)[-1] if number == 0 else word for number, word in enumerate(words))
    return all(
        any(word.removeprefix("./").rsplit("/", 1)[-1] == other.rsplit("/", 1)[-1] for other in rest) for word in wanted
    )


def _flat(action: Action) -> str:
    given = action.arguments
    return (json.dumps(given, default=str) if isinstance(given, Mapping) else given)[:_LONGEST]


def _taken_back(check: ListedCheck, later: Sequence[str]) -> bool:
    """Whether the user says later that a check isn't needed, or has seen to it."""
    return any(
        _SEEN_TO.search(text[:_LONGEST]) is not None
        or (_TAKEN_BACK.search(text[:_LONGEST]) is not None and check.words[-1] in text)
        for text in later
    )
