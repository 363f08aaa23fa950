"""The look track: the very same call gets the very same answer again, and nothing in between could have changed the
answer, or seems to have done.

A look reads or searches. Asked for the third time, close together, with nothing but looks and a call or two that came
to nothing in between, it could tell nothing; nor could it for the fifth time, however far apart, as long as there are
only looks in between. What a tool of its own does isn't known: its calls must lie close together, among others of such
tools, and come back more often before they say something. Questions that follow each other directly, or come round in a
cycle, are seen on the call track as well; files that are read again and again are the content track's.

The lap track: a cycle whose rounds differ by a step or two. Most of each round's calls come back with their results,
while something is put in, left out or done in another order.

A lap goes from one occurrence of a call to its next one with the same result. Three laps in a row that share most of
their steps are an episode; a round in which most is new is work, whatever check it ends with.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator

from analyzer.commands.runners import kind_of
from analyzer.commands.table import Does, knows
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import MOST_LIVE, Recurring, Stretch, asks_again, pattern_of, waits
from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind, Kind, LoopKind
from analyzer.text.late import late
from analyzer.text.masks import MaskTable
from analyzer.timeline.keys import same_outcome
from analyzer.timeline.results import same_answer

_GAP, _GAP_LOOKS, _GAP_CALLS = 6, 40, 3
"""How many actions may lie between two rounds of looks, of looks with only looks between them, of other calls."""
_LOOKS, _CALLS = 5, 6
"""How often the same look must come back from afar, and the same call of a tool whose effects aren't known."""
_MOST = 100
"""Calls that are followed at once."""
_SHORTEST = 20
"""Characters of a result of an unknown tool below which it says nothing about what was done ("ok")."""
_MOST_UNDONE = 2
"""How many calls in a row that came to nothing may lie between two rounds: a longer row of failures is a story of its
own."""
_UNDONE = frozenset({FailureKind.COMMAND_NOT_FOUND, FailureKind.INVALID_CALL, FailureKind.USAGE})
"""Failures of calls that never ran, where the call is a single command."""
_PICTURE = late(r"(?i)\b(?:image|screenshot|picture)\b")
_LOOK = frozenset({Kind.READ, Kind.SEARCH})
_CHANGING = frozenset({Kind.EDIT, Kind.RUN, Kind.TEST})
_NOWHERE = late(r"[\d&]?>{1,2} ?/dev/null|\d?>&\d")
_REDIRECT = late(r"(?:^|[\s\w)'\"])>{1,2}\s{0,9}(?!\d{1,9}(?:[\s)'\"&|;}]|$))[\w./~$\"'{]")
"""Output that goes into a file; `NR>1` compares."""


class _Asked:
    """Calls that wait to be made again, those that were made last at the end."""

    def __init__(
        self, lane_context: LaneContext, rounds: int, gap: int, same: Callable[[Action, Action, MaskTable], bool]
    ) -> None:
        self._lane_context, self._rounds, self._gap, self._same = lane_context, rounds, gap, same
        self.calls: dict[str, Recurring] = {}

    def ask(self, unit: Action, position: int) -> Iterator[Stretch]:
        """Take a call and its answer. Calls of one message are one round, and what the task asks to do again is no
        episode."""
        key, context = unit.keys.call_masked, self._lane_context
        asked = self.calls.pop(key, None)
        near = asked is not None and position - asked.position <= self._gap + 1
        if asked is None or not near or not self._same(asked.latest, unit, context.masks):
            if len(self.calls) >= _MOST:
                self.calls.pop(next(iter(self.calls)))
            self.calls[key] = Recurring.of(unit, position)
            return
        self.calls[key] = asked
        due = asked.again(unit, position, live=context.live)
        if asked.is_due(self._rounds) and not (unit.operation.target in context.task and asks_again(context.task)):
            yield asked.open(LoopKind.REPEATED_CALL, "repeated call", due=due)


class LookTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._position = -1
        self._undone = 0
        self._near = _Asked(lane_context, rounds, _GAP, same_outcome)
        self._far = _Asked(lane_context, max(_LOOKS, rounds), _GAP_LOOKS, same_answer)
        self._others = _Asked(lane_context, max(_CALLS, rounds), _GAP_CALLS, same_answer)

    def on_action(self, unit: Action) -> Iterable[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        self._position += 1
        if unit.after_user or unit.compacted_before:
            for asked in (self._near, self._far, self._others):
                asked.calls.clear()
        kind = unit.operation.kind
        if kind is Kind.PLAN:
            return ()
        self._undone = self._undone + 1 if unit.failure is not None and came_to_nothing(unit) else 0
        if self._undone:
            if self._undone > _MOST_UNDONE:
                self._near.calls.clear()
            return ()
        if kind in _LOOK and not changes(unit):
            if unit.result and not unit.result.isspace() and not (kind is Kind.READ and unit.operation.path):
                return (*self._near.ask(unit, self._position), *self._far.ask(unit, self._position))
            return ()
        self._near.calls.clear()
        if kind is Kind.WAIT:
            return ()
        self._far.calls.clear()
        if kind in _CHANGING or unit.operation.command is not None:
            if unit.failure is None:
                self._others.calls.clear()
            return ()
        result = unit.result if kind is Kind.OTHER and unit.failure is None else None
        # It says more than that something was done, in words.
        if result is not None and len(result) >= _SHORTEST and not _PICTURE.search(result[:200]):
            return self._others.ask(unit, self._position)
        return ()


def changes(unit: Action) -> bool:
    """Whether a call that looks may change something nevertheless: it writes a file, or does something to what it
    finds."""
    operation = unit.operation
    if operation.edits:
        return True
    line = operation.command
    if line and ">" in line and _REDIRECT.search(_NOWHERE.sub("", line)):
        return True
    return any(knows(each.program, Does.LISTS) and kind_of(each) not in _LOOK for each in operation.commands)


def came_to_nothing(unit: Action) -> bool:
    """Whether a call that failed has done nothing: a look, or what never ran."""
    if unit.kind in _LOOK:
        return not changes(unit)
    return unit.failure is not None and unit.failure.kind in _UNDONE and len(unit.operation.commands) <= 1


_LONGEST = 10
"""The longest lap, in actions."""
_FEWEST = 2
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
        if known is None or not _FEWEST <= due <= _LONGEST:
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
        if len(calls) < _FEWEST or waits(cycle):
            return None
        pattern, due = pattern_of(cycle, same=True), anchor.longest
        return Stretch.of(LoopKind.CYCLE, anchor.ends, unit.step, calls, pattern, due=due, first=anchor.first)

    def _forget(self) -> None:
        """Drop the calls that are too far back to end a lap; they're in the order in which they were made."""
        for fact, anchor in tuple(self._anchors.items()):
            if self._position - anchor.position <= _LONGEST:
                return
            del self._anchors[fact]
