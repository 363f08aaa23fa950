"""Records that name the record before them: a tree, of which the path to the last one is the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from analyzer.formats.container.document import Record
from analyzer.formats.record.fields import str_or_none
from analyzer.model.session import ReadWarning, Session
from analyzer.text.english import plural


def of_last_branch(
    session: Session,
    records: Sequence[Record],
    own: str,
    above: str,
    ends: Callable[[dict[str, Any]], bool] = bool,
    names: tuple[str, str] = ("record", "records"),
) -> list[Record]:
    """The records on the path to the last one, in file order; the session is warned of how many lie on others.

    `own` and `above` are the keys of a record's id and of the id of the one before it. A record without an id belongs
    to every path. Where the one before isn't there (its line is damaged), the record that stands before takes its
    place. `ends` says which records may be the last; those behind it only note something, and are kept. Where most ids
    are the same text (a store put it in place of them), nothing is known of branches, and all records are kept.
    """
    place_of: dict[str, int] = {}
    for place, record in enumerate(records):
        if (name := str_or_none(record.value.get(own))) is not None:
            place_of.setdefault(name, place)
    if 2 * len(place_of) <= sum(str_or_none(record.value.get(own)) is not None for record in records):
        return list(records)
    last = [place for place in place_of.values() if ends(records[place].value)]
    place = max(last or place_of.values(), default=-1)
    path = set(range(place + 1, len(records)))
    while place >= 0 and place not in path:
        path.add(place)
        record = records[place].value
        before = str_or_none(record.get(above))
        if before is None and above in record:
            break
        known = place_of.get(before) if before is not None else None
        place = known if known is not None and known < place else _before(records, place, own)
    held = {str_or_none(records[place].value.get(own)) for place in path} | {None}
    kept = [record for record in records if str_or_none(record.value.get(own)) in held]
    if left := len(records) - len(kept):
        session.warnings.append(ReadWarning("tree", f"{plural(left, *names)} of abandoned branches left out"))
    return kept


def _before(records: Sequence[Record], place: int, own: str) -> int:
    """The place of the last record with an id before a place; -1 where there's none."""
    return next((number for number in range(place - 1, -1, -1) if str_or_none(records[number].value.get(own))), -1)
