"""What a step does to the files against earlier steps."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.rows import moves_of
from analyzer.model.diagnosis import MoveKind as M
from tests.build import read, timeline
from tests.sessions import Written, parts_of
from tests.tables import table

SOURCE = "import os\n\n\ndef low(at):\n    return LOW[at]\n\n\ndef high(at):\n    return HIGH[at]\n"
SHOWN = read("/w/tide.py", SOURCE)


@table("moves")
def test_moves(parts: Written, told: dict[int, list[tuple[M, int]]]) -> None:
    made = timeline(SHOWN, *parts_of(parts), task="Fix it.", environment={"working directory": "/w"})
    found = moves_of(Case(made, []))
    assert {step: [(move.kind, move.step) for move in moves] for (_, step), moves in found.items() if moves} == told
