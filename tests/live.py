"""What a guard says of a session while it runs, and what the analysis of its recording says afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from analyzer.detectors import detect, detectors
from analyzer.detectors.engine.interface import LiveDetector
from analyzer.guard import Alarm, Guard
from analyzer.model.session import Compaction, Message, Session, ToolCall
from analyzer.timeline import Timeline
from analyzer.timeline.pairing import pair

LIVE = [entry.name for entry in detectors() if isinstance(entry, LiveDetector)]


def alarms(session: Session) -> Iterator[Alarm]:
    """The alarms that a guard raises as it's given the events of a session one by one."""
    guard = Guard(session.task or "")
    results = iter(pair(session.events).results)
    for event in session.events:
        if isinstance(event, Message):
            yield from guard.take_message(event)
        elif isinstance(event, ToolCall):
            yield from guard.take(event, next(results))
        elif isinstance(event, Compaction):
            guard.compacted(event.lane)


def raised(session: Session) -> Counter[tuple[str, str, int]]:
    """Detector, lane and step of everything that a guard raises."""
    return Counter(
        (entry.detector, entry.lane, entry.detectable_at)
        for alarm in alarms(session)
        for entry in (alarm.finding, *alarm.also)
    )


def found(timeline: Timeline) -> Counter[tuple[str, str, int]]:
    """Detector, lane and step of everything that the same detectors find in the recording."""
    return Counter((entry.detector, entry.lane, entry.detectable_at) for entry in detect(timeline, select=LIVE))
