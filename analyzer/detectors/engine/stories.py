"""Several loops with one cause are one story: the same failure, or the same call without one, repeats in several
stretches of a lane."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.finding import Aspect, Finding, Stretch
from analyzer.model.words import Category, LoopKind, Severity


def same_cause(finding: Finding, findings: Sequence[Finding]) -> list[Finding]:
    """The other loops of a loop's story, in step order; none for what is no loop, or is worth a note only."""
    cause = _cause(finding)
    if cause is None:
        return []
    others = [other for other in findings if other is not finding and _cause(other) == cause]
    return sorted(others, key=lambda other: other.first_step)


def with_stretches(findings: Sequence[Finding]) -> list[Finding]:
    """The findings; each loop names the other stretches of its story. The costliest one of a failure's story tells it:
    the others are aspects of it, and weigh little themselves."""
    by_cause: dict[object, list[Finding]] = {}
    causes = [_cause(finding) for finding in findings]
    for finding, cause in zip(findings, causes, strict=True):
        by_cause.setdefault(cause, []).append(finding)
    told = []
    for finding, cause in zip(findings, causes, strict=True):
        others = same_cause(finding, by_cause[cause]) if cause is not None else []
        stretches = [
            Stretch(first_step=other.first_step, last_step=other.last_step, rounds=other.rounds) for other in others
        ]
        told.append(
            finding.model_copy(update={"stretches": stretches, **_part(finding, others)}) if others else finding
        )
    return told


def _part(finding: Finding, others: Sequence[Finding]) -> dict[str, object]:
    """What telling a failure's story once changes in one of its loops."""
    if finding.group is None:
        return {}
    teller = max([finding, *others], key=lambda one: (one.severity.rank, one.cost.actions, -one.first_step))
    if teller is not finding:
        return {"severity": min(finding.severity, Severity.LOW, key=lambda severity: severity.rank)}
    parts = [Aspect(detector=other.detector, kind=other.kind, title=other.title, steps=other.steps) for other in others]
    return {"aspects": [*finding.aspects, *parts]}


def _cause(finding: Finding) -> tuple[str, ...] | None:
    if finding.category is not Category.LOOP or finding.severity is Severity.INFO or finding.first_step < 1:
        return None
    if finding.group is not None:
        return finding.lane, "failure", finding.group
    if finding.kind == LoopKind.REPEATED_CALL and finding.repeated:
        return finding.lane, "call", finding.pattern or "", finding.repeated
    return None
