"""A plain text table, whose last column may be as long as it likes."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.cli.console.safe_text import visible


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows under their heads, columns aligned."""
    cells = [list(heads), *([visible(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads) - 1)]
    lines = (
        "  ".join([*(cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)), row[-1]]).rstrip()
        for row in cells
    )
    return "\n".join(lines) + "\n"
