"""The tables of an audit -> what they say together."""

from __future__ import annotations

import pandas

from analyzer.audit.figures.breakdown import breakdowns
from analyzer.audit.figures.corrections import repeated_corrections
from analyzer.audit.figures.counts import counted, records, text_or_none
from analyzer.audit.figures.families import failure_themes
from analyzer.audit.figures.groups import across
from analyzer.audit.figures.headline import headline
from analyzer.audit.figures.metrics import metrics, outcomes
from analyzer.audit.figures.spending import spending
from analyzer.audit.figures.themes import themes
from analyzer.audit.figures.trials import trial_modes
from analyzer.audit.figures.unread import unread
from analyzer.audit.figures.weekly import Weeks
from analyzer.audit.links import Links
from analyzer.audit.store.frames import Frames
from analyzer.model.audit_figures import Overview
from analyzer.model.audit_report import AuditReport, WorstSession
from analyzer.model.words import OutcomeStatus, Severity

MOST_FAILURE_THEMES = 100
MOST_GROUPS = 200
MOST_WORST = 50


NOT_ASKED = {
    "sessions": (
        *("user_messages", "assistant_messages", "tokens_cached", "recorded_status", "outcome_reason", "root_cause"),
    ),
    "failures": ("runner", "language", "origin_confidence", "origin_file", "origin_line"),
    "findings": ("period", "cost_tokens", "evidence", "trail"),
}
"""Columns, by their table, of which neither the report nor the page says anything: a third of the memory."""


def summarize(frames: Frames, root: str | None, left_out: int = 0) -> AuditReport:
    """The report on all sessions in the tables. `root` is the folder of the report, for the links in
    it; None for none. `left_out` is how many sessions a filter keeps out of the tables.

    The result depends on the rows only, not on their order. It reads all tables but `actions` and `failure_groups`.
    """
    sessions, findings = frames.sessions, frames.findings
    failures = frames.failures[~frames.failures["expected"].fillna(False).astype(bool)]
    links = Links(sessions, root)
    figures = metrics(sessions, findings)
    weeks = Weeks(sessions)
    common = themes(findings, sessions, links, weeks)
    families, families_found = failure_themes(failures, findings, links, MOST_FAILURE_THEMES)
    worst, worst_found = _worst(sessions, links)
    advice = {(theme.kind, theme.type or ""): theme.advice for theme in families if theme.advice is not None}
    groups, found = across(failures, sessions, links, MOST_GROUPS, weeks, advice)
    return AuditReport(
        headline=headline(sessions, figures, common, groups),
        overview=_overview(sessions),
        outcomes=outcomes(sessions),
        metrics=figures,
        themes=common,
        trial_modes=trial_modes(findings, sessions, links, MOST_GROUPS),
        corrections=repeated_corrections(findings, sessions, links, MOST_GROUPS),
        failure_themes=families,
        failure_themes_found=families_found,
        groups=groups,
        groups_found=found,
        worst=worst,
        worst_found=worst_found,
        with_findings=int((sessions["findings"] > 0).sum()),
        breakdowns=breakdowns(sessions),
        spending=spending(sessions),
        unread=unread(frames.files, frames.problems, sessions, root, left_out),
        most_failure_themes=MOST_FAILURE_THEMES,
        most_groups=MOST_GROUPS,
        most_worst=MOST_WORST,
    )


def _overview(sessions: pandas.DataFrame) -> Overview:
    dated = sessions["started_at"].dropna()
    return Overview(
        sessions=len(sessions),
        files=int(sessions["path"].nunique()),
        tasks=int(sessions["task_key"].nunique()),
        formats=counted(sessions["format"]),
        agents=counted(sessions["agent"]),
        models=counted(sessions["model"]),
        first=None if dated.empty else str(dated.min()),
        last=None if dated.empty else str(dated.max()),
        dated=len(dated),
    )


def _worst(sessions: pandas.DataFrame, links: Links) -> tuple[list[WorstSession], int]:
    """The sessions that are worth reading, and how many there are: those whose post-mortem is about a finding, or that
    have one of weight.

    Ordered by severity, those that didn't succeed before those that did, then by what an early stop would have saved.
    """
    bad = sessions[sessions["about"].notna() | sessions["worst"].isin([Severity.HIGH.value, Severity.MEDIUM.value])]
    ordered = bad.assign(
        rank=bad["worst"].map({severity.value: severity.rank for severity in Severity}).fillna(0),
        good=bad["outcome"] == OutcomeStatus.SUCCEEDED.value,
        saved=bad["actions_saved"].fillna(0),
    ).sort_values(["rank", "good", "saved", "loop_actions", "session"], ascending=[False, True, False, False, True])
    shown = [
        WorstSession(
            **links.ref(str(row["session"])).model_dump(),
            agent=text_or_none(row["agent"]),
            model=text_or_none(row["model"]),
            family=str(row["family"]),
            outcome=str(row["outcome"]),
            severity=text_or_none(row["worst"]) or Severity.INFO.value,
            headline=str(row["headline"]),
            actions=int(row["actions"]),
            loop_actions=int(row["loop_actions"]),
            saved=None if pandas.isna(row["actions_saved"]) else int(row["actions_saved"]),
        )
        for row in records(ordered.head(MOST_WORST))
    ]
    return shown, len(bad)
