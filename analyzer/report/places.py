"""The names of the places in the page about a session: those of steps, by which other places link to them."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.words import MAIN_LANE


def numbers_of(lanes: Sequence[str]) -> dict[str, int]:
    """The number of each lane: 0 for the main one, then in the session's order."""
    return {name: number for number, name in enumerate(dict.fromkeys((MAIN_LANE, *lanes)))}


def of_lane(number: int | None) -> str:
    """What comes before the steps of a lane in the names of places; nothing for the main one, or one that isn't
    known."""
    return f"lane-{number}-" if number else ""
