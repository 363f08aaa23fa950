"""The tables of an audit -> what they say together."""

from __future__ import annotations

from analyzer.audit.figures.breakdown import breakdowns
from analyzer.audit.figures.corrections import repeated_corrections
from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.families import failure_themes
from analyzer.audit.figures.groups import across
from analyzer.audit.figures.headline import headline
from analyzer.audit.figures.metrics import metrics, outcomes
from analyzer.audit.figures.spending import spending
from analyzer.audit.figures.themes import themes
from analyzer.audit.figures.trials import trial_modes
from analyzer.audit.figures.unread import unread
from analyzer.audit.figures.weekly import Weeks
from analyzer.audit.figures.worst import worst_first
from analyzer.audit.links import Links
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Overview
from analyzer.model.audit_report import AuditReport, WorstSession
from analyzer.model.words import Severity

MOST_FAILURE_THEMES = 100
MOST_GROUPS = 200
MOST_WORST = 50
_OVERVIEW = """SELECT count(*), count(DISTINCT path), count(DISTINCT task_key), min(started_at), max(started_at),
  count(started_at), coalesce(sum(findings > 0), 0) FROM sessions"""
_BAD = f"about IS NOT NULL OR worst IN ('{Severity.HIGH}', '{Severity.MEDIUM}')"
_WORST = f"""SELECT session, agent, model, family, outcome, coalesce(worst, '{Severity.INFO}'), headline, actions,
  loop_actions, actions_saved FROM sessions WHERE {_BAD} ORDER BY {worst_first()} LIMIT ?"""


def summarize(tables: Tables, root: str | None, left_out: int = 0) -> AuditReport:
    """The report on all sessions in the tables. `root` is the folder of the report, for the links in
    it; None for none. `left_out` is how many sessions a filter keeps out of the tables.

    The result depends on the rows only, not on their order. It reads all tables but `actions` and `failure_groups`.
    """
    links = Links(tables, root)
    figures = metrics(tables)
    weeks = Weeks(tables)
    common = themes(tables, links, weeks)
    families, families_found = failure_themes(tables, links, MOST_FAILURE_THEMES)
    advice = {(theme.kind, theme.type or ""): theme.advice for theme in families if theme.advice is not None}
    groups, found = across(tables, links, MOST_GROUPS, weeks, advice)
    overview, with_findings = _overview(tables)
    return AuditReport(
        headline=headline(overview.sessions, figures, common, groups),
        overview=overview,
        outcomes=outcomes(tables),
        metrics=figures,
        themes=common,
        trial_modes=trial_modes(tables, links, MOST_GROUPS),
        corrections=repeated_corrections(tables, links, MOST_GROUPS),
        failure_themes=families,
        failure_themes_found=families_found,
        groups=groups,
        groups_found=found,
        worst=_worst(tables, links),
        worst_found=tables.value(f"SELECT count(*) FROM sessions WHERE {_BAD}"),
        with_findings=with_findings,
        breakdowns=breakdowns(tables),
        spending=spending(tables),
        unread=unread(tables, root, left_out),
        most_failure_themes=MOST_FAILURE_THEMES,
        most_groups=MOST_GROUPS,
        most_worst=MOST_WORST,
    )


def _overview(tables: Tables) -> tuple[Overview, int]:
    """What there is, and how many of the sessions have findings."""
    sessions, files, tasks, first, last, dated, with_findings = next(tables.rows(_OVERVIEW))
    by = {
        name: counted(dict(tables.rows(f"SELECT {name}, count(*) FROM sessions GROUP BY 1")))
        for name in ("format", "agent", "model")
    }
    return Overview(
        sessions=sessions,
        files=files,
        tasks=tasks,
        formats=by["format"],
        agents=by["agent"],
        models=by["model"],
        first=first,
        last=last,
        dated=dated,
    ), with_findings


def _worst(tables: Tables, links: Links) -> list[WorstSession]:
    """The sessions that are worth reading: those whose post-mortem is about a finding, or that have one of weight.

    Ordered by severity, those that didn't succeed before those that did, then by what an early stop would have saved.
    """
    return [
        WorstSession(
            **links.ref(session).model_dump(),
            agent=agent,
            model=model,
            family=family,
            outcome=outcome,
            severity=severity,
            headline=text,
            actions=actions,
            loop_actions=loop_actions,
            saved=saved,
        )
        for session, agent, model, family, outcome, severity, text, actions, loop_actions, saved in tables.rows(
            _WORST, (MOST_WORST,)
        )
    ]
