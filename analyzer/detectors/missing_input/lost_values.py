"""A value that an earlier step returned, or should have returned, doesn't reach the call that needs it.

What it flags
    Where the record holds a plan whose calls refer to results (`$result.step_2.id`, `{{step_2.id}}`): every reference
    that arrives as nothing, as the reference itself, truncated, as another value or as text instead of a list, in one
    finding (`lost-values`); a finding of its own says that no result reaches any later step (`nothing-arrives`).
    Without a plan: arguments with `undefined`, `[object Object]` or a reference in place of a value. A step with an
    empty answer (`{"rates": []}`), and later calls that use it (`empty-answer`) or replace it with a value that occurs
    nowhere before (`invented-value`).

Why it matters
    Such calls mostly succeed: the tool accepts the missing value, and the result is wrong somewhere else. The fault
    lies in the store of results or in the tool that found nothing, not in the call that goes wrong.

What it does not flag
    References in a plan itself, in code or in commands; an omitted argument that no plan requires; an empty answer
    that nothing is built on, or after which the same tool is called again successfully; values that the user or
    any earlier step had named.

Options
    None.

Example:
    The plan passes `$result.step_1.samples` to step 2; the call of step 2 has `samples: null`, though step 1 returned
    three.

"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.rule_state import cost_of
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.missing_input.handover import Handover, built_on_nothing, planned_handovers, stray_words
from analyzer.detectors.missing_input.recorded_plan import PlannedCall, plan_in
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, LostValue, LostValues
from analyzer.model.session import Message
from analyzer.model.words import Severity
from analyzer.text.clip import clip
from analyzer.text.english import plural
from analyzer.text.markdown import code
from analyzer.timeline.references import as_text

_MOST = 20


def detect(facts: Facts) -> Iterable[Finding]:
    """The findings of every lane."""
    for lane in facts.timeline.lanes():
        actions = [action for action in facts.lane(lane) if not action.harness]
        yield from _lost(actions, lane)
        yield from _built_on_nothing(actions, lane, facts)


def _lost(actions: Sequence[Action], lane: str) -> Iterable[Finding]:
    """The values that were there and didn't arrive, in one finding."""
    found: dict[tuple[int, str, str], Handover] = {}
    looked: int | None = None
    for number, action in enumerate(actions):
        plan = plan_in(action)
        if plan:
            lost, followed = planned_handovers(plan, _until_next(actions[number + 1 :], plan))
            looked = (looked or 0) + followed
            found |= {(entry.step, entry.argument, entry.wanted): entry for entry in lost}
    known = {key[:2] for key in found}
    for action in actions:
        for entry in stray_words(action):
            if (entry.step, entry.argument) not in known:
                found[entry.step, entry.argument, ""] = entry
    if not found:
        return
    values = sorted(found.values(), key=lambda entry: entry.step)
    nothing = looked is not None and looked > 1 and len(values) >= looked
    steps = sorted({entry.step for entry in values})
    yield new_finding(
        f"lost-values/{'nothing-arrives' if nothing else 'lost-values'}",
        severity=Severity.HIGH if nothing or len(values) > 2 else Severity.MEDIUM,
        confidence=0.9 if looked else 0.75,
        title=_title(values, looked, nothing=nothing),
        lane=lane,
        steps=steps,
        detectable_at=steps[0],
        evidence=[_evidence(entry, actions) for entry in values[:5]],
        advice=[_advice(values, nothing=nothing)],
        differed=[in_words(entry) for entry in values[:_MOST]],
        cost=cost_of(_at(actions, steps[0]), _at(actions, steps[-1])),
        details=LostValues(values=[_public(entry) for entry in values[:_MOST]], of=looked),
    )


def _until_next(actions: Sequence[Action], plan: Sequence[PlannedCall]) -> Sequence[Action]:
    """The actions up to the next plan, without those that plan: their arguments are the plan itself."""
    tools = {call.tool for call in plan}
    until = next(
        (number for number, action in enumerate(actions) if plan_in(action) and action.tool not in tools), len(actions)
    )
    return actions[:until]


