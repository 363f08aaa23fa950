"""A check that shows what it objects to by a mark beside a line of source, and says nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from analyzer.text.late import late

_ROW = late(r"^[ \t]{0,12}(?P<line>\d{1,7})(?P<sign>[│|█▶→>:]) ?(?P<code>.*)$")
_FILE = late(r"^(?P<file>[\w./\\~@+-]{1,300}\.\w{1,12}):$")
_MARKS = frozenset("█▶→>")


@dataclass(slots=True, frozen=True)
class Marked:
    """The line that is marked: its number, its text, and the file that the listing is headed with."""

    line: int
    code: str
    file: str | None


def marked_line(text: str) -> Marked | None:
    """The first marked line of a numbered listing, most of whose lines carry another sign; None without one."""
    file: str | None = None
    rows: list[tuple[int, str, str, str | None]] = []
    for line in text.splitlines():
        found = _ROW.match(line.rstrip())
        if found is not None:
            rows.append((int(found["line"]), found["sign"], found["code"].strip(), file))
        elif (heading := _FILE.match(line.strip())) is not None:
            file = heading["file"]
    marked = [row for row in rows if row[1] in _MARKS and row[2]]
    plain = [row for row in rows if row[1] not in _MARKS]
    if not marked or not plain or not any(one[0] + 1 == other[0] for one, other in pairwise(rows)):
        return None
    number, _, code, where = marked[0]
    return Marked(number, code, where)
