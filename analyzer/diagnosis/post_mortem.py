"""Put the post-mortem of one session together."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.diagnosis.attempts import attempts_of
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.early_stop import early_stop_of
from analyzer.diagnosis.end import End
from analyzer.diagnosis.improvements import improvements_of, lessons_of
from analyzer.diagnosis.lead import lead_of
from analyzer.diagnosis.ledger import ledger_of
from analyzer.diagnosis.outcome import outcome_of
from analyzer.diagnosis.proposals import proposals_of, questions_of
from analyzer.diagnosis.reasons import contributing_to, reasons_of
from analyzer.diagnosis.repetition import repetition_of
from analyzer.diagnosis.root_cause import root_cause_of
from analyzer.diagnosis.rows import failure_rows, group_rows, timeline_rows
from analyzer.diagnosis.session_facts import session_summary
from analyzer.diagnosis.spending import spending_of
from analyzer.diagnosis.story import headline_of, story_of
from analyzer.model.diagnosis import Diagnosis
from analyzer.model.finding import Finding
from analyzer.model.postmortem import PostMortem, WarningRow
from analyzer.model.words import OutcomeStatus, Severity
from analyzer.pricing import Prices, standard_prices
from analyzer.timeline import Timeline


def post_mortem(timeline: Timeline, findings: Sequence[Finding], prices: Prices | None = None) -> PostMortem:
    """Everything that is said about one session. `prices` are those of tokens, by default the program's own table."""
    case = Case(timeline, findings)
    end = End(case)
    outcome = outcome_of(case, end)
    stop = early_stop_of(case)
    cause = root_cause_of(case)
    wrong_file, main = case.wrong_file, case.main
    positions = {id(finding): position for position, finding in enumerate(findings)}
    minor = main is not None and main.severity is Severity.LOW
    summary = session_summary(timeline)
    spending = spending_of(case, summary, prices or standard_prices())
    ledger = ledger_of(end, outcome)
    headline = headline_of(end, outcome, stop, ledger)
    contributing = contributing_to(case)
    over = main is not None and main.escaped and outcome.status is OutcomeStatus.SUCCEEDED
    proposals = [] if over else proposals_of(case)
    improvements = [] if minor else improvements_of(case, stop)
    rows = timeline_rows(case)
    facts = (summary, spending, rows)
    diagnosis = Diagnosis(
        headline=headline,
        lead=lead_of(end, facts, outcome, headline, cause, contributing, (proposals, improvements), ledger),
        root_cause=cause.whole,
        about=positions.get(id(main)),
        cause=positions.get(id(case.cause)),
        fault=cause.fault,
        provenance=case.provenance,
        edited_instead=wrong_file.edited_instead if wrong_file is not None else [],
        requirement=cause.requirement,
        story=story_of(case),
        contributing=contributing,
        reasons=[] if minor else reasons_of(case),
        attempts=attempts_of(case),
        step_back=questions_of(case),
        approaches=proposals,
        improvements=improvements,
        lessons=[] if minor else lessons_of(case, improvements),
    )
    return PostMortem(
        session=summary,
        outcome=outcome,
        ledger=ledger,
        timeline=rows,
        failures=failure_rows(timeline, case.provenances),
        failure_groups=group_rows(timeline, case.provenances),
        findings=list(findings),
        diagnosis=diagnosis,
        early_stop=stop,
        spending=spending,
        repetition=repetition_of(timeline, findings),
        warnings=[WarningRow(where=warning.where, what=warning.what) for warning in timeline.warnings],
    )
