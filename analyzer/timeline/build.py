"""Pair calls with results, number them, and have each one judged."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from analyzer.failures import STANDARD, MaskTable, group_failures
from analyzer.failures.roles import EditedFiles
from analyzer.model.action import Action
from analyzer.model.session import Compaction, Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.model.struct import replace
from analyzer.model.words import Status
from analyzer.text.late import late
from analyzer.timeline.closing.user_answers import weigh_user_answers
from analyzer.timeline.context import Context, shown_in
from analyzer.timeline.handles import Handles, handles_of
from analyzer.timeline.judgement import ANSWERED, SHOWN, answered, joined, judged, settled
from analyzer.timeline.keys import KeyMaker
from analyzer.timeline.origins import set_origins
from analyzer.timeline.pairing import Pairing, blanked, environment_of, pair, unanswered, unfinished
from analyzer.timeline.repeats import RepeatFinder
from analyzer.timeline.status_checks import StatusChecks
from analyzer.timeline.timeline import Timeline
from analyzer.workspace import history_of

_RESULTS = 2
"""How many results that went well, for different targets, must hold a passage."""
_SHORTEST = 24
"""Characters below which a passage is an ordinary phrase."""
_MOST = 3_000
"""Characters at the beginning of a result in which passages are looked for."""
_MOST_RESULTS = 50
_SAYS = late(r"[A-Za-z]{3}.*[A-Za-z]{3}")
_BREAK = late(r"\\n|\n|\"[:,] ?\"?|(?<=\w): (?=[A-Z]{2})")
"""Where a passage ends: at a line's end, written out or escaped, at the end of a JSON value, or before a heading."""


def wrappers_of(actions: Sequence[Action]) -> dict[str, frozenset[str]]:
    """The fixed passages of each tool, as single lines."""
    seen: defaultdict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    looked: defaultdict[str, int] = defaultdict(int)
    failing = {action.tool for action in actions if action.failure is not None and action.operation.command is None}
    for action in actions:
        if action.tool not in failing or action.status is not Status.OK or not action.result:
            continue
        looked[action.tool] += 1
        if looked[action.tool] <= _MOST_RESULTS:
            for passage in passages(action.result[:_MOST]):
                seen[action.tool][passage].add(action.operation.target)
    return {
        tool: frozenset(passage for passage, targets in found.items() if len(targets) >= _RESULTS)
        for tool, found in seen.items()
    }


def passages(text: str) -> set[str]:
    """The passages of a text that are long enough to be distinguished."""
    parts = (" ".join(part.split()) for part in _BREAK.split(text))
    return {part for part in parts if len(part) >= _SHORTEST}


def without_wrappers(action: Action, known: Mapping[str, frozenset[str]]) -> str | None:
    """The result of a failing call without the fixed passages of its tool; None where its failure quotes none. What
    stands before the first of them is all that the tool says itself, where it says something."""
    fixed, failure = known.get(action.tool), action.failure
    if not fixed or failure is None or not action.result or action.operation.command is not None:
        return None
    message = " ".join(failure.message.split())
    places = [place for passage in fixed if (place := message.find(passage)) >= 0]
    if not places:
        return None
    own = message[: min(places)].rstrip(" :-")
    if _SAYS.search(own):
        return own
    text = action.result
    for passage in sorted(fixed, key=len, reverse=True):
        text = re.sub(r"\s+".join(map(re.escape, passage.split())), "", text)
    return text


