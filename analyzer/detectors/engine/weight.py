"""What a loop weighs by what it cost: the rounds alone don't tell that three of them took an hour, or a million
tokens."""

from __future__ import annotations

from analyzer.model.finding import Finding
from analyzer.model.words import Category, Severity

_SECONDS = {Severity.MEDIUM: 900.0, Severity.HIGH: 3_600.0}
_TOKENS = {Severity.MEDIUM: 2_000_000, Severity.HIGH: 10_000_000}
"""From how much on a loop weighs at least so much."""


def weighed(finding: Finding) -> Finding:
    """The finding; a loop that cost much time or many tokens weighs at least accordingly."""
    if finding.category is not Category.LOOP or finding.severity is Severity.INFO:
        return finding
    cost = finding.cost
    least = max(
        (
            severity
            for severity in (Severity.MEDIUM, Severity.HIGH)
            if (cost.seconds or 0.0) >= _SECONDS[severity] or (cost.tokens or 0) >= _TOKENS[severity]
        ),
        key=lambda severity: severity.rank,
        default=finding.severity,
    )
    return finding.model_copy(update={"severity": least}) if least.rank > finding.severity.rank else finding
