"""Small pictures of an audit: how the sessions ended as one bar, and a rate over time with the number of sessions below
it, or week by week how often something occurred."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from markupsafe import Markup

from analyzer.model.audit_figures import OutcomeCount, Share, Week
from analyzer.model.audit_index import Bin, Unit
from analyzer.model.struct import Struct
from analyzer.report import figures
from analyzer.report.picture.line import Levels
from analyzer.report.picture.scale import Axis, scale_of
from analyzer.report.picture.svg import bar, element, label, line, line_through, picture, titled
from analyzer.report.safe import clip
from analyzer.text.english import number

FEW = 10
"""A rate of fewer sessions is drawn as a ring."""
Rate = Literal["recorded", "judged", "loop_rate"]
WHAT: Mapping[Rate, str] = {
    "recorded": "Success rate, of ends that the log records",
    "judged": "Seem to have succeeded, judged by what happened",
    "loop_rate": "Loop detection rate",
}
"""The rates that are drawn. What logs record and what is judged are never in one picture."""
_LETTER = 6.6
_HEIGHT, _TOP, _LEFT, _RIGHT, _COUNTS = 150.0, 10.0, 44.0, 12.0, 34.0


class Point(Struct, frozen=True):
    """One stretch of time: its place on the axis, its name, the rate in it, and how many sessions it holds."""

    at: int
    name: str
    rate: Share
    sessions: int


def outcome_bar(outcomes: Sequence[OutcomeCount], width: int) -> Markup:
    """One bar, parted by how the sessions ended, with the words and counts in it for which there's room."""
    total = sum(entry.sessions for entry in outcomes) or 1
    gap, height, x = 2.0, 40.0, 0.0
    parts, counts = [], []
    for entry in outcomes:
        wide = (width - gap * (len(outcomes) - 1)) * entry.sessions / total
        word, count = clip(figures.outcome(entry.outcome), 60), number(entry.sessions)
        about = f"{word}: {figures.plural(entry.sessions, 'session')}, {figures.percent(entry.share)}"
        shown = next((text for text in (f"{word} {count}", count) if len(text) * _LETTER + 8 < wide), "")
        name = [label(shown, x + wide / 2, height / 2 + 4, anchor="middle")] if shown else []
        part = bar(x, 0.0, max(wide, 1.5), height, rx=3.0)
        parts.append(titled(about, part, *name, class_=f"o-{clip(entry.outcome, 60)}"))
        counts.append(f"{word} {count}")
        x += wide + gap
    return picture(width, height, *parts, title=f"How the sessions ended: {', '.join(counts)}", class_="outcomes")


def points_of(bins: Sequence[Bin], unit: Unit, what: Rate) -> list[Point]:
    """The bins with one of their rates."""
    return [Point(entry.number, name_of(entry.start, unit), getattr(entry, what), entry.sessions) for entry in bins]


def name_of(start: str, unit: Unit) -> str:
    """`2025-11-14`, for a week `week of 2025-11-10`, for a month `2025-11`, for a year `2025`."""
    return {"day": start, "week": f"week of {start}", "month": start[:7], "year": start[:4]}[unit]


def rate_over_time(points: Sequence[Point], width: int, *, title: str, whole: bool) -> Markup:
    """The rate as marks with their 95% intervals, joined by a line, and bars for the number of sessions below. Rates of
    few sessions are rings that no line joins. `whole`: the axis goes to 100%."""
    scale = scale_of([value for point in points for value in (point.rate.share, point.rate.high)], "share", whole=whole)
    slot = (width - _LEFT - _RIGHT) / (max((point.at for point in points), default=0) + 1)
    floor = _TOP + _HEIGHT
    bottom = floor + 12 + _COUNTS
    y = Axis(scale, floor, _TOP)

    def x(point: Point) -> float:
        return _LEFT + slot * (point.at + 0.5)

    known = [point for point in points if point.rate.share is not None]
    # Rates of few sessions jump about; a line through them would say that something changed.
    sure = [(x(point), y(point.rate.share or 0)) for point in known if point.rate.of >= FEW]
    most = max((point.sessions for point in points), default=0)
    drawn = [
        y.up(_LEFT, width - _RIGHT),
        *([element("path", d=line_through(sure), class_="trend")] if len(sure) > 1 else []),
        *(_mark(point, x(point), y, slot) for point in known),
        *(_count(point, x(point), bottom, slot, most) for point in points),
        label(number(most), _LEFT - 6, bottom - _COUNTS + 9, "dim", anchor="end"),
        *_names(points, x, bottom + 15, width),
    ]
    return picture(width, bottom + 20, *drawn, title=title, class_="trends")


def _mark(point: Point, x: float, at: Axis, slot: float) -> Markup:
    rate, few = point.rate, point.rate.of < FEW
    known = rate.low is not None and rate.high is not None
    interval = [line(x, at(rate.low or 0.0), x, at(rate.high or 0.0), "interval")] if known else []
    size = min(4.5, max(2.0, slot / 3))
    shape = element("circle", cx=x, cy=at(rate.share or 0), r=size, class_="ring" if few else "dot")
    return titled(f"{point.name}: {figures.rate(rate)}", *interval, shape, class_="few" if few else None)


def _count(point: Point, x: float, bottom: float, slot: float, most: int) -> Markup:
    high = max(1.0, _COUNTS * point.sessions / most) if most else 0.0
    wide = max(1.5, min(26.0, slot * 0.7))
    about = f"{point.name}: {figures.plural(point.sessions, 'session')}"
    return titled(about, bar(x - wide / 2, bottom - high, wide, high, "count"))


def _names(points: Sequence[Point], x: Callable[[Point], float], y: float, width: float) -> list[Markup]:
    """The names of the stretches of time for which there's room, the first and the last among them."""
    if not points:
        return []
    short = [point.name.removeprefix("week of ") for point in points]
    half = max(map(len, short)) * _LETTER / 2
    last = min(max(x(points[-1]), half), width - half)
    free = Levels()
    free.take(0, last - half - 5, last + half + 5)
    places = [(max(x(point), half), name) for point, name in zip(points[:-1], short[:-1], strict=True)]
    shown = [(at, name) for at, name in places if free.take(0, at - half - 5, at + half + 5)]
    return [label(name, at, y, "dim", anchor="middle") for at, name in [*shown, (last, short[-1])]]


_BAR, _GAP, _HIGHEST = 6.0, 2.0, 20.0


def week_bars(weeks: Sequence[Week]) -> Markup:
    """The bars; a week without sessions leaves its place free, one without this has a line at the bottom. Nothing where
    it occurred in none of them."""
    if not any(week.sessions for week in weeks):
        return Markup()
    most = max((week.sessions / week.of for week in weeks if week.of), default=0.0)
    drawn = []
    for place, week in enumerate(weeks):
        if week.of:
            high = max(_HIGHEST * week.sessions / week.of / most, 3.0) if week.sessions else 1.0
            class_ = "some" if week.sessions else None
            drawn.append(bar(place * (_BAR + _GAP), _HIGHEST - high, _BAR, high, class_))
    return picture(len(weeks) * (_BAR + _GAP) - _GAP, _HIGHEST, *drawn, title=words(weeks), class_="weeks")


def words(weeks: Sequence[Week]) -> str:
    """What the bars show: `Sessions with it by week, from the week of 2026-04-06: 1 of 4, 0 of 2`."""
    counts = ", ".join(f"{week.sessions} of {week.of}" if week.of else "no session" for week in weeks)
    return f"Sessions with it by week, from the week of {weeks[0].start}: {counts}"
