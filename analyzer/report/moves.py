"""What a step does to the files against earlier ones, in a few words behind its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from analyzer.model.diagnosis import Move, MoveKind
from analyzer.model.postmortem import TimelineRow
from analyzer.text.english import listed, plural

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
_MOST = 4
"""Steps that are all named."""
_STACKS = "puts in lines that are there already"


def moves_text(row: TimelineRow) -> str:
    """All of it, empty where there's nothing to say."""
    own = [move for move in row.moves if move.kind is MoveKind.REMOVES_OWN and move.step is not None]
    others = [move for move in row.moves if move not in own or len(own) == 1]
    restored = sorted({move.step for move in others if _is_file_restored(move) and move.step is not None})
    several = [f"files are again as before steps {listed([str(step) for step in restored])}"] if restored[1:] else []
    said = [_text(move) for move in others if not (several and _is_file_restored(move))]
    return "; ".join([*several, *said, *([_removed(own)] if len(own) > 1 else [])])


def _is_file_restored(move: Move) -> bool:
    return move.kind is MoveKind.FILE_RESTORED and move.file is not None


def _removed(own: Sequence[Move]) -> str:
    """What a step removes of the agent's own, with the steps that made it: all of these, or the first and the last."""
    made = sorted({move.step for move in own if move.step is not None})
    if len(made) <= _MOST:
        return f"removes what steps {listed([str(step) for step in made])} made"
    counted = all(move.file is not None for move in own)
    files = plural(len({move.file for move in own}), "file") if counted else "files"
    return f"removes {files} that steps between {made[0]} and {made[-1]} made"


def _text(move: Move) -> str:
    if move.kind is MoveKind.FILE_RESTORED and move.file is None:
        return f"files are again as before step {move.step}"
    if move.step is None:
        return _STACKS if move.kind is MoveKind.STACKS else move.kind.replace("-", " ")
    return _WORDS[move.kind].format(step=move.step)
