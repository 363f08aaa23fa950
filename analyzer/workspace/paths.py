"""Names of files as one spelling: absolute where the working directory is known, with `/` and without `.` and `..`; and
the directory in which each step runs: where the session began, and every `cd` since, for each shell apart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from analyzer.model.action import Action
from analyzer.model.words import MAIN_LANE
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.text.plain import holds_any

_DRIVE = late(r"^[A-Za-z]:(?=[\\/]|$)")
_DERIVED = name_set("""
__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv node_modules .git target .gradle .next .turbo
coverage htmlcov .coverage .cache .eggs obj bin
""")
_HOME = late(r"^/(?:home|Users)/[^/]+")


@lru_cache(maxsize=50_000)
def normal(path: str, directory: str = "") -> str:
    """`path` seen from `directory`. A relative path from an unknown directory (empty) stays relative."""
    text = path.strip().replace("\\", "/")
    text = text.removeprefix("file://")
    if _DRIVE.match(text):
        text = "/" + text[0].lower() + text[1:]
    if text.startswith("~"):
        home = _HOME.match(directory)
        text = home[0] + text[1:] if home and (text == "~" or text.startswith("~/")) else "/" + text
    absolute = text.startswith("/")
    if not absolute and directory:
        text, absolute = f"{directory}/{text}", directory.startswith("/")
    parts: list[str] = []
    for part in text.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not absolute:
            parts.append(part)
    return ("/" if absolute else "") + "/".join(parts)


def under(path: str, folder: str) -> bool:
    """Whether a path is `folder` or lies below it; everything relative lies below the empty folder."""
    if not folder:
        return not path.startswith("/")
    return path == folder or path.startswith(folder if folder == "/" else folder + "/")


def last(path: str) -> str:
    """The last part of a path."""
    return path.rsplit("/", 1)[-1]


@lru_cache(maxsize=50_000)
def derived(path: str) -> bool:
    """Whether a path belongs to what tools make by themselves: caches, installed packages, version control."""
    return any(part in _DERIVED or part.endswith((".egg-info", ".dist-info", ".pyc")) for part in path.split("/"))


def below(path: str, root: str) -> str:
    """A path as it's called from the root, for one that lies below it."""
    return path[len(root) + 1 :] if root and path != root and under(path, root) else path


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


def directories_of(actions: Sequence[Action], environment: Mapping[str, str], said: Sequence[str]) -> Directories:
    """What the record says about directories; `said` are the texts that tell the agent how its shell works."""
    speaks = any(holds_any(text, ("subshell", "separate", "persist")) for text in said)
    forgets = (speaks and any(_FORGETS.search(text) for text in said)) or _repeats_relative(actions)
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
            if first.startswith("/") and ":" not in first and first.split() == [first]:
                return normal(first)
        if (lead := _LEAD.match(line)) is not None and (folder := lead["dir"].strip("'\"")).startswith("/"):
            return normal(folder)
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
