"""Sessions that hand in a value, such as a flag, and changed only files of the agent's own on the way."""

from __future__ import annotations

import re

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.verdict import unknown
from analyzer.model.action import Action
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, Kind
from analyzer.text.clip import clip
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import asked_for
from analyzer.timeline.verification.proof import Proof

_SHORTEST = 4
"""Characters from which on a value isn't in a result by chance."""
_SILENT = frozenset({Kind.THINK, Kind.PLAN, Kind.FINISH, Kind.EDIT})


def handed_value(end: End) -> Outcome | None:
    """The value that was handed in came out of a step, and nothing recorded says whether it's the right one."""
    words = end.closing_message
    if not end.edits or words is None or not words.is_value or not _only_own(end):
        return None
    if end.best is not None and end.proof(end.best) > Proof.RAN:
        return None
    value = words.text.strip(" \t\n'\"`")
    came = _source(end, value) if len(value) >= _SHORTEST and value not in asked_for(end.case.timeline) else None
    if came is None:
        return None
    reason = (
        f"The value that was handed in came out of step {came.step} ({code(clip(came.operation.target, 80))}); nothing "
        "recorded says whether it's right"
    )
    return unknown(Basis.DELIVERABLE, reason, came, end.last)


def _only_own(end: End) -> bool:
    """Whether every edit was of a file that the agent itself had made."""
    edits = [(edit.path, action.directory) for action in end.edits for edit in action.operation.edits]
    return bool(edits) and all(end.delivery.made_by_agent(path, directory) for path, directory in edits)


def _source(end: End, value: str) -> Action | None:
    """The last step whose result holds a value."""
    whole = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    found = (
        action
        for action in reversed(end.actions)
        if action.kind not in _SILENT and value in (action.result or "") and whole.search(action.result or "")
    )
    return next(found, None)
