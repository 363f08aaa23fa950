"""A tool's definition, its calls and the function behind it disagree about an argument.

What it flags
    Where the record holds the definitions of tools: a call that follows its definition and is still rejected
    (`contradicted`), because a declared argument is refused as unknown, one is required that the definition doesn't ask
    for, one that was given is reported as missing, or a value that the definition allows isn't accepted; and calls that
    don't follow it (`not-followed`), twice or without ever recovering: an argument that isn't in the definition, a
    required one left out, a value of another type or outside of the declared ones.

Why it matters
    In the first case no call can be right, and the tool must be fixed; in the second the definition has the answer.

What it does not flag
    A tool whose definition the record doesn't hold, or holds in two versions; an argument with which, or without which,
    another call of the tool was accepted; names nested within a value; a slip that the next call corrects.

Options
    None.

Example:
    The definition of `plan_slot` has `minutes`; the call gives it, and the answer is `unknown field: minutes, it takes
    duration_min`.

"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.rule_state import cost_of, spread
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.definitions import (
    CONTRADICTIONS,
    Definitions,
    Side,
    accepts_it,
    called,
    sides,
    told_by_prompts,
)
from analyzer.model.action import Action
from analyzer.model.definition import Parameter, ToolDefinition
from analyzer.model.finding import DefinitionSide, DefinitionSides, Evidence, Finding, Taxonomy
from analyzer.model.words import Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed
from analyzer.text.markdown import code
from analyzer.text.suggest import nearest
from analyzer.timeline.references import as_text

_GUIDANCE = {
    "": Guidance(
        questions=("Which of the two is right for step {first}: the definition that the model got, or the check?",),
        approaches=(
            (
                "Write the definition from the code",
                "Make the definition from the signature or the schema that the check uses, and compare both at "
                "start-up.",
            ),
            (
                "Call it as the answer says",
                "Until it's mended, give the names and values that the answer of step {first} lists.",
            ),
        ),
        improvement="Make definition and check from one source",
        change=(
            "Generate the definition of each tool from what checks and takes its arguments, and let a test send each "
            "declared argument through that check."
        ),
        lesson="A definition that the check doesn't share is a trap: the call that follows it fails.",
    ),
    "not-followed": Guidance(
        questions=("Which argument of step {first} does the definition call otherwise?",),
        approaches=(("Read the definition", "Compare the call of step {first} with its definition, name by name."),),
        improvement="Check calls against their definitions before they're made",
        change="Validate arguments against the definition first, and answer with the nearest declared names.",
        lesson="The definition had the names: a call that guesses them is rejected.",
    ),
}
_MOST = 6


class DefinitionMismatch(Detector):
    """One finding per tool and kind."""

    name = "definition-mismatch"
    category = Category.TOOL
    taxonomy = Taxonomy.of(trail=["Tool Definition Issues"])
    traits = frozenset({Trait.EXPLAINS_REJECTION})
    cause_rank = 9
    guidance = _GUIDANCE
    first_failure_rank = 9
    cause_name = "definition and implementation differ"
    cause_names_by_kind: ClassVar[Mapping[str, str]] = {"not-followed": "call not as defined"}
    case_lesson = (
        "A tool's definition and what checks its arguments are one contract: make both from one source, and test that "
        "a call made from the definition is accepted."
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of every lane."""
        told = told_by_prompts(facts) if any(action.failure is not None for action in facts.timeline.actions) else []
        for lane in facts.timeline.lanes():
            yield from _of_lane(facts, lane, told)


DETECTOR = DefinitionMismatch()


@dataclass(slots=True)
class _Case:
    """What was seen of one tool."""

    definition: ToolDefinition
    sides: list[Side] = field(default_factory=list)
    accepted: list[tuple[Action, Mapping[str, Any]]] = field(default_factory=list)


def _of_lane(facts: Facts, lane: str, told: Sequence[ToolDefinition]) -> Iterable[Finding]:
    actions = [action for action in facts.lane(lane) if not action.harness]
    if not any(action.failure is not None for action in actions):
        return
    definitions = Definitions(facts, lane, told)
    if not definitions:
        return
    cases: dict[str, _Case] = {}
    for action in actions:
        tool, given = called(action)
        definition = definitions.of(tool)
        if definition is None:
            continue
        case = cases.setdefault(tool, _Case(definition))
        if action.failure is None and action.result is not None:
            case.accepted.append((action, given))
        else:
            case.sides += sides(action, definition, given)
    for tool, case in cases.items():
        yield from _findings(tool, case, lane)


def _findings(tool: str, case: _Case, lane: str) -> Iterable[Finding]:
    against = [
        side
        for side in case.sides
        if side.sort in CONTRADICTIONS and not any(accepts_it(side, given) for _, given in case.accepted)
    ]
    if against:
        yield _finding("contradicted", tool, against, case, lane)
        return
    slips = [side for side in case.sides if side.sort not in CONTRADICTIONS]
    steps = {side.action.step for side in slips}
    over = bool(slips) and any(action.step > max(steps) for action, _ in case.accepted)
    if slips and (len(steps) > 1 or not over):
        yield _finding("not-followed", tool, slips, case, lane)


