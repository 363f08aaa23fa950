"""Results of which a recorder kept only the beginning, all of them up to one length."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.model.session import Session, ToolCall, ToolResult
from analyzer.text.late import late

_WORDS = r"(?:truncat|characters?\b|chars?\b|bytes?\b|omitted|clipped|trimmed|elided|left out|\bcut\b|\bmore\b)"
_BRACKETED = rf"[\[(<{{]\s*(?:…|\.{{3}})?[^\[\](){{}}<>\n]{{0,60}}{_WORDS}[^\[\](){{}}<>\n]{{0,60}}[\])>}}]"
_MARK = late(
    rf"(?:(?:…|\.{{3}})\s*{_BRACKETED}|\s?{_BRACKETED}"
    r"|(?:…|\.{3})(?:\s*\+?\d[\d,]*\s*(?:more )?(?:chars?|characters|bytes))?)\s*\Z",
    re.IGNORECASE,
)
"""What a recorder puts at the end of a text that it cuts."""
_COUNT = late(r"\d[\d,]*\s*(?:more |of \d[\d,]* )?(?:chars?|characters|bytes)\b", re.IGNORECASE)
_MARK_LENGTH = 140
_COUNTED, _UNCOUNTED = 2, 3
"""Results that end at one length, from which they're taken to be cut: with a count of what is left out, and without."""
_SHORTEST = 120
_ROUND = 50
_COMMANDS = frozenset({"command", "cmd", "code", "script", "input"})


@dataclass(frozen=True, slots=True)
class _End:
    """A result, how much of it is the tool's, and whether a mark that counts what is left out follows."""

    result: ToolResult
    kept: int
    marked: bool
    counts: bool
    asked: str


def mark_cut_results(session: Session) -> None:
    """Mark the results that a recorder cut. Those are results that end at one length with a mark which counts what is
    left out; or, where no result is longer, texts of different calls that end at one round length, with or without a
    mark."""
    ends = _ends(session)
    length = _counted(ends)
    if length is not None:
        cut = [end for end in ends if end.counts and end.kept == length]
    elif (length := _longest(ends)) is not None:
        cut = [end for end in ends if end.kept == length]
    else:
        return
    for end in cut:
        end.result.cut_at = length


def _ends(session: Session) -> list[_End]:
    asked = {event.id: _asked(event) for event in session.events if isinstance(event, ToolCall)}
    ends = []
    for event in session.events:
        if isinstance(event, ToolResult) and event.text and not event.unrecorded:
            found = _MARK.search(event.text, max(0, len(event.text) - _MARK_LENGTH))
            mark = found[0] if found is not None else ""
            counts = _COUNT.search(mark) is not None
            ends.append(_End(event, len(event.text) - len(mark), bool(mark), counts, asked.get(event.call_id, "")))
    return ends


def _asked(call: ToolCall) -> str:
    """What was called: the tool, or the program that it was given to run."""
    given = call.arguments if isinstance(call.arguments, Mapping) else {"command": call.arguments}
    line = next((value for name, value in given.items() if name in _COMMANDS and isinstance(value, str)), "")
    return f"{call.name} {(line.split() or [''])[0]}"


def _counted(ends: Sequence[_End]) -> int | None:
    """The one length at which results end that say how much is left out; None where they end at several."""
    lengths = Counter(end.kept for end in ends if end.counts)
    if len(lengths) != 1:
        return None
    ((length, count),) = lengths.items()
    return length if count >= _COUNTED and length >= _SHORTEST else None


def _longest(ends: Sequence[_End]) -> int | None:
    """The round length that no result exceeds and that different texts of different calls have."""
    length = max((end.kept for end in ends), default=0)
    full = [end for end in ends if end.kept == length]
    total = {len(end.result.text) for end in full}
    is_round = any(
        size % _ROUND == 0 or size & (size - 1) == 0 for size in (length, *(total if len(total) == 1 else ()))
    )
    if length < _SHORTEST or not is_round or len({end.result.text for end in full}) < _UNCOUNTED:
        return None
    all_marked = all(end.marked for end in full)
    return length if all_marked or len({end.asked for end in full}) > 1 else None
