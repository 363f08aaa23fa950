"""What is known to be said when something goes wrong (`rows.toml`): the kind of failure, and what finds it.

By shells and well-known programs: a row with a `subject` counts only when the command line speaks of that subject,
since a log that is merely shown may quote the same words. By harnesses, of a call that they didn't run, stopped or gave
up, and by agents' tools that refuse or fail. By interpreters and databases: the text of an exception by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cached_property

from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind
from analyzer.text.expressions import KEPT
from analyzer.text.late import Literals, joined, late, table_beside
from analyzer.text.masks import mask
from analyzer.text.required import folded, literals_of


class Message(Struct, frozen=True):
    """One known message: what kind of failure it is, the type it's given, and its text."""

    kind: FailureKind
    type: str
    text: str
    subject: str | None = None
    start: int = 0

    @property
    def masked_subject(self) -> str | None:
        """What the message is about without what varies by itself."""
        return mask(self.subject) if self.subject is not None else None


class Row(Struct, frozen=True):
    """A row of a table, from an expression in which `^` and `$` mean line ends: a named group `subject` is what the
    message is about, `detail` the part of it that is quoted."""

    kind: FailureKind
    type: str
    expression: str
    pattern: re.Pattern[str]


class Table(tuple[Row, ...]):
    """Rows of which one scan of a text for their literals says which may match."""

    def candidates(self, text: str) -> list[Row]:
        """The rows that may match in a text, in order."""
        always, rows, literals = self._index
        found = literals.within(folded(text))
        numbers = {number for literal in found for number, holds in rows[literal] if holds(found)}
        return [self[number] for number in sorted(numbers.union(always))]

    @cached_property
    def _index(self) -> tuple[list[int], dict[str, list[tuple[int, Callable[[Collection[str]], bool]]]], Literals]:
        """The rows without literals, those with each literal and what says whether they may match, and what finds the
        literals."""
        needed = [KEPT.required(row.expression, re.MULTILINE) for row in self]
        rows: dict[str, list[tuple[int, Callable[[Collection[str]], bool]]]] = {}
        for number, (formula, holds) in ((number, one) for number, one in enumerate(needed) if one is not None):
            for literal in literals_of(formula):
                rows.setdefault(literal, []).append((number, holds))
        return [number for number, one in enumerate(needed) if one is None], rows, Literals(rows)


def table(text: str, parts: Mapping[str, str]) -> Table:
    """A table from lines of a kind, a type and an expression in which `^` and `$` mean line ends, in the order in which
    they're asked. A line that is indented goes on with the expression above it; `{NAME}` stands for one of the parts.
    """
    rows = (line.split(" ", 2) for line in joined(text, parts))
    return Table(Row(FailureKind(kind), name, line, late(line, re.MULTILINE)) for kind, name, line in rows)


_BESIDE = table_beside(__file__)
_ROWS, _PARTS = _BESIDE["rows"], _BESIDE["parts"]
SHELL = table(_ROWS["shell"], _PARTS)
"""What a shell itself says."""
ACCESS = table(_ROWS["access"], _PARTS)
"""Programs that can't get at what they should show."""
CAUSES = table(_ROWS["causes"], _PARTS)
"""Why everything after them fails: the network isn't there. They are looked for first."""
PROGRAMS = Table((*ACCESS, *table(_ROWS["programs"], _PARTS)))
"""Everything else that programs say."""
WRAPPERS = table(_ROWS["wrappers"], _PARTS)
"""What says only that something below it failed: enough where nothing else does, and where nothing is recorded."""
HARNESS = table(_ROWS["harness"], _PARTS)
"""In the order in which they're asked, each at the start of one of the outer lines of a result."""
RUNTIMES = table(_ROWS["runtimes"], _PARTS)
"""Rows that match at the start of an answer, in the words of CPython, V8, PostgreSQL, MySQL and SQLite."""
TOOLS = table(_ROWS["tools"], _PARTS)
"""What agents' tools say at the start of a result."""
