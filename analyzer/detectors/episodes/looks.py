"""The look track: the very same call gets the very same answer again, and nothing in between could have changed the
answer, or seems to have done.

A look reads or searches. Asked for the third time, close together, with nothing but looks and a call or two that came
to nothing in between, it could tell nothing; nor could it for the fifth time, however far apart, as long as there are
only looks in between. What a tool of its own does isn't known: its calls must lie close together, among others of such
tools, and come back more often before they say something. Questions that follow each other directly, or come round in a
cycle, are seen on the call track as well; files that are read again and again are the content track's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from analyzer.commands.runners import kind_of
from analyzer.commands.table import Does, knows
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import Recurring, Stretch, asks_again
from analyzer.model.action import Action
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
