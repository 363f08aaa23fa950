"""The proposals of a session that hold against its record."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.proposals.candidate import Candidate, is_specific
from analyzer.diagnosis.proposals.of_failure import of_failure
from analyzer.diagnosis.proposals.of_session import of_session
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.diagnosis import Approach
from analyzer.model.words import Kind

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


def holds(case: Case, candidate: Candidate) -> bool:
    """Whether nothing in the record speaks against a proposal."""
    if not is_specific(candidate.text):
        return False
    later = [action for action in case.lane if action.step > candidate.since and not action.harness]
    return (
        all(_is_there(case, path) and not _opened(path, later) for path in candidate.opens)
        and not any(_used(name, later) for name in candidate.uses)
        and not (candidate.changes and any(_changes(action, candidate.changes) for action in later))
    )


def _is_there(case: Case, path: str) -> bool:
    """Whether a file still is there, as far as the record shows; one of which nothing is known is."""
    history = case.timeline.history
    return history is None or history.files.get(path).exists is not False


def _opened(path: str, later: list[Action]) -> bool:
    name = path.rsplit("/", 1)[-1]
    return any(
        action.failure is None
        and (
            (action.kind is Kind.READ and same_file(action.operation.path or "", path))
            or (action.kind in (Kind.READ, Kind.SEARCH) and name in (action.operation.command or ""))
        )
        for action in later
    )


def _used(name: str, later: list[Action]) -> bool:
    return any(name in (action.operation.command or action.operation.target or "") for action in later)


def _changes(action: Action, path: str) -> bool:
    return action.failure is None and any(same_file(edit.path, path) for edit in action.operation.edits)
