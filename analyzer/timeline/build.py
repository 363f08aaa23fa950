"""Pair calls with results, number them, and have each one judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from analyzer.failures import STANDARD, MaskTable, group_failures
from analyzer.failures.roles import EditedFiles
from analyzer.model.action import Action
from analyzer.model.session import Compaction, Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.model.struct import replace
from analyzer.timeline.closing.recorded_words import with_verdict
from analyzer.timeline.closing.user_answers import weigh_user_answers
from analyzer.timeline.context import Context, shown_in
from analyzer.timeline.handles import Handles, handles_of
from analyzer.timeline.judgement import ANSWERED, SHOWN, answer, join, judge, settle
from analyzer.timeline.keys import KeyMaker
from analyzer.timeline.origins import set_origins
from analyzer.timeline.pairing import Pairing, blanked, environment_of, pair, unanswered, unfinished
from analyzer.timeline.repeats import set_repeats
from analyzer.timeline.status_checks import StatusChecks
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.wrappers import without_wrappers, wrappers_of
from analyzer.workspace import history_of


def build_timeline(session: Session, masks: MaskTable = STANDARD) -> Timeline:
    """The timeline of a session; `masks` say what varies by itself between two results or errors. Results that belong
    to no call are kept out and counted in the warnings."""
    session = with_verdict(session)
    paired = pair(session.events)
    actions = _actions(session)
    for action, result in zip(actions, paired.results, strict=True):
        if result is not None:
            answer(action, result)
    handles = handles_of(session, actions, paired.results)
    results = [join(action, handles) or result for action, result in zip(actions, paired.results, strict=True)]
    edited: dict[str, EditedFiles] = defaultdict(EditedFiles)
    for action, result in zip(actions, results, strict=True):
        judge(action, result, edited[action.lane], action.result)
        settle(action, handles)
        if action.failure is None:
            for edit in action.operation.edits:
                if edit.path:
                    edited[action.lane].add(edit.path)
    _read_without_wrappers([*zip(actions, results, strict=True)], edited, handles)
    looks: dict[str, StatusChecks] = defaultdict(StatusChecks)
    for action in actions:  # what a result says doesn't depend on how often it was asked for
        action.becomes(looks[action.lane].operation(action.operation, after_user=action.after_user))
    for action in actions:
        if action.decided_by == ANSWERED and shown_in(session, action) is not None:
            action.decided_by = SHOWN
    last = unfinished(session.events, actions)
    if last is not None:
        last.unfinished = True
    weigh_user_answers(actions, session.events, paired.results)
    messages = [event for event in session.events if isinstance(event, Message)]
    groups = group_failures(
        ((action.step, action.lane, action.failure) for action in actions if action.failure is not None), masks
    )
    timeline = Timeline(
        session, actions, groups, messages, environment_of(session, actions), list(session.warnings), masks
    )
    for lane in timeline.lanes():
        keys = KeyMaker(masks)
        for action in timeline.lane(lane):
            keys.set(action)
    set_origins(timeline)
    timeline.history = history_of(session, actions)
    for action, state in zip(actions, timeline.history.steps, strict=True):
        action.state, action.directory = state.before, state.directory
    changed = {(state.lane, state.step): state.changed for state in timeline.history.steps}
    for lane in timeline.lanes():
        set_repeats(timeline.lane(lane), (changed[lane, action.step] for action in timeline.lane(lane)))
    _warn(timeline, paired)
    return timeline


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


def _read_without_wrappers(
    answered: Sequence[tuple[Action, ToolResult | None]], edited: Mapping[str, EditedFiles], handles: Handles
) -> None:
    """Read again the failures that quote what their tool says in every result."""
    known = wrappers_of([action for action, _ in answered])
    for action, result in answered if known else ():
        text = without_wrappers(action, known)
        if text is None:
            continue
        before = replace(action)
        judge(action, result, edited[action.lane], text)
        settle(action, handles)
        if action.failure is None:
            action.status, action.failure, action.decided_by = before.status, before.failure, before.decided_by
            action.status_source, action.status_confidence = before.status_source, before.status_confidence


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
