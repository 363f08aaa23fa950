"""The agent's own list of what there is to do, as its calls keep it: which entries were ticked off, and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.model.action import Action
from analyzer.text.late import late

_TEXT_KEYS = ("content", "step", "title", "subject", "description", "text", "task", "name", "item")
_STATUS_KEYS = ("status", "state")
_FLAG_KEYS = ("completed", "done", "checked", "is_completed", "isCompleted")
_ID_KEYS = ("taskId", "task_id", "id", "todo_id")
_DONE = frozenset({"completed", "complete", "done", "finished", "closed", "checked", "x", "todo_completed"})
_ROW = late(r"^[ \t]{0,12}(?:[-*+]|\d{1,3}[.)]) \[(?P<mark>[ xX])\] (?P<text>[^\n]{1,300})$", re.MULTILINE)
_NUMBER = late(r"#(?P<id>\d{1,6})\b|\b(?:task|id)[ :\"']{1,4}(?P<other>\d{1,6})\b", re.IGNORECASE)
_MOST = 200
_DEPTH = 3


def entries(action: Action, numbered: dict[str, str] | None = None) -> Iterator[tuple[str, bool]]:
    """The entries that a call writes, each with whether it's ticked off. `numbered` keeps the words of those that are
    made one by one, under the number that the result gives them."""
    given = action.arguments
    if isinstance(given, str):
        yield from _rows(given)
        return
    found = list(_of_lists(given, _DEPTH))
    if not found and not action.accepted_edits and not action.operation.commands:
        found = [entry for value in given.values() if isinstance(value, str) for entry in _rows(value)]
    if found:
        yield from found
    elif numbered is not None:
        yield from _one(action, given, numbered)


def _of_lists(value: Any, depth: int) -> Iterator[tuple[str, bool]]:
    if isinstance(value, Mapping) and depth:
        for part in list(value.values())[:20]:
            yield from _of_lists(part, depth - 1)
    elif isinstance(value, list):
        rows = [_entry(part) for part in value[:_MOST]]
        if rows and all(row is not None for row in rows):
            yield from (row for row in rows if row is not None)


def _entry(part: Any) -> tuple[str, bool] | None:
    if not isinstance(part, Mapping):
        return None
    text = next((part[key] for key in _TEXT_KEYS if isinstance(part.get(key), str) and part[key].strip()), None)
    status = next((part[key] for key in _STATUS_KEYS if isinstance(part.get(key), str)), None)
    flag = next((part[key] for key in _FLAG_KEYS if isinstance(part.get(key), bool)), None)
    if text is None or (status is None and flag is None):
        return None
    return " ".join(text.split())[:300], status.casefold() in _DONE if status is not None else bool(flag)


def _rows(text: str) -> Iterator[tuple[str, bool]]:
    for row in _ROW.finditer(text[:20_000]):
        yield " ".join(row["text"].split()), row["mark"] != " "


def _one(action: Action, given: Mapping[str, Any], numbered: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """An entry that a call makes, whose result gives it a number, or one that a call ticks off by its number."""
    number = next((str(given[key]) for key in _ID_KEYS if isinstance(given.get(key), str | int)), None)
    status = next((given[key] for key in _STATUS_KEYS if isinstance(given.get(key), str)), None)
    if number is not None and status is not None and number in numbered:
        yield numbered[number], status.casefold() in _DONE
        return
    text = next((given[key] for key in ("subject", "title", "content") if isinstance(given.get(key), str)), None)
    found = _NUMBER.search((action.result or "")[:400])
    if text is not None and number is None and found is not None and len(numbered) < _MOST:
        words = " ".join(text.split())[:300]
        numbered[found["id"] or found["other"]] = words
        yield words, False
