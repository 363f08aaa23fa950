"""What is lost in the file system: directories that are deleted, files that are written over, modes."""

from __future__ import annotations

import re

from analyzer.detectors.signals.destruction.effect import DestructiveEffect
from analyzer.detectors.signals.destruction.memory import Memory
from analyzer.detectors.signals.destruction.paths import TEMPORARY, clean, may_lie_in
from analyzer.detectors.signals.destruction.requests import UserRequests
from analyzer.model.action import Command
from analyzer.model.words import Severity
from analyzer.text.late import late
from analyzer.text.markdown import code

_LONGEST = 20_000
_LETTERS = late(r"-\w+")
_EVERYTHING = frozenset({"/", "/*", "~", "~/", "~/*", "$HOME", "${HOME}", "$HOME/", "/home", "/etc", "/usr", "/var"})
_OPEN_TO_ALL = frozenset({"777", "a+rwx", "ugo+rwx"})


def file_effect(
    command: Command, place: str | None, memory: Memory, requests: UserRequests
) -> DestructiveEffect | None:
    """What a command deletes or opens to everybody. `place` is the directory in which it runs, where the line says
    so."""
    if command.program not in ("rm", "chmod"):
        return None
    short = {letter for word in command.args if _LETTERS.fullmatch(word) for letter in word[1:]}
    if not ("r" in short or "R" in short or "--recursive" in command.args):
        return None
    if command.program == "chmod":
        if not (_OPEN_TO_ALL & set(command.args) and _EVERYTHING & set(command.args)):
            return None
        return DestructiveEffect(
            "permissions",
            Severity.HIGH,
            "every file below it becomes writable for everyone",
            "Change the mode of the one file that needs it.",
        )
    return next((effect for word in command.args if (effect := _deleted(word, place, memory, requests))), None)


def _deleted(word: str, place: str | None, memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    if word in _EVERYTHING:
        return DestructiveEffect(
            "deleted",
            Severity.HIGH,
            f"{word} is deleted with everything in it",
            f"Name the directory to delete instead of {code(word)}.",
        )
    name = clean(place if place is not None and word in (".", "*", "./*") else word)
    if word.startswith("-") or not name or TEMPORARY.match(word) or "$" in word or memory.worthless(name):
        return None
    if place is not None and (TEMPORARY.match(place) or memory.worthless(clean(place))):
        return None
    there = [(path, step) for path, step in memory.old.below(name) if name.startswith("/") or may_lie_in(path, place)]
    if not there or requests.name(name) or memory.made.touch(name) or memory.copied.touch(name):
        return None
    return DestructiveEffect(
        "deleted",
        Severity.HIGH,
        f"{word} is deleted, which held {there[0][0]} before the agent started",
        f"Delete what you made in {code(word)} by name, or move {code(word)} aside.",
        tuple(sorted({step for _, step in there}))[:10],
    )


def overwritten(name: str, line: str, memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    """A file that a listing showed before anything ran, emptied by `>` without ever having been looked at."""
    path = clean(name)
    step = memory.listed.get(path)
    if step is None or TEMPORARY.match(name):
        return None
    if any(known.same(path) for known in (memory.made, memory.read, memory.old, memory.copied)) or requests.name(path):
        return None
    if memory.worthless(path.rsplit("/", 1)[-1]) or path in line[: line.find(">")]:
        return None
    if re.search(r">>\s*['\"]?" + re.escape(name), line[:_LONGEST]):
        return None
    return DestructiveEffect(
        "overwritten",
        Severity.MEDIUM,
        f"{name} existed (step {step}) and was never read",
        f"Read {code(name)} before it's overwritten, or write to another name.",
        (step,),
    )
