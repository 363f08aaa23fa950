"""A post-mortem as rows of the audit's tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from analyzer.audit.figures.tasks import family_of, project_of, task_key_of
from analyzer.audit.store.keys import session_key
from analyzer.audit.store.own_part import own_part
from analyzer.failures import STANDARD, MaskTable
from analyzer.model.finding import Finding
from analyzer.model.postmortem import PostMortem
from analyzer.model.spending import WasteKind
from analyzer.model.tables import columns
from analyzer.model.words import Category, Severity
from analyzer.redaction.rules import without_numbers
from analyzer.text.clip import clip

Row = tuple[Any, ...]
Rows = dict[str, list[Row]]
_LARGEST = 2**63 - 1
_LONGEST_TASK = 2_000


def rows_of(
    report: PostMortem, path: str, position: int, form: str, masks: MaskTable = STANDARD, origin: str | None = None
) -> Rows:
    """The rows of one session for every table but `files` and `problems`. `origin` is the session of which its
    beginning is a copy."""
    key = session_key(path, position)
    templates = {group.group: without_numbers(group.template) for group in report.failure_groups}
    prints = {failure.group: failure.fingerprint for failure in reversed(report.failures) if failure.group is not None}
    return {
        "sessions": [session_row(report, path, position, form, origin)],
        "actions": [
            (
                key,
                row.lane,
                row.step,
                row.tool,
                row.kind.value,
                row.target,
                row.status.value,
                row.status_source.value,
                row.exit_code,
                row.failure_group,
                row.started_at,
                row.duration_seconds,
                row.summary,
            )
            for row in report.timeline
        ],
        "failures": [
            (
                key,
                row.lane,
                row.step,
                row.group,
                row.fingerprint,
                row.kind.value,
                row.type,
                row.message,
                templates.get(row.group or "")
                or masks.mask(without_numbers(f"{row.type}: {row.message}" if row.type else row.message)),
                row.runner,
                row.language,
                _json(row.failing_tests),
                row.expected,
                row.origin.role.value,
                row.origin.confidence,
                row.origin.file,
                row.origin.line,
                row.origin.function,
            )
            for row in report.failures
        ],
        "failure_groups": [
            (
                key,
                row.group,
                row.lane,
                row.match,
                row.count,
                _json(row.steps),
                row.type,
                templates[row.group],
                prints.get(row.group, ""),
            )
            for row in report.failure_groups
        ],
        "findings": [_finding(key, position, finding) for position, finding in enumerate(report.findings, 1)],
    }


def session_row(
    report: PostMortem, path: str, position: int, form: str, origin: str | None = None, copied: int = 0
) -> Row:
    """The row of one session. Of a session whose first actions were `copied` from another one it says only what came
    after them."""
    facts = _session(own_part(report, copied), session_key(path, position), path, position, form)
    return _ordered("sessions", {**facts, "forked_from": origin, "copied_actions": copied})


def _session(report: PostMortem, key: str, path: str, position: int, form: str) -> dict[str, Any]:
    facts, stop = report.session, report.early_stop
    notable = [finding for finding in report.findings if finding.severity is not Severity.INFO]
    loops = [finding for finding in notable if finding.category is Category.LOOP]
    about = report.findings[report.diagnosis.about] if report.diagnosis.about is not None else None
    inside = sum(finding.cost.actions for finding in loops)
    tokens = (facts.tokens.input or 0) + (facts.tokens.output or 0) or None
    share = min(1.0, inside / facts.actions) if facts.actions else 0.0
    return {
        "session": key,
        "path": path,
        "position": position,
        "id": facts.id,
        "format": form,
        "agent": facts.agent,
        "agent_version": facts.agent_version,
        "model": facts.model,
        "title": facts.title,
        "task": clip(facts.task, _LONGEST_TASK) if facts.task else facts.task,
        "task_key": task_key_of(report, path),
        "family": family_of(report, path, form),
        "started_at": facts.started_at,
        "duration_seconds": facts.duration_seconds,
        "user_messages": facts.messages.user,
        "assistant_messages": facts.messages.assistant,
        "actions": facts.actions,
        "lanes": len(facts.lanes),
        "tokens_input": facts.tokens.input,
        "tokens_output": facts.tokens.output,
        "tokens_cached": facts.tokens.cached,
        "cost_usd": facts.cost_usd,
        "recorded_status": facts.recorded_status,
        "outcome": report.outcome.status.value,
        "outcome_confidence": report.outcome.confidence,
        "outcome_reason": report.outcome.reason,
        "headline": report.diagnosis.headline,
        "root_cause": report.diagnosis.root_cause,
        "findings": sum(finding.explained_by is None for finding in notable),
        "worst": max(notable, key=lambda finding: finding.severity.rank).severity.value if notable else None,
        "about": f"{about.detector}/{about.kind}" if about is not None else None,
        "failures": sum(not row.expected for row in report.failures),
        "loops": len(loops),
        "loop_actions": inside,
        "loop_seconds": _sum(finding.cost.seconds for finding in loops),
        "loop_tokens": _or_share([finding.cost.tokens for finding in loops], tokens, share),
        "loop_usd": _or_share([finding.cost.usd for finding in loops], facts.cost_usd, share),
        "detectable_at": stop.detectable_at,
        "actions_saved": stop.actions_saved,
        "warnings": len(report.warnings),
        "project": project_of(report),
        "active_seconds": facts.active_seconds,
        **_spending(report),
    }


def _spending(report: PostMortem) -> dict[str, Any]:
    spending = report.spending
    wasted = spending.wasted if spending is not None else None
    reasons = (
        {row.kind.value: row.actions for row in spending.waste if row.kind is not WasteKind.OVERSIZED}
        if spending is not None
        else {}
    )
    return {
        "spent_usd": spending.usd if spending is not None else None,
        "spent_basis": spending.basis if spending is not None else None,
        "unpriced": _json(spending.unpriced if spending is not None else []),
        "wasted_actions": wasted.actions if wasted is not None else 0,
        "wasted_usd": wasted.usd if wasted is not None else None,
        "wasted_on": _json(reasons),
    }


def _finding(key: str, position: int, finding: Finding) -> Row:
    cost = finding.cost
    rules = [line for line in str(getattr(finding.details, "rule", "")).splitlines() if line.strip()]
    return (
        key,
        position,
        finding.detector,
        finding.category.value,
        finding.kind,
        finding.severity.value,
        finding.confidence,
        finding.title,
        finding.lane,
        finding.first_step,
        finding.last_step,
        _json(finding.steps),
        finding.detectable_at,
        finding.rounds,
        finding.period,
        finding.escaped,
        finding.group,
        cost.actions,
        cost.seconds,
        cost.tokens,
        cost.usd,
        _json([{"step": entry.step, "quote": entry.quote, "label": entry.label} for entry in finding.evidence]),
        _json(finding.advice),
        _json(finding.taxonomy.mast),
        _json(finding.taxonomy.trail),
        finding.pattern,
        _json(rules) if rules else None,
    )


def _ordered(table: str, values: dict[str, Any]) -> Row:
    return tuple(values[name] for name in columns(table))


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known), 3) if known else None


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


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
