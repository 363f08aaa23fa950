"""A session -> its timeline."""

from __future__ import annotations

import dataclasses

from analyzer.failures import STANDARD, MaskTable
from analyzer.model.session import Message, ReadWarning, Session
from analyzer.timeline.origins import set_origins
from analyzer.timeline.pairing import Pairing, blanked, environment_of, unanswered
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.trace import Trace


def build_timeline(session: Session, masks: MaskTable = STANDARD) -> Timeline:
    """The timeline of a session; `masks` say what varies by itself between two results or errors. Results that belong
    to no call are kept out and counted in the warnings."""
    trace = Trace(session, masks)
    timeline = Timeline(
        session=session,
        actions=trace.actions,
        groups=trace.groups,
        messages=[event for event in session.events if isinstance(event, Message)],
        environment=environment_of(session, trace.actions),
        warnings=list(session.warnings),
        masks=masks,
        history=dataclasses.replace(trace.history, actions=trace.actions),
    )
    set_origins(timeline)
    _warn(timeline, trace.paired)
    return timeline


def _warn(timeline: Timeline, paired: Pairing) -> None:
    orphans = len(paired.orphans)
    if orphans:
        timeline.warnings.append(
            ReadWarning(
                "results",
                (
                    f"{orphans} {'result belongs' if orphans == 1 else 'results belong'} to no call that was "
                    "recorded; left out"
                ),
            )
        )
    for missing in (unanswered(paired), blanked(paired)):
        if missing is not None:
            timeline.warnings.append(missing)
