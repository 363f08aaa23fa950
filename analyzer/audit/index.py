"""The tables of an audit -> the lines of its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from analyzer.audit.figures.breakdown import over_time
from analyzer.audit.figures.groups import known, merged
from analyzer.audit.figures.metrics import COST, SECONDS, TOKENS
from analyzer.audit.figures.summary import worst_first
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_index import AuditIndex, SessionLine
from analyzer.model.audit_report import AuditReport
from analyzer.model.words import MAIN_LANE, Severity

MOST_LINES = 20_000
"""Sessions that a page has a line for: more make it too heavy to open."""
_TITLE = 300
_MOST_WORDS, _ALL_WORDS = 600, 3_000_000
"""Characters of a session's words at most, and of those of all sessions."""


_SESSIONS = f"""SELECT session, id, path, agent, model, format, family, outcome, worst, about, actions, title, task,
  min(loop_actions, actions) AS loop_actions, rounded({SECONDS}, 6) AS seconds, CAST({TOKENS} AS INTEGER) AS tokens,
  rounded({COST}, 6) AS usd, started_at AS started, headline
FROM sessions ORDER BY {worst_first(-1)} LIMIT ?"""
_FINDINGS = "SELECT detector, kind, severity, title FROM findings WHERE session = ? ORDER BY position"
_FAILURES = """SELECT fingerprint, message, coalesce(expected, 0) FROM failures WHERE session = ? ORDER BY lane, step"""


def index_of(
    tables: Tables,
    report: AuditReport,
    pages: Mapping[str, str],
    thumbnails: Mapping[str, str],
    lanes_of: Callable[[str], list[str]],
    most: int = MOST_LINES,
) -> AuditIndex:
    """What the page shows besides `report`, which was made of the same tables.

    `pages` has the ending of the page of each session that has one, `thumbnails` their thumbnails, both by key;
    `lanes_of` gives the lanes of a session. The result depends on the rows only, not on their order.
    """
    bins, unit = over_time(tables)
    places = [*(theme.example for theme in report.themes), *(group.example for group in report.groups)]
    return AuditIndex(
        lines=_lines(tables, report, pages, thumbnails, most),
        sessions=report.overview.sessions,
        bins=bins,
        unit=unit,
        lanes={place.session: lanes_of(place.session) for place in places if place.lane != MAIN_LANE},
    )


def _lines(
    tables: Tables, report: AuditReport, pages: Mapping[str, str], thumbnails: Mapping[str, str], most: int
) -> list[SessionLine]:
    themes = {(theme.detector, theme.kind): number for number, theme in enumerate(report.themes)}
    # For each fingerprint of a group that the report shows the group's position.
    position = {group.fingerprint: number for number, group in enumerate(report.groups)}
    named = merged(known(tables)) if position else {}
    groups = {fingerprint: position[group] for fingerprint, group in named.items() if group in position}
    limit = min(_MOST_WORDS, _ALL_WORDS // max(1, min(most, report.overview.sessions)))
    made = []
    for record in tables.records(_SESSIONS, (most,)):
        session, title, task = record["session"], record.pop("title"), record.pop("task")
        headline, words, has = record.pop("headline"), dict[str, None](), set[int]()
        steps: Counter[int] = Counter()
        for detector, kind, severity, text in tables.rows(_FINDINGS, (session,)):
            words[" ".join(text[:limit].split())] = None
            if severity != Severity.INFO.value and (detector, kind) in themes:
                has.add(themes[detector, kind])
        for fingerprint, text, expected in tables.rows(_FAILURES, (session,)):
            words[" ".join(text[:limit].split())] = None
            if not expected and fingerprint in groups:
                steps[groups[fingerprint]] += 1
        made.append(
            SessionLine(
                **record,
                title=_text(title, _TITLE) or _text(task, _TITLE),
                page=pages.get(session),
                thumbnail=thumbnails.get(session, ""),
                themes=tuple(sorted(has)),
                groups=tuple(sorted(steps)),
                group=max(steps, key=lambda group: (steps[group], -group)) if steps else None,
                words=_text(" · ".join(filter(None, (headline, *words))), limit) or "",
            )
        )
    return made


def _text(value: str | None, limit: int) -> str | None:
    return " ".join(value[: 4 * limit].split())[:limit] or None if value else None
