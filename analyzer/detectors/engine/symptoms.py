"""Cause and symptom: a failure that comes back, and the finding that says why it does, at the same steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.model.finding import Aspect, Finding
from analyzer.model.words import Category, Severity

_COVERED = 0.8
"""The share of a loop's steps that a finding must be about to explain it."""


def joined(findings: Sequence[Finding], rank_of: Callable[[Finding], int]) -> list[Finding]:
    """The findings; a loop whose failure another one explains at its steps names that one and has its advice.

    `rank_of` says how directly a finding explains why other steps went wrong, 0 where it doesn't. What explains a loop
    weighs as much as the loop at least.
    """
    causes = {place: cause for place, finding in enumerate(findings) if (cause := _cause(finding, findings, rank_of))}
    return [
        _explained(finding, causes[place])
        if place in causes
        else _weighed(finding, [findings[other].severity for other, cause in causes.items() if cause is finding])
        for place, finding in enumerate(findings)
    ]


def _weighed(cause: Finding, loops: Sequence[Severity]) -> Finding:
    """A finding with the weight of the worst of the loops that it explains, if that is more."""
    severity = max([cause.severity, *loops], key=lambda level: level.rank)
    return cause if severity is cause.severity else cause.model_copy(update={"severity": severity})


def _cause(loop: Finding, findings: Sequence[Finding], rank_of: Callable[[Finding], int]) -> Finding | None:
    if loop.category is not Category.LOOP or loop.severity is Severity.INFO or loop.group is None or not loop.steps:
        return None
    found = [finding for finding in findings if rank_of(finding) > 0 and _is_about(finding, loop)]
    return max(found, key=lambda finding: (rank_of(finding), finding.confidence, -finding.first_step), default=None)


def _is_about(finding: Finding, loop: Finding) -> bool:
    if finding.category is Category.LOOP or finding.severity is Severity.INFO or finding.lane != loop.lane:
        return False
    steps = set(loop.steps)
    return len(steps & set(finding.steps)) >= _COVERED * len(steps)


def _explained(loop: Finding, cause: Finding) -> Finding:
    named = Aspect(detector=cause.detector, kind=cause.kind, title=cause.title, steps=cause.steps)
    return loop.model_copy(update={"explained_by": named, **({"advice": cause.advice} if cause.advice else {})})
