"""The agent ticks a check off its own list, although nothing was run or examined since the change.

What it flags
    An entry of the agent's own to-do list that names a check ("Run the tests", "Test the layout",
    "Verify the build"), was open, and is ticked off although no call ran, showed or asked anything between the last
    change of a file and the tick, nor between the tick and the end of that turn.

Why it matters
    The agent and its reader rely on the list: a check that is ticked off won't be made.

What it does not flag
    Entries that are work ("Write tests", "Build the form", "Validate the input"), those with any run, test, view,
    search or another agent's answer before or right after them, changes of prose alone, an editor whose result includes
    a check, entries that were never seen open, and statements that the check is left to the user.

Options
    None.

Example:
    Step 7 lists "Test the layout" as open, step 8 changes the layout, step 9 marks all entries as completed.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.reserves import RESERVES
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import plural
from analyzer.text.late import late
from analyzer.timeline.own_list import Tick, ticks
from analyzer.timeline.verification.checks import tested_by_tool

_WORDS_ONLY = frozenset({Kind.PLAN, Kind.THINK, Kind.FINISH})
_PROSE = late(r"\.(?:md|mdx|rst|txt|adoc)$", re.IGNORECASE)
_OBJECT = (
    r"(?:that\b|it\b|everything\b|(?:\w+ ){0,3}(?:changes?|fix(?:es)?|implementation|build|builds|compil\w+|tests?"
    r"|suite|layout|page|pages|output|results?|works?|working|functionality|behaviou?r|integration|types?|lint\w*|app"
    r"|application|features?|UI|rendering|solution|migrations?|endpoints?|server|site|scripts?|edge cases|no errors"
    r"|correctness|flow)\b)"
)
_CHECK = late(
    r"^\W{0,4}(?:(?:finally|then|manually|locally)[, ]+)?(?:"
    r"(?:re-?)?(?:run|running|execute) (?:\w+[ -]){0,4}(?:tests?|suite|specs?|build|lint\w*|checks?|type-?check\w*"
    r"|smoke|benchmarks?|e2e)\b"
    r"|(?:re-?)?test(?:ing)? (?!(?:files?|suites?|plans?|cases?|data|cover\w*|fixtures?|helpers?|utilit\w+|doubles?"
    r"|strateg\w+|doc\w*|setup|scripts?|class\w*|modules?|infra\w*|config\w*|for|stubs?|mocks?|environments?)\b)\w"
    rf"|(?:verify|validate|check|confirm|double-check|ensure|make sure|verifying|checking) {_OBJECT}"
    r"|(?:type-?check|lint|compile|smoke[ -]test|build) (?:the |all |everything|whole |entire )?(?:code|project|package"
    r"|app|application|solution|crate|module|workspace|changes|frontend|backend|everything)?(?: |$)(?!\w+ (?:component"
    r"|form|page))"
    r")",
    re.IGNORECASE,
)
_WORK = late(
    r"\b(?:write|writing|add|adding|create|creating|implement\w*|fix\w* tests?|update tests?|refactor\w*)\b",
    re.IGNORECASE,
)
_GUIDANCE = {
    "": Guidance(
        questions=("Which step did what the entry says that was ticked off at step {last}?",),
        approaches=(
            ("Make the check", "Do what the entry names, on the files as they are now, and then tick it off."),
        ),
        improvement="Tick a check off only with a step that made it",
        change="Refuse to mark a check as completed while no call has run or looked since the last change.",
        lesson="A check on the list is done when a step shows its result.",
    )
}


class TickedUnchecked(Detector):
    """At most one finding per session."""

    name = "ticked-unchecked"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Language-only Hallucinations"])
    traits = frozenset({Trait.RESULT_ONLY})
    guidance = _GUIDANCE
    cause_name = "check ticked off and not made"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The checks that were ticked off without one."""
        actions = facts.lane(MAIN_LANE)
        found = [
            (tick, change)
            for tick in ticks(actions)
            if names_check(tick.text) and (change := _bare(facts, actions, tick)) is not None
        ]
        if found:
            yield _finding(facts, found)


DETECTOR = TickedUnchecked()


def names_check(entry: str) -> bool:
    """Whether an entry of a list names a check rather than work on one."""
    return _CHECK.search(entry) is not None and _WORK.search(entry) is None


def _bare(facts: Facts, actions: Sequence[Action], tick: Tick) -> Action | None:
    """The last change before a tick, where nothing that could be a check lies between the two or right behind."""
    place = actions.index(tick.at)
    change: Action | None = None
    for action in reversed(actions[actions.index(tick.listed) : place + 1]):
        if action.accepted_edits and action.kind is Kind.EDIT:
            change = action
            break
        if action is not tick.at and action.kind not in _WORDS_ONLY:
            return None
        if action.after_user:
            return None
    if change is None or change.operation.commands or tested_by_tool(change):
        return None
    if all(_PROSE.search(edit.path) for edit in change.operation.edits):
        return None
    for action in actions[place + 1 :]:
        if action.after_user:
            break
        if action.kind not in _WORDS_ONLY:
            return None
    return change if _alone(facts, change, tick.at) and not _left_open(facts, tick.at) else None


def _alone(facts: Facts, change: Action, tick: Action) -> bool:
    """Whether no other agent acted between a change and a tick."""
    between = list(facts.timeline.actions)
    return all(
        action.lane == MAIN_LANE and not action.asks_agent
        for action in between[between.index(change) : between.index(tick) + 1]
    )


def _left_open(facts: Facts, tick: Action) -> bool:
    """Whether the agent says after a tick what it left to do."""
    spoken = False
    for event in facts.events(MAIN_LANE):
        spoken = spoken or event is tick
        if spoken and isinstance(event, Message):
            if event.role == "user":
                return False
            if event.role == "assistant" and RESERVES.search(event.text) is not None:
                return True
    return False


def _finding(facts: Facts, found: Sequence[tuple[Tick, Action]]) -> Finding:
    tick, change = found[0]
    more = f" and {plural(len(found) - 1, 'more check')}" if len(found) > 1 else ""
    title = (
        f"Step {tick.at.step} ticks off “{clip(tick.text, 80)}”{more}, and nothing was run or looked at since the "
        f"change of step {change.step}"
    )
    paths = [clip_path(edit.path, 200) for edit in change.operation.edits[:1]]
    return TickedUnchecked.finding(
        severity=Severity.MEDIUM,
        confidence=0.8,
        title=title,
        steps=sorted({step for one, edited in found for step in (edited.step, one.at.step)}),
        detectable_at=tick.at.step,
        evidence=[
            *(Evidence(step=change.step, label="edited", quote=path) for path in paths),
            *(Evidence(step=one.at.step, label="ticked off", quote=one.text) for one, _ in found[:3]),
        ],
        advice=[f"Do what “{clip(tick.text, 80)}” says on the files as step {change.step} left them."],
        cost=facts.cost(MAIN_LANE, change.step, tick.at.step),
    )
