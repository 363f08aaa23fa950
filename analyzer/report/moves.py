"""What a step does to the files against earlier ones, in a few words behind its line."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from analyzer.model.moves import Move, MoveKind
from analyzer.model.postmortem import TimelineRow
from analyzer.text.english import listed

_WORDS: Mapping[MoveKind, str] = MappingProxyType(
    {
        MoveKind.TAKES_BACK: "takes back step {step}",
        MoveKind.FILE_RESTORED: "the file is again as before step {step}",
        MoveKind.REMOVES_OWN: "removes what step {step} made",
        MoveKind.REPEATS_EDIT: "makes the edit of step {step} again",
        MoveKind.STACKS: "puts in once more what step {step} put there",
        MoveKind.RESTORES: "the files are again as before step {step}",
        MoveKind.EXPERIMENT: "experiment, taken back at step {step}",
        MoveKind.CONTROL: "control on the original code, the work is back at step {step}",
        MoveKind.NOW_PASSES: "failed on the original code at step {step}",
    }
)
_STACKS = "puts in lines that are there already"


def moves_text(row: TimelineRow) -> str:
    """All of it, empty where there's nothing to say."""
    made = sorted(move.step for move in row.moves if move.kind is MoveKind.REMOVES_OWN and move.step is not None)
    removed = [f"removes what steps {listed([str(step) for step in made])} made"] if len(made) > 1 else []
    others = [move for move in row.moves if not (removed and move.kind is MoveKind.REMOVES_OWN)]
    return "; ".join([*(_text(move) for move in others), *removed])


def _text(move: Move) -> str:
    if move.kind is MoveKind.FILE_RESTORED and move.file is None:
        return f"files are again as before step {move.step}"
    if move.step is None:
        return _STACKS if move.kind is MoveKind.STACKS else move.kind.replace("-", " ")
    return _WORDS[move.kind].format(step=move.step)
