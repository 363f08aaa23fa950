"""What an improvement would have saved, in words that begin with its grade."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.model.diagnosis import EarlyStop
from analyzer.model.finding import Finding
from analyzer.model.words import Severity
from analyzer.text.english import plural

_EQUAL_CALLS = "identical call"
"""How the names of the replayed rules begin that count equal calls."""


def saved(stop: EarlyStop) -> str:
    """How much the guard would have saved, graded by that."""
    if stop.detectable_at is None or not stop.actions_saved:
        return "Low here: the third round was also the last."
    grade = "High" if stop.actions_saved > 4 else "Medium" if stop.actions_saved > 1 else "Low"
    seconds = f" and {stop.seconds_saved:.0f} s" if stop.seconds_saved and stop.seconds_saved >= 0.5 else ""
    return (
        f"{grade}: would have stopped at step {stop.detectable_at}, saving "
        f"{plural(stop.actions_saved, 'action')}{seconds}."
    )


def counted(stop: EarlyStop, main: Finding) -> str:
    """What the rules that count equal calls in a row, replayed over the whole session, made of the loop."""
    rules = [policy for policy in stop.policies if policy.policy.startswith(_EQUAL_CALLS)]
    fired = [policy.at_step for policy in rules if policy.at_step is not None]
    inside = [step for step in fired if main.first_step <= step <= main.last_step]
    if inside:
        return (
            f"rules that count equal calls in a row see it here (at step {min(inside)}), but reset after every "
            "other call in between."
        )
    if fired:
        where = "before it began" if min(fired) < main.first_step else "after it"
        return f"rules that count equal calls in a row fire at step {min(fired)}, {where}, and don't see it."
    why = f": {rules[0].why}" if rules else ""
    return f"rules that count equal calls in a row don't see it{why}."


def impact(case: Case, finding: Finding) -> str:
    """How early a finding could have been raised, graded by how much came after that."""
    after = finding.last_step - finding.detectable_at
    grade = "High" if finding.severity is Severity.HIGH or after > 8 else "Medium"
    if after > 0:
        return f"{grade}: detectable at step {finding.detectable_at}, {plural(after, 'step')} before its last step."
    if all(action.harness for action in case.timeline.lane(finding.lane)[finding.detectable_at :]):
        return f"{grade}: detectable when the session ends (step {finding.detectable_at})."
    return f"{grade}: detectable at step {finding.detectable_at}, before anything depends on it."
