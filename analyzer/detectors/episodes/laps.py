"""The lap track: a cycle whose rounds differ by a step or two. Most of each round's calls come back with their results,
while something is put in, left out or done in another order.

A lap goes from one occurrence of a call to its next one with the same result. Three laps in a row that share most of
their steps are an episode; a round in which most is new is work, whatever check it ends with.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import MOST_LIVE, Stretch, pattern_of, waits
from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, LoopKind
from analyzer.timeline.keys import same_outcome

_LONGEST = 10
"""The longest lap, in actions."""
_SHORTEST = 2
_SHARED = 0.7
"""Share of the steps of the longer of two laps that come back in the other."""
_IDLE = frozenset({Kind.WAIT, Kind.PLAN})

_Fact = tuple[str, int]


class _Anchor(Struct):
    """A call with its result: where it was last, and the laps that end there."""

    position: int
    lap: Counter[_Fact]
    ends: list[int]
    first: int
    longest: int
    stretch: Stretch | None = None


class LapTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._lane_context = lane_context
        self._rounds = rounds
        self._position = -1
        self._recent: deque[tuple[_Fact, Action]] = deque(maxlen=2 * _LONGEST)
        self._anchors: dict[_Fact, _Anchor] = {}
        self._latest: dict[str, tuple[Action, int]] = {}

    def on_action(self, unit: Action) -> Iterator[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        if unit.after_user:
            self._recent.clear()
            self._anchors.clear()
        if unit.result is None or unit.kind in _IDLE:
            return
        self._position += 1
        fact = self._fact(unit)
        known = self._anchors.pop(fact, None)
        self._recent.append((fact, unit))
        due = self._position - known.position if known is not None else 0
        if known is None or not _SHORTEST <= due <= _LONGEST:
            self._anchors[fact] = _Anchor(self._position, Counter(), [unit.step], unit.step, 0)
            self._forget()
            return
        lap = Counter(entry for entry, _ in list(self._recent)[-due:])
        anchor = self._next(known, lap, due, unit)
        anchor.position, anchor.lap = self._position, lap
        self._anchors[fact] = anchor
        if anchor.stretch is not None:
            anchor.stretch.last = unit.step
        elif len(anchor.ends) >= self._rounds and (made := self._made(anchor, unit, due)) is not None:
            anchor.stretch = made
            yield made

    def _fact(self, unit: Action) -> _Fact:
        """The call, and the position at which it was first answered as it is now. Results are compared with that of the
        same call before only."""
        call = unit.keys.call_masked
        known = self._latest.pop(call, None)
        same = known is not None and same_outcome(known[0], unit, self._lane_context.masks)
        answered = known[1] if known is not None and same else self._position
        if len(self._latest) > 2 * _LONGEST:
            self._latest.pop(next(iter(self._latest)))
        self._latest[call] = unit, answered
        return call, answered

    def _next(self, known: _Anchor, lap: Counter[_Fact], due: int, unit: Action) -> _Anchor:
        """The anchor with one lap more, or with this lap as its first."""
        units = list(self._recent)
        before = known.lap or Counter(entry for entry, _ in units[-2 * due : -due])
        if (lap & before).total() < _SHARED * max(lap.total(), before.total()):
            return _Anchor(self._position, lap, [unit.step], units[-due][1].step, due)
        if not known.lap:
            known.first = units[max(0, len(units) - 2 * due)][1].step
        known.longest = max(known.longest, due)
        if not self._lane_context.live or len(known.ends) < MOST_LIVE:
            known.ends.append(unit.step)
        return known

    def _made(self, anchor: _Anchor, unit: Action, lap: int) -> Stretch | None:
        cycle = [action for _, action in list(self._recent)[-lap:]]
        calls = {action.keys.call_masked for action in cycle}
        if len(calls) < _SHORTEST or waits(cycle):
            return None
        pattern, due = pattern_of(cycle, same=True), anchor.longest
        return Stretch.of(LoopKind.CYCLE, anchor.ends, unit.step, calls, pattern, due=due, first=anchor.first)

    def _forget(self) -> None:
        """Drop the calls that are too far back to end a lap; they're in the order in which they were made."""
        for fact, anchor in tuple(self._anchors.items()):
            if self._position - anchor.position <= _LONGEST:
                return
            del self._anchors[fact]
