"""How much time passed: while actions ran, and while a session was worked on.

Where a recording begins: with the session, or after a compaction of what came before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from analyzer.model.action import Action
from analyzer.model.session import Compaction, Event, Message, Session, ToolCall
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE

_DIGITS = 6
_PAUSE = 300.0
"""Seconds from which on a wait for the program around the agent (a timer, a heartbeat) is a pause between two turns,
not a part of one."""


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


class Pauses:
    """The waits of a session for what opens its next turn: something that the user says, or, after a while, the program
    around the agent; and those for somebody to allow or answer a call. A wait in which an action runs is none."""

    def __init__(self, session: Session, actions: Sequence[Action]) -> None:
        running = [
            (action.started_at, action.started_at + action.duration)
            for action in actions
            if action.started_at is not None and action.duration
        ]
        moments = sorted(
            ((event.time, _opener(event)) for event in session.events if event.time is not None),
            key=lambda moment: moment[0],
        )
        waits = [
            (before, after)
            for (before, _), (after, opener) in pairwise(moments)
            if opener == "user" or (opener == "harness" and after - before >= _PAUSE)
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


def _opener(event: Event) -> str | None:
    """Who opens a turn with what is said, None for what opens none."""
    opens = isinstance(event, Message) and event.lane == MAIN_LANE and event.role in ("user", "harness")
    return event.role if isinstance(event, Message) and opens else None


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
