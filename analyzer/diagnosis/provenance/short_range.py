"""An edit of a range of lines was refused because the range leaves a line that the new text has as well."""

from __future__ import annotations

from analyzer.detectors.signals.short_range import short_range
from analyzer.diagnosis.provenance.answer import answer
from analyzer.diagnosis.provenance.context import FailureContext
from analyzer.model.provenance import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind


def find(scene: FailureContext) -> Provenance | None:
    """The line that would be there twice, as the answer to the edit shows it."""
    if scene.failure.kind is not FailureKind.EDIT_REFUSED:
        return None
    short = short_range(scene.action)
    if short is None:
        return None
    return answer(
        ProvenanceKind.OWN_EDIT,
        0.9,
        short.reason,
        quote=short.text,
        step=scene.action.step,
        file=short.path,
        line=short.left,
    )
