"""The policies of a backtest in a plane: stuck runs that they stop, up, against good runs that they disturb, across."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from markupsafe import Markup

from analyzer.model.backtest import PolicyScore
from analyzer.report import figures
from analyzer.report.picture.chart import chart
from analyzer.report.picture.scale import LETTER, Axis, cut, scale_of
from analyzer.report.picture.svg import Shape, element, label, line, line_through, mark, number, titled
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
_TOP, _BELOW = 30.0, 44.0
_PITCH = 14.0
"""How far apart the names of two marks are at least."""


def plane(
    scores: Sequence[PolicyScore],
    everything: Sequence[PolicyScore],
    labels: Mapping[str, str],
    addresses: Mapping[str, str],
    *,
    apart: bool,
    width: int,
    corner: float | None,
) -> Markup:
    """The policies in `scores`, those on the frontier larger, with lines through the sweeps in `everything` and through
    the best ones in this plane. `labels` are written beside a policy's mark, `addresses` are what a mark leads to, both
    by the policy; `apart` gives our guard a line of its own. `corner` is the largest share of disturbed runs that is
    drawn."""
    across = scale_of([corner if corner is not None else max((_x(score) for score in scores), default=0.0)], "share")
    shown = [score for score in scores if corner is None or _x(score) <= across.high]
    up = scale_of([_y(score) for score in shown], "share")
    left, right = 12 + LETTER * max(len(up.label(tick)) for tick in up.ticks), width - 18.0
    bottom = _TOP + (380 if width < 600 else 460)
    x, y = Axis(across, left, right), Axis(up, bottom, _TOP)
    curves = [(points, "sweep") for points in sweeps(everything)]
    own, foreign = ([score for score in scores if (score.kind == "guard") is ours] for ours in (True, False))
    curves += [(best(foreign), "frontier"), (best(own), "frontier guard")] if apart else [(best(scores), "frontier")]
    lines = [
        element("path", d=line_through([(x(one), y(other)) for one, other in points]), class_=f"line {kind}")
        for points, kind in curves
        if points
    ]
    marks = sorted(shown, key=lambda score: (score.policy in labels, score.frontier))
    heights = _heights([(y(_y(score)), score.policy) for score in marks if score.policy in labels])
    points: list[Markup] = []
    names: list[Markup] = []
    for score in marks:
        name, at = labels.get(score.policy, ""), (x(_x(score)), y(_y(score)))
        points.append(_point(score, *at, addresses[score.policy], picked=bool(name)))
        names += _name(name, *at, heights[score.policy], right) if name else []
    title = "Policies: stuck runs stopped against good runs disturbed"
    return chart(
        width,
        bottom + _BELOW,
        y.up(left, right, label(cut("stuck runs stopped", right), 0.0, 13.0, "dim")),
        x.across(_TOP, bottom, "good runs disturbed"),
        _clipped(lines, left, _TOP, right, bottom),
        *names,
        *points,
        title=title + (", the crowded corner" if corner is not None else ""),
        description="Every mark is a policy; the tables below say the same in numbers.",
        role="group",
    )


def _clipped(lines: Iterable[Markup], left: float, top: float, right: float, bottom: float) -> Markup:
    """The lines as far as the axes go."""
    box = f"{number(left)} {number(top)} {number(right - left)} {number(bottom - top)}"
    return element("svg", *lines, viewBox=box, x=left, y=top, width=right - left, height=bottom - top, class_="lines")


def _heights(named: Sequence[tuple[float, str]]) -> dict[str, float]:
    """The height at which the name of each mark is written: above the mark, or so far below that no other is there."""
    taken: dict[str, float] = {}
    for height, name in sorted(named):
        taken[name] = max(height - 7, max(taken.values(), default=_TOP) + _PITCH)
    return taken


def _name(name: str, x: float, y: float, height: float, right: float) -> list[Markup]:
    """A mark's name beside it, with a line to it where it's written below."""
    ends = x + 10 + LETTER * len(name) > right
    place = x - 10 if ends else x + 10
    leader = [line(x, y, place, height - 4, "leader")] if height > y + 2 * _PITCH else []
    return [*leader, element("g", label(name, place, height, anchor="end" if ends else None), class_="point")]


def _point(score: PolicyScore, x: float, y: float, address: str, *, picked: bool) -> Markup:
    shape, family = SHAPES[score.kind]
    about = (
        f"{clip(score.policy, 80)}, {family}: stops {figures.percent(_y(score))} of the stuck runs, disturbs "
        f"{figures.percent(_x(score))} of the good ones"
    )
    drawn = mark(shape, x, y, 5.5 if score.frontier else 4.0)
    kind = "guard" if score.kind == "guard" else "best" if score.frontier else "behind"
    link = element("a", drawn, href=address, aria_label=about, tabindex=None if picked else -1)
    return titled(about, link, class_=f"point {kind}{' picked' if picked else ''}")


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
    named: dict[str, list[PolicyScore]] = defaultdict(list)
    for score in scores:
        if score.stopped and score.settings:
            named[score.name].append(score)
    lines = []
    for own in named.values():
        keys = sorted({key for score in own for key in score.settings})
        values = {key: {value for score in own if isinstance(value := score.settings.get(key), int)} for key in keys}
        varied = max(keys, key=lambda key: len(values[key]))
        runs: dict[tuple[str, ...], list[tuple[int, tuple[float, float]]]] = defaultdict(list)
        for score in own:
            value = score.settings.get(varied)
            if isinstance(value, int):
                others = tuple(str(score.settings.get(key)) for key in keys if key != varied)
                runs[others].append((value, (_x(score), _y(score))))
        for run in runs.values():
            places = list(dict.fromkeys(place for _, place in sorted(run, key=lambda entry: entry[0])))
            lines += [places] if len(places) > 1 else []
    return lines


def _x(score: PolicyScore) -> float:
    return score.false_alarm_rate or 0.0


def _y(score: PolicyScore) -> float:
    return score.recall or 0.0
