"""What is known to be said when something goes wrong (`rows.toml`): the kind of failure, and what finds it.

By shells and well-known programs: a row with a `subject` counts only when the command line speaks of that subject,
since a log that is merely shown may quote the same words. By harnesses, of a call that they didn't run, stopped or gave
up, and by agents' tools that refuse or fail. By interpreters and databases: the text of an exception by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind
from analyzer.text.expressions import KEPT
from analyzer.text.late import Literals
from analyzer.text.masks import mask
from analyzer.text.required import alternatives, folded
from analyzer.text.rows import joined, table_beside


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


@dataclass(frozen=True)
class Row:
    """A row of a table, from an expression in which `^` and `$` mean line ends: a named group `subject` is what the
    message is about, `detail` the part of it that is quoted."""

    kind: FailureKind
    type: str
    expression: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression."""
        return KEPT.pattern(self.expression, re.MULTILINE)

    @property
    def literals(self) -> tuple[str, ...] | None:
        """Texts in lower case of which every match holds one; None where the expression needs none."""
        needed = KEPT.required(self.expression, re.MULTILINE)
        return alternatives(needed[0]) if needed is not None else None


class Table(tuple[Row, ...]):
    """Rows of which one scan of a text for their literals says which may match."""

    def candidates(self, text: str) -> list[Row]:
        """The rows that may match in a text, in order."""
        always, rows, literals = self._index
        numbers = {number for literal in literals.within(folded(text)) for number in rows[literal]}
        return [self[number] for number in sorted(numbers.union(always))]

    @cached_property
    def _index(self) -> tuple[list[int], dict[str, list[int]], Literals]:
        """The rows without literals, those with each literal, and what looks for all of these."""
        rows: dict[str, list[int]] = {}
        always = []
        for number, each in enumerate(self):
            if each.literals is None:
                always.append(number)
            for literal in each.literals or ():
                rows.setdefault(literal, []).append(number)
        return always, rows, Literals(rows)


def table(text: str, parts: Mapping[str, str]) -> Table:
    """A table from lines of a kind, a type and an expression in which `^` and `$` mean line ends, in the order in which
    they're asked. A line that is indented goes on with the expression above it; `{NAME}` stands for one of the parts.
    """
    rows = (line.split(" ", 2) for line in joined(text, parts))
    return Table(Row(FailureKind(kind), name, expression) for kind, name, expression in rows)


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
