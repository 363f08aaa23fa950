"""The improvements of a session in the order of what they would have saved.

Two sorts are made here: a ready configuration of the guard, with what it would have said in this session and when; and
what would have prevented a finding, in the words of its detector, as far as these are about this session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, live_detectors
from analyzer.detectors.engine.table import Rule
from analyzer.diagnosis.agent_message import guidance_for
from analyzer.diagnosis.alarms import after_alarm
from analyzer.diagnosis.amounts import taken
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import Shape, shape_of
from analyzer.diagnosis.ideas import IDEAS, Idea, Saved
from analyzer.diagnosis.proposals import is_specific
from analyzer.model.diagnosis import EarlyStop, Improvement, Where
from analyzer.model.finding import Cost, Finding
from analyzer.model.struct import astuple
from analyzer.model.words import Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import amounts, listed, one_or_many, plural

MOST = 5
"""How many improvements are given."""
_MUCH = 4
"""Actions saved from which on an improvement comes first."""


_AS_IT_IS = ("title", "why", "change", "sketch", "language", "where", "target")
"""What an improvement has as its idea has it."""


def improvements_of(case: Case, stop: EarlyStop) -> list[Improvement]:
    """The improvements, numbered from 1; those that save most come first, whatever they change."""
    found = [*of_guard(case, stop), *(idea for ideas in IDEAS for idea in ideas(case)), *of_findings(case)]
    different = list({idea.sketch or idea.change: idea for idea in reversed(found)}.values())[::-1]
    steps = ((idea, idea.saved.steps(case)) for idea in different)
    weighed = [(idea, saved, taken(case, idea.saved.lane, saved)) for idea, saved in steps]
    # by actions, then by seconds, tokens and USD
    weighed.sort(key=lambda entry: [value or 0 for value in (astuple(entry[2]) if entry[2] else ())], reverse=True)
    actions, counted = len(case.timeline.actions), Counted()
    return [
        Improvement(
            priority=number,
            **{name: getattr(idea, name) for name in _AS_IT_IS},
            impact=_impact(idea, cost, saved, actions) + counted.again(number, idea.saved.lane, saved),
            phase="later" if cost is None else "now" if cost.actions >= _MUCH else "next",
            saves=cost,
        )
        for number, (idea, saved, cost) in enumerate(weighed[:MOST], 1)
    ]


def lessons_of(case: Case, improvements: Sequence[Improvement]) -> list[str]:
    """What to remember: the lesson that a detector declares, and the rules that the session would have noted."""
    told = case.misread or (case.main if shape_of(case) is Shape.OTHER else None)
    said = [told] if told is not None and declared(told).guidance_for(told.kind) is not None else []
    rules = (item.sketch or "" for item in improvements if item.where == "instructions")
    return [*(guidance_for(one).lesson for one in said), *(rule.removeprefix("- ") for rule in rules if rule)]


class Counted:
    """Which steps the improvements so far would have saved, so that nobody adds the same ones up twice."""

    def __init__(self) -> None:
        self._by: dict[tuple[str, int], int] = {}

    def again(self, improvement: int, lane: str, steps: Sequence[int]) -> str:
        """A sentence on those of its steps that an earlier one would have saved too; empty where there are none."""
        places = [(lane, step) for step in steps]
        before = [self._by[place] for place in places if place in self._by]
        self._by = {**dict.fromkeys(places, improvement), **self._by}
        if not before:
            return ""
        shared, many = len(before), len(steps)
        which = "All of them are" if shared == many else f"{shared} of them {one_or_many(shared, 'is', 'are')}"
        earlier = [str(number) for number in sorted(set(before))]
        counted = f"counted in {one_or_many(len(earlier), 'improvement', 'improvements')} {listed(earlier)}"
        return f" {'It is' if many == 1 else which} already {counted}."


def _impact(idea: Idea, cost: Cost | None, steps: Sequence[int], actions: int) -> str:
    """What an idea would have saved here, in words; `steps` are those that it would have saved."""
    if cost is None:
        return f"The saving isn't known (see step {idea.at})."
    span = f"step {steps[0]}" if cost.actions == 1 else f"steps {steps[0]}-{steps[-1]}"
    if 1 < cost.actions < steps[-1] - steps[0] + 1:
        span = f"of {span}, those that failed, were repeats or left a failure unchanged"
    parts = [f"{cost.actions} of {plural(actions, 'action')} ({span})", *amounts(cost)]
    return f"{'Saves' if idea.saved.sure else 'Saves up to'} {', '.join(parts)}."


_MOST_ALARMS = 4


def of_guard(case: Case, stop: EarlyStop) -> Iterator[Idea]:
    """The configuration that raises this session's alarms; none where no rule that can follow a running agent has
    anything to say, or all has happened by then."""
    main = case.main
    live = live_detectors()
    weighty = (finding for finding in case.findings if finding.severity.rank >= Severity.MEDIUM.rank)
    raised = [finding for finding in weighty if finding.detector in live and finding.detectable_at >= 1]
    if main is None or not raised:
        return
    first = main
    if main not in raised or main.category is not Category.LOOP or not stop.actions_saved:
        # the finding whose alarm saves most
        saved = [(len(case.saved(one.lane, one.detectable_at, one.last_step)), -one.detectable_at) for one in raised]
        first = raised[saved.index(max(saved))]
    if first.last_step <= first.detectable_at and main.severity is not Severity.HIGH:
        return
    names = list(dict.fromkeys(finding.detector for finding in raised))[:_MOST_ALARMS]
    chosen = ", ".join(f'"{name}"' for name in names)
    sketch = [f"Guard(task, select=[{chosen}])"]
    for finding in sorted(raised, key=lambda finding: finding.detectable_at)[:_MOST_ALARMS]:
        words = case.alarms.words(finding)
        sketch.append(f"# step {finding.detectable_at}" + (f": {clip(words, 90)}" if words else ""))
    start = after_alarm(case.timeline.lane(first.lane), first.detectable_at)
    when = f"from step {min(found.detectable_at for found in raised)} on"
    yield Idea(
        "guard",
        f"Add a guard, which raises an alarm at step {first.detectable_at}",
        f"{first.title.rstrip('.')}.",
        f"Such a guard raises {f'alarms {when}' if len(raised) > 1 else f'an alarm at step {first.detectable_at}'}:",
        Saved(start, first.last_step, first.lane, sure=first.category is Category.LOOP),
        first.detectable_at,
        "Guard",
        "\n".join(sketch),
        "python",
    )


_OF_SHAPE = frozenset({Trait.REPETITION, Trait.DOUBTS_SUCCESS})
"""What findings mean whose improvements are made from the shape of the trouble."""
_WHERE: MappingProxyType[Category, Where] = MappingProxyType(
    {Category.TOOL: "tool", Category.CONTEXT: "harness", Category.PLAN: "prompt", Category.EDIT: "tool"}
)


def of_findings(case: Case) -> Iterator[Idea]:
    """One idea for the main finding, its cause and each other that weighs something."""
    own = [finding for finding in (case.cause, case.main) if finding is not None]
    wanted = [*own, *(finding for finding in case.findings if finding.severity.rank >= Severity.MEDIUM.rank)]
    covered: set[str] = set()
    # Without an action there's no step that could have been saved, or that shows what to change.
    for finding in wanted if case.timeline.actions else ():
        if finding.detector in covered or declared(finding).traits & _OF_SHAPE or finding.category is Category.LOOP:
            continue
        covered.add(finding.detector)
        change = _change(finding)
        # What ours would propose in any session is left out; a detector from outside has its say.
        if not change and (finding not in own or isinstance(declared(finding), Rule)):
            continue
        # Saved are the steps after the one at which it could be noticed; where that is the last, what was to be
        # prevented itself.
        first = finding.detectable_at + 1 if finding.detectable_at < finding.last_step else finding.first_step
        yield Idea(
            _WHERE.get(finding.category, "harness"),
            guidance_for(finding).improvement,
            f"{finding.title.rstrip('.')}{'' if 'step' in finding.title else f' (step {finding.first_step})'}.",
            change or guidance_for(finding).change,
            Saved(first, finding.last_step, finding.lane),
            max(1, finding.detectable_at),
        )


def _change(finding: Finding) -> str:
    """What to change, where it names something of the session; empty where all that is known would fit any other."""
    template, filled = declared(finding).guidance_for(finding.kind), guidance_for(finding)
    if template is not None and filled.change != template.change and is_specific(filled.change):
        return filled.change
    return next((text for text in finding.advice if is_specific(text)), "")
