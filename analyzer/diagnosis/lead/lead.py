"""The lead: the statements that say the whole session in a few lines, in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.end import End
from analyzer.diagnosis.lead.cost import cost_of
from analyzer.diagnosis.lead.delivered import delivered
from analyzer.diagnosis.lead.known import failed_calls, interrupted, known, looked_at, values_of_answer
from analyzer.diagnosis.lead.untouched import asked
from analyzer.diagnosis.outcome_rules.checked import covered
from analyzer.model.diagnosis import Approach, Improvement, Part, Statement
from analyzer.model.finding import Finding
from analyzer.model.postmortem import Outcome
from analyzer.model.session_summary import SessionSummary
from analyzer.model.spending import Spending
from analyzer.model.words import MAIN_LANE
from analyzer.text.expressions import compiled

MOST_WORDS = 340
"""Words of the lead with the headline, more or less; what goes beyond them is left to the sections."""
_WORD = compiled(r"\S+")
_STEP = compiled(r"\bsteps? \d", re.IGNORECASE)
_STEPS = compiled(r" \(steps? [^()]*\)")
_DROPPED_FIRST: tuple[Part, ...] = ("next", "wrong", "asked", "delivered", "known")
"""The parts of which all statements but the first go, in this order, until the lead is short enough."""


def lead_of(
    end: End,
    facts: tuple[SessionSummary, Spending | None],
    outcome: Outcome,
    headline: str,
    cause: str | None,
    contributing: Sequence[str],
    advice: tuple[Sequence[Approach], Sequence[Improvement]],
) -> list[Statement]:
    """What was asked, delivered and shown, what went wrong, what it cost, and what to do next."""
    case = end.case
    summary, spending = facts
    said = [*asked(case), *delivered(end, outcome), *known(end, outcome, headline)]
    said.extend((*covered(end, outcome), *values_of_answer(end, outcome), *failed_calls(end), *interrupted(end)))
    if case.main is None:
        said.extend(looked_at(end))
    said.extend(
        entry for entry in _wrong(case, cause, contributing) if _STEPS.sub("", entry.text).rstrip(". ") not in headline
    )
    cost = cost_of(case, summary, spending)
    if cost is not None:
        said.append(cost)
    said.extend(_next(case, *advice))
    return _fitting(said, len(_WORD.findall(headline)))


def _wrong(case: Case, cause: str | None, contributing: Sequence[str]) -> Iterator[Statement]:
    main = case.main
    about = case.cause or main
    if cause:
        yield Statement(part="wrong", text=cause, steps=_steps(about), lane=about.lane if about else MAIN_LANE)
    others = [finding for finding in case.findings if finding not in (main, case.cause)]
    for sentence in contributing[:3]:
        finding = next((entry for entry in others if entry.title.rstrip(".") in sentence), None)
        yield Statement(part="wrong", text=sentence, steps=_steps(finding), lane=finding.lane if finding else MAIN_LANE)


def _steps(finding: Finding | None) -> list[int]:
    return finding.steps[:20] if finding is not None else []


def _next(case: Case, proposals: Sequence[Approach], improvements: Sequence[Improvement]) -> Iterator[Statement]:
    last, lane = (case.main.last_step, case.main.lane) if case.main is not None else (0, MAIN_LANE)
    for proposal in proposals[:2]:
        yield Statement(part="next", text=f"{proposal.title}: {proposal.text}", steps=[max(1, last)], lane=lane)
    for item in improvements[:1]:
        text = f"{item.title}. {item.impact}" if item.saves is not None else f"{item.title}."
        yield Statement(part="next", text=_placed(text, last), steps=[max(1, last)], lane=lane)


def _placed(text: str, step: int) -> str:
    """What to do next, with the step that it comes from where it names none."""
    if step < 1 or _STEP.search(text) is not None:
        return text
    return f"{text.rstrip('.')} (step {step})."


def _fitting(said: list[Statement], words: int) -> list[Statement]:
    """The statements without the least weighty ones, as far as they would be too many words."""
    kept = list(said)
    for part in _DROPPED_FIRST:
        while words + sum(len(_WORD.findall(statement.text)) for statement in kept) > MOST_WORDS:
            own = [statement for statement in kept if statement.part == part]
            if len(own) < 2:
                break
            kept.remove(own[-1])
    return kept
