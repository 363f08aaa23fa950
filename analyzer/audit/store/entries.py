"""A post-mortem as rows of the audit's tables; of one whose beginning is another session's, what came after it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Any

from analyzer.audit.figures.tasks import family_of, project_of, task_key_of
from analyzer.audit.store.texts import session_key
from analyzer.failures import STANDARD, MaskTable
from analyzer.model.finding import Finding
from analyzer.model.postmortem import FailureRow, PostMortem, TimelineRow
from analyzer.model.session_summary import MessageCounts, SessionSummary
from analyzer.model.spending import Spending, WasteKind
from analyzer.model.tables import columns
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.redaction.rules import without_numbers
from analyzer.text.clip import clip

Row = tuple[Any, ...]
Rows = dict[str, list[Row]]
_LARGEST = 2**63 - 1
_LONGEST_TASK = 2_000


def rows_of(
    report: PostMortem, path: str, position: int, form: str, masks: MaskTable = STANDARD, origin: str | None = None
) -> Rows:
    """The rows of one session for every table but `files` and `problems`. `origin` is what it was forked from."""
    key = session_key(path, position)
    templates = {group.group: without_numbers(group.template) for group in report.failure_groups}
    prints = {failure.group: failure.fingerprint for failure in reversed(report.failures) if failure.group is not None}
    return {
        "sessions": [session_row(report, path, position, form, origin)],
        "actions": [_row("actions", row, session=key) for row in report.timeline],
        "failures": [_failure(key, row, templates.get(row.group or ""), masks) for row in report.failures],
        "failure_groups": [
            _row(
                "failure_groups",
                row,
                session=key,
                failure_group=row.group,
                template=templates[row.group],
                fingerprint=prints.get(row.group, ""),
            )
            for row in report.failure_groups
        ],
        "findings": [_finding(key, position, finding) for position, finding in enumerate(report.findings, 1)],
    }


def _failure(key: str, row: FailureRow, template: str | None, masks: MaskTable) -> Row:
    whole = f"{row.type}: {row.message}" if row.type else row.message
    return _row(
        "failures",
        row,
        session=key,
        failure_group=row.group,
        template=template or masks.mask(without_numbers(whole)),
        origin=row.origin.role,
        **{f"origin_{name}": getattr(row.origin, name) for name in ("confidence", "file", "line", "function")},
    )


def session_row(report: PostMortem, path: str, position: int, form: str, origin: str | None, copied: int = 0) -> Row:
    """The row of one session. Where its first actions were `copied` from another one it says what came after them."""
    report = own_part(report, copied)
    facts, stop, spending = report.session, report.early_stop, report.spending
    wasted, waste = (spending.wasted, spending.waste) if spending is not None else (None, [])
    notable = [finding for finding in report.findings if finding.severity is not Severity.INFO]
    loops = [finding for finding in notable if finding.category is Category.LOOP]
    about = report.findings[report.diagnosis.about] if report.diagnosis.about is not None else None
    inside = sum(finding.cost.actions for finding in loops)
    seconds = [finding.cost.seconds for finding in loops if finding.cost.seconds is not None]
    tokens = (facts.tokens.input or 0) + (facts.tokens.output or 0) or None
    share = min(1.0, inside / facts.actions) if facts.actions else 0.0
    given = {
        "session": session_key(path, position),
        "path": path,
        "position": position,
        "format": form,
        "task": clip(facts.task, _LONGEST_TASK) if facts.task else facts.task,
        "task_key": task_key_of(report, path),
        "family": family_of(report, path, form),
        **{f"{who}_messages": getattr(facts.messages, who) for who in ("user", "assistant")},
        "lanes": len(facts.lanes),
        **{f"tokens_{name}": getattr(facts.tokens, name) for name in ("input", "output", "cached")},
        "outcome": report.outcome.status,
        "outcome_confidence": report.outcome.confidence,
        "outcome_reason": report.outcome.reason,
        "headline": report.diagnosis.headline,
        "root_cause": report.diagnosis.root_cause,
        "findings": sum(finding.explained_by is None for finding in notable),
        "worst": max(notable, key=lambda finding: finding.severity.rank).severity if notable else None,
        "about": f"{about.detector}/{about.kind}" if about is not None else None,
        "failures": sum(not row.expected for row in report.failures),
        "loops": len(loops),
        "loop_actions": inside,
        "loop_seconds": round(sum(seconds), 3) if seconds else None,
        "loop_tokens": _or_share([finding.cost.tokens for finding in loops], tokens, share),
        "loop_usd": _or_share([finding.cost.usd for finding in loops], facts.cost_usd, share),
        "detectable_at": stop.detectable_at,
        "actions_saved": stop.actions_saved,
        "warnings": len(report.warnings),
        "project": project_of(facts.environment),
        "spent_usd": spending.usd if spending is not None else None,
        "spent_basis": spending.basis if spending is not None else None,
        "unpriced": spending.unpriced if spending is not None else [],
        "wasted_actions": wasted.actions if wasted is not None else 0,
        "wasted_usd": wasted.usd if wasted is not None else None,
        "wasted_on": {row.kind.value: row.actions for row in waste if row.kind is not WasteKind.OVERSIZED},
        "forked_from": origin,
        "copied_actions": copied,
    }
    return _row("sessions", facts, **given)


def _finding(key: str, position: int, finding: Finding) -> Row:
    rules = [line for line in str(getattr(finding.details, "rule", "")).splitlines() if line.strip()]
    return _row(
        "findings",
        finding,
        session=key,
        position=position,
        failure_group=finding.group,
        evidence=[{"step": entry.step, "quote": entry.quote, "label": entry.label} for entry in finding.evidence],
        mast=finding.taxonomy.mast,
        trail=finding.taxonomy.trail,
        rules=rules or None,
        **{f"cost_{name}": getattr(finding.cost, name) for name in ("actions", "seconds", "tokens", "usd")},
    )


def _row(table: str, source: object, **given: Any) -> Row:
    """A row of a table: the columns that are given, and of the others what `source` has under their names."""
    return tuple(_stored(given[name] if name in given else getattr(source, name)) for name in columns(table))


def _stored(value: Any) -> Any:
    """A value as the database keeps it: lists and tables as JSON texts."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value.value if isinstance(value, Enum) else value


