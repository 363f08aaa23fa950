"""What to ask, to try, to change and to remember for findings that aren't repetitions, with the words of the session
filled in.

Whether what a loop ran into was overcome, or the agent only went on with something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.engine.interface import GENERAL, Guidance
from analyzer.detectors.engine.registry import declared
from analyzer.diagnosis.case import steps_text
from analyzer.model.action import Action
from analyzer.model.finding import Finding, OtherCall
from analyzer.model.struct import replace
from analyzer.model.words import Category, Kind, Status
from analyzer.text.clip import clip
from analyzer.text.markdown import code


def guidance_for(finding: Finding) -> Guidance:
    """The guidance for a finding with its words filled in; a general one where its detector declares none."""
    entry = declared(finding).guidance_for(finding.kind) or GENERAL
    details = finding.details if isinstance(finding.details, OtherCall) else None
    words = {
        "tool": code(details.tool) if details is not None and details.tool else "calls that change something",
        "argument": code(details.argument) if details is not None and details.argument else "the arguments",
        "title": finding.title,
        "first": str(finding.first_step),
        "last": str(finding.last_step),
        "shown": str((finding.evidence[-1].step if finding.evidence else None) or finding.last_step),
        "steps": steps_text(finding.steps),
        "quote": code(clip(finding.evidence[0].quote, 90), 90) if finding.evidence else code(finding.title, 90),
        "advice": finding.advice[0] if finding.advice else "Stop and read what the last steps say.",
    }

    def filled(text: str) -> str:
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    return replace(
        entry,
        questions=tuple(filled(question) for question in entry.questions),
        approaches=tuple((title, filled(text)) for title, text in entry.approaches),
        improvement=filled(entry.improvement),
        change=filled(entry.change),
    )


def left_by(main: Finding, lane: Sequence[Action]) -> str:
    """How the agent left what a finding is about, as the end of a clause; empty where it didn't."""
    if not main.escaped:
        return ""
    if main.category is not Category.LOOP or overcome(main, lane):
        return ", then got out of it"
    return ", then went on with other things"


def overcome(main: Finding, lane: Sequence[Action]) -> bool:
    """Whether the error of a loop is gone: one of the calls that showed it succeeded later, or an edit of the same file
    where edits were refused, and it never showed again."""
    if main.group is None:
        return False
    showed = [action for action in lane if action.failure is not None and action.failure.group == main.group]
    in_loop = [action for action in showed if main.first_step <= action.step <= main.last_step]
    last = max((action.step for action in showed), default=main.last_step)
    calls = {action.keys.call_masked for action in in_loop}
    paths = {action.operation.path for action in in_loop if action.kind is Kind.EDIT and action.operation.path}
    return any(
        action.status is Status.OK
        and (
            action.keys.call_masked in calls
            or (action.kind is Kind.EDIT and bool(action.accepted_edits) and action.operation.path in paths)
        )
        for action in lane
        if action.step > last
    )
