"""The policies of a backtest in a plane: stuck runs that they stop, up, against good runs that they disturb, across."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from markupsafe import Markup

from analyzer.model.backtest import PolicyScore
from analyzer.report import figures
from analyzer.report.picture.plot import Curve, Point, scatter_plot
from analyzer.report.picture.scale import Scale, scale_of
from analyzer.report.picture.svg import Shape
from analyzer.report.safe import clip

SHAPES: Mapping[Literal["plain", "program", "guard"], tuple[Shape, str]] = {
    "plain": ("dot", "a rule of a few lines"),
    "program": ("square", "the rule of another program"),
    "guard": ("diamond", "this program's guard"),
}
"""The shape of each family of policies, and the family in words."""
_CROWD = 0.6
_CORNER = 0.35
_MARGIN = 1.05


def plane(
    scores: Sequence[PolicyScore],
    everything: Sequence[PolicyScore],
    labels: Mapping[str, str],
    addresses: Mapping[str, str],
    *,
    apart: bool,
    width: int,
    corner: float | None = None,
) -> Markup:
    """The policies in `scores`, those on the frontier larger, with lines through the sweeps in `everything` and through
    the best ones in this plane. `labels` are written beside a policy's mark, `addresses` are what a mark leads to, both
    by the policy; `apart` gives our guard a line of its own. `corner` is the largest share of disturbed runs that is
    drawn."""
    across = scale_of([corner if corner is not None else max((_x(score) for score in scores), default=0.0)], "share")
    shown = [score for score in scores if corner is None or _x(score) <= across.high]
    up = scale_of([_y(score) for score in shown], "share")
    points = [
        _point(score, labels.get(score.policy, ""), addresses.get(score.policy))
        for score in sorted(shown, key=lambda score: (score.policy in labels, score.frontier))
    ]
    curves = [Curve(line, "sweep") for line in sweeps(everything)]
    sorts = (
        [[score for score in scores if score.kind != "guard"], [score for score in scores if score.kind == "guard"]]
        if apart
        else [scores]
    )
    curves += [Curve(best(sort), "frontier guard" if number else "frontier") for number, sort in enumerate(sorts)]
    title = "Policies: stuck runs stopped against good runs disturbed" + (
        ", the crowded corner" if corner is not None else ""
    )
    return scatter_plot(
        points,
        across,
        up,
        width=width,
        height=380 if width < 600 else 460,
        names=("good runs disturbed", "stuck runs stopped"),
        curves=[Curve(_within(curve.points, across), curve.kind) for curve in curves],
        title=title,
        description="Every mark is a policy; the tables below say the same in numbers.",
    )


def crowded(scores: Sequence[PolicyScore]) -> float | None:
    """The share of disturbed runs below which most policies lie, where that is a small part of the whole picture;
    None where there's nothing to magnify."""
    places = sorted(_x(score) for score in scores)
    if len(places) < 8:
        return None
    most = places[int(len(places) * _CROWD)] * _MARGIN
    return most if 0 < most < _CORNER * places[-1] else None


def best(scores: Iterable[PolicyScore]) -> list[tuple[float, float]]:
    """The places of the policies that no other one beats in this plane, in stairs from left to right: as far as one
    stops more, it disturbs more."""
    stairs: list[tuple[float, float]] = []
    for x, y in sorted({(_x(score), _y(score)) for score in scores}, key=lambda place: (place[0], -place[1])):
        if not stairs or y > stairs[-1][1]:
            stairs += [(x, stairs[-1][1]), (x, y)] if stairs else [(x, y)]
    return stairs


def sweeps(scores: Iterable[PolicyScore]) -> list[list[tuple[float, float]]]:
    """For every policy that was replayed with several values of a parameter a line through them in their order; where
    several parameters vary, one per value of the others."""
    named: dict[str, list[PolicyScore]] = {}
    for score in scores:
        if score.stopped and score.settings:
            named.setdefault(score.name, []).append(score)
    lines = []
    for group in named.values():
        keys = sorted({key for score in group for key in score.settings})
        varied = max(
            keys,
            key=lambda key: len(
                {score.settings.get(key) for score in group if isinstance(score.settings.get(key), int)}
            ),
        )
        found: dict[tuple[tuple[str, str], ...], list[tuple[int, PolicyScore]]] = {}
        for score in group:
            value = score.settings.get(varied)
            if isinstance(value, int):
                found.setdefault(
                    tuple((key, str(score.settings.get(key))) for key in keys if key != varied), []
                ).append((value, score))
        for run in found.values():
            line = list(dict.fromkeys((_x(score), _y(score)) for _, score in sorted(run, key=lambda entry: entry[0])))
            if len(line) > 1:
                lines.append(line)
    return lines


def _within(points: Sequence[tuple[float, float]], across: Scale) -> list[tuple[float, float]]:
    """A line as far as the axis goes; where it leaves, it ends at the edge."""
    made: list[tuple[float, float]] = []
    for place, (x, y) in enumerate(points):
        if x <= across.high:
            if place and points[place - 1][0] > across.high and not made:
                made.append(_edge((x, y), points[place - 1], across.high))
            made.append((x, y))
        elif made:
            made.append(_edge(points[place - 1], (x, y), across.high))
            break
    return made


def _edge(inside: tuple[float, float], outside: tuple[float, float], x: float) -> tuple[float, float]:
    return x, inside[1] + (outside[1] - inside[1]) * (x - inside[0]) / (outside[0] - inside[0])


def _point(score: PolicyScore, label: str, address: str | None) -> Point:
    shape, family = SHAPES[score.kind]
    about = (
        f"{clip(score.policy, 80)}, {family}: stops {figures.percent(_y(score))} of the stuck runs, disturbs "
        f"{figures.percent(_x(score))} of the good ones"
    )
    kind = "guard" if score.kind == "guard" else "best" if score.frontier else "behind"
    return Point(
        _x(score),
        _y(score),
        about,
        shape,
        f"{kind}{' picked' if label else ''}",
        label,
        address,
        bool(label),
        5.5 if score.frontier else 4.0,
    )


def _x(score: PolicyScore) -> float:
    return score.false_alarm_rate or 0.0


def _y(score: PolicyScore) -> float:
    return score.recall or 0.0
