"""The tables of an audit -> what they say together."""

from __future__ import annotations

from typing import Any

from analyzer.audit.figures.breakdown import breakdowns
from analyzer.audit.figures.corrections import repeated_corrections
from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.families import failure_themes
from analyzer.audit.figures.groups import across
from analyzer.audit.figures.headline import headline
from analyzer.audit.figures.metrics import metrics, outcomes
from analyzer.audit.figures.over_time import Weeks
from analyzer.audit.figures.parts import SESSIONS, Parts
from analyzer.audit.figures.spending import spending
from analyzer.audit.figures.themes import themes
from analyzer.audit.links import Links, file_link
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Overview
from analyzer.model.audit_report import AuditReport, ProblemLine, TrialMode, Unread, WorstSession
from analyzer.model.words import OutcomeStatus, Severity


def worst_first(unmarked: int = 0) -> str:
    """What SQL orders sessions by: severity, those that didn't succeed before those that did, then what an early stop
    would have saved and what loops took. A session without findings of any weight counts as one of rank `unmarked`."""
    ranks = " ".join(f"WHEN '{severity}' THEN {severity.rank}" for severity in Severity)
    return (
        f"CASE worst {ranks} ELSE {unmarked} END DESC, outcome = '{OutcomeStatus.SUCCEEDED}', "
        "coalesce(actions_saved, 0) DESC, loop_actions DESC, session"
    )


_MOST = 50
_WARNING = "warning"


_KINDS = "SELECT kind, count(DISTINCT path) FROM problems WHERE kind <> ? GROUP BY kind"
_FIRST = "SELECT path, kind, place, what FROM problems WHERE kind <> ? ORDER BY path, number LIMIT ?"
_FOREIGN = "SELECT path FROM files WHERE state = 'no transcript' ORDER BY path LIMIT ?"
_UNREAD = """SELECT * FROM
  (SELECT count(*) AS files, count(*) FILTER (WHERE state = 'no transcript') AS no_transcript, count(copy_of) AS copies
   FROM files),
  (SELECT count(*) AS warnings, count(DISTINCT path) AS warned FROM problems WHERE kind = ?),
  (SELECT count(*) AS empty FROM sessions WHERE actions = 0)"""


def unread(tables: Tables, root: str | None, left_out: int) -> Unread:
    """Problems by kind and the first of them, copies, files that are no transcripts, and how many sessions a filter
    left out."""
    kinds = counted(dict(tables.rows(_KINDS, (_WARNING,))))
    return Unread(
        **next(tables.records(_UNREAD, (_WARNING,))),
        problems={entry.value: entry.sessions for entry in kinds},
        first=[
            ProblemLine(**record, link=file_link(record["path"], root))
            for record in tables.records(_FIRST, (_WARNING, _MOST))
        ],
        left_out=left_out,
        no_transcript_paths=[path for (path,) in tables.rows(_FOREIGN, (_MOST,))],
    )


_MARKED = "SELECT count(*) FROM findings WHERE pattern IS NOT NULL"
_HELD = """SELECT pattern AS part, session, lane, first_step AS step, position AS number
FROM findings WHERE detector = ? AND pattern IS NOT NULL"""


def trial_modes(tables: Tables, links: Links, most: int) -> list[TrialMode]:
    """The modes of failure of the trials that were held against their tasks, the most frequent first.

    A trial counts with the first thing in which it differs, so that no trial is in two modes.
    """
    if not tables.value(_MARKED):
        return []
    from analyzer.detectors.engine.interface import Trait
    from analyzer.detectors.engine.registry import detector_with

    parts = Parts(tables, _HELD, (detector_with(Trait.HELD_AGAINST_TASK).name,))
    figures = parts.figures(f"{SESSIONS} AS trials, count(DISTINCT task_key) AS tasks")
    made = [
        TrialMode(mode=mode, **counts, example=parts.example(links, mode, "session", "number"))
        for mode, counts in figures.items()
    ]
    return sorted(made, key=lambda entry: (-entry.trials, -entry.tasks, entry.mode))[:most]


MOST_FAILURE_THEMES = 100
MOST_GROUPS = 200
MOST_WORST = 50
_OVERVIEW = """SELECT count(*) AS sessions, count(DISTINCT path) AS files, count(DISTINCT task_key) AS tasks,
  min(started_at) AS first, max(started_at) AS last, count(started_at) AS dated FROM sessions"""
_BAD = f"about IS NOT NULL OR worst IN ('{Severity.HIGH}', '{Severity.MEDIUM}')"
_WORST = f"""SELECT session, agent, model, family, outcome, coalesce(worst, '{Severity.INFO}') AS severity, headline,
  actions, loop_actions, actions_saved AS saved FROM sessions WHERE {_BAD} ORDER BY {worst_first()} LIMIT ?"""


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
    overview = _overview(tables)
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
        with_findings=tables.value("SELECT count(*) FROM sessions WHERE findings > 0"),
        breakdowns=breakdowns(tables),
        spending=spending(tables),
        unread=unread(tables, root, left_out),
        most_failure_themes=MOST_FAILURE_THEMES,
        most_groups=MOST_GROUPS,
        most_worst=MOST_WORST,
    )


def _overview(tables: Tables) -> Overview:
    by: dict[str, Any] = {
        f"{name}s": counted(dict(tables.rows(f"SELECT {name}, count(*) FROM sessions GROUP BY 1")))
        for name in ("format", "agent", "model")
    }
    return Overview(**next(tables.records(_OVERVIEW)), **by)


def _worst(tables: Tables, links: Links) -> list[WorstSession]:
    """The sessions that are worth reading: those whose post-mortem is about a finding, or that have one of weight.

    Ordered by severity, those that didn't succeed before those that did, then by what an early stop would have saved.
    """
    return [
        WorstSession(**{**links.ref(record["session"]).model_dump(), **record})
        for record in tables.records(_WORST, (MOST_WORST,))
    ]
