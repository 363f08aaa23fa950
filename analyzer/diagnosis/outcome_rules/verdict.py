"""An outcome made from its parts: the status, how sure it is, what it rests on, why, and the steps that show it."""

from __future__ import annotations

from analyzer.model.action import Action
from analyzer.model.postmortem import Outcome
from analyzer.model.words import MAIN_LANE, Basis, OutcomeStatus


def outcome(status: OutcomeStatus, sure: float, basis: Basis, reason: str, *shown: Action | int) -> Outcome:
    """The outcome with its reason as a sentence; `shown` are the steps of the main lane that show it, and others."""
    own = (entry for entry in shown if isinstance(entry, int) or entry.lane == MAIN_LANE)
    steps = [entry if isinstance(entry, int) else entry.step for entry in own]
    return Outcome(status=status, confidence=sure, reason=_sentence(reason), evidence_steps=steps, basis=basis)


def unknown(basis: Basis, reason: str, *shown: Action | int) -> Outcome:
    """An outcome that isn't known, with what speaks for and against it."""
    return outcome(OutcomeStatus.UNKNOWN, 0.5, basis, reason, *shown)


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
