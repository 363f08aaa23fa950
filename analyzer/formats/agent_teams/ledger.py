"""The ledger that an orchestrator keeps after each reply: whether the team is in a loop, and whether it gets on."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.record.fields import dict_of, str_or_none
from analyzer.text.expressions import compiled

_LEDGER = "Updated Ledger:"
_REPLANS = compiled(r"Stalled\b[^\n]*")


def stalled_in(text: str) -> str | None:
    """The words by which an orchestrator's thought says that the team is in a loop or gets no further; None
    where it doesn't, or says that there is progress all the same."""
    replans = _REPLANS.match(text)
    if replans is not None:
        return replans[0].strip()
    ledger = _ledger(text)
    if dict_of(ledger.get("is_progress_being_made")).get("answer") is True:
        return None
    for key, bad in (("is_in_loop", True), ("is_progress_being_made", False)):
        entry = dict_of(ledger.get(key))
        if entry.get("answer") is bad:
            return str_or_none(entry.get("reason")) or f"{key}: {str(bad).lower()}"
    return None


def satisfied_in(text: str) -> bool:
    """Whether an orchestrator's thought is a ledger that says that the request is satisfied."""
    return dict_of(_ledger(text).get("is_request_satisfied")).get("answer") is True


def _ledger(text: str) -> dict[str, Any]:
    if not text.startswith(_LEDGER):
        return {}
    try:
        return dict_of(json.loads(text.removeprefix(_LEDGER)))
    except (ValueError, RecursionError):
        return {}