def build_timeline(session: Session, masks: MaskTable = STANDARD) -> Timeline:
    """The timeline of a session; `masks` say what varies by itself between two results or errors. Results that belong
    to no call are kept out and counted in the warnings."""
    paired = pair(session.events)
    actions = [
        action if result is None else answered(action, result)
        for action, result in zip(_actions(session), paired.results, strict=True)
    ]
    actions = _judged(session, actions, paired.results)
    last = unfinished(session.events, actions)
    if last is not None:
        place = actions.index(last)
        actions[place] = replace(last, unfinished=True)
    actions = [*weigh_user_answers(actions, session.events, paired.results)]
    groups = group_failures(
        ((action.step, action.lane, action.failure) for action in actions if action.failure is not None), masks
    )
    keys: dict[str, KeyMaker] = defaultdict(lambda: KeyMaker(masks))
    for action in actions:
        keys[action.lane].set(action)
    history = history_of(session, actions)
    repeats: dict[str, RepeatFinder] = defaultdict(RepeatFinder)
    for place, state in enumerate(history.steps):
        placed = replace(actions[place], state=state.before, directory=state.directory)
        step, way = repeats[placed.lane].repeats(placed, state.changed) or (None, None)
        actions[place] = placed if step is None else replace(placed, repeats_step=step, repeats_as=way)
    timeline = Timeline(
        session=session,
        actions=actions,
        groups=groups,
        messages=[event for event in session.events if isinstance(event, Message)],
        environment=environment_of(session, actions),
        warnings=list(session.warnings),
        masks=masks,
        history=history,
    )
    set_origins(timeline)
    _warn(timeline, paired)
    return timeline


def _judged(session: Session, actions: Sequence[Action], results: Sequence[ToolResult | None]) -> list[Action]:
    """The actions with their verdicts: by what came of a call later as well, without what its tool says in every
    result, and without what is only asked again."""
    handles = handles_of(session, actions, results)
    edited: dict[str, EditedFiles] = defaultdict(EditedFiles)
    found: list[tuple[Action, ToolResult | None]] = []
    for answered_action, recorded in zip(actions, results, strict=True):
        action, result = joined(answered_action, recorded, handles)
        action = settled(judged(action, result, edited[action.lane], action.result), handles)
        if action.failure is None:
            for edit in action.operation.edits:
                if edit.path:
                    edited[action.lane].add(edit.path)
        found.append((action, result))
    looks: dict[str, StatusChecks] = defaultdict(StatusChecks)
    made = []
    for action in _without_wrappers(found, edited, handles):
        # What a result says doesn't depend on how often it was asked for.
        operation = looks[action.lane].operation(action.operation, after_user=action.after_user)
        decided = SHOWN if action.decided_by == ANSWERED and shown_in(session, action) else action.decided_by
        made.append(replace(action, operation=operation, decided_by=decided))
    return made


def _actions(session: Session) -> list[Action]:
    """The calls as numbered actions, each with what was said before it."""
    context = Context()
    actions: list[Action] = []
    for event in session.events:
        if isinstance(event, Message):
            context.hear(event)
        elif isinstance(event, ToolCall):
            actions.append(context.action(event))
        elif isinstance(event, Compaction):
            context.compact(event.lane, by_user=event.trigger == "manual")
    return actions


def _without_wrappers(
    answers: Sequence[tuple[Action, ToolResult | None]], edited: Mapping[str, EditedFiles], handles: Handles
) -> Iterator[Action]:
    """The actions; failures that quote what their tool says in every result are read again without that."""
    known = wrappers_of([action for action, _ in answers])
    for action, result in answers:
        text = without_wrappers(action, known) if known else None
        if text is None:
            yield action
            continue
        again = settled(judged(action, result, edited[action.lane], text), handles)
        if again.failure is not None:
            yield again
        else:  # the time, too, is that of a call that didn't fail
            yield replace(action, duration=again.duration, waited=again.waited)


def _warn(timeline: Timeline, paired: Pairing) -> None:
    orphans = len(paired.orphans)
    if orphans:
        timeline.warnings.append(
            ReadWarning(
                "results",
                (
                    f"{orphans} {'result belongs' if orphans == 1 else 'results belong'} to no call that was "
                    "recorded; left out"
                ),
            )
        )
    for missing in (unanswered(paired), blanked(paired)):
        if missing is not None:
            timeline.warnings.append(missing)