def _or_share(values: Sequence[float | None], total: float | None, share: float) -> Any:
    """The sum where all are known, else the given share of the total; zero where there's nothing to sum up."""
    if not values:
        return 0 if total is not None else None
    known = [value for value in values if value is not None]
    if len(known) == len(values) or (known and total is None):
        whole = sum(known)
        return round(whole, 6) if isinstance(whole, float) else min(whole, _LARGEST)
    if total is None:
        return None
    return round(total * share, 6) if isinstance(total, float) else round(total * share)


def own_part(report: PostMortem, copied: int) -> PostMortem:
    """The post-mortem without the first steps of the main lane, so many as were copied. It's what was found with the
    whole session in view; outcome and diagnosis stay."""
    if not copied:
        return report

    def own(lane: str, step: int) -> bool:
        return lane != MAIN_LANE or step > copied

    timeline = [row for row in report.timeline if own(row.lane, row.step)]
    gone = [row for row in report.timeline if not own(row.lane, row.step)]
    findings = [finding for finding in report.findings if own(finding.lane, finding.detectable_at)]
    about = report.findings[report.diagnosis.about] if report.diagnosis.about is not None else None
    place = next((number for number, finding in enumerate(findings) if finding is about), None)
    stop = report.early_stop
    if stop.detectable_at is not None and stop.detectable_at <= copied:
        stop = stop.model_copy(update={"detectable_at": None, "actions_saved": None})
    return report.model_copy(
        update={
            "timeline": timeline,
            "findings": findings,
            "failures": [row for row in report.failures if own(row.lane, row.step)],
            "diagnosis": report.diagnosis.model_copy(update={"about": place}),
            "early_stop": stop,
            "session": _facts(report.session, gone, timeline),
            "spending": _spending(report.spending, copied, gone),
        }
    )


def _facts(facts: SessionSummary, gone: list[TimelineRow], timeline: list[TimelineRow]) -> SessionSummary:
    """The header's facts for the rest. How much was said in it isn't known, nor how many tokens where the log doesn't
    say what the copied steps used."""
    began = next((row.started_at for row in timeline if row.started_at is not None), facts.started_at)
    spent = [row.tokens for row in gone if row.tokens is not None]
    tokens = {
        name: _less(getattr(facts.tokens, name), [getattr(one, name) for one in spent])
        for name in ("input", "output", "cached")
    }
    return facts.model_copy(
        update={
            "actions": facts.actions - len(gone),
            "tokens": facts.tokens.model_copy(update=tokens),
            "cost_usd": _less(facts.cost_usd, [row.cost_usd for row in gone]),
            "messages": MessageCounts(user=None, assistant=None),
            "started_at": began,
            "duration_seconds": _seconds(began, facts.ended_at),
            "active_seconds": None,
        }
    )


def _less(whole: float | None, parts: Sequence[float | None]) -> float | None:
    """What is left of a sum; unknown where no part of it is known."""
    known = [part for part in parts if part is not None]
    return None if whole is None or not known else max(0, whole - sum(known))


def _spending(spending: Spending | None, copied: int, gone: list[TimelineRow]) -> Spending | None:
    """What is known of the rest's cost: what list prices give for the whole can't be divided."""
    if spending is None:
        return None
    waste = []
    for entry in spending.waste:
        steps = [step for step in entry.steps if step > copied]
        count = entry.actions - (len(entry.steps) - len(steps))
        if count > 0:
            waste.append(entry.model_copy(update={"steps": steps, "actions": count, "usd": None}))
    wasted = spending.wasted
    if wasted is not None:
        count = sum(entry.actions for entry in waste if entry.kind is not WasteKind.OVERSIZED)
        wasted = wasted.model_copy(update={"actions": count, "usd": None}) if count else None
    usd = _less(spending.usd, [row.cost_usd for row in gone]) if spending.basis == "recorded" else None
    basis = spending.basis if usd is not None else None
    return spending.model_copy(update={"usd": usd, "basis": basis, "unpriced": [], "waste": waste, "wasted": wasted})


def _seconds(began: str | None, ended: str | None) -> float | None:
    if began is None or ended is None:
        return None
    try:
        return max(0.0, (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds())
    except (TypeError, ValueError):
        return None
