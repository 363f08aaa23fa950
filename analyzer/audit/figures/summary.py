"""The tables of an audit -> what they say together."""

from __future__ import annotations

from typing import Any

from analyzer.audit.figures.breakdown import Weeks, breakdowns, spending
from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.families import failure_themes
from analyzer.audit.figures.groups import across
from analyzer.audit.figures.metrics import RANKS, metrics, outcomes
from analyzer.audit.figures.parts import SESSIONS, Links, Parts, file_link
from analyzer.audit.figures.themes import repeated_corrections, themes
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Metrics, Overview, Share
from analyzer.model.audit_report import (
    AcrossGroup,
    AuditReport,
    FindingTheme,
    ProblemLine,
    TrialMode,
    Unread,
    WorstSession,
)
from analyzer.model.words import OutcomeStatus, Severity
from analyzer.report.figures import plural
from analyzer.text.english import number


def worst_first(unmarked: int = 0) -> str:
    """What SQL orders sessions by: severity, those that didn't succeed before those that did, then what an early stop
    would have saved and what loops took. A session without findings of any weight counts as one of rank `unmarked`."""
    return (
        f"CASE worst {RANKS} ELSE {unmarked} END DESC, outcome = '{OutcomeStatus.SUCCEEDED}', "
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
    """Problems by kind and the first of them, copies, files that are no transcripts, and the count of `left_out`."""
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
"""The sessions that are worth reading: those whose post-mortem is about a finding, or that have one of weight."""


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
    by: dict[str, Any] = {
        f"{name}s": counted(dict(tables.rows(f"SELECT {name}, count(*) FROM sessions GROUP BY 1")))
        for name in ("format", "agent", "model")
    }
    overview = Overview(**next(tables.records(_OVERVIEW)), **by)
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
        worst=[
            WorstSession(**{**links.ref(record["session"]).model_dump(), **record})
            for record in tables.records(_WORST, (MOST_WORST,))
        ],
        worst_found=tables.value(f"SELECT count(*) FROM sessions WHERE {_BAD}"),
        with_findings=tables.value("SELECT count(*) FROM sessions WHERE findings > 0"),
        breakdowns=breakdowns(tables),
        spending=spending(tables),
        unread=unread(tables, root, left_out),
        most_failure_themes=MOST_FAILURE_THEMES,
        most_groups=MOST_GROUPS,
        most_worst=MOST_WORST,
    )


def headline(sessions: int, figures: Metrics, common: list[FindingTheme], groups: list[AcrossGroup]) -> list[str]:
    """At most four sentences: success, loops, what is found most, and the failure that hit most sessions. Empty without
    sessions, of which there are so many."""
    if not sessions:
        return []
    sentences = []
    if figures.success.of:
        sentences.append(_success(figures.success_recorded, figures.success_judged))
    if figures.loop_rate.count:
        inside = next(entry for entry in figures.inside if entry.what == "actions")
        rate = "" if figures.loop_rate.of == 1 else f" ({_percent(figures.loop_rate.share)})"
        sentences.append(
            f"{_of(figures.loop_rate)} with actions ran into a loop{rate}; {_percent(inside.share)} of all actions "
            "were spent there."
        )
    elif figures.loop_rate.of == 1:
        sentences.append(f"{_ONLY} with actions ran into no loop.")
    elif figures.loop_rate.of:
        sentences.append(f"None of {plural(figures.loop_rate.of, 'session')} with actions ran into a loop.")
    others = (theme for theme in common if theme.category != "loop" and theme.severity != "low")
    other = next((theme for theme in others if theme.sessions.count > 1), None)
    if other is not None:
        sentences.append(
            f"Apart from loops, the most frequent finding is `{other.detector}/{other.kind}` "
            f"({number(other.sessions.count)} sessions)."
        )
    if groups and groups[0].sessions > 2:
        # No backtick of its own ends the code span.
        line = " ".join(groups[0].template.replace("`", "'").split())
        line = line if len(line) <= 120 else f"{line[:119]}…"
        sentences.append(f"The failure that hit most sessions ({number(groups[0].sessions)}): `{line}`.")
    return sentences


def _success(recorded: Share, judged: Share) -> str:
    """What the logs record, and apart from it what is judged by the sessions' course, of which no share is said."""
    if not recorded.of:
        seem = "seem" if judged.of > 1 else "seems" if judged.count else "doesn't seem"
        return f"{_of(judged)} with a known outcome {seem} to have succeeded; no recorded verdict says so."
    if recorded.of == 1:
        text = f"{_ONLY} whose end the log records {'succeeded' if recorded.count else 'did not succeed'}"
    else:
        text = f"{_of(recorded)} whose end the log records succeeded ({_percent(recorded.share)})"
    if judged.of == 1:
        text += f"; the one judged by what happened {'seems' if judged.count else 'does not seem'} to have"
    elif judged.of:
        text += f"; of {number(judged.of)} judged by what happened {number(judged.count)} seem to have"
    return f"{text}."


_ONLY = "The only session"


def _of(part: Share) -> str:
    """`3 of 9 sessions`, or the only one."""
    return _ONLY if part.of == 1 else f"{number(part.count)} of {plural(part.of, 'session')}"


def _percent(value: float | None) -> str:
    if value is None:
        return "an unknown share"
    return "less than 1%" if 0 < value < 0.01 else "more than 99%" if 0.99 < value < 1 else f"{100 * value:.0f}%"
