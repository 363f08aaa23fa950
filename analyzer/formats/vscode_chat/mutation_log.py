"""A state that is written as its beginning and the changes to it: setting, appending and deleting at a path."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from analyzer.formats.container.document import Record
from analyzer.formats.loading.interface import words_of
from analyzer.formats.record.fields import int_or_none, list_of
from analyzer.formats.record.warnings import WarningLog, forms

_INITIAL, _SET, _APPEND, _DELETE = range(4)
_CHANGE = forms(words_of(__file__)["forms"])["change"]


def replayed(records: Iterable[Record], warning_log: WarningLog) -> Any:
    """The state after the last change; None where there's no beginning. A change that fits nowhere is skipped."""
    state: Any = None
    for record in records:
        kind, value = record.value.get("kind"), record.value.get("v")
        if kind not in (_INITIAL, _SET, _APPEND, _DELETE):
            if not {"_comment"} & record.value.keys():
                warning_log.add(record.place, f"unknown kind of change {str(kind)[:60]!r}; skipped")
            continue
        # What is set to nothing has no value in the file.
        _CHANGE.check(record.place, record.value, warning_log)
        if kind == _INITIAL:
            state = value
        elif kind == _APPEND and not isinstance(value, list):
            warning_log.wrong_type(record.place, value, "a list to append")
        elif state is None or not _changed(state, list_of(record.value.get("k")), kind, record.value):
            warning_log.add(record.place, "a change to what isn't there; skipped")
    return state


def _changed(state: Any, path: list[Any], kind: int, change: dict[str, Any]) -> bool:
    """Whether the change fitted and was made."""
    if not path:
        return False
    place = state
    for key, following in itertools.pairwise(path):
        if isinstance(place, dict) and isinstance(key, str) and key not in place:
            place[key] = [] if isinstance(following, int) else {}
        place = _at(place, key)
        if place is None:
            return False
    last, value = path[-1], change.get("v")
    named = isinstance(place, dict) and isinstance(last, str)
    if kind == _APPEND:
        items = place.setdefault(last, []) if named else _at(place, last)
        if not isinstance(items, list):
            return False
        keep = int_or_none(change.get("i"))  # only the first ones are kept where that's said
        items[len(items) if keep is None or keep < 0 else keep :] = list_of(value)
    elif named and kind == _DELETE:
        place.pop(last, None)
    elif named:
        place[last] = value
    elif isinstance(place, list) and isinstance(last, int) and 0 <= last <= len(place):
        place[last : last + 1] = [] if kind == _DELETE else [value]
    else:
        return False
    return True


def _at(place: Any, key: Any) -> Any:
    if isinstance(place, dict) and isinstance(key, str):
        return place.get(key)
    listed = isinstance(place, list) and isinstance(key, int) and 0 <= key < len(place)
    return place[key] if listed else None
