"""Flags at the steps that the reader should know, and the small marks of user turns and compactions."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from analyzer.report.picture.line import ChartLine, Style, anchor, free, take, text_width
from analyzer.report.picture.model import Mark
from analyzer.report.picture.svg import element, number

LEVEL = 20.0
"""The height of one flag."""
SMALL = 11.0
"""The height of the line of small marks."""
_CLASSES = {"first failure": "first", "detectable": "known", "end": "end"}


def word_of(mark: Mark) -> str:
    """What the flag says: its word, at the end with how it ended."""
    _, bracket, rest = mark.title.partition("(")
    return f"{mark.word}: {rest.removesuffix(')')}" if mark.word == "end" and bracket else mark.word


def sign(word: str, x: float, y: float) -> list[Markup]:
    """The sign of a flag around a point: a cross, an exclamation mark, a filled square, each in a ring."""
    ring = element("circle", cx=x, cy=y, r=5.5)
    inner = {
        "first failure": f"M{number(x - 2.3)} {number(y - 2.3)}l4.6 4.6m-4.6 0l4.6 -4.6",
        "detectable": f"M{number(x)} {number(y - 3.2)}v3.6m0 1.6v1.2",
        "end": f"M{number(x - 1.6)} {number(y - 1.6)}h3.2v3.2h-3.2z",
    }.get(word, "")
    return [ring, element("path", d=inner)]


def draw(
    line: ChartLine, marks: Sequence[Mark], style: Style, top: float, lanes: Sequence[str], prefix: str
) -> tuple[float, list[Markup], list[Markup]]:
    """The flags of one line: their height, themselves, and their poles, each from its flag down to its cell."""
    taken: list[list[tuple[float, float]]] = []
    placed = []
    here = [(x, mark) for mark in marks if mark.lane == line.lane and (x := line.middle(mark.step)) is not None]
    # From right to left, so that no pole goes through the words of a flag to its right.
    for x, mark in sorted(here, key=lambda each: -each[0]):
        width = 10 + text_width(word_of(mark))
        left = x + width > style.width - 2
        low, high = (x - width, x + 7) if left else (x - 7, x + width)
        level = next(level for level in range(len(taken) + 1) if free(taken, level, low, high))
        take(taken, level, low, high)
        placed.append((level, mark, x, left))
    height = LEVEL * len(taken) + (2 if taken else 0)
    made, poles = [], []
    for level, mark, x, left in reversed(placed):
        y = top + height - LEVEL * (level + 0.5) - 2
        foot = top + height + style.row * (line.row(mark.step) + 0.5)
        poles.append(
            element(
                "path", class_=f"pole {_CLASSES.get(mark.word, '')}", d=f"M{number(x)} {number(y + 5.5)}V{number(foot)}"
            )
        )
        text = element(
            "text", word_of(mark), x=x - 9 if left else x + 9, y=y + 3.8, text_anchor="end" if left else None
        )
        target = anchor(lanes, mark.lane, mark.step, prefix)
        flag = f"mark {_CLASSES.get(mark.word, '')}"
        made.append(element("a", element("title", mark.title), *sign(mark.word, x, y), text, href=target, class_=flag))
    return height, made, poles


def small(line: ChartLine, top: float) -> tuple[float, list[Markup]]:
    """Under the rows: where the user spoke and where the context was compacted."""
    users, folds, spoke = [], [], -99.0
    for column in line.columns:
        if any(cell.after_user for cell in column.cells) and column.x0 - spoke >= 3:
            spoke = column.x0
            users.append(user_sign(column.x0, top + 5))
        if any(cell.compacted_before for cell in column.cells):
            folds.append(fold_sign(column.x0, top + 5))
    made = [
        element("path", class_=name, d="".join(parts)) for name, parts in (("user", users), ("fold", folds)) if parts
    ]
    return (SMALL if made else 0.0), made


def user_sign(x: float, y: float) -> str:
    """A small triangle that points up, as a path."""
    return f"M{number(x)} {number(y - 4)}l3.5 7h-7z"


def fold_sign(x: float, y: float) -> str:
    """Two small triangles, point to point, as a path."""
    return f"M{number(x - 4)} {number(y - 4)}l4 4l-4 4zM{number(x + 4)} {number(y - 4)}l-4 4l4 4z"
