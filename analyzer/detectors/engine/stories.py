"""Several loops with one cause are one story: the same failure, or the same call without one, repeats in several
stretches of a lane."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.finding import Finding, Stretch
from analyzer.model.words import Category, LoopKind, Severity


def same_cause(finding: Finding, findings: Sequence[Finding]) -> list[Finding]:
    """The other loops of a loop's story, in step order; none for what is no loop, or is worth a note only."""
    cause = _cause(finding)
    if cause is None:
        return []
    others = [other for other in findings if other is not finding and _cause(other) == cause]
    return sorted(others, key=lambda other: other.first_step)


def with_stretches(findings: Sequence[Finding]) -> list[Finding]:
    """The findings; each loop names the other stretches of its story."""
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
        told.append(finding.model_copy(update={"stretches": stretches}) if stretches else finding)
    return told


def _cause(finding: Finding) -> tuple[str, ...] | None:
    if finding.category is not Category.LOOP or finding.severity is Severity.INFO or finding.first_step < 1:
        return None
    if finding.group is not None:
        return finding.lane, "failure", finding.group
    if finding.kind == LoopKind.REPEATED_CALL and finding.repeated:
        return finding.lane, "call", finding.pattern or "", finding.repeated
    return None
