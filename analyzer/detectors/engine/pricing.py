"""What a finding cost in tokens and money, from what the log records of its steps."""

from __future__ import annotations

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.rule_state import is_spread
from analyzer.model.finding import Finding


def priced(finding: Finding, facts: Facts) -> Finding:
    """The finding with the tokens and the money that its actions cost, where the log records them per step. What a
    detector says itself stays, but for the pauses between two turns, which are no cost."""
    cost = finding.cost
    spending, first = facts.spending(finding.lane), finding.last_step - cost.actions + 1
    if _is_of_steps(finding):
        sums, seconds = spending.of_steps(finding.steps), cost.seconds
    else:
        sums = spending.tokens(first, finding.last_step), spending.usd(first, finding.last_step)
        seconds = _worked(finding, facts, first)
    tokens, usd = cost.tokens if cost.tokens is not None else sums[0], cost.usd if cost.usd is not None else sums[1]
    if (tokens, usd, seconds) == (cost.tokens, cost.usd, cost.seconds):
        return finding
    known = {"tokens": tokens, "usd": usd, "seconds": seconds}
    return finding.model_copy(update={"cost": cost.model_copy(update=known)})


def _is_of_steps(finding: Finding) -> bool:
    """Whether its cost is that of its steps themselves, which lie far apart."""
    whole = finding.last_step - finding.first_step + 1
    return len(finding.steps) <= finding.cost.actions < whole and is_spread(finding.steps)


def _worked(finding: Finding, facts: Facts, first: int) -> float | None:
    """The seconds that a finding cost, without the pauses between two turns."""
    lane = facts.lane(finding.lane) if finding.cost.seconds else ()
    if not 1 <= first <= finding.last_step <= len(lane):
        return finding.cost.seconds
    return facts.pauses.limited(finding.cost.seconds, lane[first - 1], lane[finding.last_step - 1])
