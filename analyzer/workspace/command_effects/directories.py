"""The directory in which each step runs: where the session began, and every `cd` since, for each shell apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from analyzer.model.action import Action
from analyzer.model.words import MAIN_LANE
from analyzer.text.late import late
from analyzer.workspace.paths import normal

_NAMED = ("workdir", "cwd", "working_directory", "working_dir", "workingDirectory")
_STATED = late(
    r"\[?current (?:working )?directory: (?P<one>/[^\s\])]+)|\bcwd (?:was|has been) reset to (?P<two>/\S+)",
    re.IGNORECASE,
)
_LEAD = late(r"^\s*cd\s+(?P<dir>'[^']+'|\"[^\"]+\"|[^\s;&|]+)\s*(?P<more>&&|;|\n|$)")
_FORGETS = late(
    r"(?:director(?:y|ies)|\bcd\b)[^.\n]{0,120}\b(?:not|n't) (?:be )?persist|new subshell|"
    r"separate (?:shell|subshell|process)",
    re.IGNORECASE,
)
_TAIL = 600
_MOST_LOOKED_AT = 400


class Directories:
    """Where the next step of each lane runs.

    A shell keeps the directory into which it changed, unless the log shows otherwise: a call names its directory, the
    instructions say that directories don't persist, or the same relative `cd` leads every command.
    """

    def __init__(self, start: str, *, forgets: bool = False) -> None:
        self.start = start
        self.forgets = forgets
        self._now: dict[str, str] = {}

    def of(self, action: Action) -> str:
        """The directory in which an action begins; empty where it isn't known."""
        stated = _named(action.arguments)
        if stated is not None:
            return normal(stated, self.start)
        return self.start if self.forgets else self._now.get(action.lane, self.start)

    def left(self, action: Action, directory: str) -> None:
        """An action of a shell ended in a directory."""
        if _named(action.arguments) is None and not self.forgets:
            self._now[action.lane] = directory
        if action.result is not None and "director" in (tail := action.result[-_TAIL:]).lower():
            stated = [found["one"] or found["two"] for found in _STATED.finditer(tail)]
            if stated:
                self._now[action.lane] = normal(stated[-1])


def directories_of(actions: Sequence[Action], environment: Mapping[str, str], said: Iterable[str]) -> Directories:
    """What the record says about directories; `said` are the texts that tell the agent how its shell works."""
    forgets = any("subshell" in text or "separate" in text or "persist" in text for text in said) and any(
        _FORGETS.search(text) for text in said
    )
    forgets = forgets or _repeats_relative(actions)
    recorded = environment.get("working directory", "")
    start = normal(recorded) if recorded else _starting(actions)
    return Directories(start, forgets=forgets)


def _named(arguments: Mapping[str, object] | str) -> str | None:
    if isinstance(arguments, str):
        return None
    return next((value for key in _NAMED if isinstance(value := arguments.get(key), str) and value.strip()), None)


def _starting(actions: Sequence[Action]) -> str:
    """The directory in which a session began that doesn't record it: what `pwd` printed first, what a call names, or
    the first directory to which a command goes by its absolute path."""
    for action in actions[:_MOST_LOOKED_AT]:
        if (stated := _named(action.arguments)) is not None and stated.startswith("/"):
            return normal(stated)
        line = action.operation.command
        if line is None:
            continue
        if line.strip().startswith("pwd") and action.result:
            first = action.result.strip().split("\n", 1)[0].strip()
            if re.fullmatch(r"/[^\s:]*", first):
                return normal(first)
        lead = _LEAD.match(line)
        if lead is not None and lead["dir"].strip("'\"").startswith("/"):
            return normal(lead["dir"].strip("'\""))
    return ""


def _repeats_relative(actions: Sequence[Action]) -> bool:
    """Whether two commands that follow each other both begin with the same relative `cd`, and both got there."""
    before: str | None = None
    for action in actions[:_MOST_LOOKED_AT]:
        line = action.operation.command
        if line is None or action.lane != MAIN_LANE or not action.operation.commands:
            continue
        lead = _LEAD.match(line)
        directory = lead["dir"].strip("'\"") if lead is not None and lead["more"] in ("&&", ";") else None
        plain = directory is not None and not directory.startswith(("/", "~", "$", ".", "-"))
        missed = "No such file or directory" in (action.result or "")[:400] or action.result is None
        if plain and not missed and directory == before:
            return True
        before = directory if plain and not missed else None
    return False
