"""How a session ended where the log records it as a fact: a limit, a crash, an interruption, a recorded evaluation."""

from __future__ import annotations

import re

from analyzer.detectors.reference.answers_judged import doubtful_reference
from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.row import outcome
from analyzer.model.action import Action
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, DeliverableKind, Ending, OutcomeStatus
from analyzer.text.clip import clip, clip_path, clip_words
from analyzer.text.excerpts import informative_parts
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import limit_beside
from analyzer.timeline.closing.recorded_words import ending_of

_RECORDED = {
    Ending.STUCK: (OutcomeStatus.STUCK, 0.9, "the harness ended it as stuck"),
    Ending.CRASHED: (OutcomeStatus.CRASHED, 0.95, "the harness, the model's service or the environment broke"),
    Ending.LIMIT: (OutcomeStatus.LIMIT_REACHED, 0.95, "a limit ended the session"),
    Ending.CANCELLED: (OutcomeStatus.ABANDONED, 0.8, "the user interrupted it"),
    Ending.SOLVED: (OutcomeStatus.SUCCEEDED, 0.95, "the recorded evaluation says that the task was solved"),
    Ending.UNSOLVED: (OutcomeStatus.FAILED, 0.95, "the recorded evaluation says that the task was not solved"),
}
_BY_TESTS = {
    Ending.SOLVED: "the task's own tests, which ran after the agent had ended, passed",
    Ending.UNSOLVED: "the task's own tests, which ran after the agent had ended, failed",
}
"""What is said where the verdict is what these tests printed."""
_SERVICE = late(
    r"\bError code: [45]\d\d\b|\bAPI ?(?:Status|Connection|Timeout)? ?Error\b|\bRateLimitError\b|\bOverloadedError\b"
)
_REFUSAL = late(
    r"content[_ ]filter|content management policy|ResponsibleAIPolicy|\bmoderation_blocked\b", re.IGNORECASE
)
_DOUBTED = 0.5
"""How sure a failure is that was judged by a reference which failed itself."""
_MOST_WORDS = 440
"""Characters of what the log says of the end: a judgement of several sentences has its reason in the last of them."""
_AT_A_STEP = frozenset({Ending.STUCK, Ending.CRASHED, Ending.LIMIT, Ending.CANCELLED})
"""The ends that cut a session off at a step."""


def recorded(end: End) -> Outcome | None:
    """The log records how it ended, as a fact."""
    ending, words = ending_of(end.session)
    if ending not in _RECORDED:
        return None
    turns = end.case.timeline.turns()[-2:]
    if ending is Ending.CANCELLED and len(turns) > 1 and turns[1].first == turns[1].end and turns[0].said:
        return None  # it was answered, and only what the user said after that was stopped
    status, sure, why = _RECORDED[ending]
    if ending is Ending.CRASHED and _SERVICE.search(words or ""):
        refused = _REFUSAL.search(words or "") is not None
        why = "the model's service refused a prompt" if refused else "a call of the model failed"
    if end.actions and ending in _AT_A_STEP:
        why += f" after step {end.last.step}"
    if ending in _BY_TESTS and end.session.evaluation is not None:
        why = _BY_TESTS[ending]
    detail = f": {informative_parts(words, _MOST_WORDS)}" if words else ""
    rests_on = ""
    if ending is Ending.SOLVED:
        rests_on = passed_for(end)
    elif in_doubt(end):
        sure = _DOUBTED
    if ending is Ending.UNSOLVED and end.actions and (stopped := limit_beside(end.case.timeline)) is not None:
        told = clip_words(" ".join(stopped.split()), 160)
        why += f', and a limit ended the session after step {end.last.step} ("{told}")'
    elif ending is not Ending.CRASHED and end.session.broke and end.actions:
        why += f', and the run crashed after step {end.last.step} ("{informative_parts(end.session.broke, 160)}")'
    left = _left(end) if status is OutcomeStatus.LIMIT_REACHED else ""
    known = "not solved (recorded verdict, in doubt)" if sure == _DOUBTED else ""
    return outcome(status, sure, Basis.VERDICT, f"{why}{detail}{left}{rests_on}", *_shown(end), known=known)


def _left(end: End) -> str:
    """What a session that was cut off leaves behind, where that can be no solution."""
    left = end.deliverable if end.actions else None
    if left is None or left.kind is not DeliverableKind.SCRATCH:
        return ""
    files = ", ".join(code(clip_path(path, 60)) for path in left.files[:3])
    return f"; it leaves behind only experimental files ({files})"


def _shown(end: End) -> list[Action]:
    """The steps that show how it ended: the last one, and the last change where that is no solution."""
    left = end.deliverable if end.actions else None
    change = end.changed if left is not None and left.kind is DeliverableKind.SCRATCH else None
    return [*([change] if change is not None and change is not end.last else []), *end.actions[-1:]]


def passed_for(end: End) -> str:
    """What a verdict that the task was solved rests on, where the task expects nothing or nothing was delivered; else
    empty."""
    expected = end.session.expected
    answer = expected.answer if expected is not None else None
    if expected is not None and expected.calls == () and not expected.words and answer is None:
        return "; the task expects no call and no words, so that a run which does nothing passes, too"
    if not end.actions or end.deliverable is None or end.deliverable.kind is not DeliverableKind.NOTHING:
        return ""
    if answer is not None and answer.given is not None and answer.given.strip() == answer.wanted.strip():
        return "; no file differs at the end: it rests on the last output, which is the expected one"
    return "; no file differs at the end: it rests on what the calls returned, or on what the log doesn't hold"


def in_doubt(end: End) -> str:
    """Why a verdict that the task wasn't solved is in doubt, as a sentence: the reference is itself an error; else
    empty."""
    if end.session.ending is not Ending.UNSOLVED:
        return ""
    reference = doubtful_reference(end.session, end.actions)
    if reference is None:
        return ""
    shown = code(clip(" ".join(reference.split()), 100))
    return f" The recorded verdict is in doubt: the answer that it expects is itself an error ({shown})."
