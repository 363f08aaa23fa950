"""What is said of a step beside its line: what brought its failure in, and what it does to the files against earlier
steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analyzer.model.diagnosis import Move, MoveKind, Provenance, ProvenanceKind
from analyzer.model.postmortem import FailureRow, PostMortem, TimelineRow
from analyzer.model.struct import Struct
from analyzer.text.english import listed, plural
from analyzer.text.markdown import code

KINDS: Mapping[ProvenanceKind, str] = {
    ProvenanceKind.OWN_EDIT: "the agent's own edit",
    ProvenanceKind.TEST_DATA: "test data",
    ProvenanceKind.TEST_CODE: "the test's own code",
    ProvenanceKind.ENVIRONMENT: "the environment",
    ProvenanceKind.INVENTED: "made up by the agent",
    ProvenanceKind.DIFFERENT_CALL: "unlike a call that worked",
    ProvenanceKind.BASELINE: "there before",
}
"""What the kinds are called."""


class BroughtIn(Struct, frozen=True):
    """One failure whose cause is known: the steps that show it, and what brought it in. `quote` is empty where the
    reason has the words already."""

    failure: FailureRow
    steps: Sequence[int]
    found: Provenance
    kind: str
    place: str
    quote: str


def brought_in(session: PostMortem) -> list[BroughtIn]:
    """Every failure of which something shows what brought it in, in the order of their first steps."""
    steps = {(group.lane, group.group): group.steps for group in session.failure_groups}
    made = []
    for failure in session.failures:
        if (found := failure.provenance) is not None:
            at = steps.get((failure.lane, failure.group or ""), [failure.step])
            said = " ".join(f"{failure.type}: {failure.message} {found.reason}".split())
            quote = found.quote or ""
            quote = "" if " ".join(quote.rstrip("…").split())[:60] in said else quote
            made.append(BroughtIn(failure, at, found, KINDS[found.kind], place(found), quote))
    return made


def place(found: Provenance) -> str:
    """Where the cause is, as a code span; empty where no file is known or the reason names it."""
    if found.file is None:
        return ""
    where = found.file if found.line is None else f"{found.file}:{found.line}"
    return "" if where in found.reason else code(where)


def sentence(found: Provenance, quote: str = "") -> str:
    """All of it in one line."""
    at = f" ({where})" if (where := place(found)) else ""
    said = f": {code(quote, 200)}" if quote else ""
    return f"{KINDS[found.kind].capitalize()}{at}. {found.reason} (confidence {found.confidence:.0%}){said}"


_MOVES: Mapping[MoveKind, str] = {
    MoveKind.TAKES_BACK: "takes back step {step}",
    MoveKind.FILE_RESTORED: "the file is again as before step {step}",
    MoveKind.REMOVES_OWN: "removes what step {step} made",
    MoveKind.REPEATS_EDIT: "makes the edit of step {step} again",
    MoveKind.STACKS: "puts in once more what step {step} put there",
    MoveKind.NOW_PASSES: "failed on the original code at step {step}",
}
_MOST = 4
"""Steps that are all named."""
_STACKS = "puts in lines that are there already"


def moves_text(row: TimelineRow) -> str:
    """All of it, empty where there's nothing to say."""
    own = [move for move in row.moves if move.kind is MoveKind.REMOVES_OWN and move.step is not None]
    others = [move for move in row.moves if move not in own or len(own) == 1]
    restored = sorted({move.step for move in others if _is_file_restored(move) and move.step is not None})
    several = [f"files are again as before steps {listed([str(step) for step in restored])}"] if restored[1:] else []
    said = [_move_text(move) for move in others if not (several and _is_file_restored(move))]
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


def _move_text(move: Move) -> str:
    if move.kind is MoveKind.FILE_RESTORED and move.file is None:
        return f"files are again as before step {move.step}"
    if move.step is None:
        return _STACKS if move.kind is MoveKind.STACKS else move.kind.replace("-", " ")
    return _MOVES[move.kind].format(step=move.step)
