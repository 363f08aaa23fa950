"""A ready configuration of the guard: what it would have said in this session, and when."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.engine.interface import LiveDetector
from analyzer.detectors.engine.registry import detectors
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.improvements.idea import Idea, Saved
from analyzer.model.diagnosis import EarlyStop
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Kind, Severity
from analyzer.text.clip import clip

_MOST = 4
_LOOKS = frozenset({Kind.READ, Kind.SEARCH, Kind.TEST, Kind.WAIT, Kind.THINK, Kind.PLAN})


def ideas(case: Case, stop: EarlyStop) -> Iterator[Idea]:
    """The configuration that raises this session's alarms; none where no rule that can follow a running agent has
    anything to say, or all has happened by then."""
    main = case.main
    live = {entry.name for entry in detectors() if isinstance(entry, LiveDetector)}
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
        f"# step {finding.detectable_at}: {clip(finding.title, 90)}"
        for finding in sorted(raised, key=lambda finding: finding.detectable_at)[:_MOST]
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
            first.detectable_at + 1,
            first.last_step,
            first.lane,
            sure=first.category is Category.LOOP,
            only=_in_vain(case, first),
        ),
        first.detectable_at,
        "Guard",
        f"Guard(task, select=[{chosen}])\n{alarms}",
        "python",
    )


def _in_vain(case: Case, finding: Finding) -> tuple[int, ...]:
    """The steps after the alarm that failed, came back, only looked, or made no difference: the next check shows the
    failure of the loop again."""
    lane = case.timeline.lane(finding.lane)
    after = lane[finding.detectable_at : finding.last_step]
    steps = []
    for position, action in enumerate(after):
        looked = action.kind in _LOOKS and not action.accepted_edits and not action.operation.writes
        vain = action.failure is not None or action.repeats_step is not None or looked
        if not vain and finding.group is not None:
            check = next((later for later in after[position + 1 :] if later.failure or later.kind is Kind.TEST), None)
            vain = check is not None and check.failure is not None and check.failure.group == finding.group
        if vain:
            steps.append(action.step)
    return tuple(steps)


def _first(case: Case, raised: list[Finding], stop: EarlyStop) -> Finding:
    """The finding whose alarm saves most."""
    main = case.main
    if main is not None and main in raised and main.category is Category.LOOP and stop.actions_saved:
        return main
    return max(raised, key=lambda finding: (finding.last_step - finding.detectable_at, -finding.detectable_at))