def _built_on_nothing(actions: Sequence[Action], lane: str, facts: Facts) -> Iterable[Finding]:
    said: str | None = None
    for place, action in enumerate(actions):
        if action.failure is not None or not action.result or action.result.lstrip()[:1] != "{":
            continue
        if said is None:
            said = f"{facts.timeline.session.task or ''}\n" + "\n".join(
                event.text for event in facts.events(lane) if isinstance(event, Message) and event.role != "assistant"
            )
        values = list(built_on_nothing(actions, place, said))
        if not values:
            continue
        invented = any(entry.fate == "invented" for entry in values)
        first = values[0]
        on = (
            f"step {first.step} is called with {code(first.argument)} = {code(first.given, 80)}, which nothing before "
            "holds"
            if first.fate == "invented"
            else f"step {first.step} goes on with that in {code(first.argument)}"
        )
        steps = sorted({action.step, *(entry.step for entry in values)})
        yield new_finding(
            f"lost-values/{'invented-value' if invented else 'empty-answer'}",
            severity=Severity.HIGH if invented else Severity.MEDIUM,
            confidence=0.75,
            title=f"Step {action.step} ({action.tool}) returns nothing for {code(first.wanted)}, and {on}",
            lane=lane,
            steps=steps,
            detectable_at=first.step,
            evidence=[
                Evidence(step=action.step, quote=clip(action.result, 200)),
                *(_evidence(entry, actions) for entry in values[:3]),
            ],
            advice=[
                f"Find out why {code(action.tool)} returned nothing for {code(first.wanted)}, and stop there when it "
                "does."
            ],
            differed=[in_words(entry) for entry in values[:_MOST]],
            cost=cost_of(action, _at(actions, steps[-1])),
            details=LostValues(values=[_public(entry) for entry in values[:_MOST]]),
        )


def in_words(entry: Handover) -> str:
    """What happened to one value."""
    if entry.source is None:
        return f"{code(entry.argument)} of step {entry.step} has {code(entry.wanted, 80)} in place of a value"
    of = f" (from step {entry.source})"
    bare = entry.given.strip("\"' ").casefold() in ("null", "none", "undefined", "[]", "{}", "")
    arrived = {
        "null": f"is {code(entry.given or 'null', 80)}"
        if bare
        else f"has nothing in its place: {code(entry.given, 80)}",
        "placeholder": f"holds the reference itself: {code(entry.given, 80)}",
        "cut": f"holds only a part: {code(entry.given, 80)}",
        "changed": f"holds another value: {code(entry.given, 80)}",
        "shape": f"holds its text, not the value: {code(entry.given, 80)}",
        "empty": f"is {code(entry.given, 80)}, as it was returned",
        "invented": f"is {code(entry.given, 80)}, which nothing before holds",
    }[entry.fate]
    return f"{code(entry.argument)} of step {entry.step} should hold {code(entry.wanted, 80)}{of} and {arrived}"


def _title(values: Sequence[Handover], looked: int | None, *, nothing: bool) -> str:
    if nothing:
        return f"No result reaches a later step: all {plural(len(values), 'reference')} of the plan are lost on the way"
    if len(values) == 1:
        return in_words(values[0])
    of = f" of {looked}" if looked and looked > len(values) else ""
    return f"{len(values)}{of} values don't arrive where they're needed; first, {in_words(values[0])}"


def _advice(values: Sequence[Handover], *, nothing: bool) -> str:
    if nothing:
        return (
            "Look at where results are kept and looked up, not at a single step: every reference is lost, so their "
            "names differ there, or nothing is kept."
        )
    first = values[0]
    return (
        f"Follow {code(first.wanted, 80)} from where it's returned to the call of {code(first.tool)}, and stop the run "
        "where it can't be filled in."
    )


def _evidence(entry: Handover, actions: Sequence[Action]) -> Evidence:
    action = _at(actions, entry.step)
    return Evidence(step=entry.step, label=f"{action.tool} called with", quote=clip(as_text(action.arguments), 200))


def _at(actions: Sequence[Action], step: int) -> Action:
    return next(action for action in actions if action.step == step)


def _public(entry: Handover) -> LostValue:
    return LostValue(
        step=entry.step,
        tool=entry.tool,
        argument=entry.argument,
        source=entry.source,
        wanted=entry.wanted,
        given=entry.given,
        fate=entry.fate,
    )
