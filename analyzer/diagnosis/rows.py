"""Actions and failures -> the rows of the post-mortem, with what each step takes back, repeats or restores."""

from __future__ import annotations

from operator import attrgetter

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.labels import called, came_back, common_root, shown_kind, summary
from analyzer.diagnosis.provenance import Provenances
from analyzer.diagnosis.session_facts import clock, token_counts
from analyzer.failures import fingerprint
from analyzer.model.diagnosis import Move, MoveKind
from analyzer.model.failure import Origin
from analyzer.model.postmortem import FailureGroupRow, FailureRow, FrameRow, OriginRow, TimelineRow
from analyzer.model.words import MAIN_LANE, Kind, OriginRole, Status
from analyzer.text.clip import clip
from analyzer.text.names import names
from analyzer.timeline import Timeline
from analyzer.timeline.closing.user_answers import not_ended, not_run
from analyzer.timeline.verification.checks import runs_checker
from analyzer.workspace.checks import code_ids, contradicted
from analyzer.workspace.document import ABSENT
from analyzer.workspace.edits import Related, Relation, related_edits
from analyzer.workspace.history import History
from analyzer.workspace.paths import under

_OF_ACTION = names("step lane tool kind status status_source decided_by exit_code repeats_step repeats_as")
"""What a row has as its action has it; so the others."""
_facts = attrgetter(*_OF_ACTION)
_OF_FAILURE = names("group kind type runner language counts expected")
_OF_ORIGIN = names("role file line function confidence reason")
_OF_FRAME = names("file line function role")
_OF_GROUP = names("match steps lane type")


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
                **dict(zip(_OF_ACTION, _facts(action), strict=True)),
                target=clip(action.operation.target, 300),
                failure_group=group,
                started_at=clock(action.started_at, naive=timeline.session.naive_clock),
                duration_seconds=round(action.duration, 3) if action.duration is not None else None,
                summary=summary(action, root, again=again),
                tokens=token_counts(action.usage.tokens) if action.usage is not None else None,
                cost_usd=action.usage.cost_usd if action.usage is not None else None,
                state=action.state or None,
                moves=moves.get((action.lane, action.step), []),
                checks=runs_checker(action),
                changes=case.delivery.changes_work(action),
                called=called(action, root),
                came_back=came_back(action, again=again),
                error_is_back=again and action.failure is not None,
                result_characters=len(action.result.strip()) if action.result is not None else None,
                not_run=not_ended(action) if action.failure is not None else None,
                shown_kind=shown_kind(action),
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
        origin = failure.origin or Origin(OriginRole.UNKNOWN, 0.0, "not looked at")
        line = clip(origin.code, 300) if origin.code else None
        rows.append(
            FailureRow(
                **{name: getattr(failure, name) for name in _OF_FAILURE},
                failing_tests=list(failure.failing_tests),
                step=action.step,
                lane=action.lane,
                fingerprint=fingerprint(failure, timeline.masks),
                message=clip(failure.message, 1_000),
                headline=failure.headline[:1_000],
                origin=OriginRow(**{name: getattr(origin, name) for name in _OF_ORIGIN}, code=line),
                frames=[FrameRow(**{name: getattr(frame, name) for name in _OF_FRAME}) for frame in failure.frames],
                provenance=provenances.of(first.get((action.lane, action.step))),
            )
        )
    return rows


def group_rows(timeline: Timeline, provenances: Provenances) -> list[FailureGroupRow]:
    """The failures that came back, one row each."""
    return [
        FailureGroupRow(
            **{name: getattr(group, name) for name in _OF_GROUP},
            varied=list(group.varied),
            group=group.id,
            count=len(group.steps),
            template=clip(group.template, 400),
            provenance=provenances.of(group),
        )
        for group in timeline.groups
        if len(group.steps) > 1 and not_run(timeline.lane(group.lane)[group.steps[0] - 1]) is None
    ]


