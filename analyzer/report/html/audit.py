"""The page of an audit: what all sessions say together, and a table of them to sort, filter and click through; and that
of a search over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from urllib.parse import quote

from markupsafe import Markup

from analyzer.model.audit_figures import Metrics, Place, Share
from analyzer.model.audit_index import AuditIndex
from analyzer.model.audit_report import AuditReport, Breakdown, GroupRow
from analyzer.model.search import Hit, Search
from analyzer.model.struct import Struct
from analyzer.report import figures
from analyzer.report.audit import PROBLEMS, changes_of, dearest_line, first_changes, theme_name, worth_showing
from analyzer.report.audit_spending import sentences_of, tables_of
from analyzer.report.html import audit_table
from analyzer.report.html.audit_table import NAME, about_names, amount_in_short, data_of
from analyzer.report.html.page import page
from analyzer.report.html.prose import spans
from analyzer.report.picture.chart import Row as ChartRow
from analyzer.report.picture.chart import row_chart
from analyzer.report.picture.model import numbers_of, of_lane
from analyzer.report.picture.scale import scale_of
from analyzer.report.picture.small import FEW, WHAT, Rate, name_of, outcome_bar, points_of, rate_over_time, week_bars
from analyzer.report.plain_lines import head_of, place_of
from analyzer.report.safe import clip
from analyzer.text.english import number

SHOWN_ROWS = 200
"""Sessions in the table of a page whose script doesn't run."""
SHOWN_THEMES = 12
SHOWN_GROUPS = 12
MOST_GROUPS = 100
SHOWN_VALUES = 8
_BY = {"agent": "agent", "model": "model", "format": "transcript format", "family": "task family"}


class Tile(Struct, frozen=True):
    """One figure: its name, the value, and what it rests on."""

    name: str
    value: str
    about: str


class By(Struct, frozen=True):
    """The sessions by one property, as two pictures."""

    name: str
    charts: list[tuple[str, dict[int, Markup]]]
    more: int


def render(report: AuditReport, index: AuditIndex, *, served: bool = False) -> str:
    """The report as a page that needs nothing but the pages that it leads to, ending in a newline. `index` was made of
    the same tables. Where the page is `served`, it has a search over all texts and follows the audit."""
    outcomes = report.outcomes
    links = Links(index)
    changes = changes_of(report.themes)
    context = {
        "report": report,
        "tiles": tiles(report),
        "bar": {width: outcome_bar(outcomes, width) for width in (1160, 360)} if outcomes else {},
        "trends": _trends(index),
        "spent": sentences_of(report.spending),
        "spending": list(tables_of(report.spending)),
        "bins": index.bins,
        "bin_names": {entry.number: name_of(entry.start, index.unit) for entry in index.bins},
        "unit": index.unit,
        "by": [_by(entry) for entry in worth_showing(report.breakdowns) if entry.by in _BY],
        "changes": first_changes(changes),
        "dearest": dearest_line(changes),
        "amount": figures.amount,
        "week_bars": week_bars,
        "theme_name": lambda theme: clip(theme_name(theme), NAME),
        "key_of": audit_table.key_of,
        "shown_themes": SHOWN_THEMES,
        "groups": report.groups[:MOST_GROUPS],
        "shown_groups": SHOWN_GROUPS,
        "most_hit": max((group.sessions for group in report.groups), default=1),
        "address": links.address,
        "rows": index.lines[:SHOWN_ROWS],
        "title_of": audit_table.title_of,
        "about": partial(audit_table.about, about_names(report)),
        "time_in_short": audit_table.time_in_short,
        "amount_in_short": amount_in_short,
        "columns": columns(index),
        "index": index,
        "served": served,
        "problem_kinds": PROBLEMS,
        "rate": figures.rate,
        "day": figures.day,
        "tail": figures.tail,
        "spans": spans,
        "quote": lambda text: quote(str(text), safe=""),
    }
    title = f"Audit of {figures.plural(report.overview.sessions, 'session')}"
    parts = ("chart", "sortable", "thumbnail", "audit", *(("live",) if served else ()))
    data = {"sessions-data": data_of(index, report)}
    return page(title, "audit.html.j2", context, parts=parts, data=data, served=served)


class Links:
    """Where a session or one of its steps can be looked at."""

    def __init__(self, index: AuditIndex) -> None:
        self._pages = {line.session: line.page for line in index.lines}
        self._lanes = index.lanes

    def address(self, place: Place) -> str | None:
        """The step on the session's page, the page where that has no places to go to, or None."""
        ending = self._pages.get(place.session) or (".md" if (place.link or "").startswith("sessions/") else "")
        if not ending:
            return None
        number = numbers_of(self._lanes.get(place.session, ())).get(place.lane)
        has_place = ending == ".html" and place.step and number is not None
        return f"sessions/{place.session}{ending}" + (f"#{of_lane(number)}step-{place.step}" if has_place else "")


