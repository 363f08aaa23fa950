"""A ready configuration of the guard: what it would have said in this session, and when."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.engine.registry import live_detectors
from analyzer.diagnosis.avoidable import after_alarm
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.improvements.idea import Idea, Saved
from analyzer.model.diagnosis import EarlyStop
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Severity
from analyzer.text.clip import clip

_MOST = 4


def ideas(case: Case, stop: EarlyStop) -> Iterator[Idea]:
    """The configuration that raises this session's alarms; none where no rule that can follow a running agent has
    anything to say, or all has happened by then."""
    main = case.main
    live = live_detectors()
    raised = [
        finding
        for finding in case.findings
        if finding.detector in live and finding.severity.rank >= Severity.MEDIUM.rank and finding.detectable_at >= 1
    ]
    if main is None or not raised:
        return
    first = _first(case, raised, stop)
    if first.last_step <= first.detectable_at and main.severity is not Severity.HIGH:
        return
    names = list(dict.fromkeys(finding.detector for finding in raised))[:_MOST]
    alarms = "\n".join(
        _comment(case, finding) for finding in sorted(raised, key=lambda finding: finding.detectable_at)[:_MOST]
    )
    chosen = ", ".join(f'"{name}"' for name in names)
    yield Idea(
        "guard",
        f"Guard: alarm at step {first.detectable_at}",
        f"{first.title.rstrip('.')}.",
        f"Raised at step {first.detectable_at}:"
        if len(raised) == 1
        else f"Raised from step {min(found.detectable_at for found in raised)} on:",
        Saved(
            after_alarm(case.timeline.lane(first.lane), first.detectable_at),
            first.last_step,
            first.lane,
            sure=first.category is Category.LOOP,
        ),
        first.detectable_at,
        "Guard",
        f"Guard(task, select=[{chosen}])\n{alarms}",
        "python",
    )


def _comment(case: Case, finding: Finding) -> str:
    """What the guard says at an alarm: what was known then."""
    words = case.alarms.words(finding)
    return f"# step {finding.detectable_at}" + (f": {clip(words, 90)}" if words else "")


def _first(case: Case, raised: list[Finding], stop: EarlyStop) -> Finding:
    """The finding whose alarm saves most."""
    main = case.main
    if main is not None and main in raised and main.category is Category.LOOP and stop.actions_saved:
        return main
    return max(raised, key=lambda finding: (_saved(case, finding), -finding.detectable_at))


def _saved(case: Case, finding: Finding) -> int:
    start = after_alarm(case.timeline.lane(finding.lane), finding.detectable_at)
    return len(case.avoidable(finding.lane, start, finding.last_step))
