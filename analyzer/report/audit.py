"""The audit's report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.model.audit_figures import Distribution, Metrics, Share
from analyzer.model.audit_report import AcrossGroup, AuditReport, Breakdown, FailureTheme, FindingTheme
from analyzer.report import figures
from analyzer.report.audit_spending import sentences_of, tables_of
from analyzer.report.environment import written
from analyzer.text.english import listed, number, one_or_many

SHOWN_THEMES = 15
SHOWN_CHANGES = 7
SHOWN_FAMILIES = 8
SHOWN_GROUPS = 15
SHOWN_WORST = 20
SHOWN_ROWS = 12
SHOWN_AGENTS_BY_VERSION = 3
SHOWN_PROBLEMS = 10
_FEWEST_OF_VERSION = 3
"""Sessions that at least two versions of an agent must have for a table of them to be worth its place."""

_FAILURES = {
    "command-not-found": "Missing programs",
    "missing-dependency": "Missing modules and packages",
    "not-found": "Files and other things that don't exist",
    "edit-refused": "Refused edits",
    "invalid-call": "Malformed calls of tools",
    "usage-error": "Commands that their program or the shell refused",
    "permission": "Missing permissions",
    "timeout": "Time limits",
    "network": "Network and service errors",
    "test-failure": "Failing tests and checks",
    "compile-error": "Code that doesn't compile",
    "lint-error": "Linter diagnostics",
    "exception": "Exceptions",
    "crash": "Crashes",
    "harness-limit": "Limits of the harness",
    "denied": "Calls that the user refused",
    "cascade": "Calls cancelled because another one failed",
    "other": "Other errors",
}
_MAST = {
    "FM-1.1": "disobeys the task's specification",
    "FM-1.2": "disobeys its role",
    "FM-1.3": "repeats steps",
    "FM-1.4": "loses the conversation's history",
    "FM-1.5": "doesn't know when to stop",
    "FM-2.1": "resets the conversation",
    "FM-2.2": "doesn't ask for clarification",
    "FM-2.3": "leaves the task",
    "FM-2.4": "withholds information",
    "FM-2.5": "ignores input from other agents",
    "FM-2.6": "does other than it reasons",
    "FM-3.1": "ends too early",
    "FM-3.2": "verifies nothing, or not enough",
    "FM-3.3": "verifies wrongly",
}
"""The failure modes of MAST (Cemri et al. 2025) in short."""
_UNITS = {"actions": "actions", "seconds": "time", "tokens": "tokens", "usd": "money"}
PROBLEMS = {
    "unreadable": "unreadable",
    "crash": "the worker died",
    "timeout": "took too long",
    "error": "an error of this program",
}
Change = dict[str, Any]
"""One thing to change and the themes that ask for it, with the sums of what these count."""
_SUMS = {
    **{name: name for name in ("advised", "worded", "findings", "lost")},
    "seconds": "lost_seconds",
    "usd": "lost_usd",
}
_PROPERTIES = {"agent": "agent", "model": "model", "family": "task family", "format": "transcript format"}


def render(report: AuditReport) -> str:
    """The report as Markdown, ending in a newline.

    Long tables are cut with a note that says where the rest is. A section with nothing to say isn't written.
    """
    changes = changes_of(report.themes)
    themes, families = report.themes[:SHOWN_THEMES], report.failure_themes[:SHOWN_FAMILIES]
    modes = sorted({mode for theme in themes for mode in theme.mast})
    return written(
        "audit/report",
        report=report,
        figures=list(_figures(report.metrics)),
        units=_UNITS,
        spent=sentences_of(report.spending),
        spending=list(tables_of(report.spending)),
        changes=changes,
        dearest=dearest_line(changes),
        themes=themes,
        mast={mode: _MAST[mode] for mode in modes if mode in _MAST},
        families=_families(families, {change["advice"] for change in changes}),
        more_families=report.failure_themes_found - len(families),
        groups=report.groups[:SHOWN_GROUPS],
        hit=_hit,
        worst=report.worst[:SHOWN_WORST],
        breakdowns=[_table(entry) for entry in worth_showing(report.breakdowns)],
        problem_kinds=PROBLEMS,
        problems=report.unread.first[:SHOWN_PROBLEMS],
    )


def _figures(m: Metrics) -> Iterator[tuple[str, str]]:
    """The rows of the table of figures: what, and its value with what it rests on."""
    if m.success.of:
        yield _success(m)
    if m.loop_rate.of:
        escaped = f"; {figures.plural(m.loops, 'loop')}, {number(m.escaped)} of them escaped" if m.loops else ""
        yield "Loop detection rate", f"{_share(m.loop_rate, 'with actions')}{escaped}"
    if m.actions.sessions:
        total = f"{figures.amount(m.actions.total)} in all"
        value = f"{_spread(m.actions)}, {total} ({figures.plural(m.actions.sessions, 'session')} with actions)"
        if 1 < m.actions_succeeded.sessions < m.actions.sessions:
            value += f"; of those that succeeded: median {figures.amount(m.actions_succeeded.median)}"
        yield "Actions per task", value
    for name, part, what, which, object_ in (
        ("Time to completion", m.seconds_succeeded, "seconds", "that succeeded and", "times"),
        ("Duration of a session", m.seconds, "seconds", "that", "times"),
        ("Tokens per session", m.tokens, "", "that", "them"),
        ("Cost per session", m.usd, "usd", "that", "it"),
    ):
        if part.sessions:
            record = one_or_many(part.sessions, "records", "record")
            recording = f"{figures.plural(part.sessions, 'session')} {which} {record} {object_}"
            total = "" if what == "seconds" else f", {figures.amount(part.total, what)} in all"
            yield name, f"{_spread(part, what)}{total} ({recording})"
    if m.saved:
        saved = f"{figures.plural(m.saved, 'action')} in {figures.plural(m.detectable, 'session')}"
        yield (
            "An early stop would have saved",
            f"{saved}: what came inside the worst finding after it was detectable",
        )


def _share(part: Share, of: str) -> str:
    """`54%: 31 of 57 sessions with actions (95% interval 41-66%)`."""
    counted = f"{number(part.count)} of {figures.plural(part.of, 'session')}"
    return f"{figures.percent(part.share)}: {counted} {of} (95% interval {figures.interval(part)})"


def _success(m: Metrics) -> tuple[str, str]:
    """The share of those whose end the logs record; of the others only how many."""
    judged = f"{number(m.success_judged.count)} of {figures.plural(m.success_judged.of, 'session')}"
    if not m.success_recorded.of:
        return "Seem to have succeeded", f"{judged}, judged by what happened; no verdict is recorded"
    others = f"; of the others {judged} seem to have, judged by what happened" if m.success_judged.of else ""
    return "Success rate", f"{_share(m.success_recorded, 'whose end the log records')}{others}"


def _spread(part: Distribution, what: str = "") -> str:
    """`median 4, mean 9.8, 90% at most 21, most 120`."""
    if part.sessions == 1:
        return figures.amount(part.median, what)
    names = ("median", "mean", "90% at most", "longest" if what == "seconds" else "most")
    values = (part.median, part.mean, part.p90, part.maximum)
    return ", ".join(f"{name} {figures.amount(value, what)}" for name, value in zip(names, values, strict=True))


def changes_of(themes: list[FindingTheme]) -> list[Change]:
    """What to change, most important first; themes that ask for the same are grouped."""
    found: dict[str, list[FindingTheme]] = {}
    for theme in themes:
        if theme.advice is not None:
            found.setdefault(theme.advice, []).append(theme)
    return [
        {
            "name": ", ".join(
                f"{theme_name(theme)} ({figures.plural(theme.sessions.count, 'session')})" for theme in same
            ),
            "themes": same,
            "advice": advice,
            **{name: sum(getattr(theme, field) or 0 for theme in same) for name, field in _SUMS.items()},
        }
        for advice, same in list(found.items())[:SHOWN_CHANGES]
    ]


def first_changes(changes: list[Change], most: int = 3) -> list[Change]:
    """The changes that matter most, and behind them those that would have saved most time and money, if others."""
    shown = changes[:most]
    for best in (_dearest(changes, "seconds"), _dearest(changes, "usd")):
        if best is not None and best not in shown:
            shown = [*shown, best]
    return shown


def dearest_line(changes: list[Change]) -> str:
    """Into which repetitions most time went after they were detectable, and into which most money, as far as logs and
    prices show it."""
    parts: list[tuple[str, Change]] = []
    for what, field, words in (("seconds", "timed", "most time ("), ("usd", "priced", "most money (about ")):
        if (best := _dearest(changes, what)) is not None:
            known, of = sum(getattr(theme, field) for theme in best["themes"]), best["findings"]
            some = "" if known == of else f" in the {known} of {of} findings for which it's known"
            parts.append((f"{words}{figures.amount(best[what], what)}{some})", best))
    if not parts:
        return ""
    if len(parts) == 2 and parts[0][1] is parts[1][1]:
        parts = [(f"{parts[0][0]} and {parts[1][0]}", parts[0][1])]
    names = [listed([theme_name(theme) for theme in change["themes"]]) for _, change in parts]
    text = ", and ".join(f"{words} went into {name}" for (words, _), name in zip(parts, names, strict=True))
    return f"Of what was repeated after it was detectable, {text}."


def _dearest(changes: list[Change], what: str) -> Change | None:
    best = max(changes, key=lambda change: change[what], default=None)
    return best if best is not None and best[what] > 0 else None


def theme_name(theme: FindingTheme) -> str:
    """`loop: repeated call`, `gave up: said so`, `identical error`."""
    detector, kind = figures.phrase(theme.detector), figures.phrase(theme.kind)
    return kind if detector == kind else f"{'loop' if theme.category == 'loop' else detector}: {kind}"


def _families(themes: list[FailureTheme], advised: set[str]) -> list[dict[str, object]]:
    """Families of failures: the name, what is missing where that's known, and advice that isn't on the page already."""
    shown: list[dict[str, object]] = []
    for theme in themes:
        shown.append(
            {
                "name": _FAILURES.get(theme.kind, figures.phrase(theme.kind)),
                "theme": theme,
                "missing": figures.names(theme.names, 5, theme.more) if theme.names else "",
                "advice": theme.advice if theme.advice not in advised else None,
            }
        )
        advised = advised | {theme.advice or ""}
    return shown


def _hit(group: AcrossGroup) -> str:
    """Whom a failure hit: agents and models, else formats."""
    agents = figures.names(group.agents, 2) or figures.names(group.formats, 2)
    models = figures.names(group.models, 2)
    return f"{agents}; {models}" if models else agents


def worth_showing(breakdowns: list[Breakdown]) -> list[Breakdown]:
    """Every way to part the sessions once, and the versions of the agents with most sessions of which there's something
    to compare."""
    shown: list[Breakdown] = []
    versions: list[Breakdown] = []
    known: list[object] = []
    for entry in breakdowns:
        parts = [(row.sessions, row.success, row.actions, row.loop_rate) for row in entry.rows]
        if entry.by == "version":
            versions += [entry] if sum(row.sessions >= _FEWEST_OF_VERSION for row in entry.rows) > 1 else []
        elif parts not in known:
            shown.append(entry)
            known.append(parts)
    versions.sort(key=lambda entry: (-sum(row.sessions for row in entry.rows), entry.of or ""))
    return shown + versions[:SHOWN_AGENTS_BY_VERSION]


def _table(entry: Breakdown) -> dict[str, object]:
    """A breakdown with the columns in which there's anything, and its rows cut: of versions the latest, else the
    largest groups, single sessions only where there's hardly anything else."""
    over_time = entry.by == "version"
    known = [row for row in entry.rows if row.value is not None]
    several = [row for row in known if row.sessions > 1]
    shown = known[-SHOWN_ROWS:] if over_time else (several if len(several) > 2 else known)[:SHOWN_ROWS]
    shown += [row for row in entry.rows if row.value is None]
    return {
        "entry": entry,
        "has_unknown": any(row.value is None for row in shown),
        "title": _PROPERTIES.get(entry.by),
        "rows": shown,
        "more": entry.values - sum(row.value is not None for row in shown),
        "few": any(row.few for row in shown),
        "seen": over_time and any(row.first for row in shown),
        "seconds": any(row.seconds is not None for row in shown),
        "tokens": any(row.tokens is not None for row in shown),
        "loop_share": any(row.loop_share for row in shown),
        "finding": any(row.finding for row in shown),
    }
