"""Plain text, of what is no report: how files were read, runs, alarms, diffs and searches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from analyzer.cli.console.output import Target, entry, table, visible, without_escapes
from analyzer.cli.console.results import AlarmResult, BenchResult, CheckResult, DifferenceResult, SearchResult
from analyzer.model.words import MAIN_LANE
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.checkup import Checkup
    from analyzer.model.case_study import CaseStudy
    from analyzer.report.plain_lines import Line

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


def alarm(result: AlarmResult, _: Target) -> str:
    """What is detectable now, and the message to the agent unless that is to be brief."""
    finding = result.alarm.finding
    lane = "" if finding.lane == MAIN_LANE else f" of {finding.lane}"
    head = (
        f"step {finding.detectable_at}{lane}  {finding.severity.upper()}  {finding.detector}: {finding.title}  "
        f"[{result.session}]"
    )
    body = "" if result.brief else "".join(f"\n    {line}" for line in result.alarm.message.splitlines())
    return without_escapes(head.replace("\n", " ") + body) + "\n"


def difference(result: DifferenceResult, target: Target) -> str:
    """What sessions changed in their files."""
    from analyzer.report.plain_lines import diff_lines, stat_lines

    parts = []
    for session in result.report.sessions:
        lines = (stat_lines if result.stat else diff_lines)(session)
        parts.append("\n".join(_styled(line.text, line.role, target) for line in lines))
    return "\n\n".join(parts) + "\n"


def search(result: SearchResult, target: Target) -> str:
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


def bench(result: BenchResult, _: Target) -> str:
    """One line per run, then how often and how alike they failed."""
    study, recorded = result.study, result.recorded
    failing = {failure.run: failure.title for failure in study.cascade}
    rows = []
    for run, ended in zip(study.runs, recorded, strict=True):
        status = "timeout" if ended.timed_out else str(ended.exit_status)
        plan = f"{run.conformance.reached} of {len(run.conformance.rows)}" if run.conformance is not None else "-"
        passed = {True: "yes", False: "no", None: "unknown"}[run.succeeded]
        what = " ".join(failing.get(run.number, "").split()) + (" (no transcript)" if ended.by_command else "")
        rows.append((str(ended.number), status, f"{ended.seconds:.1f}", plan, passed, what.strip()))
    heads = ("run", "exit", "seconds", "plan", "passed", "first failure")
    return "\n".join([table(heads, rows), *_closing(study), ""])


def _closing(study: CaseStudy) -> list[str]:
    if study.pass_rate is not None:
        return [study.pass_rate, *([visible(study.stability)] if study.stability is not None else [])]
    (only,) = study.runs
    return [
        {True: "The run passed.", False: "The run failed.", None: "Whether the run passed is unknown."}[only.succeeded]
    ]


def check(result: CheckResult, _: Target) -> str:
    """How well each file was read."""
    return "".join(map(_checkup, result.checkups))


def _checkup(found: Checkup) -> str:
    """One file: what it is, what it holds, what it records, and what was not understood."""
    unpaired = {"call": (found.calls_without_result, "result"), "result": (found.results_without_call, "call")}
    alone = [f"{_count(count, noun)} without a {other}" for noun, (count, other) in unpaired.items() if count]
    lines = [", ".join(_contents(found))]
    if found.sessions:
        lines += [", ".join(alone)] if alone else []
        lines.append(_recorded(found))
    lines += [f"error: {found.problem}"] if found.problem is not None else []
    return entry(found.path, [*lines, *(f"{warning.where}: {warning.what}" for warning in found.warnings)])


def _contents(found: Checkup) -> Iterator[str]:
    yield found.format or "unknown format"
    yield _count(found.size_bytes, "byte")
    if found.sessions:
        if records := sum(found.records.values()):
            yield _count(records, "record")
        if found.records_damaged:
            yield f"{found.records_damaged} damaged"
        yield _count(found.sessions, "session")
        yield _count(found.actions, "action")
        if found.warnings:
            yield _count(len(found.warnings), "warning")


def _recorded(found: Checkup) -> str:
    """What the sessions record, and what none of them does."""
    facts = {"times": found.with_times, "tokens": found.with_tokens, "cost": found.with_cost}
    facts["status"] = found.with_status
    there = [
        name if count == found.sessions else f"{name} ({count} of {found.sessions})"
        for name, count in facts.items()
        if count
    ]
    missing = [name for name, count in facts.items() if not count]
    return f"recorded: {', '.join(there) or 'none'}; not recorded: {', '.join(missing) or 'none'}"


def _count(number: int, noun: str) -> str:
    return plural(number, noun, number="{:,}".format)