def tiles(report: AuditReport) -> list[Tile]:
    """The figures, those that are known."""
    m, seen = report.metrics, report.overview
    about = f"{figures.plural(seen.tasks, 'task')} in {figures.plural(seen.files, 'file')}"
    shown = [Tile("Sessions", number(seen.sessions), about)]
    if m.success.of:
        shown.append(_success(m))
    if m.loop_rate.of:
        shown.append(Tile("Ran into a loop", figures.percent(m.loop_rate.share), f"{_of(m.loop_rate)} with actions"))
    inside = next((entry for entry in m.inside if entry.what == "actions" and entry.total), None)
    if inside is not None:
        about = f"{figures.amount(inside.inside)} of {figures.amount(inside.total)}"
        shown.append(Tile("Actions inside of loops", figures.percent(inside.share), about))
    if m.saved:
        about = f"in {figures.plural(m.detectable, 'session')}"
        shown.append(Tile("An early stop would have saved", figures.plural(m.saved, "action"), about))
    for name, part, written in (
        ("Actions per session", m.actions, figures.amount),
        ("Time to completion", m.seconds_succeeded, partial(figures.amount, what="seconds")),
        ("Tokens per session", m.tokens, lambda value: amount_in_short(round(value or 0))),
        ("Cost per session", m.usd, partial(figures.amount, what="usd")),
    ):
        if part.sessions:
            total = f"; {written(part.total)} in all" if part is not m.seconds_succeeded else ""
            about = f"median of {figures.plural(part.sessions, 'session')}{total}"
            shown.append(Tile(name, written(part.median), about))
    return shown


_FEW = 5
"""Recorded ends below which a percentage says more than is known."""


def _success(m: Metrics) -> Tile:
    """What the logs record; what is only judged by the sessions' course is no rate."""
    judged = f"{number(m.success_judged.count)} of {number(m.success_judged.of)}"
    if not m.success_recorded.of:
        return Tile("Seem to have succeeded", judged, "judged by what happened; no verdict is recorded")
    counted = f"{number(m.success_recorded.count)} of {number(m.success_recorded.of)}"
    others = f"; of the others {judged} seem to have, judged by what happened" if m.success_judged.of else ""
    return Tile(
        "Succeeded",
        figures.percent(m.success_recorded.share) if m.success_recorded.of >= _FEW else counted,
        f"{_of(m.success_recorded)} whose end the log records{others}",
    )


def columns(index: AuditIndex) -> set[str]:
    """The columns that have something in them for at least one session."""
    names = ("agent", "model", "seconds", "tokens", "usd", "started")
    return {name for name in names if any(getattr(line, name) is not None for line in index.lines)}


def _of(part: Share) -> str:
    return f"{number(part.count)} of {number(part.of)} ({figures.interval(part)})"


def _trends(index: AuditIndex) -> list[tuple[str, dict[int, Markup]]]:
    """Success and loop rate over time, each wide and narrow, where there are at least two stretches of time with
    something to tell. Success is what the logs record; only where they record none, what is judged by what happened."""
    made = []
    rates: list[Rate] = ["recorded" if _several(index, "recorded") else "judged", "loop_rate"]
    for what in filter(partial(_several, index), rates):
        title = f"{WHAT[what]} by {index.unit}, with 95% intervals; the numbers are in the table below."
        points, whole = points_of(index.bins, index.unit, what), what != "loop_rate"
        drawn = {width: rate_over_time(points, width, title=title, whole=whole) for width in (560, 360)}
        made.append((WHAT[what], drawn))
    return made


def _several(index: AuditIndex, what: Rate) -> bool:
    return sum(getattr(entry, what).share is not None for entry in index.bins) > 1


def _by(entry: Breakdown) -> By:
    known = [row for row in entry.rows if row.value is not None]
    several = [row for row in known if row.sessions > 1]
    rows = (several if len(several) > 2 else known)[:SHOWN_VALUES]
    success: Rate = "recorded" if any(row.success_recorded.of for row in rows) else "judged"
    shown: list[Rate] = [success, "loop_rate"]
    charts = [(WHAT[what], _chart(entry.by, rows, what)) for what in shown]
    return By(_BY[entry.by], [(word, chart) for word, chart in charts if chart], entry.values - len(rows))


def _chart(by: str, rows: Sequence[GroupRow], what: Rate) -> dict[int, Markup]:
    parts = {"recorded": "success_recorded", "judged": "success_judged", "loop_rate": "loop_rate"}
    known: list[tuple[GroupRow, Share]] = [(row, part) for row in rows if (part := getattr(row, parts[what])).of]
    if not known:
        return {}
    word = WHAT[what]
    drawn = [
        ChartRow(
            label=clip(row.value or "", 60),
            value=part.share or 0.0,
            shown=f"{figures.percent(part.share)} of {number(part.of)}",
            low=part.low,
            high=part.high,
            about=f"{clip(row.value or '', 200)}: {figures.rate(part)}",
            shape="ring" if part.of < FEW else "dot",
            href=f"#{by}={quote(clip(row.value or '', NAME), safe='')}",
        )
        for row, part in known
    ]
    title = f"{word} by {_BY[by]}: " + "; ".join(f"{row.label} {row.shown}" for row in drawn)
    scale = scale_of([part.high for _, part in known], "share", whole=True)
    return {width: row_chart(drawn, scale, width=width, title=title) for width in (560, 360)}


def render_found(found: Search) -> str:
    """The page of a search over the sessions, ending in a newline."""
    context = {"found": found, "head_of": head_of, "place_of": place_of, "parts_of": _excerpt}
    return page(f"Search: {' '.join(found.words)}", "find.html.j2", context, served=True)


def _excerpt(hit: Hit) -> Iterator[tuple[str, bool]]:
    """The excerpt in parts, each with whether it's what was searched for."""
    position = 0
    for begin, end in hit.marks:
        yield hit.excerpt[position:begin], False
        yield hit.excerpt[begin:end], True
        position = end
    yield hit.excerpt[position:], False
