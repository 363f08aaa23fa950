"""The proposals of a session that hold against its record."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.proposals.of_failure import of_failure
from analyzer.diagnosis.proposals.of_session import of_session
from analyzer.diagnosis.proposals.trial import holds
from analyzer.model.diagnosis import Approach

MOST = 4
"""How many proposals are given."""


def proposals_of(case: Case) -> list[Approach]:
    """Ways to go on, the surest first, each different; empty where nothing holds, or nothing was wrong."""
    found: dict[str, Approach] = {}
    for candidate in (*of_failure(case), *of_session(case)) if case.main is not None else ():
        if any(candidate.text == said.text for said in found.values()):
            continue
        if candidate.title not in found and holds(case, candidate):
            found[candidate.title] = Approach(title=candidate.title, text=candidate.text)
    return list(found.values())[:MOST]
