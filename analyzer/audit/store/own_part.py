"""What a session did after a beginning that was copied from another one."""

from __future__ import annotations

from datetime import datetime

from analyzer.model.postmortem import PostMortem, TimelineRow
from analyzer.model.session_summary import MessageCounts, SessionSummary, TokenCounts
from analyzer.model.spending import Spending, WasteKind
from analyzer.model.words import MAIN_LANE


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
    """The header's facts for the rest. How much was said in it isn't known."""
    began = next((row.started_at for row in timeline if row.started_at is not None), facts.started_at)
    return facts.model_copy(
        update={
            "actions": facts.actions - len(gone),
            "tokens": _rest(facts.tokens, [row.tokens for row in gone if row.tokens is not None]),
            "cost_usd": _less(facts.cost_usd, [row.cost_usd for row in gone if row.cost_usd is not None]),
            "messages": MessageCounts(user=None, assistant=None),
            "started_at": began,
            "duration_seconds": _seconds(began, facts.ended_at),
            "active_seconds": None,
        }
    )


def _rest(tokens: TokenCounts, spent: list[TokenCounts]) -> TokenCounts:
    """What is left of the tokens, which is unknown where the log doesn't say what the copied steps used."""
    counts = {}
    for name in ("input", "output", "cached"):
        left = _less(getattr(tokens, name), [count for one in spent if (count := getattr(one, name)) is not None])
        counts[name] = None if left is None else round(left)
    return tokens.model_copy(update=counts)


def _less(whole: float | None, parts: list[float] | list[int]) -> float | None:
    return None if whole is None or not parts else max(0, whole - sum(parts))


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
    costs = [row.cost_usd for row in gone if row.cost_usd is not None]
    usd = _less(spending.usd, costs) if spending.basis == "recorded" else None
    basis = spending.basis if usd is not None else None
    return spending.model_copy(update={"usd": usd, "basis": basis, "unpriced": [], "waste": waste, "wasted": wasted})


def _seconds(began: str | None, ended: str | None) -> float | None:
    if began is None or ended is None:
        return None
    try:
        return max(0.0, (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds())
    except (TypeError, ValueError):
        return None
