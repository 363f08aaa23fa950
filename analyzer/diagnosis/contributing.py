"""What else went wrong, each problem once, with its steps."""

from __future__ import annotations

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.diagnosis.case import Case, steps_text
from analyzer.model.finding import Finding
from analyzer.model.words import Severity
from analyzer.text.english import one_or_many


def contributing_to(case: Case) -> list[str]:
    """The other findings that weigh something, in step order, as sentences. What only counts again a failure that
    another finding tells of is left out."""
    main = case.main
    covered = {
        (finding.lane, finding.group)
        for finding in (main, case.cause)
        if finding is not None and finding.group is not None
    }
    found: list[Finding] = []
    reasons = {finding.reason for finding in case.findings}
    for finding in case.findings:
        if finding in (main, case.cause) or finding.severity is Severity.INFO:
            continue
        if finding.group is not None:
            if (finding.lane, finding.group) in covered:
                continue
            covered.add((finding.lane, finding.group))
        if _counted_again(finding, case) or finding.explaining in reasons:
            continue
        found.append(finding)
    return [_sentence(finding) for finding in sorted(found, key=lambda finding: finding.first_step)]


def _counted_again(finding: Finding, case: Case) -> bool:
    """Whether a finding only counts a failure, at steps that another finding tells more of."""
    if not has(finding, Trait.RECOUNTS):
        return False
    others = (other for other in case.findings if not has(other, Trait.RECOUNTS) and other.lane == finding.lane)
    return any(set(finding.steps) <= set(other.steps) for other in others)


def _sentence(finding: Finding) -> str:
    title = finding.title.rstrip(".")
    where = f"{one_or_many(len(finding.steps), 'step')} {steps_text(finding.steps)}"
    named = "step" in title or not finding.steps
    return f"{title}." if named else f"{title} ({where})."
