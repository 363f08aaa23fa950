"""How far each run got in the plan: a column per run, a row per step. What became of a step is shown by the shape, the
colour and a word that is read aloud."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from analyzer.report.picture.svg import element, picture
from analyzer.report.safe import clip

_ROW, _COLUMN, _HEAD, _SIDE = 26, 44, 40, 230
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


def plan_picture(steps: Sequence[str], runs: Sequence[Mapping[str, Any]]) -> Markup:
    """The picture of a progress: `steps` are the names of the rows; each run has its number `run`, its `cells` in the
    order of the steps, each with a `state` out of `WORDS`, how many were `done` `of` how many, and `succeeded`. Of more
    than forty runs the last forty are drawn."""
    shown = runs[-_MOST_RUNS:]
    width, height = _SIDE + _COLUMN * len(shown) + 10, _HEAD + _ROW * (len(steps) + 1) + 6
    parts: list[Markup] = []
    for row, name in enumerate(steps):
        y = _HEAD + _ROW * row + _ROW / 2
        parts.append(element("line", class_="rule", x1=_SIDE, x2=width - 10, y1=y, y2=y))
        parts.append(element("text", clip(name, _NAME), class_="label", x=_SIDE - 12, y=y + 4, text_anchor="end"))
    for column, run in enumerate(shown):
        x = _SIDE + _COLUMN * column + _COLUMN / 2
        parts.append(element("text", f"run {run['run']}", class_="label", x=x, y=16, text_anchor="middle"))
        parts.append(_ending(run.get("succeeded"), x))
        reached = [_cell(cell, x, _HEAD + _ROW * row + _ROW / 2) for row, cell in enumerate(run["cells"])]
        parts.extend(reached)
        parts.append(
            element(
                "text",
                f"{run['done']}/{run['of']}",
                class_="dim",
                x=x,
                y=_HEAD + _ROW * len(steps) + 18,
                text_anchor="middle",
            )
        )
    parts.append(
        element("text", "carried out", class_="dim", x=_SIDE - 12, y=_HEAD + _ROW * len(steps) + 18, text_anchor="end")
    )
    progress = "; ".join(f"run {run['run']}: {run['done']} of {run['of']} steps" for run in shown)
    return picture(
        width, height, *parts, title=f"Steps of the plan that each run carried out. {progress}.", class_="plan"
    )


def legend_mark(state: str) -> Markup:
    """The sign of a state, for a legend."""
    return element(
        "svg", _sign(state, 10, 10), viewBox="0 0 20 20", width=20, height=20, class_="plan", aria_hidden="true"
    )


def _cell(cell: Mapping[str, Any], x: float, y: float) -> Markup:
    return element("g", element("title", f"{cell['name']}: {WORDS[cell['state']]}"), _sign(cell["state"], x, y))


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
        return element("text", "?", class_="dim", x=x, y=33, text_anchor="middle")
    return element(
        "path",
        class_="tick" if succeeded else "lost",
        d=f"M{x - 5:g} 29L{x - 1:g} 33L{x + 6:g} 25"
        if succeeded
        else f"M{x - 4:g} 25L{x + 4:g} 33M{x - 4:g} 33L{x + 4:g} 25",
    )
