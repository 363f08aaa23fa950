"""The cells of one line of the chart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from markupsafe import Markup

from analyzer.model.words import Status
from analyzer.report.picture.line import ChartLine, Column, Style, anchor, name_of
from analyzer.report.picture.model import LETTERS, ROWS
from analyzer.report.picture.svg import element, group, number


def row_lines(line: ChartLine, style: Style, top: float) -> list[Markup]:
    """The names of the rows and a thin line under each."""
    lines = "".join(
        f"M{number(line.left)} {number(top + style.row * (row + 0.5))}H{number(line.right)}"
        for row in range(len(line.rows))
    )
    names = [
        element("text", ROWS[row], x=style.gutter - 6, y=top + style.row * (place + 0.5) + 4.5)
        for place, row in enumerate(line.rows)
    ]
    return [
        element("path", class_="row-lines", d=lines),
        group(names, class_="name" if style.row >= 13 else "name little", aria_hidden="true"),
    ]


def cells(line: ChartLine, style: Style, top: float, lanes: Sequence[str], prefix: str) -> list[Markup]:
    """A link per column, and on top of them the letters and the crosses of what failed."""
    links = [_link(column, line, style, top, lanes, prefix) for column in line.columns]
    return [group(links, class_="cells"), *_letters(line, style, top), *_crosses(line, style, top)]


def _link(column: Column, line: ChartLine, style: Style, top: float, lanes: Sequence[str], prefix: str) -> Markup:
    title = element("title", name_of(column.cells, style.label))
    target = anchor(lanes, line.lane, column.first, prefix)
    statuses = column.statuses()
    if len(statuses) == 1:
        ((row, status),) = statuses.items()
        return element(
            "a",
            title,
            element("path", d=_block(column, line.rows.index(row), status, style, top)),
            href=target,
            class_=_class(row, status),
            tabindex=-1,
        )
    shapes = [
        element("path", class_=_class(row, status), d=_block(column, line.rows.index(row), status, style, top))
        for row, status in sorted(statuses.items())
    ]
    return element("a", title, *shapes, href=target, class_="f" if column.failed else None, tabindex=-1)


def _class(row: int, status: Status) -> str:
    return "f" if status is Status.ERROR else f"k{row} u" if status is Status.UNKNOWN else f"k{row}"


def _block(column: Column, place: int, status: Status, style: Style, top: float) -> str:
    """Its outline in a row of the line. What isn't known is drawn with a stroke, half of which is outside."""
    inset = 0.5 if status is Status.UNKNOWN else 0.0
    gap = min(style.gap, (column.x1 - column.x0) / 4)
    height = style.row if status is Status.ERROR else style.block - 2 * inset
    y = top + style.row * (place + 0.5) - height / 2
    x, width = column.x0 + gap / 2 + inset, column.x1 - column.x0 - gap - 2 * inset
    return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h-{number(width)}z"


def _letters(line: ChartLine, style: Style, top: float) -> list[Markup]:
    """One text per row, with a place for each letter. What failed has a cross instead."""
    if not style.letters:
        return []
    rows: dict[int, list[tuple[float, str, bool]]] = defaultdict(list)
    for column in line.columns:
        cell = column.cells[0]
        middle = (column.x0 + column.x1) / 2
        known = rows[cell.row][-1][0] if rows[cell.row] else -99.0
        if not cell.failed and column.x1 - column.x0 >= 12 and middle - known >= 10:
            rows[cell.row].append((middle, LETTERS[cell.kind], cell.status is Status.UNKNOWN))
    made = []
    for row, letters in sorted(rows.items()):
        for hollow in (False, True):
            chosen = [(x, letter) for x, letter, empty in letters if empty is hollow]
            if chosen:
                places, text = " ".join(number(x) for x, _ in chosen), "".join(letter for _, letter in chosen)
                y = top + style.row * (line.rows.index(row) + 0.5) + 4.5
                made.append(
                    element(
                        "text", text, class_="letter hollow" if hollow else "letter", x=places, y=y, aria_hidden="true"
                    )
                )
    return made


def _crosses(line: ChartLine, style: Style, top: float) -> list[Markup]:
    """A cross on each cell that failed and is wide enough for one."""
    parts = []
    for column in line.columns:
        width = column.x1 - column.x0 - style.gap
        size = min(width - 2.5, style.row - 8, 11) / 2
        if size < 1.5:
            continue
        x = (column.x0 + column.x1) / 2
        for row, status in sorted(column.statuses().items()):
            if status is Status.ERROR:
                y = top + style.row * (line.rows.index(row) + 0.5)
                d = number(2 * size)
                parts.append(f"M{number(x - size)} {number(y - size)}l{d} {d}m-{d} 0l{d} -{d}")
    return [element("path", class_="cross", d="".join(parts))] if parts else []
