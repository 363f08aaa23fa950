"""Brackets over episodes, with their rounds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup

from analyzer.report.picture.strip import Bracket
from analyzer.report.picture.svg import element, number
from analyzer.report.picture.system import Style, System, free, take, text_width

LEVEL = 19.0
"""The height of one bracket with its label."""
MOST_LEVELS = 4
_STEPS = re.compile(r"\s*\(steps? [^()]*\)$")


def label_of(bracket: Bracket) -> str:
    """A finding's title without its steps, which the picture shows."""
    return _STEPS.sub("", bracket.title)


def draw(system: System, brackets: Sequence[Bracket], top: float, prefix: str) -> tuple[float, list[Markup]]:
    """The brackets of one line, from `top` down: their height and themselves. What overlaps is stacked; what would be the fifth on top of each other
    is left to the shading and the list of findings."""
    taken: list[list[tuple[float, float]]] = []
    placed: list[tuple[int, Bracket, float, float, float, str]] = []
    for bracket in sorted(brackets, key=lambda each: (each.first, -each.last)):
        span = system.span(bracket.first, bracket.last)
        if bracket.lane != system.lane or span is None:
            continue
        x0, x1 = span
        for level, label in ((level, label) for level in range(MOST_LEVELS) for label in _labels(bracket, level)):
            start = max(system.left, min(x0 + 3, system.right - text_width(label)))
            low, high = min(x0, start) - 4, max(x1, start + text_width(label)) + 4
            if label and high - 4 > system.right + 6:
                continue
            if free(taken, level, low, high):
                take(taken, level, low, high)
                placed.append((level, bracket, x0, x1, start, label))
                break
    height = LEVEL * len(taken)
    return height, [_bracket(system, each, top + height, prefix) for each in placed]


def shading(system: System, brackets: Sequence[Bracket], style: Style, top: float) -> list[Markup]:
    """Behind the cells: every round of an episode shaded, by turns darker and lighter."""
    parts: tuple[list[str], list[str]] = ([], [])
    for bracket in brackets:
        if bracket.lane == system.lane:
            for position, (first, last) in enumerate(bracket.rounds):
                span = system.span(first, last)
                if span is not None:
                    width = span[1] - span[0]
                    parts[position % 2].append(f"M{number(span[0])} {number(top)}h{number(width)}v{number(style.rows)}h-{number(width)}z")
    return [element("path", class_=name, d="".join(part)) for name, part in zip(("round", "round odd"), parts, strict=True) if part]


def _labels(bracket: Bracket, level: int) -> list[str]:
    rounds = len(bracket.rounds)
    long = label_of(bracket)
    shown = long if len(long) <= 60 else f"{long[:59].rstrip()}…"
    short = [f"{rounds} rounds", f"{rounds}×"]
    return [shown, *short] if level < MOST_LEVELS - 1 else [*short, ""]


def _bracket(system: System, placed: tuple[int, Bracket, float, float, float, str], bottom: float, prefix: str) -> Markup:
    level, bracket, x0, x1, start, label = placed
    y = bottom - LEVEL * level - 5
    begins, ends = bracket.first >= system.first, bracket.last <= system.last
    line = f"M{number(x0 + 1)} {number(y + 4)}V{number(y)}" if begins else f"M{number(x0)} {number(y)}"
    line += f"H{number(x1 - 1)}V{number(y + 4)}" if ends else f"H{number(x1)}"
    ticks = "".join(
        f"M{number(span[1])} {number(y - 2)}v4" for first, last in bracket.rounds[:-1] if system.first <= last <= system.last and (span := system.span(last, last))
    )
    text = element("text", label, x=start, y=y - 4) if label else Markup()
    hit = element("path", class_="hit", d=f"M{number(x0)} {number(y - 4)}h{number(x1 - x0)}v8h-{number(x1 - x0)}z")
    return element(
        "a", element("title", bracket.title), hit, element("path", class_="line", d=line + ticks), text,
        href=f"#{prefix}finding-{bracket.finding + 1}", class_=f"bracket {bracket.severity}",
    )  # fmt: skip
