"""The again track: the very same call gets the very same answer for the fifth time and more, whatever lies between, if
nothing in between could have changed the answer, or seems to have done.

Looks may lie far apart, as long as there are only looks in between. What a tool of its own does isn't known: its calls
must lie close together, among others of such tools, and come back more often before they say something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import Stretch
from analyzer.detectors.episodes.reads import Asked, came_to_nothing, changes
from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.timeline.answers import same_answer

_LOOKS = 5
"""How often the same look must come back."""
_CALLS = 6
"""How often the same call of a tool whose effects aren't known must come back."""
_GAP_LOOKS = 40
_GAP_CALLS = 3
"""How many actions may lie between two rounds."""
_MOST = 100
"""Calls that are followed at once."""
_SHORTEST = 20
"""Characters of a result of an unknown tool below which it says nothing about what was done ("ok")."""
_PICTURE = late(r"(?i)\b(?:image|screenshot|picture)\b")
_LOOK = frozenset({Kind.READ, Kind.SEARCH})
_CHANGING = frozenset({Kind.EDIT, Kind.RUN, Kind.TEST})


class AgainTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._lane_context = lane_context
        self._rounds = rounds
        self._position = -1
        self._looks: dict[str, Asked] = {}
        self._calls: dict[str, Asked] = {}

    def on_action(self, unit: Action) -> Iterable[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        self._position += 1
        if unit.after_user or unit.compacted_before:
            self._looks.clear()
            self._calls.clear()
        kind = unit.operation.kind
        if kind in _LOOK and not changes(unit):
            if unit.failure is None and unit.result and not (kind is Kind.READ and unit.operation.path):
                return self._ask(self._looks, unit, max(_LOOKS, self._rounds), _GAP_LOOKS)
            return ()
        if came_to_nothing(unit) or kind in (Kind.PLAN, Kind.WAIT):
            return ()
        self._looks.clear()
        if kind in _CHANGING or unit.operation.command is not None:
            if unit.failure is None:
                self._calls.clear()
            return ()
        if kind is Kind.OTHER and unit.failure is None and _tells(unit.result):
            return self._ask(self._calls, unit, max(_CALLS, self._rounds), _GAP_CALLS)
        return ()

    def _ask(self, known: dict[str, Asked], unit: Action, rounds: int, gap: int) -> Iterator[Stretch]:
        key = unit.keys.call_masked
        asked = known.pop(key, None)
        if (
            asked is None
            or self._position - asked.position > gap + 1
            or not same_answer(asked.latest, unit, self._lane_context.masks)
        ):
            if len(known) >= _MOST:
                known.pop(next(iter(known)))
            known[key] = Asked(unit, self._position, [unit.step])
            return
        known[key] = asked
        if (stretch := asked.again(unit, self._position, rounds, self._lane_context)) is not None:
            yield stretch


def _tells(result: str | None) -> bool:
    """Whether a result says more than that something was done, in words."""
    return result is not None and len(result) >= _SHORTEST and not _PICTURE.search(result[:200])
