"""The test is at fault: it or its data supplies what the implementation refuses, or its own line is what raises."""

from __future__ import annotations

from analyzer.diagnosis.provenance.context import FailureContext, answer, place_text
from analyzer.failures.origin import is_of_what_is_called
from analyzer.failures.refusal import refuses
from analyzer.failures.requirement import demands
from analyzer.failures.unparsed import disagrees
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, FrameRole, OriginRole
from analyzer.text.clip import clip
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code

_LEAST = 0.6
_OTHER_MODULES = compiled(r"\bES module scope\b|\boutside a module\b")
"""How a runtime says that a file is written for the other one of its two module systems."""


def data(scene: FailureContext) -> Provenance | None:
    """The place that the origin of the failure names, with the step that wrote it where one did."""
    origin, failure = scene.failure.origin, scene.failure
    if origin is None or origin.role is not OriginRole.TEST or origin.file is None or origin.confidence < _LEAST:
        return None
    if not (refuses(failure) or demands(failure.message)) or [frame.role for frame in scene.frames] == [FrameRole.TEST]:
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


def line(scene: FailureContext) -> Provenance | None:
    """A failure that a test's own line raises, unless it's about something that the implementation doesn't have yet."""
    failure, origin = scene.failure, scene.failure.origin
    raised = scene.frames[0] if scene.frames else None
    if raised is None or raised.role is not FrameRole.TEST or raised.file.startswith("<"):
        return None
    if origin is None or origin.role is not OriginRole.TEST or origin.confidence < _LEAST:
        return None
    if failure.kind is FailureKind.TEST or is_of_what_is_called(failure) or failure.frames[-1] != raised:
        return None
    if _OTHER_MODULES.search(failure.message):
        return None
    if disagrees(failure):
        return None  # the compiler doesn't say whether the name is wrong or what should have it
    author = scene.author(raised.file, raised.code) if raised.code else None
    wrote = f"; step {author.step} wrote that line" if author is not None else ""
    return answer(
        ProvenanceKind.TEST_CODE,
        origin.confidence,
        f"{code(place_text(raised.file, raised.line))} raises it itself{wrote}",
        quote=raised.code or failure.headline,
        step=author.step if author is not None else None,
        file=raised.file,
        line=raised.line,
    )
