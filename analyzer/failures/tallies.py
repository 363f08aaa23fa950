"""How many things a tool found, by the line in which it counts them, whatever the tool: `3 issues:`, `0 issues.`,
`No problems found`, `✖ 5 problems (0 errors, 5 warnings)`, `found 0 vulnerabilities`."""

from __future__ import annotations

import re

from analyzer.model.struct import Struct
from analyzer.text.late import late
from analyzer.text.plain import holds_any, plain

_LAST_LINES = 12
_END = 3_000
_WORDS = ("issue", "problem", "error", "violation", "offen", "vulnerabilit", "warning")
_LABEL = r"^(?P<label>\[[\w./:@-]{1,40}\][ :|]{0,3})?"
_COUNT = late(
    _LABEL
    + (
        r"\W{0,4}(?:(?:found|total|there (?:are|were)|with)(?: of)?:? )?(?P<count>no|zero|\d{1,6}) "
        r"(?:(?:lint(?:ing|er)?|type|style|syntax|security|known|total) )?"
        r"(?P<what>issue|problem|error|violation|offen[sc]e|vulnerabilit(?:y|ie)|warning)s?(?: (?:were )?(?:found"
        r"|detected))?(?:[.:!]{0,2}$| \((?P<parts>[^()]{1,80})\)\.?$"
        r"|,? (?:and )?\d{1,6} \w+(?:,? (?:and )?\d{1,6} \w+)?\.?$"
        r"| in \d{1,6} [^.\n]{1,60}\.?$)"
    ),
    re.IGNORECASE,
)
_NONE = frozenset({"no", "zero", "0"})
_NO_ERRORS = late(r"\b0 errors?\b", re.IGNORECASE)


class Tally(Struct, frozen=True):
    """A line that counts what a tool found, and whether that is anything worse than a warning. `known` is True for
    weaknesses of what is installed, which most tools only remark on."""

    line: str
    found: bool
    known: bool


def tally_of(text: str) -> Tally | None:
    """The last count that a result ends with, of several tools whose lines have labels one that is above zero; None
    where the result counts nothing."""
    end = text[-_END:]
    folded = end.casefold()
    if not holds_any(folded, _WORDS):
        return None
    counts: dict[str, Tally] = {}
    for line in plain(end).splitlines()[-_LAST_LINES:]:
        row = _COUNT.match(line.strip())
        if row is not None:
            nothing = row["count"].casefold() in _NONE or row["what"].casefold() == "warning"
            worse = not nothing and (row["parts"] is None or _NO_ERRORS.search(row["parts"]) is None)
            known = row["what"].casefold().startswith("vulner")
            counts[row["label"] or ""] = Tally(line.strip(), worse, known)
    found = [tally for tally in counts.values() if tally.found]
    return (found or list(counts.values()))[-1] if counts else None
