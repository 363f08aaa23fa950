"""The call track: the same cycle of one to eight calls comes back with the same results.

Two calls are the same when they're equal once masked (of a browser that's asked in words: when it does the same);
questions in words (a search, a fetch) also when all names and numbers are equal and the words nearly so, in any order.
Two results are the same when they show the same failure or are equal once masked; two answers to the very same call
also when they differ in ids only, or when both are errors. Calls that were sent together in one message count as one
round. Waiting is no loop, nor is what the user asked for; a cycle that waits in between is one after twice as many
rounds, a list of tasks that is kept unchanged after a few more.

What a user says in between ends a stretch, unless the agent was repeating itself before and goes on to do so after it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from analyzer.commands.table import Does, knows
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import (
    FAILING,
    LONGEST_PERIOD,
    MOST_LIVE,
    Stretch,
    asks_again,
    kind_of_rounds,
    passing,
    pattern_of,
    times_asked,
    waits,
)
from analyzer.model.action import Action
from analyzer.model.words import Kind, LoopKind
from analyzer.text.late import late
from analyzer.text.similarity import near
from analyzer.timeline.keys import same_outcome
from analyzer.timeline.results import same_answer

_LONGEST = 1_500
"""Characters of a call that may be nearly equal to another: longer ones are texts."""
_SHORTEST = 20
"""Characters of a question below which nearly equal means nothing."""
_TERMS = 3
"""Words of a question from which on leaving one out, or adding one, makes no other question, if the answer is the
same."""
_MORE_TERMS = 2
_EXACT = frozenset({Kind.EDIT, Kind.RUN, Kind.TEST, Kind.WAIT})
"""Kinds of calls of which no two are the same but for their words: code and command lines mean something to the
letter."""
_PLANS = 5
"""How often a list of tasks must be kept, or asked for, unchanged."""
_WAITING = 10
"""How often a command must sleep, look and see the same."""
_POLLS = 20
"""How often a tool that waits must answer the same."""
_BLIND = 10
"""How often a key or a wheel must be moved where the answer doesn't say what it did."""
_INPUT = late(r"(?i)\b(?:press|keys?|hotkey|scroll|swipe|drag|wheel)\b")
_WORD_BREAK = late(r"(?<=[a-z])(?=[A-Z])|[_\W]+")
_ACKNOWLEDGED = 12
"""Characters up to which a result only says that something was done."""
_FAILING = 4
"""How often the very same call must fail, each time in other words."""
_SAYS_ERROR = late(
    r"\b(?:errors?|fail(?:ed|ure|s)?|exception|no such|not (?:found|recognized|available)|cannot|can't"
    r"|could ?n[o']t|unable|denied|refused|invalid)\b",
    re.IGNORECASE,
)
_SHORT = 200
"""Characters up to which a result that speaks of an error is nothing else."""


class CallTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._rounds = rounds
        self._lane_context = lane_context
        self._asks_again = asks_again(lane_context.task)
        self._times_asked = times_asked(lane_context.task)
        self._units: deque[Action] = deque(maxlen=2 * rounds * LONGEST_PERIOD)
        self._equal = [0] * (LONGEST_PERIOD + 1)
        self._open: dict[int, Stretch] = {}
        self._unlike = 0
        """How many calls of the run at hand failed in other words than the call before each."""

    def on_action(self, unit: Action) -> Iterator[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        if unit.after_user:
            self._interrupted(unit)
        last = self._units[-1] if self._units else None
        if last is not None and unit.batch is not None and unit.batch == last.batch and self._same(unit, last):
            return
        self._units.append(unit)
        for period in range(1, LONGEST_PERIOD + 1):
            if len(self._units) <= period or not self._comes_back(unit, period):
                self._equal[period] = 0
                self._open.pop(period, None)
                continue
            self._equal[period] += 1
            if self._equal[period] % period == 0 and self._equal[period] >= (self._rounds - 1) * period:
                known = self._open.get(period)
                if known is not None:
                    self._grow(known, period)
                elif (made := self._made(period)) is not None:
                    self._open[period] = made
                    yield made

    def on_request(self, text: str) -> None:
        """Take what the user says: it may ask for something so many times."""
        self._times_asked = max(self._times_asked, times_asked(text))

    def _comes_back(self, unit: Action, period: int) -> bool:
        """Whether a call comes back after so many others. One that fails again and again needn't do so in the same
        words."""
        before = self._units[-1 - period]
        if self._same(unit, before):
            return True
        if period > 1:
            return False
        unlike = _fails_again(unit, before)
        self._unlike = self._unlike + 1 if unlike else 0
        return unlike

    def _same(self, one: Action, other: Action) -> bool:
        masks = self._lane_context.masks
        if one.keys.call_masked == other.keys.call_masked:
            return same_answer(one, other, masks)
        return one.tool == other.tool and _same_question(one, other) and same_outcome(one, other, masks)

    def _interrupted(self, unit: Action) -> None:
        """The user spoke before this action. Only a call that was being repeated, and is made once more, goes on."""
        repeated, last = self._equal[1], self._units[-1] if self._units else None
        goes_on = repeated and last is not None and (self._same(unit, last) or _fails_again(unit, last))
        kept = list(self._units)[-repeated - 1 :] if goes_on else []
        self._units.clear()
        self._units.extend(kept)
        self._equal = [0] * (LONGEST_PERIOD + 1)
        self._equal[1] = len(kept) - 1 if kept else 0
        self._open = {1: self._open[1]} if kept and 1 in self._open else {}

    def _made(self, period: int) -> Stretch | None:
        units = list(self._units)[-(self._equal[period] + period) :]
        cycle, target = units[-period:], units[-period].operation.target.strip()
        if period == 1 and self._asks_again and len(target) > 1 and target in self._lane_context.task:
            return None
        least = max(self._rounds, self._times_asked + 1)
        if all(map(_blind, cycle)):
            least = max(least, -(-_BLIND // period))
        if all(action.kind is Kind.WAIT for action in cycle):
            if not all(_looks_after_waiting(action) for action in units):
                return None
            least = max(least, _WAITING if cycle[0].operation.commands else _POLLS)
        elif all(action.kind is Kind.PLAN for action in cycle):
            least = max(least, _PLANS)
        elif waits(cycle) or (self._unlike and passing(cycle[0])):
            least *= 2
        elif period == 1 and self._unlike:
            least = max(least, _FAILING)
        if len(units) < least * period or (cycle[0].after_user and len(units) < (least + 1) * period):
            return None
        if any(other.first <= units[0].step and other.last >= units[-1].step for other in self._open.values()):
            return None
        failures = {action.failure.group for action in units if action.failure is not None and action.failure.group}
        group, first = failures.pop() if len(failures) == 1 else None, units[0]
        reads = first.kind is Kind.READ and first.failure is None and first.operation.path is not None
        same = all(a.keys.call_masked == b.keys.call_masked for a, b in zip(units, units[period:], strict=False))
        return Stretch(
            kind=LoopKind.RE_READ if reads and period == 1 else kind_of_rounds(period),
            first=first.step,
            last=units[-1].step,
            period=period,
            round_ends=[action.step for action in units[period - 1 :: period]],
            steps=[action.step for action in units if group is None or action.failure is not None],
            group=group,
            same_calls=same,
            exact=True,
            pattern=FAILING if period == 1 and self._unlike else pattern_of(units[:period], same=True),
            due=period,
            calls={action.keys.call_masked for action in units},
            opened_at=units[-1].step,
        )

    def _grow(self, stretch: Stretch, period: int) -> None:
        units = list(self._units)[-period:]
        stretch.last = units[-1].step
        if self._lane_context.live and len(stretch.round_ends) >= MOST_LIVE:
            return
        stretch.round_ends.append(units[-1].step)
        stretch.steps.extend(action.step for action in units if stretch.group is None or action.failure is not None)


def _fails(action: Action) -> bool:
    """Whether an action failed, or its result is short and speaks of an error."""
    result = action.result or ""
    return action.failure is not None or (len(result) <= _SHORT and _SAYS_ERROR.search(result) is not None)


def _fails_again(one: Action, other: Action) -> bool:
    """Whether two actions are the same call, and both fail."""
    return one.keys.call_masked == other.keys.call_masked and _fails(one) and _fails(other)


def _blind(action: Action) -> bool:
    """Whether an action moves something step by step, such as a selection, and isn't answered what that did."""
    if action.kind is not Kind.OTHER or action.failure is not None or len(action.result or "") > _ACKNOWLEDGED:
        return False
    what = action.arguments.get("action") if isinstance(action.arguments, Mapping) else None
    return _INPUT.search(" ".join(_WORD_BREAK.split(f"{action.tool} {what or ''}"))) is not None


def _looks_after_waiting(action: Action) -> bool:
    """Whether a command that sleeps looks at something, and sees it, or a tool that waits answers."""
    commands = action.operation.commands
    looks = not commands or any(not knows(command.program, Does.WAITS) for command in commands)
    return looks and bool((action.result or "").strip())


def _same_question(one: Action, other: Action) -> bool:
    """Whether two calls ask the same in nearly the same words, or in the same words in another order."""
    exact = one.kind in _EXACT or other.kind in _EXACT or one.operation.command is not None
    if exact or one.keys.browser_action or other.keys.browser_action or one.result is None:
        return False
    asked, again = one.operation.target, other.operation.target
    if min(len(asked), len(again)) < _SHORTEST or max(len(asked), len(again)) >= _LONGEST:
        return False
    return near(asked, again) or _same_terms(asked.casefold().split(), again.casefold().split())


def _same_terms(asked: Sequence[str], again: Sequence[str]) -> bool:
    """Whether two questions of several words have the same words, or one has all words of the other and few more."""
    first, second = set(asked), set(again)
    if len(asked) < _TERMS or len(again) < _TERMS:
        return len(asked) > 1 and sorted(asked) == sorted(again)
    return (first <= second or second <= first) and abs(len(first) - len(second)) <= _MORE_TERMS
