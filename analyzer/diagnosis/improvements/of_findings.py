"""What would have prevented a finding, in the words of its detector, as far as these are about this session."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.improvements.idea import Idea, Saved
from analyzer.diagnosis.proposals.of_failure import is_specific
from analyzer.model.diagnosis import Where
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Severity

_OF_SHAPE = frozenset({Trait.REPETITION, Trait.DOUBTS_SUCCESS})
"""What findings mean whose improvements are made from the shape of the trouble."""
_WHERE: MappingProxyType[Category, Where] = MappingProxyType(
    {Category.TOOL: "tool", Category.CONTEXT: "harness", Category.PLAN: "prompt", Category.EDIT: "tool"}
)


def ideas(case: Case) -> Iterator[Idea]:
    """One idea for the main finding, its cause and each other that weighs something."""
    own = [finding for finding in (case.cause, case.main) if finding is not None]
    wanted = [*own, *(finding for finding in case.findings if finding.severity.rank >= Severity.MEDIUM.rank)]
    covered: set[str] = set()
    for finding in wanted:
        if finding.detector in covered or declared(finding).traits & _OF_SHAPE or finding.category is Category.LOOP:
            continue
        if not case.timeline.actions:
            continue  # no step that could have been saved, or that shows what to change
        covered.add(finding.detector)
        change = _change(finding)
        if not change and finding not in own:
            continue
        yield Idea(
            _WHERE.get(finding.category, "harness"),
            guidance_for(finding).improvement,
            f"{finding.title.rstrip('.')}{'' if 'step' in finding.title else f' (step {finding.first_step})'}.",
            change or guidance_for(finding).change,
            _saved(finding),
            max(1, finding.detectable_at),
        )


def _saved(finding: Finding) -> Saved:
    """The steps after the one at which it could be noticed; where that is the last, what was to be prevented itself."""
    first = finding.detectable_at + 1 if finding.detectable_at < finding.last_step else finding.first_step
    return Saved(first, finding.last_step, finding.lane)


def _change(finding: Finding) -> str:
    """What to change, where it names something of the session; empty where all that is known would fit any other."""
    template, filled = declared(finding).guidance_for(finding.kind), guidance_for(finding)
    if template is not None and filled.change != template.change and is_specific(filled.change):
        return filled.change
    return next((text for text in finding.advice if is_specific(text)), "")
