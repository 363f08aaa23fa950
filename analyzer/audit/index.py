"""The tables of an audit -> the lines of its page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import pandas

from analyzer.audit.figures.counts import text_or_none
from analyzer.audit.figures.groups import merged
from analyzer.audit.figures.metrics import costs, durations, tokens
from analyzer.audit.figures.over_time import over_time
from analyzer.audit.store.frames import Frames
from analyzer.model.audit_index import AuditIndex, SessionLine
from analyzer.model.audit_report import AuditReport
from analyzer.model.words import MAIN_LANE, OutcomeStatus, Severity

MOST_LINES = 20_000
"""Sessions that a page has a line for: more make it too heavy to open."""
_TITLE = 300
_MOST_WORDS, _ALL_WORDS = 600, 3_000_000
"""Characters of a session's words at most, and of those of all sessions."""


def index_of(
    frames: Frames,
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
    bins, unit = over_time(frames.sessions)
    places = [*(theme.example for theme in report.themes), *(group.example for group in report.groups)]
    return AuditIndex(
        lines=_lines(frames, report, pages, thumbnails, most),
        sessions=len(frames.sessions),
        bins=bins,
        unit=unit,
        lanes={place.session: lanes_of(place.session) for place in places if place.lane != MAIN_LANE},
    )


def _lines(
    frames: Frames, report: AuditReport, pages: Mapping[str, str], thumbnails: Mapping[str, str], most: int
) -> list[SessionLine]:
    themes, groups = _themes(frames.findings, report), _groups(frames.failures, report)
    sessions = worst_first(frames.sessions)
    sessions = sessions.assign(tokens=tokens(sessions), seconds=durations(sessions), usd=costs(sessions)).head(most)
    words = _words(frames, sessions["session"])
    made = []
    for row in sessions.itertuples(index=False):
        facts: Any = row
        steps = groups.get(facts.session, {})
        made.append(
            SessionLine(
                session=facts.session,
                id=facts.id,
                title=_text(facts.title, _TITLE) or _text(facts.task, _TITLE),
                path=facts.path,
                agent=text_or_none(facts.agent),
                model=text_or_none(facts.model),
                format=facts.format,
                family=facts.family,
                outcome=facts.outcome,
                worst=text_or_none(facts.worst),
                about=text_or_none(facts.about),
                actions=int(facts.actions),
                loop_actions=min(int(facts.loop_actions), int(facts.actions)),
                seconds=_number(facts.seconds),
                tokens=None if pandas.isna(facts.tokens) else int(facts.tokens),
                usd=_number(facts.usd),
                started=text_or_none(facts.started_at),
                page=pages.get(facts.session),
                thumbnail=thumbnails.get(facts.session, ""),
                themes=tuple(sorted(themes.get(facts.session, ()))),
                groups=tuple(sorted(steps)),
                group=max(steps, key=lambda group: (steps[group], -group)) if steps else None,
                words=words(facts.session, facts.headline),
            )
        )
    return made


def _words(frames: Frames, sessions: pandas.Series[str]) -> Callable[[str, str], str]:
    """What gives the words of a session, from its key and its headline."""
    limit = min(_MOST_WORDS, _ALL_WORDS // max(1, len(sessions)))
    found: dict[str, dict[str, None]] = defaultdict(dict)
    findings = frames.findings.sort_values(["session", "position"], kind="stable")
    failures = frames.failures.sort_values(["session", "lane", "step"], kind="stable")
    for rows, column in ((findings, "title"), (failures, "message")):
        for session, text in zip(rows["session"], rows[column], strict=True):
            found[session][" ".join(str(text)[:limit].split())] = None
    return lambda session, headline: _text(" · ".join(filter(None, (headline, *found.get(session, ())))), limit) or ""


def worst_first(sessions: pandas.DataFrame) -> pandas.DataFrame:
    """The sessions by severity, those that didn't succeed before those that did, then by what an early stop would have
    saved and by what loops took."""
    return sessions.assign(
        rank=sessions["worst"].map({severity.value: severity.rank for severity in Severity}).fillna(-1),
        good=sessions["outcome"] == OutcomeStatus.SUCCEEDED.value,
        saved=sessions["actions_saved"].fillna(0),
    ).sort_values(["rank", "good", "saved", "loop_actions", "session"], ascending=[False, True, False, False, True])


def _themes(findings: pandas.DataFrame, report: AuditReport) -> dict[str, set[int]]:
    """For each session the positions of its findings' themes."""
    position = {(theme.detector, theme.kind): number for number, theme in enumerate(report.themes)}
    notable = findings[findings["severity"] != Severity.INFO.value]
    found: dict[str, set[int]] = defaultdict(set)
    for session, detector, kind in zip(notable["session"], notable["detector"], notable["kind"], strict=True):
        if (detector, kind) in position:
            found[session].add(position[detector, kind])
    return found


def _groups(failures: pandas.DataFrame, report: AuditReport) -> dict[str, dict[int, int]]:
    """For each session the positions of the groups that hit it, and how many steps each."""
    if failures.empty or not report.groups:
        return {}
    meant = failures[~failures["expected"].fillna(False).astype(bool)].sort_values(
        ["session", "lane", "step"], kind="stable"
    )
    named = merged(meant)
    position = {group.fingerprint: number for number, group in enumerate(report.groups)}
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for session, fingerprint in zip(meant["session"], meant["fingerprint"], strict=True):
        number = position.get(named[fingerprint])
        if number is not None:
            found[session][number] = found[session].get(number, 0) + 1
    return found


def _text(value: object, limit: int) -> str | None:
    text = text_or_none(value)
    return " ".join(text[: 4 * limit].split())[:limit] or None if text else None


def _number(value: Any) -> float | None:
    return None if pandas.isna(value) else round(float(value), 6)
