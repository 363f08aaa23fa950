"""Brackets over episodes, with their rounds."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from analyzer.report.picture.line import BOLD_WIDTH, ChartLine, free, take, text_width
from analyzer.report.picture.model import Bracket
from analyzer.report.picture.svg import element, number
from analyzer.text.expressions import compiled

LEVEL = 23.0
"""The height of one bracket with its label."""
MOST_LEVELS = 4
_NARROWEST = 4.0
_CROWD = 3
_STEPS = compiled(r"\s*\(steps? [^()]*\)$")


def label_of(bracket: Bracket) -> str:
    """A finding's title without its steps, which the picture shows."""
    return _STEPS.sub("", bracket.title)


def draw(
    line: ChartLine, brackets: Sequence[Bracket], width: float, top: float, prefix: str
) -> tuple[float, list[Markup]]:
    """The brackets of one line, from `top` down, in a picture of that width: their height and themselves. What overlaps
    is stacked; what would be one too many on top of each other is left to the shading and the list of findings."""
    taken: list[list[tuple[float, float]]] = []
    placed: list[tuple[int, Bracket, float, float, float, str]] = []
    here = [
        (bracket, span)
        for bracket in brackets
        if bracket.lane == line.lane and (span := line.span(bracket.first, bracket.last)) is not None
    ]
    crowd = len(here) > _CROWD
    levels = 2 if crowd else MOST_LEVELS
    # In a crowd the longest come first, since not all may find a place.
    for bracket, (x0, x1) in sorted(
        here, key=lambda each: (each[1][0] - each[1][1] if crowd else 0, each[0].first, -each[0].last)
    ):
        for level, label in (
            (at, text)
            for at in range(levels)
            for text in _labels(bracket, at == levels - 1, x1 - x0, len(here), bracket.first < line.first, width)
        ):
            wide = text_width(label, bold=True)
            start = max(2.0, min(x0 + 3, width - wide - 2))
            low, high = min(x0, start) - 4, max(x1, start + wide) + 4
            if free(taken, level, low, high):
                take(taken, level, low, high)
                placed.append((level, bracket, x0, x1, start, label))
                break
    height = LEVEL * len(taken)
    return height, [_bracket(line, each, top + height, prefix) for each in placed]


def shading(line: ChartLine, brackets: Sequence[Bracket], top: float, height: float) -> list[Markup]:
    """Behind the cells: every round of an episode shaded, by turns darker and lighter."""
    parts: tuple[list[str], list[str]] = ([], [])
    for bracket in brackets:
        if bracket.lane == line.lane:
            for position, (first, last) in enumerate(_rounds(line, bracket)):
                span = line.span(first, last)
                if span is not None:
                    width = span[1] - span[0]
                    parts[position % 2].append(
                        f"M{number(span[0])} {number(top)}h{number(width)}v{number(height)}h-{number(width)}z"
                    )
    return [
        element("path", class_=name, d="".join(part))
        for name, part in zip(("round", "round odd"), parts, strict=True)
        if part
    ]


def _rounds(line: ChartLine, bracket: Bracket) -> list[tuple[int, int]]:
    """The rounds to tell apart: the whole episode as one where they would be too narrow to see."""
    span = line.span(bracket.first, bracket.last)
    if span is None:
        return []
    columns = sum(bracket.first <= column.first <= bracket.last for column in line.columns)
    rounds = [(first, last) for first, last in bracket.rounds if last >= line.first and first <= line.last]
    return (
        rounds
        if span[1] - span[0] >= _NARROWEST * len(rounds) and columns >= len(rounds)
        else [(bracket.first, bracket.last)]
    )


def _labels(bracket: Bracket, last: bool, room: float, neighbours: int, continued: bool, width: float) -> list[str]:
    """What can be written over a bracket in a picture of that width, the longest first; where there are many, what it
    has room for."""
    rounds = len(bracket.rounds)
    long = label_of(bracket)
    most = min(60, int((width - 4) / BOLD_WIDTH))
    shown = long if len(long) <= most else f"{long[: most - 1].rstrip()}…"
    short = [f"{rounds} rounds", f"{rounds}×", *([""] if last else [])]
    if continued:
        return [f"… {short[0]}", *short[1:]]
    return [shown, *short] if not last and (neighbours <= 2 or text_width(shown) < 1.5 * room) else short


def _bracket(
    line: ChartLine, placed: tuple[int, Bracket, float, float, float, str], bottom: float, prefix: str
) -> Markup:
    level, bracket, x0, x1, start, label = placed
    y = bottom - LEVEL * level - 5
    begins, ends = bracket.first >= line.first, bracket.last <= line.last
    outline = f"M{number(x0 + 1)} {number(y + 4)}V{number(y)}" if begins else f"M{number(x0)} {number(y)}"
    outline += f"H{number(x1 - 1)}V{number(y + 4)}" if ends else f"H{number(x1)}"
    ticks = "".join(
        f"M{number(span[1])} {number(y - 2)}v4"
        for _, last in _rounds(line, bracket)[:-1]
        if line.first <= last <= line.last and (span := line.span(last, last))
    )
    text = element("text", label, x=start, y=y - 4) if label else Markup()
    hit = element("path", class_="hit", d=f"M{number(x0)} {number(y - 4)}h{number(x1 - x0)}v8h-{number(x1 - x0)}z")
    return element(
        "a",
        element("title", bracket.title),
        hit,
        element("path", class_="line", d=outline + ticks),
        text,
        href=f"#{prefix}finding-{bracket.finding + 1}",
        class_=f"bracket {bracket.severity}",
    )
