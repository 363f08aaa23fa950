"""What the session used, action by action, as an area under the chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from analyzer.report.figures import amount
from analyzer.report.picture.line import ChartLine, Column
from analyzer.report.picture.model import Cell
from analyzer.report.picture.svg import element, number

HEIGHT = 18.0


@dataclass(slots=True, frozen=True)
class Usage:
    """What the area shows: `unit` is `tokens` or `usd`, `top` what one column of full height stands for."""

    unit: str
    top: float

    def of(self, column: Column) -> float:
        """The most that one of the column's actions used."""
        return max((used for cell in column.cells if (used := _used(cell, self.unit)) is not None), default=0.0)

    @property
    def words(self) -> str:
        """The maximum with its unit."""
        return amount(self.top, "usd") if self.unit == "usd" else f"{amount(self.top)} tokens"


def usage_of(cells: Sequence[Cell]) -> Usage | None:
    """Tokens where they're recorded, else USD; None where neither is, or nothing was used."""
    for unit in ("tokens", "usd"):
        top = max((used for cell in cells if (used := _used(cell, unit)) is not None), default=0.0)
        if top > 0:
            return Usage(unit, top)
    return None


def draw(line: ChartLine, usage: Usage | None, gutter: float, top: float) -> tuple[float, list[Markup]]:
    """The area of one line: its height and itself."""
    if usage is None:
        return 0.0, []
    base = top + HEIGHT - 2
    points = [f"M{number(line.left)} {number(base)}"]
    before, reached = 0.0, line.left
    for column in line.columns:
        up = round(2 * (HEIGHT - 4) * usage.of(column) / usage.top) / 2
        if column.x0 > reached:
            points.append(f"H{number(column.x0)}")
        if up != before:
            points.append(f"v{number(before - up)}")
        if column.x1 > reached:
            points.append(f"H{number(column.x1)}")
        before, reached = up, max(reached, column.x1)
    points.append(f"V{number(base)}z")
    name = "tokens" if usage.unit == "tokens" else "cost"
    return HEIGHT, [
        element("path", class_="area", d="".join(points)),
        element("text", name, class_="name little", x=gutter - 6, y=base - 3, aria_hidden="true"),
    ]


def _used(cell: Cell, unit: str) -> float | None:
    return cell.tokens if unit == "tokens" else cell.usd
