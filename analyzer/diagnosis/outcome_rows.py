"""The forms of a row of the table of outcomes, and the words that several rows share.

The first row of all: how a session ended where the log records it as a fact, such as a limit, a crash, an interruption
or a recorded evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.detectors.reference.answers_judged import doubtful_reference
from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.postmortem import Outcome
from analyzer.model.session import EMPTY_ANSWER
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Basis, DeliverableKind, Ending, OutcomeStatus, Severity
from analyzer.text.clip import clip, clip_path, clip_words
from analyzer.text.english import one_or_many, plural
from analyzer.text.excerpts import informative_parts
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline import Timeline
from analyzer.timeline.closing.ending import ending_of, limit_beside


class Row(Struct, frozen=True):
    """One row: the condition over the columns of the end, what it rests on, the words, whose slots are columns, the
    status, the columns that hold the steps which show it, and what is known in a few words."""

    when: Callable[[End], bool]
    basis: Basis
    words: str
    status: OutcomeStatus = OutcomeStatus.UNKNOWN
    sure: float = 0.5
    steps: tuple[str, ...] = ("last",)
    known: str = ""

    def __call__(self, end: End) -> Outcome | None:
        """The outcome; None where the condition doesn't hold."""
        if not self.when(end):
            return None
        shown = (getattr(end, column) for column in self.steps)
        return outcome(self.status, self.sure, self.basis, self.words.format(end=end), *shown, known=self.known)


class FindingRow(Struct, frozen=True):
    """One row about what a finding says: its trait, how severe it is at least, and of which kind it is where not all
    count. `sure` None is what the finding's own confidence allows."""

    trait: Trait
    basis: Basis
    least: Severity = Severity.INFO
    status: OutcomeStatus = OutcomeStatus.UNKNOWN
    sure: float | None = 0.5
    kind: str = ""
    before: str = ""
    known: str = ""

    def __call__(self, end: End) -> Outcome | None:
        """The outcome; None where no finding is of this sort."""
        finding = next((entry for entry in end.case.findings if self._is_meant(entry)), None)
        if finding is None:
            return None
        sure = self.sure if self.sure is not None else round(finding.confidence * 0.9, 2)
        title = lower(finding.title) if self.before else finding.title
        known = self.known.format(end=end)
        return outcome(self.status, sure, self.basis, f"{self.before}{title}", *finding.steps, known=known)

    def _is_meant(self, finding: Finding) -> bool:
        of_kind = not self.kind or finding.kind == self.kind
        return of_kind and finding.severity.rank >= self.least.rank and has(finding, self.trait)


def only_words(timeline: Timeline) -> Outcome:
    """What is recorded of a session in which no call of the agent is."""
    if timeline.actions:
        return unknown(Basis.NONE, "The agent made no call in the main lane")
    aloud = [message for message in timeline.messages if message.text.strip() and not message.thought]
    agent = sum(message.role == "assistant" for message in aloud)
    if agent:
        written = timeline.session.assistant_messages or agent
        reason = f"No tool call is recorded, only what the agent wrote ({plural(written, 'message')})"
        return unknown(Basis.NONE, reason, known="answered without a call")
    empty = sum(message.failed and message.text == EMPTY_ANSWER for message in aloud)
    thought = any(message.thought for message in timeline.messages)
    if not thought and (empty := max(empty, timeline.session.assistant_messages or 0)):
        counted = f"{plural(empty, 'reply', 'replies')} of the agent {one_or_many(empty, 'is', 'are')} counted"
        reason = f"{counted}, but no word and no call of {one_or_many(empty, 'it', 'them')} is recorded"
        return unknown(Basis.NONE, reason, known="no word of the agent is recorded")
    reason = "No tool call and no message of the user or the agent is recorded"
    if any(message.role == "user" for message in aloud) or timeline.session.task:
        reason = "No tool call and no message of the agent is recorded, only the request"
    elif any(message.role == "harness" for message in aloud):
        reason = "No tool call and no message of the agent is recorded"
    return unknown(Basis.NONE, reason, known="nothing of the agent is recorded")


