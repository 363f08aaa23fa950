"""Pair calls with results, number them, and have each one judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from analyzer.failures import STANDARD, MaskTable, Reading, group_failures, read
from analyzer.model.action import Action
from analyzer.model.session import Compaction, Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.model.words import Kind, Status
from analyzer.timeline.classify import operation_of
from analyzer.timeline.environment import environment_of
from analyzer.timeline.keys import KeyMaker
from analyzer.timeline.noise import noise_of, without_noise
from analyzer.timeline.origins import set_origins
from analyzer.timeline.pairing import pair
from analyzer.timeline.timeline import Timeline


def build_timeline(session: Session, masks: MaskTable = STANDARD) -> Timeline:
    """The timeline of a session; `masks` say what varies by itself between two results or errors. Results that belong to no call are kept out and counted in the warnings."""
    paired = pair(session.events)
    actions = _actions(session)
    for action, result in zip(actions, paired.results, strict=True):
        _answer(action, result)
    noise = noise_of(actions)
    edited: dict[str, list[str]] = defaultdict(list)
    for action, result in zip(actions, paired.results, strict=True):
        _judge(action, result, noise, edited[action.lane])
        if action.failure is None:
            edited[action.lane].extend(edit.path for edit in action.operation.edits if edit.path)
    messages = [event for event in session.events if isinstance(event, Message)]
    groups = group_failures(((action.step, action.lane, action.failure) for action in actions if action.failure is not None), masks)
    timeline = Timeline(session, actions, groups, messages, environment_of(session, actions), list(session.warnings), masks)
    for lane in timeline.lanes():
        keys = KeyMaker(masks)
        for action in timeline.lane(lane):
            keys.set(action)
    set_origins(timeline)
    _warn(timeline, len(paired.orphans))
    return timeline


def _actions(session: Session) -> list[Action]:
    """The calls as numbered actions, each with what was said before it."""
    actions: list[Action] = []
    steps: dict[str, int] = defaultdict(int)
    said: dict[str, list[str]] = defaultdict(list)
    user_spoke: set[str] = set()
    heard: set[str] = set()
    batches: dict[str, tuple[str | None, str]] = {}
    compacted: set[str] = set()
    for event in session.events:
        lane = event.lane
        if isinstance(event, Message):
            if event.role == "assistant" and event.text.strip():
                said[lane].append(event.text.strip())
            elif event.role == "user":
                words = " ".join(event.text.split())
                if words not in heard:
                    user_spoke.add(lane)
                heard.add(words)
        elif isinstance(event, ToolCall):
            steps[lane] += 1
            action = _action(event, steps[lane])
            action.after_user = lane in user_spoke and steps[lane] > 1
            action.compacted_before = lane in compacted
            user_spoke.discard(lane)
            compacted.discard(lane)
            batch, words = batches.get(lane, (None, ""))
            fresh = "\n\n".join(said.pop(lane, []))
            action.said = fresh or (words if event.batch is not None and event.batch == batch else "")
            batches[lane] = (event.batch, action.said)
            actions.append(action)
        elif isinstance(event, Compaction):
            compacted.add(lane)
    return actions


def _action(call: ToolCall, step: int) -> Action:
    return Action(
        step=step,
        tool=call.name,
        arguments=call.arguments,
        operation=operation_of(call),
        lane=call.lane,
        batch=call.batch,
        harness=call.harness,
        task_done=call.task_done,
        started_at=call.time,
    )


def _answer(action: Action, result: ToolResult | None) -> None:
    if result is None:
        return
    action.result = result.text
    action.exit_code = result.exit_code
    action.mark = result.mark
    action.duration = result.duration
    if action.duration is None and result.time is not None and action.started_at is not None:
        action.duration = max(0.0, result.time - action.started_at)


def _judge(action: Action, result: ToolResult | None, noise: Sequence[str], edited: Sequence[str]) -> None:
    if action.harness:
        action.status = Status.UNKNOWN
        return
    reading = Reading(
        text=without_noise(action.result, noise),
        operation=action.operation,
        tool=action.tool,
        exit_code=action.exit_code,
        is_error=result.is_error if result else None,
        mark=action.mark,
        edited=edited,
        error_type=result.error_type if result else None,
    )
    verdict = read(reading)
    action.status, action.status_source, action.failure = verdict.status, verdict.source, verdict.failure
    if action.kind in (Kind.THINK, Kind.PLAN) and action.failure is not None and not action.failure.recorded:
        action.status, action.failure = Status.OK, None


def _warn(timeline: Timeline, orphans: int) -> None:
    if orphans:
        timeline.warnings.append(ReadWarning("results", f"{orphans} {'result belongs' if orphans == 1 else 'results belong'} to no call that was recorded; left out"))
    unanswered = [
        action.step for action in timeline.actions if action.result is None and not action.harness and not action.task_done
    ]
    if unanswered:
        shown = ", ".join(map(str, unanswered[:8])) + (" ..." if len(unanswered) > 8 else "")
        timeline.warnings.append(ReadWarning(f"steps {shown}", f"{len(unanswered)} {'call has' if len(unanswered) == 1 else 'calls have'} no recorded result"))
