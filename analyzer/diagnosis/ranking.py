"""Which finding the post-mortem is about, which one is the root cause, and why it rather than another.

The page is about what hurt most. Its cause may be another finding that explains it: a failure that comes from the test
explains the loop of edits elsewhere, a missing package the failures that follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.engine.registry import declared, has
from analyzer.detectors.engine.traits import Trait
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


def reason_for(cause: Finding | None, main: Finding | None, findings: Sequence[Finding]) -> str | None:
    """Why this one is taken for the root cause and not another: a sentence or two; None where it's the only one."""
    if cause is None or main is None:
        return None
    rivals = [
        finding
        for finding in findings
        if finding not in (cause, main)
        and finding.severity.rank >= Severity.MEDIUM.rank
        and not _same(finding, cause, main)
    ]
    if has(main, Trait.ENDS_WITHOUT_RESULT) and cause is not main:
        rivals = []
    rivals = sorted(rivals, key=_weight, reverse=True)[:2]
    said = []
    if cause is not main and has(main, Trait.ENDS_WITHOUT_RESULT):
        said.append(
            "This is the root cause because the agent gave up "
            f"{'in it' if cause.last_step >= main.first_step else 'right after it'}, at step {main.last_step}"
        )
    elif cause is not main:
        shared = _shared(cause, main)
        how = (
            "both show the same failure"
            if cause.group is not None and cause.group == main.group
            else f"it covers {shared} of its {plural(len(main.steps), 'step')}"
        )
        said.append(
            f"This is the root cause because it explains the costliest trouble, the {_short(main)} of steps "
            f"{main.first_step}-{main.last_step}: {how}"
        )
    said.extend(
        f"{f'`{cause.detector}` at step {cause.first_step}' if not said and not number else 'It'} outranks "
        f"`{rival.detector}` at step {rival.first_step}, because {_because(cause, main, rival)}"
        for number, rival in enumerate(rivals)
    )
    return ". ".join(said) + "." if said else None


def _same(finding: Finding, cause: Finding, main: Finding) -> bool:
    """Whether a finding only says the same again of the same failure."""
    return finding.group is not None and finding.group in (cause.group, main.group) and finding.lane == main.lane


def _because(cause: Finding, main: Finding, rival: Finding) -> str:
    if main.severity.rank > rival.severity.rank:
        return f"that one is less severe ({rival.severity} against {main.severity})"
    if main.category is Category.LOOP and main.escaped is False:
        return "the session ended inside this one"
    if rival.first_step > cause.last_step:
        return f"that came only after it (from step {rival.first_step} on)"
    if main.cost.actions > rival.cost.actions:
        return f"this took {main.cost.actions} actions, that one {rival.cost.actions}"
    if cause is not main:
        return "that one says what happened, this one says why"
    return (
        f"this is more certain ({main.confidence:.0%} against {rival.confidence:.0%})"
        if main.confidence > rival.confidence
        else "this came first"
    )


def _short(finding: Finding) -> str:
    return finding.pattern or finding.detector