def no_results(actions: Sequence[Action]) -> str:
    """In one sentence, without the full stop, that no result of several actions is recorded; empty where one is."""
    if len(actions) < 2 or any(action.result is not None for action in actions):
        return ""
    return f"No result of the {len(actions)} actions is recorded"


_KNOWN: Mapping[tuple[OutcomeStatus, Basis], str] = {
    (OutcomeStatus.SUCCEEDED, Basis.VERDICT): "solved (recorded verdict)",
    (OutcomeStatus.SUCCEEDED, Basis.CHECKS): "done and checked",
    (OutcomeStatus.SUCCEEDED, Basis.DELIVERABLE): "done",
    (OutcomeStatus.FAILED, Basis.VERDICT): "not solved (recorded verdict)",
    (OutcomeStatus.FAILED, Basis.CHECKS): "not done: a check fails",
    (OutcomeStatus.FAILED, Basis.CLAIM): "not done, by the agent's own report",
    (OutcomeStatus.FAILED, Basis.DELIVERABLE): "not done",
    (OutcomeStatus.LIMIT_REACHED, Basis.VERDICT): "stopped by a limit",
    (OutcomeStatus.STUCK, Basis.VERDICT): "ended as stuck",
    (OutcomeStatus.STUCK, Basis.NONE): "stuck in a loop",
    (OutcomeStatus.CRASHED, Basis.VERDICT): "crashed",
    (OutcomeStatus.ABANDONED, Basis.VERDICT): "interrupted by the user",
    (OutcomeStatus.ABANDONED, Basis.CLAIM): "given up",
    (OutcomeStatus.UNKNOWN, Basis.CLAIM): "not checked",
    (OutcomeStatus.UNKNOWN, Basis.CHECKS): "not checked",
    (OutcomeStatus.UNKNOWN, Basis.DELIVERABLE): "answered",
    (OutcomeStatus.UNKNOWN, Basis.WAITING): "waiting for the user",
}
"""What is known where a row says nothing else."""


def outcome(
    status: OutcomeStatus, sure: float, basis: Basis, reason: str, *shown: Action | int, known: str = ""
) -> Outcome:
    """The outcome with its reason as a sentence; `shown` are the steps of the main lane that show it, and others, and
    `known` says it in a few words where its status and its basis don't."""
    own = (entry for entry in shown if isinstance(entry, int) or entry.lane == MAIN_LANE)
    steps = [entry if isinstance(entry, int) else entry.step for entry in own]
    text = reason[:1].upper() + reason[1:]
    text = text if text.rstrip('"”’').endswith((".", "!", "?", "…")) else f"{text}."
    words = known or _KNOWN.get((status, basis), "not known")
    return Outcome(status=status, words=words, confidence=sure, reason=text, evidence_steps=steps, basis=basis)


def unknown(basis: Basis, reason: str, *shown: Action | int, known: str = "") -> Outcome:
    """An outcome that isn't known, with what speaks for and against it."""
    return outcome(OutcomeStatus.UNKNOWN, 0.5, basis, reason, *shown, known=known)


def lower(text: str) -> str:
    """A sentence as the second half of another one: a word that begins in capitals for its own sake keeps them."""
    return f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() else text


_RECORDED = {
    Ending.STUCK: (OutcomeStatus.STUCK, 0.9, "the harness stopped the session as stuck"),
    Ending.CRASHED: (OutcomeStatus.CRASHED, 0.95, "the harness, the model API or the environment failed"),
    Ending.LIMIT: (OutcomeStatus.LIMIT_REACHED, 0.95, "a limit ended the session"),
    Ending.CANCELLED: (OutcomeStatus.ABANDONED, 0.8, "the user interrupted the session"),
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
_SAME = 40
"""Characters of a failure by which the words of an end are known to be about it."""
_MOST_WORDS = 240
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
        why = "the model API refused a prompt" if refused else "a call to the model failed"
    if end.actions and ending in _AT_A_STEP:
        failure = end.last.failure
        within = failure is not None and failure.message[:_SAME] in (words or "")
        why += f" {'at' if within or not end.came_back(end.last) else 'after'} step {end.last.step}"
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
        return "; no file differs at the end: the verdict rests on the last output, which is the expected one"
    return "; no file differs at the end: the verdict rests on what the calls returned, or on what isn't in the log"


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
