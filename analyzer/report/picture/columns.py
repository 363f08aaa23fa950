"""Actions as columns of a picture: one each, or several that share one where there are too many to draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.model.words import MAIN_LANE, Status
from analyzer.report.picture.model import Cell
from analyzer.report.safe import clip

STATUS_WORDS = {Status.OK: "done", Status.ERROR: "failed", Status.UNKNOWN: "unknown"}
"""What the pictures call a status."""
LONGEST_LABEL = 120
"""How much of an action's summary a picture holds."""


@dataclass(slots=True, frozen=True)
class Column:
    """Actions of one lane that are drawn in one place, `x0` to `x1`, by step."""

    cells: tuple[Cell, ...]
    x0: float
    x1: float

    @property
    def first(self) -> int:
        """Its first step."""
        return self.cells[0].step

    @property
    def failed(self) -> bool:
        """Whether one of them failed."""
        return any(cell.failed for cell in self.cells)

    def statuses(self) -> dict[int, Status]:
        """The rows it uses with the worst status in each."""
        worst: dict[int, Status] = {}
        for cell in self.cells:
            known = worst.get(cell.row)
            if known is None or _BADNESS[cell.status] > _BADNESS[known]:
                worst[cell.row] = cell.status
        return worst


_BADNESS = {Status.OK: 0, Status.UNKNOWN: 1, Status.ERROR: 2}


def shared(cells: Sequence[Cell], most: int) -> list[tuple[Cell, ...]]:
    """The cells in at most `most` groups of neighbours, each of the same size but for the last."""
    size = -(-len(cells) // most) if cells else 1
    return [tuple(cells[start : start + size]) for start in range(0, len(cells), size)]


def name_of(cells: Sequence[Cell], limit: int = LONGEST_LABEL) -> str:
    """What a place in the picture is called: `Step 17, test, failed: pytest tests`, or shortly `17 test, failed` where
    `limit` is 0."""
    if len(cells) == 1:
        cell = cells[0]
        if not limit:
            return f"{cell.step} {cell.kind}{'' if cell.status is Status.OK else f', {STATUS_WORDS[cell.status]}'}"
        return f"Step {cell.step}, {cell.kind}, {STATUS_WORDS[cell.status]}: {clip(cell.label, limit)}"
    kinds = Counter(str(cell.kind) for cell in cells)
    failed = sum(cell.failed for cell in cells)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"Steps {cells[0].step}-{cells[-1].step}: {counted}{f'; {failed} failed' if failed else ''}"


def anchor(lanes: Sequence[str], lane: str, step: int, prefix: str = "") -> str:
    """The place of a step in the page: `#step-17`, in another lane than the main one `#lane-2-step-17`."""
    others = [name for name in lanes if name != MAIN_LANE]
    return (
        f"#{prefix}step-{step}"
        if lane == MAIN_LANE or lane not in others
        else f"#{prefix}lane-{others.index(lane) + 1}-step-{step}"
    )
