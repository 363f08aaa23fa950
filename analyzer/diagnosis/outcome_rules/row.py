"""The forms of a row of the table of outcomes, and the words that several rows share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.postmortem import Outcome
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Basis, OutcomeStatus, Severity
from analyzer.text.english import plural
from analyzer.timeline import Timeline


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
    """One row about what a finding says: its trait, how severe it is at least, and of which kinds it is where not all
    count. `sure` None is what the finding's own confidence allows."""

    trait: Trait
    basis: Basis
    least: Severity = Severity.INFO
    status: OutcomeStatus = OutcomeStatus.UNKNOWN
    sure: float | None = 0.5
    kinds: frozenset[str] = frozenset()
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
        if self.kinds and finding.kind not in self.kinds:
            return False
        return finding.severity.rank >= self.least.rank and has(finding, self.trait)


def only_words(timeline: Timeline) -> Outcome:
    """What is recorded of a session in which no call of the agent is."""
    if timeline.actions:
        return unknown(Basis.NONE, "The agent made no call in the main lane")
    aloud = [message for message in timeline.messages if message.text.strip() and not message.thought]
    agent = sum(message.role == "assistant" for message in aloud)
    if agent:
        reason = f"No call of a tool is recorded: the agent only spoke ({plural(agent, 'message')})"
        return unknown(Basis.NONE, reason, known="answered without a call")
    reason = "Neither a call nor a word of the user or the agent is recorded"
    if any(message.role == "user" for message in aloud) or timeline.session.task:
        reason = "No call and no word of the agent is recorded, only what it was asked"
    elif any(message.role == "harness" for message in aloud):
        reason = "Neither a call nor a word of the agent is recorded, only what the program around it took and showed"
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
    text = text if text.endswith((".", "!", "?", "…")) else f"{text}."
    words = known or _KNOWN.get((status, basis), "not known")
    return Outcome(status=status, words=words, confidence=sure, reason=text, evidence_steps=steps, basis=basis)


def unknown(basis: Basis, reason: str, *shown: Action | int, known: str = "") -> Outcome:
    """An outcome that isn't known, with what speaks for and against it."""
    return outcome(OutcomeStatus.UNKNOWN, 0.5, basis, reason, *shown, known=known)


def lower(text: str) -> str:
    """A sentence as the second half of another one: a word that begins in capitals for its own sake keeps them."""
    return f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() else text
