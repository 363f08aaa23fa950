"""Which steps take back, repeat or restore what earlier ones did, and which checks pass that had failed before."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.model.action import Action
from analyzer.model.diagnosis import Move, MoveKind
from analyzer.model.words import MAIN_LANE, Kind, Status
from analyzer.workspace.checks import code_ids, contradicted
from analyzer.workspace.document import ABSENT
from analyzer.workspace.edits import Related, Relation, related_edits
from analyzer.workspace.history import History
from analyzer.workspace.paths import under

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
    gone = {
        (taken.lane, taken.number, change.path)
        for taken in history.taken
        for change in taken.changes
        if change.after == ABSENT
    }
    renamed = {
        (taken.lane, taken.number, path)
        for taken in history.taken
        for old, _ in taken.moved
        for path in taken.touched
        if under(path, old)
    }
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
    actions = [action for action in case.timeline.lane(MAIN_LANE) if not action.harness]
    failed = {action.keys.call for action in actions if action.failure is not None and _ran(action)}
    passed = [
        action for action in actions if _ran(action) and action.status is Status.OK and action.keys.call in failed
    ]
    if not passed:
        return []
    found: dict[str, tuple[int, int]] = {}
    for action in passed:
        before = case.proofs.failed_before(action) if action.keys.call not in found else None
        if before is not None:
            found[action.keys.call] = (action.step, before.step)
    return list(found.values())


def _ran(action: Action) -> bool:
    return action.kind in (Kind.RUN, Kind.TEST) and bool(action.keys.call) and not action.harness
