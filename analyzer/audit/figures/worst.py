"""Which sessions are worth reading first."""

from __future__ import annotations

from analyzer.model.words import OutcomeStatus, Severity


def worst_first(unmarked: int = 0) -> str:
    """What SQL orders sessions by: severity, those that didn't succeed before those that did, then what an early stop
    would have saved and what loops took. A session without findings of any weight counts as one of rank `unmarked`."""
    ranks = " ".join(f"WHEN '{severity}' THEN {severity.rank}" for severity in Severity)
    return (
        f"CASE worst {ranks} ELSE {unmarked} END DESC, outcome = '{OutcomeStatus.SUCCEEDED}', "
        "coalesce(actions_saved, 0) DESC, loop_actions DESC, session"
    )
