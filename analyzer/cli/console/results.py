"""What the commands hand to a writer, one class per kind of result; and plain text, of what is no report: how files
were read, runs, alarms, diffs and searches.

The classes hold finished models and nothing else; a help page needs them, so no model is imported with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.console.output import Target, entry, table, visible, without_escapes
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.store.store import Store
    from analyzer.checkup import Checkup
    from analyzer.guard import Alarm
    from analyzer.model.audit_report import AuditReport
    from analyzer.model.backtest import Backtest
    from analyzer.model.case_study import CaseStudy, CaseStudyIndex
    from analyzer.model.comparison import Comparison
    from analyzer.model.costs import Costs
    from analyzer.model.difference import DifferenceReport
    from analyzer.model.postmortem import Report
    from analyzer.model.search import Search
    from analyzer.model.step_texts import Recording
    from analyzer.report.action_table import Table
    from analyzer.report.plain_lines import Line


class Asked(Struct, frozen=True):
    """Which detectors were asked, and the severity from which on a finding is a failure."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None


class PostMortemResult(Struct, frozen=True):
    """The sessions of one transcript; `recordings` has the texts of their steps where the format shows them."""

    report: Report
    recordings: Sequence[Recording] = ()
    asked: Asked = Asked()


class AuditResult(Struct, frozen=True):
    """All sessions of an audit."""

    report: AuditReport
    store: Store
    asked: Asked = Asked()


class TimelineResult(Struct, frozen=True):
    """The actions of each session; `full` says whether the texts of the steps are shown."""

    tables: Sequence[Table]
    full: bool = False


class ComparisonResult(Struct, frozen=True):
    """Two sets of sessions, compared."""

    comparison: Comparison


class BacktestResult(Struct, frozen=True):
    """Policies, replayed over past runs."""

    backtest: Backtest


class CaseStudyResult(Struct, frozen=True):
    """One case study; `templates` and `template` are the user's own."""

    study: CaseStudy
    templates: Path | None = None
    template: Path | None = None


class CaseStudyIndexResult(Struct, frozen=True):
    """The list of several case studies."""

    index: CaseStudyIndex
    templates: Path | None = None


class DifferenceResult(Struct, frozen=True):
    """What sessions changed in their files; `stat` leaves all but the counts out."""

    report: DifferenceReport
    stat: bool = False


class CheckResult(Struct, frozen=True):
    """How well files were read."""

    checkups: Sequence[Checkup]


class AlarmResult(Struct, frozen=True):
    """One alarm of a session that is followed; `brief` leaves out the message to the agent."""

    session: str
    alarm: Alarm
    brief: bool = False


class SearchResult(Struct, frozen=True):
    """What was found in the sessions of the audit in `folder`."""

    search: Search
    folder: str


class CostsResult(Struct, frozen=True):
    """What sessions cost."""

    costs: Costs


_STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "note": {"dim": True},
    "file": {"bold": True},
    "hunk": {"fg": "cyan"},
    "added": {"fg": "green"},
    "removed": {"fg": "red"},
    "place": {"fg": "cyan"},
    "hit": {"fg": "red", "bold": True},
}


def alarm_text(result: AlarmResult, _: Target) -> str:
    """What is detectable now, and the message to the agent unless that is to be brief."""
    finding = result.alarm.finding
    lane = "" if finding.lane == MAIN_LANE else f" of {finding.lane}"
    head = (
        f"step {finding.detectable_at}{lane}  {finding.severity.upper()}  {finding.detector}: {finding.title}  "
        f"[{result.session}]"
    )
    body = "" if result.brief else "".join(f"\n    {line}" for line in result.alarm.message.splitlines())
    return without_escapes(head.replace("\n", " ") + body) + "\n"


def difference_text(result: DifferenceResult, target: Target) -> str:
    """What sessions changed in their files."""
    from analyzer.report.plain_lines import diff_lines, stat_lines

    lines = map(stat_lines if result.stat else diff_lines, result.report.sessions)
    return "\n\n".join("\n".join(_styled(line.text, line.role, target) for line in part) for part in lines) + "\n"


def search_text(result: SearchResult, target: Target) -> str:
    """What was found, with the place of each hit."""
    from analyzer.report.plain_lines import search_lines

    return "".join(f"{_marked(line, target)}\n" for line in search_lines(result.search, result.folder))


def _marked(line: Line, target: Target) -> str:
    """A line in its colour, with what was searched for in another one."""
    if not line.marks:
        return _styled(line.text, line.role, target)
    made, position = [], 0
    for begin, end in line.marks:
        made += [_styled(line.text[position:begin], "", target), _styled(line.text[begin:end], "hit", target)]
        position = end
    return "".join((*made, _styled(line.text[position:], "", target)))


def _styled(text: str, role: str, target: Target) -> str:
    plain = without_escapes(text).replace("\n", " ")
    return click.style(plain, **_STYLES[role]) if target.colored and role in _STYLES else plain


def costs_text(result: CostsResult, _: Target) -> str:
    """A table of costs, and what of it isn't known."""
    from analyzer.report.audit_spending import costs_rows, remarks_of

    columns = list(zip(*costs_rows(result.costs), strict=True))
    for at, cells in enumerate(columns[len(result.costs.by) :], len(result.costs.by)):
        columns[at] = tuple(cell.rjust(max(map(len, cells))) for cell in cells)
    heads, *rows = zip(*columns, strict=True)
    return "\n".join((table(heads, rows), *map(visible, remarks_of(result.costs)), ""))


def check_text(result: CheckResult, _: Target) -> str:
    """How well each file was read."""
    return "".join(map(_checkup, result.checkups))


def _checkup(found: Checkup) -> str:
    """One file: what it is, what it holds, what it records, and what was not understood."""
    unpaired = {"call": (found.calls_without_result, "result"), "result": (found.results_without_call, "call")}
    alone = [f"{_count(count, noun)} without a {other}" for noun, (count, other) in unpaired.items() if count]
    holds, lines = [found.format or "unknown format", _count(found.size_bytes, "byte")], []
    if found.sessions:
        records = sum(found.records.values())
        holds += [_count(records, "record")] if records else []
        holds += [f"{found.records_damaged} damaged"] if found.records_damaged else []
        holds += [_count(found.sessions, "session"), _count(found.actions, "action")]
        holds += [_count(len(found.warnings), "warning")] if found.warnings else []
        lines += [", ".join(alone)] if alone else []
        lines.append(_recorded(found))
    if found.text_kinds_unread:
        share = 100 * (found.text_kinds - found.text_kinds_unread) // found.text_kinds
        lines.append(f"understood: {share} % of {found.text_kinds} kinds of texts")
    lines += [f"error: {found.problem}"] if found.problem is not None else []
    remarks = [f"{warning.where}: {warning.what}" for warning in found.warnings]
    return entry(found.path, [", ".join(holds), *lines, *remarks])


def _recorded(found: Checkup) -> str:
    """What the sessions record, and what none of them does."""
    facts = {name: getattr(found, f"with_{name}") for name in ("times", "tokens", "cost", "status")}
    there = [
        name if count == found.sessions else f"{name} ({count} of {found.sessions})"
        for name, count in facts.items()
        if count
    ]
    missing = [name for name, count in facts.items() if not count]
    return f"recorded: {', '.join(there) or 'none'}; not recorded: {', '.join(missing) or 'none'}"


def _count(number: int, noun: str) -> str:
    return plural(number, noun, number="{:,}".format)
