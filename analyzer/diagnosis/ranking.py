"""Which finding the post-mortem is about, which one is the root cause, and what shows that.

The page is about what hurt most. Its cause may be another finding that explains it: a failure that comes from the test
explains the loop of edits elsewhere, a missing package the failures that follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, has
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Severity
from analyzer.text.english import plural

_SHARE = 0.5
"""The part of the steps of what is to be explained that the explanation must cover."""
_NEAR = 8
"""How many steps before it gives up an agent is still held to be in a trouble."""


def main_of(findings: Sequence[Finding]) -> Finding | None:
    """The finding that hurt most: by severity, then a loop that the agent never left; of two that weigh equally, a
    loop, then what took more steps. What weighs little makes no page, unless it's a loop: None then."""
    serious = [
        finding
        for finding in findings
        if finding.severity.rank >= Severity.MEDIUM.rank
        or (finding.category is Category.LOOP and finding.severity is not Severity.INFO)
    ]
    return max(serious, key=_weight, default=None)


def _weight(finding: Finding) -> tuple[int, bool, bool, int, float, int]:
    loop = finding.category is Category.LOOP
    stuck = loop and finding.escaped is False and finding.severity is Severity.HIGH
    return finding.severity.rank, stuck, loop, finding.cost.actions, finding.confidence, -finding.first_step


def cause_of(main: Finding | None, findings: Sequence[Finding]) -> Finding | None:
    """The finding that explains the main one best; the main one itself where none does."""
    if main is None:
        return None
    if has(main, Trait.ENDS_WITHOUT_RESULT):
        return max(
            (finding for finding in findings if finding is not main and _gave_up_over(main, finding)),
            key=_weight,
            default=main,
        )
    others = [
        finding
        for finding in findings
        if finding is not main and finding.severity is not Severity.INFO and _explains(finding, main)
    ]
    return max(
        others,
        key=lambda finding: (declared(finding).cause_rank, finding.confidence, finding.cost.actions),
        default=main,
    )


def _explains(finding: Finding, main: Finding) -> bool:
    if declared(finding).cause_rank <= declared(main).cause_rank or finding.lane != main.lane:
        return False
    if finding.group is not None and finding.group == main.group:
        return True
    return _shared(finding, main) >= _SHARE * len(main.steps)


def _gave_up_over(main: Finding, finding: Finding) -> bool:
    """Whether a finding is the trouble that the agent was in when it gave up."""
    serious = finding.severity.rank >= Severity.MEDIUM.rank and finding.lane == main.lane
    trouble = finding.category in (Category.LOOP, Category.ERROR) or declared(finding).cause_rank > 0
    return serious and trouble and main.last_step - _NEAR <= finding.last_step <= main.last_step


def _shared(finding: Finding, main: Finding) -> int:
    return len(set(finding.steps) & set(main.steps))


def reason_for(cause: Finding | None, main: Finding | None) -> str | None:
    """What shows that this one is the root cause of the other, in a sentence; None where they are one and the same."""
    if cause is None or main is None or cause is main:
        return None
    if has(main, Trait.ENDS_WITHOUT_RESULT):
        when = "in it" if cause.last_step >= main.first_step else "right after it"
        return f"This is the root cause because the agent gave up {when}, at step {main.last_step}."
    how = (
        "both show the same failure"
        if cause.group is not None and cause.group == main.group
        else f"it covers {_shared(cause, main)} of its {plural(len(main.steps), 'step')}"
    )
    where = (
        f"step {main.first_step}"
        if main.first_step == main.last_step
        else (f"steps {main.first_step}-{main.last_step}")
    )
    what = f"the {main.pattern} of {where}" if main.pattern else where
    return f"This is the root cause because it explains the most expensive problem, {what}: {how}."
