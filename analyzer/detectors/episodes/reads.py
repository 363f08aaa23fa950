"""The look track: the very same question gets the very same answer for the third time, and nothing but looks lies in
between.

A look reads or searches; what lies in between is another look, or a call or two that came to nothing. So nothing could
have changed the answer, and asking again could tell nothing. Questions that follow each other directly, or come round
in a cycle, are seen on the call track as well; files that are read again and again are the content track's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from analyzer.commands.kinds import READERS, SEARCHERS
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import MOST_LIVE, Stretch, asks_again
from analyzer.model.action import Action
from analyzer.model.words import FailureKind, Kind, LoopKind
from analyzer.text.late import late
from analyzer.timeline.keys import same_outcome


@dataclass(slots=True)
class Asked:
    """A question, when it was asked last, and how often it was answered the same."""

    latest: Action
    position: int
    steps: list[int]
    rounds: int = 1
    stretch: Stretch | None = None

    def again(self, unit: Action, position: int, rounds: int, lane_context: LaneContext) -> Stretch | None:
        """Note that `unit` asked it again and got the same answer; the stretch that this makes an episode at `rounds`
        rounds. Calls of one message are one round, and what the task asks to do again is no episode."""
        due, together = position - self.position, unit.batch is not None and unit.batch == self.latest.batch
        self.latest, self.position = unit, position
        if together:
            return None
        self.rounds += 1
        if self.stretch is not None:
            self.stretch.last = unit.step
        if not lane_context.live or len(self.steps) < MOST_LIVE:
            self.steps.append(unit.step)
        if self.stretch is not None or self.rounds < rounds:
            return None
        if unit.operation.target in lane_context.task and asks_again(lane_context.task):
            return None
        self.stretch = Stretch.of(
            LoopKind.REPEATED_CALL, self.steps, unit.step, {unit.keys.call_masked}, "repeated call", due=due
        )
        return self.stretch


_GAP = 6
"""How many actions may lie between two rounds."""
_MOST_UNDONE = 2
"""How many calls in a row that came to nothing may lie between two rounds: a longer row of failures is a story of its
own."""
_UNDONE = frozenset({FailureKind.COMMAND_NOT_FOUND, FailureKind.INVALID_CALL, FailureKind.USAGE})
"""Failures of calls that never ran, where the call is a single command."""
_HARMLESS = READERS | SEARCHERS | {"echo", "printf", "md5sum", "sha1sum", "sha256sum", "cksum"}
"""Programs that may be run over what is found without changing anything."""
_NOWHERE = late(r"[\d&]?>{1,2} ?/dev/null|\d?>&\d")
_REDIRECT = late(r"(?:^|[\s\w)'\"])>{1,2}\s{0,9}(?!\d{1,9}(?:[\s)'\"&|;}]|$))[\w./~$\"'{]")
"""Output that goes into a file; `NR>1` compares."""


class ReadTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._rounds = rounds
        self._lane_context = lane_context
        self._position = -1
        self._undone = 0
        self._asked: dict[str, Asked] = {}

    def on_action(self, unit: Action) -> Iterable[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        self._position += 1
        if self._asked and (unit.after_user or unit.compacted_before):
            self._asked.clear()
        kind = unit.operation.kind
        looks = kind is Kind.READ or kind is Kind.SEARCH
        if not looks and (not self._asked or kind is Kind.PLAN):
            return ()
        self._undone = self._undone + 1 if unit.failure is not None and came_to_nothing(unit) else 0
        if self._undone:
            if self._undone > _MOST_UNDONE:
                self._asked.clear()
            return ()
        if not looks or changes(unit):
            self._asked.clear()
            return ()
        if unit.result and not unit.result.isspace() and not (kind is Kind.READ and unit.operation.path):
            return self._ask(unit)
        return ()

    def _ask(self, unit: Action) -> Iterator[Stretch]:
        key = unit.keys.call_masked
        asked = self._asked.pop(key, None)
        if (
            asked is None
            or self._position - asked.position > _GAP + 1
            or not same_outcome(asked.latest, unit, self._lane_context.masks)
        ):
            self._asked[key] = Asked(unit, self._position, [unit.step])
            self._forget()
            return
        self._asked[key] = asked
        if (stretch := asked.again(unit, self._position, self._rounds, self._lane_context)) is not None:
            yield stretch

    def _forget(self) -> None:
        """Drop the questions that are too old to be asked again; they're in the order in which they were asked last."""
        for key, asked in tuple(self._asked.items()):
            if self._position - asked.position <= _GAP + 1:
                return
            del self._asked[key]


def changes(unit: Action) -> bool:
    """Whether a call that looks may change something nevertheless: it writes a file, or does something to what it
    finds."""
    operation = unit.operation
    if operation.edits:
        return True
    line = operation.command
    if line and ">" in line and _REDIRECT.search(_NOWHERE.sub("", line)):
        return True
    for command in operation.commands:
        if command.program in ("find", "fd") and (
            "-delete" in command.args
            or any(
                option.startswith(("-exec", "-ok")) and program.rsplit("/", 1)[-1] not in _HARMLESS
                for option, program in pairwise(command.args)
            )
        ):
            return True
    return False


def came_to_nothing(unit: Action) -> bool:
    """Whether a call that failed has done nothing: a look, or what never ran."""
    if unit.kind in (Kind.READ, Kind.SEARCH):
        return not changes(unit)
    return unit.failure is not None and unit.failure.kind in _UNDONE and len(unit.operation.commands) <= 1
