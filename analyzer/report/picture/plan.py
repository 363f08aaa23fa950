"""How far each run got in the plan: a column per run, a row per step. What became of a step is shown by the shape, the
colour and a word that is read aloud."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from analyzer.report.picture.svg import element, label, line, outline, picture, titled
from analyzer.report.safe import clip

_ROW, _COLUMN, _HEAD, _SIDE = 26, 44, 40, 230
_NARROW, _LEAST_SIDE = 40, 84
"""The columns of a narrow picture, and the least room for the names of its rows."""
_WIDE = 1160
"""The width of a page's text, which the picture fills."""
_WORDS = 120
"""Columns from that width on have what failed and what was changed written below them; narrower ones have it in the
table."""
_LINES = 5
_LETTER = 6.4
_NAME = 36
"""Characters of a step's name that are shown."""
_MOST_RUNS = 40
_SHAPES = {
    "done": "M0 -7A7 7 0 1 1 0 7A7 7 0 1 1 0 -7Z",
    "otherwise": "M0 -8L8 0L0 8L-8 0Z",
    "failed": "M-7 -7H7V7H-7Z",
}
WORDS = {
    "done": "carried out as planned",
    "otherwise": "carried out otherwise",
    "failed": "tried and failed",
    "": "not reached or left out",
}


def plan_picture(steps: Sequence[str], runs: Sequence[Mapping[str, Any]], *, wide: bool = True) -> Markup:
    """The picture of a progress: `steps` are the names of the rows; each run has its number `run`, its `cells` in the
    order of the steps, each with a `state` out of `WORDS`, how many were `done` `of` how many, and `succeeded`. A
    `wide` picture with room for it names each run's `failure` and its `fix` as well. Of more than forty runs the last
    forty are drawn."""
    shown = runs[-_MOST_RUNS:]
    pitch = max(_COLUMN, (_WIDE - _SIDE - 10) / max(1, len(shown))) if wide else _NARROW
    side = _SIDE if wide else _side(steps)
    width, foot = side + pitch * len(shown) + 10, float(_HEAD + _ROW * len(steps))
    height = foot + _ROW + 6
    parts: list[Markup] = []
    if pitch >= _WORDS:
        for name, key in (("what failed", "failure"), ("changed after it", "fix")):
            high, drawn = _words(name, [str(run.get(key) or "") for run in shown], pitch, height)
            height += high
            parts += drawn
    middles = [_HEAD + _ROW * (row + 0.5) for row in range(len(steps))]
    for name, y in zip(steps, middles, strict=True):
        parts.append(line(side, y, width - 10, y, "rule"))
        parts.append(label(clip(name, _NAME), side - 12, y + 4, "label", anchor="end"))
    for column, run in enumerate(shown):
        x = side + pitch * (column + 0.5)
        parts.append(label(f"run {run['run']}", x, 16, "label", anchor="middle"))
        parts.append(_ending(run.get("succeeded"), x))
        for cell, y in zip(run["cells"], middles, strict=True):
            parts.append(titled(f"{cell['name']}: {WORDS[cell['state']]}", _sign(cell["state"], x, y)))
        parts.append(label(f"{run['done']}/{run['of']}", x, foot + 18, "dim", anchor="middle"))
    parts.append(label("carried out", side - 12, foot + 18, "dim", anchor="end"))
    progress = "; ".join(f"run {run['run']}: {run['done']} of {run['of']} steps" for run in shown)
    title = f"Steps of the plan that each run carried out. {progress}."
    return picture(width, height, *parts, title=title, class_="plan")


def _side(steps: Sequence[str]) -> float:
    """The room that the names of the rows of a narrow picture take."""
    longest = max((len(clip(name, _NAME)) for name in steps), default=0)
    return min(_SIDE, max(_LEAST_SIDE, longest * _LETTER + 14))


def _words(name: str, texts: Sequence[str], pitch: float, top: float) -> tuple[float, list[Markup]]:
    """A row with a text under each run: its height and itself; nothing where no run has one."""
    room = int((pitch - 12) / _LETTER)
    wrapped = [textwrap.wrap(text, room, max_lines=_LINES, placeholder=" …") for text in texts]
    most = max(map(len, wrapped), default=0)
    if not most:
        return 0.0, []
    drawn = [label(name, _SIDE - 12, top + 15, "dim", anchor="end")]
    for column, (text, lines) in enumerate(zip(texts, wrapped, strict=True)):
        x = _SIDE + pitch * (column + 0.5)
        made = [label(each, x, top + 15 + 15 * place, "label", anchor="middle") for place, each in enumerate(lines)]
        drawn += [titled(text, *made)] if made else []
    return 15.0 * most + 12, drawn


def legend_mark(state: str) -> Markup:
    """The sign of a state, for a legend."""
    sign = _sign(state, 10, 10)
    return element("svg", sign, viewBox="0 0 20 20", width=20, height=20, class_="plan", aria_hidden="true")


def _sign(state: str, x: float, y: float) -> Markup:
    place = f"translate({x:g} {y:g})"
    if not state:
        return element("circle", class_="none", cx=x, cy=y, r=3)
    sign = element("path", class_=state, d=_SHAPES[state], transform=place)
    if state == "failed":
        sign += element("path", class_="cross", d="M-4 -4L4 4M-4 4L4 -4", transform=place)
    return sign


def _ending(succeeded: object, x: float) -> Markup:
    """Under the run's number whether it succeeded: a tick, a cross, or a question mark."""
    if succeeded is None:
        return label("?", x, 33, "dim", anchor="middle")
    path = "M -5 29, L -1 33, L 6 25" if succeeded else "M -4 25, L 4 33, M 4 25, L -4 33"
    return element("path", class_="tick" if succeeded else "lost", d=outline(path, x, 0))
