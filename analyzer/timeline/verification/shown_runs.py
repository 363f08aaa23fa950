"""Which commands and tasks the output of another one shows to have run: the lines in which shells, package managers and
task runners repeat what they start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from analyzer.text.late import late

_LONGEST = 60_000
_MOST = 400
_TAG = r"(?:\[[^\]\n]{1,40}\] ?|[\w@./-]{1,60} ?\| ?)?"
"""What runners of several tasks put before each line."""
_ECHO = late(rf"(?m)^[ \t]{{0,4}}{_TAG}(?:\+{{1,4}}|[$%]|>) ?(?P<line>[\w./@~-][^\n]{{1,200}})$")
"""A line that repeats a command: `+ npm run lint`, `$ tsc`, `> vite`."""
_BARE = late(rf"(?m)^{_TAG}(?P<line>[a-z][\w./@-]{{1,40}} [^\n]{{1,160}})$")
"""A line that may be a command as a makefile prints it."""
_HEADER = late(
    rf"(?m)^[ \t]{{0,4}}{_TAG}> (?:nx run [^\s:]{{1,80}}:|[^\s>]{{1,80}} )(?P<task>[\w:.-]{{1,60}})"
    r"(?: [^\s>]{1,80})?$"
)
"""The line above a task's output: `> app@1.0.0 lint`, `> nx run app:lint`."""
_PREFIX = late(r"(?m)^[\w@/.-]{1,60}:(?P<task>[\w.-]{1,40}): ")
"""The task before each line of its output: `web:lint: ok`."""
_ROW = late(r"(?m)^(?P<name>[^\n.]{2,80}?)\.{3,}[^\n]{0,40}(?:Passed|Failed)$")
"""A line of a runner of hooks: a name, dots, and how it went."""


@dataclass(frozen=True, slots=True)
class ShownRuns:
    """The command lines and the names of tasks that an output shows to have run."""

    lines: tuple[str, ...]
    tasks: frozenset[str]

    def have(self, words: Sequence[str], names: Iterable[str]) -> bool:
        """Whether a command is among them, by its words or by one of the names of its task."""
        wanted = " ".join(words)
        if any(name in self.tasks for name in names):
            return True
        return any(line == wanted or line.startswith(f"{wanted} ") for line in self.lines)


def shown_runs(output: str, *, repeated: bool = False) -> ShownRuns:
    """What an output shows to have run. `repeated` says that the program prints commands as they are."""
    text = output[:_LONGEST]
    tasks = {found["task"] for form in (_HEADER, _PREFIX) for found in islice(form.finditer(text), _MOST)}
    for row in islice(_ROW.finditer(text), _MOST):
        tasks.update(row["name"].casefold().replace(":", " ").split())
    return ShownRuns(tuple(dict.fromkeys(_lines(text, repeated=repeated))), frozenset(tasks))


def _lines(text: str, *, repeated: bool) -> Iterator[str]:
    for form in (_ECHO, _BARE) if repeated else (_ECHO,):
        for found in islice(form.finditer(text), _MOST):
            yield " ".join(found["line"].split())
