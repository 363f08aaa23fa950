"""The test's own line is what raises: a name that it doesn't import, an index that isn't there."""

from __future__ import annotations

from analyzer.diagnosis.provenance.context import FailureContext, answer, place_text
from analyzer.failures.origin import is_of_what_is_called
from analyzer.failures.unparsed import disagrees
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, FrameRole, OriginRole
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code

_LEAST = 0.6
_OTHER_MODULES = compiled(r"\bES module scope\b|\boutside a module\b")
"""How a runtime says that a file is written for the other one of its two module systems."""


def find(scene: FailureContext) -> Provenance | None:
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
