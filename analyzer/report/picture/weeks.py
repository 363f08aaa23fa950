"""A small picture of how often something occurred, week by week: a bar for each, as tall as its share of the week's
sessions."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from analyzer.model.audit_figures import Week
from analyzer.report.picture.svg import element, picture

_BAR, _GAP, _HEIGHT = 6.0, 2.0, 20.0


def week_bars(weeks: Sequence[Week]) -> Markup:
    """The bars; a week without sessions leaves its place free, one without this has a line at the bottom. Nothing where
    it occurred in none of them."""
    if not any(week.sessions for week in weeks):
        return Markup()
    most = max((week.sessions / week.of for week in weeks if week.of), default=0.0)
    drawn = []
    for place, week in enumerate(weeks):
        if not week.of:
            continue
        high = max(_HEIGHT * week.sessions / week.of / most, 3.0) if week.sessions else 1.0
        drawn.append(
            element(
                "rect",
                x=place * (_BAR + _GAP),
                y=_HEIGHT - high,
                width=_BAR,
                height=high,
                class_="some" if week.sessions else None,
            )
        )
    width = len(weeks) * (_BAR + _GAP) - _GAP
    return picture(width, _HEIGHT, *drawn, title=words(weeks), class_="weeks")


def words(weeks: Sequence[Week]) -> str:
    """What the bars show: `Sessions with it by week, from the week of 2026-04-06: 1 of 4, 0 of 2`."""
    counts = ", ".join(f"{week.sessions} of {week.of}" if week.of else "no session" for week in weeks)
    return f"Sessions with it by week, from the week of {weeks[0].start}: {counts}"
