"""Tables as a page shows them, whatever it's written in: their columns are declared, and those that say nothing of any
row are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Row = TypeVar("Row")
_NOTHING = frozenset({"", "-"})


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: a text, and the steps of the main lane that it names."""

    text: str = ""
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its title, its columns, each with whether it holds numbers, its rows, and how many rows more there
    are."""

    title: str
    columns: Sequence[tuple[str, bool]]
    rows: Sequence[Sequence[Cell]]
    more: int = 0


Column = tuple[str, bool, Callable[[Row], Cell | str]]
"""Its name, whether it holds numbers, and its cell of a row."""


def table(title: str, columns: Sequence[Column[Row]], rows: Sequence[Row], more: int = 0) -> Table:
    """The table of some rows, with the columns that say something of at least one of them."""
    cells = [(name, is_number, [_cell(of(row)) for row in rows]) for name, is_number, of in columns]
    shown = [each for each in cells if any(cell.steps or cell.text not in _NOTHING for cell in each[2])]
    return Table(
        title,
        [(name, is_number) for name, is_number, _ in shown],
        list(zip(*(column for _, _, column in shown), strict=True)),
        more,
    )


def _cell(value: Cell | str) -> Cell:
    return Cell(value) if isinstance(value, str) else value
