"""What a session and its stretches spend: time, while actions ran and while the session was worked on, and tokens and
money, from what the log records per step.

Where a recording begins: with the session, or after a compaction of what came before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from analyzer.model.action import Action
from analyzer.model.session import Compaction, Message, Session, ToolCall
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Kind

_DIGITS = 6
_PAUSE = 300.0
"""Seconds from which on a wait for the program around the agent (a timer, a heartbeat) is a pause between two turns,
not a part of one."""
_ASLEEP = 7_200.0
"""Seconds from which on nothing that happens, or a call that only looks, edits or plans, is a pause: no model takes so
long to answer."""
_LONG = frozenset({Kind.RUN, Kind.TEST, Kind.WAIT})
_MOST = 2**63 - 1
"""The largest count that tables hold; logs may say anything."""


class Elapsed(Struct, frozen=True):
    """When a session began and ended, and how many seconds of it are no pause between two turns; each None where it
    isn't known."""

    start: float | None
    end: float | None
    active: float | None

    @property
    def seconds(self) -> float | None:
        """From the beginning to the end."""
        known = self.start is not None and self.end is not None and self.end >= self.start
        return round((self.end or 0.0) - (self.start or 0.0), 3) if known else None


def elapsed(session: Session, actions: Sequence[Action]) -> Elapsed:
    """The clock of a session: the header's beginning and end, unless something happened before the one or after the
    other.

    A header's beginning after what the agent did first is that of a copy or of a resumed session. What the user said
    before the header's beginning may have been written long before, and doesn't count. A recording that begins after a
    compaction shows nothing of the time before it.
    """
    ends = [action.started_at + (action.duration or 0.0) for action in actions if action.started_at is not None]
    cut = cut_before(session)
    events = session.events[cut:]
    times = [event.time for event in events if event.time is not None]
    made = [
        event.time
        for event in events
        if event.time is not None and not (isinstance(event, Message) and event.role != "assistant")
    ]
    start = session.started_at if cut is None else None
    if start is None or (made and min(made) < start):
        start = min(times, default=start)
    end = max([time for time in (session.ended_at, *times, *ends) if time is not None], default=None)
    active = Pauses(session, actions).work(min(times), max(*times, *ends)) if len(times) > 1 else None
    return Elapsed(start, end, active)


def _held(action: Action) -> bool:
    """Whether a call that runs no program and asks no other agent took so long that it waited for somebody to allow
    it."""
    runs = action.kind in _LONG or action.operation.command is not None or action.asks_agent
    return not runs and (action.duration or 0.0) >= _ASLEEP


class Pauses:
    """The waits of a session for what opens its next turn: something that the user says, or, after a while, the program
    around the agent; those for somebody to allow or answer a call; and hours in which nothing happens. A wait in which
    an action runs is none."""

    def __init__(self, session: Session, actions: Sequence[Action]) -> None:
        running = [
            (action.started_at, action.started_at + action.duration)
            for action in actions
            if action.started_at is not None and action.duration and not _held(action)
        ]
        moments = sorted(
            (
                (event.time, event.role if isinstance(event, Message) and event.lane == MAIN_LANE else None)
                for event in session.events
                if event.time is not None
            ),
            key=lambda moment: moment[0],
        )
        waits = [
            (before, after)
            for (before, _), (after, speaker) in pairwise(moments)
            if speaker == "user" or after - before >= (_PAUSE if speaker == "harness" else _ASLEEP)
        ]
        waits.extend(
            (action.started_at, action.started_at + action.waited)
            for action in actions
            if action.started_at is not None and action.waited
        )
        self._waits = list(_without(waits, running)) if waits else []

    def work(self, start: float, end: float) -> float:
        """The seconds from `start` to `end` that are no pause."""
        waited = union(
            (max(start, first), min(end, last)) for first, last in self._waits if first < end and last > start
        )
        return round(max(0.0, end - start - waited), 3)

    def limited(self, seconds: float | None, first: Action, last: Action) -> float | None:
        """Some seconds that are said to have passed from one action to another, at most those that are no pause."""
        if seconds is None or not self._waits or first.started_at is None or last.started_at is None:
            return seconds
        return min(seconds, self.work(first.started_at, last.started_at + (last.duration or 0.0)))