Moves = dict[tuple[str, int], list[Move]]
_MOST = 3
"""Relations of one step that are named."""
_RELATIONS = {Relation.REPEATS: MoveKind.REPEATS_EDIT, Relation.STACKS: MoveKind.STACKS}
_BACK = {Relation.UNDOES: MoveKind.TAKES_BACK, Relation.RESTORES: MoveKind.FILE_RESTORED}


def moves_of(case: Case) -> Moves:
    """The relations of each step, by lane and number."""
    timeline = case.timeline
    history = timeline.history
    if history is None or not any(entry.changes for entry in history.taken):
        return {}
    found: Moves = {}
    gone, renamed = set[tuple[str, int, str]](), set[tuple[str, int, str]]()
    for taken in history.taken:
        gone |= {(taken.lane, taken.number, change.path) for change in taken.changes if change.after == ABSENT}
        paths = (path for old, _ in taken.moved for path in taken.touched if under(path, old))
        renamed |= {(taken.lane, taken.number, path) for path in paths}
    wrong = contradicted(history, code_ids(history, timeline.session.task or ""))
    elsewhere = {(history.steps[place].lane, history.steps[place].step) for place in wrong}
    for entry in related_edits(history):
        if entry.relation in _BACK and (entry.lane, entry.step) in elsewhere:
            continue
        if (entry.lane, entry.step, entry.path) in gone & renamed and not _is_back(history, entry):
            continue  # it has another name
        _add(found, entry.lane, entry.step, _of_edit(history, entry, gone))
    for step, failed in _turned(case):
        _add(found, MAIN_LANE, step, Move(kind=MoveKind.NOW_PASSES, step=failed))
    return {key: _named(moves) for key, moves in found.items()}


def _named(moves: list[Move]) -> list[Move]:
    """The relations that are named: a few, and each file of its own that a step removes."""
    removed = [move for move in moves if move.kind is MoveKind.REMOVES_OWN]
    return [*[move for move in moves if move not in removed][:_MOST], *removed]


def _add(found: Moves, lane: str, step: int, move: Move | None) -> None:
    moves = found.setdefault((lane, step), [])
    if move is None or move in moves:
        return
    same = next((at for at, known in enumerate(moves) if (known.kind, known.step) == (move.kind, move.step)), None)
    if same is None:
        moves.append(move)
    else:
        moves[same] = Move(kind=move.kind, step=move.step)


def _of_edit(history: History, entry: Related, gone: set[tuple[str, int, str]]) -> Move | None:
    if entry.relation not in _BACK:
        return Move(kind=_RELATIONS[entry.relation], step=entry.earlier, file=entry.path)
    if entry.earlier is None or entry.earlier >= entry.step:
        return None
    made = history.files.made.get(entry.path, False)
    own = made and (entry.lane, entry.step, entry.path) in gone
    return Move(kind=MoveKind.REMOVES_OWN if own else _BACK[entry.relation], step=entry.earlier, file=entry.path)


def _is_back(history: History, entry: Related) -> bool:
    """Whether a file was moved back to the name that it had."""
    (place,) = history.places(entry.step, entry.lane)
    names = [pair for taken in history.taken[: place + 1] for pair in taken.moved]
    return any((new, old) in names and under(entry.path, old) for old, new in history.taken[place].moved)


def _turned(case: Case) -> list[tuple[int, int]]:
    """The first pass of each check that had failed on the original code, with the step of that failure."""
    ran = (action for action in case.timeline.lane(MAIN_LANE) if action.kind in (Kind.RUN, Kind.TEST))
    actions = [action for action in ran if action.keys.call and not action.harness]
    failed = {action.keys.call for action in actions if action.failure is not None}
    found: dict[str, tuple[int, int]] = {}
    for action in actions:
        if action.status is Status.OK and action.keys.call in failed and action.keys.call not in found:
            before = case.proofs.failed_before(action)
            if before is not None:
                found[action.keys.call] = (action.step, before.step)
    return list(found.values())
