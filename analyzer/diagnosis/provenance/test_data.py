"""A test, its helper, factory or fixture, or a data file supplies what the implementation refuses."""

from __future__ import annotations

from analyzer.diagnosis.provenance.context import FailureContext, answer, place_text
from analyzer.failures.refusal import refuses
from analyzer.failures.requirement import demands
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FrameRole, OriginRole
from analyzer.text.clip import clip
from analyzer.text.markdown import code

_LEAST = 0.6


def find(scene: FailureContext) -> Provenance | None:
    """The place that the origin of the failure names, with the step that wrote it where one did."""
    origin, failure = scene.failure.origin, scene.failure
    if origin is None or origin.role is not OriginRole.TEST or origin.file is None or origin.confidence < _LEAST:
        return None
    if not (refuses(failure) or demands(failure.message)) or _raised_in_test(scene):
        return None
    author = scene.author(origin.file, origin.code) if origin.code else None
    refuser = scene.frames[0] if scene.frames and scene.frames[0].role is FrameRole.PROJECT else None
    by = f"what {code(place_text(refuser.file, refuser.line))} rejects" if refuser is not None else "the refused value"
    line = f" ({code(clip(origin.code, 120))})" if origin.code else ""
    wrote = f"; step {author.step} wrote that line" if author is not None else ""
    return answer(
        ProvenanceKind.TEST_DATA,
        origin.confidence,
        f"{code(place_text(origin.file, origin.line))}{line} supplies {by}{wrote}",
        quote=origin.code or failure.headline,
        step=author.step if author is not None else None,
        file=origin.file,
        line=origin.line,
    )


def _raised_in_test(scene: FailureContext) -> bool:
    return bool(scene.frames) and scene.frames[0].role is FrameRole.TEST and len(scene.frames) == 1