def _without(
    waits: Iterable[tuple[float, float]], running: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    """The parts of some waits in which nothing ran: where a call began before a wait, the part after its end."""
    for start, end in waits:
        begun = max([start, *(last for first, last in running if first <= start < last)])
        if begun < end:
            yield begun, end


def passed(actions: Sequence[Action]) -> float | None:
    """The seconds that passed while some actions ran: what ran at the same time counts once. None where how long one of
    them took isn't known, and for no action.

    Actions without a start ran one after another, unless they were sent together: then they may have run at the same
    time, and how long isn't known. Calls that waited for somebody to allow or answer them are left out.
    """
    actions = [action for action in actions if action.waited is None]
    if not actions or any(action.duration is None for action in actions):
        return None
    placed = [action for action in actions if action.started_at is not None]
    others = [action for action in actions if action.started_at is None]
    batches = [(action.lane, action.batch) for action in others if action.batch is not None]
    if len(set(batches)) < len(batches):
        return None
    spans = ((action.started_at or 0.0, (action.started_at or 0.0) + (action.duration or 0.0)) for action in placed)
    return round(union(spans) + sum(action.duration or 0.0 for action in others), _DIGITS)


def union(spans: Iterable[tuple[float, float]]) -> float:
    """The length of what some spans of time cover together."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total


def cut_before(session: Session) -> int | None:
    """The place of the compaction before which the recording has nothing of the agent; None where it has, or where
    there's no compaction."""
    for place, event in enumerate(session.events):
        if event.lane != MAIN_LANE:
            continue
        if isinstance(event, Compaction):
            return place
        if isinstance(event, ToolCall) or (isinstance(event, Message) and event.role == "assistant"):
            return None
    return None


class Spending:
    """Adds up what the model used for the actions of one lane.

    A stretch has a sum only where the log says for each of its actions what was used; of actions that were sent
    together it's the first that has it, and what the harness wrote used nothing. Else the sum is unknown.
    """

    def __init__(self, actions: Sequence[Action]) -> None:
        alone = asked(actions)
        known = [
            action.usage for action, counts in zip(actions, alone, strict=True) if counts and action.usage is not None
        ]
        self._asked = list(accumulate(alone, initial=0))
        self._tokens: _Sums | None = None
        self._usd: _Sums | None = None
        if any(usage.tokens.input is not None for usage in known):
            self._tokens = _Sums(map(tokens_of, actions), alone)
        if any(usage.cost_usd is not None for usage in known):
            self._usd = _Sums(
                (action.usage.cost_usd if action.usage is not None else None for action in actions), alone
            )

    def tokens(self, first: int, last: int) -> int | None:
        """Input and output tokens of the steps from `first` to `last`."""
        found = self._tokens.between(first, last) if self._tokens is not None and self._any(first, last) else None
        return None if found is None else min(round(found), _MOST)

    def usd(self, first: int, last: int) -> float | None:
        """The cost of the steps from `first` to `last` in USD."""
        found = self._usd.between(first, last) if self._usd is not None and self._any(first, last) else None
        return None if found is None else round(found, _DIGITS)

    def of_steps(self, steps: Iterable[int]) -> tuple[int | None, float | None]:
        """Tokens and USD of single steps, each None where it isn't known for all of those that were asked for alone."""
        alone = [step for step in steps if self._any(step, step)]
        tokens = [self.tokens(step, step) for step in alone]
        usd = [self.usd(step, step) for step in alone]
        known, paid = [count for count in tokens if count is not None], [part for part in usd if part is not None]
        return (
            sum(known) if known and len(known) == len(alone) else None,
            round(sum(paid), _DIGITS) if paid and len(paid) == len(alone) else None,
        )

    def _any(self, first: int, last: int) -> bool:
        return 1 <= first <= last < len(self._asked) and self._asked[last] > self._asked[first - 1]


class _Sums:
    def __init__(self, values: Iterable[float | None], alone: Sequence[bool]) -> None:
        amounts = list(values)
        self._sums = list(accumulate((amount or 0 for amount in amounts), initial=0))
        unknown = (counts and amount is None for counts, amount in zip(alone, amounts, strict=True))
        self._unknown = list(accumulate(unknown, initial=0))

    def between(self, first: int, last: int) -> float | None:
        if self._unknown[last] > self._unknown[first - 1]:
            return None
        return self._sums[last] - self._sums[first - 1]


def tokens_of(action: Action) -> int | None:
    """Input and output tokens of one action; None where the input, by far the larger part, isn't recorded."""
    if action.usage is None or action.usage.tokens.input is None:
        return None
    return action.usage.tokens.input + (action.usage.tokens.output or 0)


def running(actions: Sequence[Action]) -> tuple[list[int] | None, list[float] | None]:
    """Tokens and USD used up to and with each of some actions of any lanes, each None where it isn't recorded for all
    of them."""
    alone = asked(actions)
    tokens = _so_far(map(tokens_of, actions), alone)
    usd = _so_far((action.usage.cost_usd if action.usage is not None else None for action in actions), alone)
    return None if tokens is None else [min(round(count), _MOST) for count in tokens], usd


def _so_far(values: Iterable[float | None], alone: Sequence[bool]) -> list[float] | None:
    amounts = list(values)
    if not any(alone) or any(counts and amount is None for counts, amount in zip(alone, amounts, strict=True)):
        return None
    return list(accumulate(amount or 0 for amount in amounts))


def asked(actions: Sequence[Action]) -> list[bool]:
    """Whether each action is one for which the log should say what was used."""
    found: list[bool] = []
    batches: dict[str, str | None] = {}
    for action in actions:
        found.append(not action.harness and (action.batch is None or action.batch != batches.get(action.lane)))
        batches[action.lane] = action.batch
    return found
