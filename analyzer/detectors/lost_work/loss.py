"""A loss before it's a finding, and what decides whether it is one: the paths that it concerns, and what the user asked
for, since a loss that somebody wants is none."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping

from analyzer.failures.roles import same_file
from analyzer.model.finding import Slot
from analyzer.model.struct import Struct, field
from analyzer.model.words import Severity
from analyzer.speech.acts import words_for
from analyzer.task.acts import (
    DELETING,
    TIDYING,
    AskedAct,
    Spoken,
    clauses_of,
    sentence_speaks,
    spoken_of,
    told_to_run_any,
)
from analyzer.task.prose import sentences
from analyzer.text.late import late
from analyzer.text.names import name_set


class Loss(Struct, frozen=True):
    """What a command destroys: the kind, the name of its words in the table, and the facts that these name. `steps` are
    those that show what is lost; `severity` is given where it isn't the one of the kind."""

    kind: str
    words: str = ""
    slots: Mapping[str, Slot] = field(default_factory=dict)
    steps: tuple[int, ...] = ()
    severity: Severity | None = None


_LONGEST_NAME = 1_000
"""No file has a longer name; words of commands may be whole texts."""


def clean(name: str) -> str:
    """A name without what shells and people put around it, with slashes between its parts."""
    return name.strip("'\",").replace("\\", "/").removeprefix("./").rstrip("/").removesuffix("/*")


def may_lie_in(path: str, place: str | None) -> bool:
    """Whether a file may lie in the directory in which a command runs: only two absolute paths say that it doesn't."""
    apart = place is not None and place.startswith("/") and path.startswith("/")
    return not apart or path.startswith(f"{(place or '').rstrip('/')}/")


def is_below(path: str, directory: str) -> bool:
    """Whether a path lies in a directory or is it, both as they were written."""
    return f"/{directory}/" in f"/{path}/"


class Names:
    """Names, each with the step at which it was first seen, in order; beyond `most` no more are taken.

    They're kept by their parts, so that a question looks only at those that have a part in common with what is asked
    about.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._steps: dict[str, int] = {}
        self._by_part: dict[str, list[str]] = {}
        self._by_end: dict[str, list[str]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._steps

    def add(self, *names: str, step: int = 0) -> None:
        """Take names, as far as they aren't known."""
        for name in names:
            if not name or name in self._steps or len(self._steps) >= self._most or len(name) > _LONGEST_NAME:
                continue
            self._steps[name] = step
            parts = name.split("/")
            for part in dict.fromkeys(parts):
                self._by_part.setdefault(part, []).append(name)
            for end in {_end(parts), _end(name.replace("\\", "/").split("/"))}:
                self._by_end.setdefault(end, []).append(name)

    def below(self, directory: str) -> list[tuple[str, int]]:
        """The names that lie in a directory or are it, with their steps, in order."""
        near = self._by_part.get(directory.rsplit("/", 1)[-1], ())
        return [(name, self._steps[name]) for name in near if is_below(name, directory)]

    def touch(self, name: str) -> bool:
        """Whether one of the names lies in `name`, is it, or is a directory around it."""
        around = (other for part in dict.fromkeys(name.split("/")) for other in self._by_end.get(part, ()))
        return bool(self.below(name)) or any(is_below(name, other) for other in around)

    def same(self, path: str) -> bool:
        """Whether one of the names may be another spelling of a path."""
        return any(same_file(path, other) for other in self._by_end.get(_end(path.replace("\\", "/").split("/")), ()))


def _end(parts: list[str]) -> str:
    """The last part that says something, since `boats/.` and `boats` are the same."""
    for part in reversed(parts):
        if part.strip("."):
            return part
    return parts[-1]


_LONGEST, _MOST = 20_000, 20
_PLACE = late(r"`|[\w@~.-]*[/\\][\w.-]|(?<!\w)[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}(?!\w)|(?<!\w)@\w")
"""A path, the name of a file, or something set off as code."""
_OUTPUT = late(r"\b(?:build|compiled|generated|cache[ds]?|temp(?:orary)?|logs?|artifacts?|outputs?)\b", re.IGNORECASE)
_OF_OTHERS = name_set("all everything uncommitted local working reset clean discard head")
"""How a sentence speaks of more than what the agent made."""


class UserRequests:
    """The task and the last messages of the user, each held against a loss only when somebody asks."""

    def __init__(self, task: str) -> None:
        self._texts: deque[str] = deque(maxlen=_MOST)
        self.add(task)

    def add(self, text: str) -> None:
        """Take the next message of the user."""
        self._texts.append(text[:_LONGEST])

    def wants(self, act: AskedAct, *, to_others: bool = False) -> bool:
        """Whether the user said that such a thing is to be done, or may be; with `to_others` not only to what the agent
        made itself ("undo your change")."""
        return any(_wants(_of_others(text) if to_others else text, act) for text in self._texts)

    def unless(self, act: AskedAct, loss: Loss) -> Loss | None:
        """The loss, unless the user said that it's to be."""
        return None if self.wants(act) else loss

    def speak_of(self, path: str) -> bool:
        """Whether the user named a file."""
        return any(path.rsplit("/", 1)[-1] in text for text in self._texts)

    def name(self, path: str) -> bool:
        """Whether the user named the file or directory in a turn that asks for deleting or replacing, or asked for
        files to be deleted."""
        base = path.rsplit("/", 1)[-1]
        return any(base in text and _wants(text, DELETING) for text in self._texts) or self.wants(TIDYING)

    def means_all(self) -> bool:
        """Whether the user spoke of all of something."""
        whole = {*words_for("clauses", "whole"), "everything", "empty"}
        return any(not whole.isdisjoint(text.lower().split()) for text in self._texts)

    def mean_output(self) -> bool:
        """Whether all that the user asked to have removed is what programs make: builds, caches, logs."""
        asked = list(self._removals())
        return bool(asked) and all(map(_OUTPUT.search, asked))

    def leave_open(self) -> bool:
        """Whether the user asked for a removal in words that name no file or folder, so that many may be meant."""
        return any(_PLACE.search(clause) is None for clause in self._removals())

    def _removals(self) -> Iterator[str]:
        """The clauses that ask for a removal."""
        for text in self._texts:
            clauses = (clause for sentence in sentences(text) for clause in clauses_of(sentence))
            yield from (clause for clause in clauses if sentence_speaks(clause, DELETING) is Spoken.ASKED)


def _of_others(text: str) -> str:
    """The sentences of a text that speak of more than the agent's own work."""
    parts = sentences(text)
    return "\n".join(part for part in parts if not _OF_OTHERS.isdisjoint(part.lower().replace(",", "").split()))


def _wants(text: str, act: AskedAct) -> bool:
    return spoken_of(text, act) >= Spoken.MEANT or told_to_run_any(text, act)
