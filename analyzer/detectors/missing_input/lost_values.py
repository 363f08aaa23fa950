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
from itertools import takewhile

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.rule_state import cost_of
from analyzer.detectors.engine.table import new_finding, title_of
from analyzer.detectors.missing_input.handover import (
    PlannedCall,
    built_on_nothing,
    plan_in,
    planned_handovers,
    stray_words,
)
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, LostValue, LostValues
from analyzer.model.session import Message
from analyzer.model.words import Severity
from analyzer.text.clip import clip
from analyzer.timeline.references import as_text

_MOST = 20
_NOTHING = ("null", "none", "undefined", "[]", "{}", "")


def detect(facts: Facts) -> Iterable[Finding]:
    """The findings of every lane."""
    for lane in facts.timeline.lanes():
        actions = [action for action in facts.lane(lane) if not action.harness]
        yield from _lost(actions, lane)
        yield from _built_on_nothing(actions, lane, facts)


def _lost(actions: Sequence[Action], lane: str) -> Iterable[Finding]:
    """The values that were there and didn't arrive, in one finding."""
    found: dict[tuple[int, str, str], LostValue] = {}
    looked: int | None = None
    for number, action in enumerate(actions):
        if plan := plan_in(action):
            lost, followed = planned_handovers(plan, _until_next(actions[number + 1 :], plan))
            looked = (looked or 0) + followed
            found |= {(entry.step, entry.argument, entry.wanted): entry for entry in lost}
    known = {key[:2] for key in found}
    stray = (entry for action in actions for entry in stray_words(action))
    found |= {(one.step, one.argument, ""): one for one in stray if (one.step, one.argument) not in known}
    if not found:
        return
    values = sorted(found.values(), key=lambda entry: entry.step)
    nothing = looked is not None and looked > 1 and len(values) >= looked
    steps = sorted({entry.step for entry in values})
    several = "some" if looked and looked > len(values) else "several"
    yield new_finding(
        f"lost-values/{'nothing-arrives' if nothing else 'lost-values'}",
        words="" if nothing or len(values) == 1 else several,
        severity=Severity.HIGH if nothing or len(values) > 2 else Severity.MEDIUM,
        confidence=0.9 if looked else 0.75,
        lane=lane,
        steps=steps,
        detectable_at=steps[0],
        evidence=[_evidence(entry, actions) for entry in values[:5]],
        differed=[_in_words(entry) for entry in values[:_MOST]],
        cost=cost_of(_at(actions, steps[0]), _at(actions, steps[-1])),
        details=LostValues(values=values[:_MOST], of=looked),
        slots={
            "values": len(values),
            "looked": looked,
            "first": _in_words(values[0]),
            "wanted": values[0].wanted,
            "tool": values[0].tool,
        },
    )


def _until_next(actions: Sequence[Action], plan: Sequence[PlannedCall]) -> Sequence[Action]:
    """The actions up to the next plan, without those that plan: their arguments are the plan itself."""
    tools = {call.tool for call in plan}
    return list(takewhile(lambda action: action.tool in tools or not plan_in(action), actions))


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
        invented, first = any(entry.fate == "invented" for entry in values), values[0]
        steps = sorted({action.step, *(entry.step for entry in values)})
        yield new_finding(
            f"lost-values/{'invented-value' if invented else 'empty-answer'}",
            words=f"first-{first.fate}",
            lane=lane,
            steps=steps,
            detectable_at=first.step,
            evidence=[
                Evidence(step=action.step, quote=clip(action.result, 200)),
                *(_evidence(entry, actions) for entry in values[:3]),
            ],
            differed=[_in_words(entry) for entry in values[:_MOST]],
            cost=cost_of(action, _at(actions, steps[-1])),
            details=LostValues(values=values[:_MOST]),
            slots={
                "source": action.step,
                "tool": action.tool,
                "wanted": first.wanted,
                "at": first.step,
                "argument": first.argument,
                "given": first.given,
            },
        )


def _in_words(entry: LostValue) -> str:
    words: str = entry.fate if entry.source is not None else "no-source"
    if words == "null" and entry.given.strip("\"' ").casefold() not in _NOTHING:
        words = "nothing-in-place"
    return title_of("lost-values", words, {**entry.model_dump(), "at": entry.step, "given": entry.given or "null"})


def _evidence(entry: LostValue, actions: Sequence[Action]) -> Evidence:
    action = _at(actions, entry.step)
    return Evidence(step=entry.step, label=f"{action.tool} called with", quote=clip(as_text(action.arguments), 200))


def _at(actions: Sequence[Action], step: int) -> Action:
    return next(action for action in actions if action.step == step)