def _finding(kind: str, tool: str, found: Sequence[Side], case: _Case, lane: str) -> Finding:
    definition = case.definition
    first = list({(side.sort, side.argument): side for side in reversed(found)}.values())[::-1]
    steps = sorted({side.action.step for side in found})
    actions = {side.action.step: side.action for side in found}
    accepted = next((action.step for action, _ in case.accepted if action.step > steps[-1]), None)
    told = listed([_words(side, definition) for side in first[:3]])
    more = f" ({len(first) - 3} more)" if len(first) > 3 else ""
    step = definition.place.partition(",")[0]
    where = f" ({step})" if step.startswith("step ") else ""
    title = (
        f"The definition of {tool}{where} and what takes its calls differ: {told}{more}"
        if kind == "contradicted"
        else f"Calls of {tool} aren't as its definition{where} says: {told}{more}"
    )
    return DefinitionMismatch.finding(
        kind=kind,
        severity=(Severity.HIGH if accepted is None else Severity.MEDIUM) if kind == "contradicted" else Severity.LOW,
        confidence=0.9 if kind == "contradicted" else 0.85,
        title=title,
        lane=lane,
        steps=steps,
        detectable_at=steps[0] if kind == "contradicted" else steps[-1],
        rounds=len(steps),
        escaped=accepted is not None,
        evidence=[
            Evidence(step=step, quote=clip(text, 300))
            for step in spread(steps, 2)
            for text in (
                f"{actions[step].tool} {as_text(actions[step].arguments)}",
                (actions[step].result or "").strip(),
            )
            if text
        ],
        advice=[_advice(kind, tool, first[0], definition)],
        cost=cost_of(actions[steps[0]], actions[steps[-1]]),
        differed=[
            f"defined ({definition.place}): {_row(definition)}",
            *(
                f"takes (step {side.action.step}): {', '.join(side.error.takes)}"
                for side in first[:1]
                if side.error.takes
            ),
        ],
        details=DefinitionSides(
            tool=tool,
            place=definition.place,
            sides=[
                DefinitionSide(
                    sort=side.sort,
                    argument=side.argument,
                    declared=_declared(side.parameter) if side.parameter is not None else None,
                    given=clip(as_text(side.given), 80) if side.given is not None else None,
                    taken=side.wanted,
                    step=side.action.step,
                )
                for side in first[:_MOST]
            ],
            accepted_at=accepted,
        ),
    )


def _words(side: Side, definition: ToolDefinition) -> str:
    """One difference with both of its sides."""
    name, step = code(side.argument), f"step {side.action.step}"
    takes = f", which takes {', '.join(side.error.takes)}" if side.error.takes else ""
    match side.sort:
        case "refused":
            return f"{name} is defined and refused as unknown ({step}{takes})"
        case "unknown-required":
            return f"{name} is required ({step}) and {'optional' if side.parameter else 'not'} there"
        case "not-passed":
            return f"{name} is defined, given and missed all the same ({step})"
        case "value-refused":
            return (
                f"{name} is defined as {_declared(side.parameter)}, given {code(clip(as_text(side.given), 40))} and "
                f"taken only as {clip(side.wanted or '', 120)} ({step})"
            )
        case "undeclared":
            near = nearest(side.argument, [entry.name for entry in definition.parameters])
            return f"{name} isn't there" + (f", {code(near)} is" if near else "") + f" ({step})"
        case "left-out":
            return f"{name} is required there and left out ({step})"
        case "other-value":
            given = code(clip(as_text(side.given), 40))
            return f"{name} is {_declared(side.parameter)} there and {given} is given ({step})"


def _advice(kind: str, tool: str, side: Side, definition: ToolDefinition) -> str:
    if kind == "contradicted":
        return (
            f"Make the definition of {code(tool)} from what checks its arguments: {code(side.argument)} isn't the same "
            f"in {code(definition.place)} and in the answer of step {side.action.step}."
        )
    return f"Call {code(tool)} with the arguments of its definition: {_row(definition)}."


def _row(definition: ToolDefinition) -> str:
    names = [
        f"{entry.name}{': ' + _declared(entry) if entry.types or entry.values else ''}"
        for entry in definition.parameters
    ]
    return ", ".join(names[:12]) or "nothing"


def _declared(parameter: Parameter | None) -> str:
    """What a definition says of an argument's values."""
    if parameter is None:
        return "nothing"
    if parameter.values is not None:
        shown = ", ".join(str(value) for value in parameter.values[:8])
        return f"one of {shown}"
    return " or ".join(parameter.types) or "anything"
