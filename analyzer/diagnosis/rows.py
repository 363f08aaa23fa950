"""Internal records -> the public models of the post-mortem."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.labels import called, came_back, common_root, summary
from analyzer.diagnosis.moves import moves_of
from analyzer.diagnosis.partial_output import output_is_partial
from analyzer.diagnosis.provenance import Provenances
from analyzer.failures import fingerprint
from analyzer.model.postmortem import FailureGroupRow, FailureRow, FrameRow, OriginRow, TimelineRow
from analyzer.model.session import Session, Tokens
from analyzer.model.session_summary import BesideRow, MessageCounts, ModelRow, RecordedEnd, SessionSummary, TokenCounts
from analyzer.model.words import OriginRole
from analyzer.text.clip import clip
from analyzer.text.excerpts import informative_parts
from analyzer.timeline import Timeline
from analyzer.timeline.closing.recorded_words import ending_of, is_of_message
from analyzer.timeline.closing.user_answers import not_run
from analyzer.timeline.elapsed import cut_before, elapsed
from analyzer.timeline.verification.checks import runs_checker


def clock(seconds: float | None, *, naive: bool) -> str | None:
    """A time as RFC 3339, without a zone where the log's clock has none."""
    if seconds is None:
        return None
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    text = moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds").replace("+00:00", "")
    return text if naive else f"{text}Z"


def session_summary(timeline: Timeline) -> SessionSummary:
    """The facts of the header, with times filled in from the events where the header has none."""
    session = timeline.session
    asked = Counter(call.model for call in session.calls() if call.model is not None and not call.harness)
    times = elapsed(session, timeline.actions)
    count = {
        role: sum(1 for message in timeline.messages if message.role == role and not message.thought)
        for role in ("user", "assistant")
    }
    return SessionSummary(
        id=session.id,
        agent=session.agent,
        agent_version=session.agent_version,
        model=session.model,
        beside=[
            BesideRow(
                role=entry.role, model=entry.model, tokens=_tokens(entry.usage.tokens), cost_usd=entry.usage.cost_usd
            )
            for entry in session.beside
        ],
        models=[ModelRow(model=model, actions=count) for model, count in asked.most_common()],
        task=session.task,
        title=session.title,
        environment=timeline.environment,
        started_at=clock(times.start, naive=session.naive_clock),
        ended_at=clock(times.end, naive=session.naive_clock),
        duration_seconds=times.seconds,
        active_seconds=times.active,
        messages=MessageCounts(
            user=session.user_messages if session.user_messages is not None else count["user"],
            assistant=session.assistant_messages if session.assistant_messages is not None else count["assistant"],
        ),
        user_turns=[action.step for action in timeline.lane() if action.after_user],
        compactions=[action.step for action in timeline.lane() if action.compacted_before],
        begins_after_compaction=cut_before(session) is not None,
        actions=len(timeline.actions),
        lanes=timeline.lanes(),
        sub_agents_read=session.sub_agents_read,
        tokens=_tokens_of(session),
        cost_usd=session.cost_usd,
        recorded_status=session.recorded_status,
        recorded_end=_recorded_end(timeline),
        redacted=session.redacted,
        redacted_at=session.redacted_at,
    )


def _recorded_end(timeline: Timeline) -> RecordedEnd | None:
    session = timeline.session
    ending, detail = ending_of(session)
    if ending is None and (not session.recorded_status or is_of_message(session)):
        return None
    made = [action.step for action in timeline.lane() if not action.harness]
    return RecordedEnd(
        status=session.recorded_status,
        ending=ending,
        detail=informative_parts(detail, 300) if detail else None,
        after_step=made[-1] if made else None,
    )


def _tokens_of(session: Session) -> TokenCounts:
    counts = _tokens(session.tokens)
    return counts.model_copy(update={"output_is_partial": True}) if output_is_partial(session) else counts


def _tokens(tokens: Tokens) -> TokenCounts:
    return TokenCounts(input=tokens.input, output=tokens.output, cached=tokens.cached)


def timeline_rows(case: Case) -> list[TimelineRow]:
    """One row per action."""
    timeline = case.timeline
    seen: set[tuple[str, str]] = set()
    root = common_root(timeline)
    moves = moves_of(case)
    rows = []
    for action in timeline.actions:
        group = action.failure.group if action.failure else None
        again = group is not None and (action.lane, group) in seen
        if group is not None:
            seen.add((action.lane, group))
        rows.append(
            TimelineRow(
                step=action.step,
                lane=action.lane,
                tool=action.tool,
                kind=action.kind,
                target=clip(action.operation.target, 300),
                status=action.status,
                status_source=action.status_source,
                decided_by=action.decided_by,
                exit_code=action.exit_code,
                repeats_step=action.repeats_step,
                repeats_as=action.repeats_as,
                failure_group=group,
                started_at=clock(action.started_at, naive=timeline.session.naive_clock),
                duration_seconds=round(action.duration, 3) if action.duration is not None else None,
                summary=summary(action, root, again=again),
                tokens=_tokens(action.usage.tokens) if action.usage is not None else None,
                cost_usd=action.usage.cost_usd if action.usage is not None else None,
                state=action.state or None,
                moves=moves.get((action.lane, action.step), []),
                checks=runs_checker(action),
                changes=case.delivery.changes_work(action),
                called=called(action, root),
                came_back=came_back(action, again=again),
                error_is_back=again and action.failure is not None,
                result_characters=len(action.result.strip()) if action.result is not None else None,
                not_run=not_run(action),
            )
        )
    return rows


def failure_rows(timeline: Timeline, provenances: Provenances) -> list[FailureRow]:
    """One row per failure."""
    rows = []
    first = {(group.lane, group.steps[0]): group for group in timeline.groups}
    for action in timeline.actions:
        failure = action.failure
        if failure is None:
            continue
        origin = failure.origin
        rows.append(
            FailureRow(
                step=action.step,
                lane=action.lane,
                group=failure.group,
                fingerprint=fingerprint(failure, timeline.masks),
                kind=failure.kind,
                type=failure.type,
                message=clip(failure.message, 1_000),
                runner=failure.runner,
                language=failure.language,
                failing_tests=list(failure.failing_tests),
                counts=dict(failure.counts),
                expected=failure.expected,
                origin=OriginRow(
                    role=origin.role if origin else OriginRole.UNKNOWN,
                    file=origin.file if origin else None,
                    line=origin.line if origin else None,
                    function=origin.function if origin else None,
                    confidence=origin.confidence if origin else 0.0,
                    reason=origin.reason if origin else "not looked at",
                    code=clip(origin.code, 300) if origin and origin.code else None,
                ),
                frames=[
                    FrameRow(file=frame.file, line=frame.line, function=frame.function, role=frame.role)
                    for frame in failure.frames
                ],
                provenance=provenances.of(first.get((action.lane, action.step))),
            )
        )
    return rows


def group_rows(timeline: Timeline, provenances: Provenances) -> list[FailureGroupRow]:
    """The failures that came back, one row each."""
    return [
        FailureGroupRow(
            group=group.id,
            match=group.match,
            count=len(group.steps),
            steps=group.steps,
            lane=group.lane,
            type=group.type,
            template=clip(group.template, 400),
            varied=list(group.varied),
            provenance=provenances.of(group),
        )
        for group in timeline.groups
        if len(group.steps) > 1 and not_run(timeline.lane(group.lane)[group.steps[0] - 1]) is None
    ]
