"""The line of a file that a refused edit is blamed for, although the edit leaves it as it is."""

from __future__ import annotations

import re

from analyzer.model.action import Action
from analyzer.text.clip import clip
from analyzer.text.late import late

_PLACE = late(r"^[\w./\\~@+-]{1,300}\.\w{1,12}:(?P<line>\d{1,7})(?::\d{1,5})?:?[ \t]*$", re.MULTILINE)
"""A place that a check names, with nothing said about it."""
_ROW = late(r"^[ \t]{0,12}(?P<line>\d{1,7})[|:│\t] ?(?P<code>[^\n]*)$", re.MULTILINE)
_MOST = 8_000


def unchanged_place(action: Action) -> str | None:
    """The text of the line that a refusal names without a message, where the file as it was holds it as well: the text
    to be replaced, or the second listing in the refusal."""
    result = (action.result or "")[:_MOST]
    places = list(_PLACE.finditer(result)) if action.failure is not None else []
    if len(places) != 1:
        return None
    listings = _listings(result)
    code = listings[0].get(int(places[0]["line"])) if listings else None
    if not code:
        return None
    before = [line.strip() for edit in action.operation.edits for line in (edit.before or "").splitlines()]
    kept = code in before or any(code in listing.values() for listing in listings[1:])
    return clip(code, 80) if kept else None


def _listings(text: str) -> list[dict[int, str]]:
    """The numbered listings of a text, each with the text of its lines; a new one begins where the numbers go back."""
    found: list[dict[int, str]] = []
    last = 0
    for row in _ROW.finditer(text):
        number = int(row["line"])
        if not found or number <= last:
            found.append({})
        found[-1][number] = row["code"].strip()
        last = number
    return found
