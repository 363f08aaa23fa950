"""The test's own line is what raises: a name that it doesn't import, an index that isn't there."""

from __future__ import annotations

from analyzer.diagnosis.provenance.context import FailureContext, answer, place_text
from analyzer.diagnosis.provenance.environment import missing_name
from analyzer.failures.origin import is_of_what_is_called
from analyzer.failures.unparsed import disagrees
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, FrameRole, OriginRole
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code
from analyzer.workspace.difference import defined

_LEAST = 0.6
_OTHER_MODULES = compiled(r"\bES module scope\b|\boutside a module\b")
"""How a runtime says that a file is written for the other one of its two module systems."""
_IN_ITS_FILE = frozenset({"NameError", "ReferenceError", "UnboundLocalError"})
"""Errors about a name that the file in which they're raised must define or import itself."""


def find(scene: FailureContext) -> Provenance | None:
    """A failure that a test's own line raises, unless it's about something that the implementation doesn't have yet."""
    failure, origin = scene.failure, scene.failure.origin
    raised = scene.frames[0] if scene.frames else None
    if raised is None or raised.role is not FrameRole.TEST or raised.file.startswith("<"):
        return None
    if origin is None or origin.role is not OriginRole.TEST or origin.confidence < _LEAST:
        return None
    kind = (failure.type or "").rsplit(".", 1)[-1]
    if failure.kind is FailureKind.TEST or is_of_what_is_called(failure) or failure.frames[-1] != raised:
        return None
    if _OTHER_MODULES.search(failure.message):
        return None
    name = missing_name(failure)
    if disagrees(failure):
        return None  # the compiler doesn't say whether the name is wrong or what should have it
    if name is not None and kind not in _IN_ITS_FILE and _to_be_defined(scene, name):
        return None
    place = code(place_text(raised.file, raised.line))
    what = f"uses {code(name)}, which that file neither defines nor imports" if name else "raises it itself"
    author = scene.author(raised.file, raised.code) if raised.code else None
    wrote = f"; step {author.step} wrote that line" if author is not None else ""
    return answer(
        ProvenanceKind.TEST_CODE,
        0.85 if name else origin.confidence,
        f"{place} {what}{wrote}",
        quote=raised.code or failure.headline,
        step=author.step if author is not None else None,
        file=raised.file,
        line=raised.line,
    )


def _to_be_defined(scene: FailureContext, name: str) -> bool:
    """Whether the task asks for what is missing, or a step of the session defines it."""
    return name in scene.task or any(name in defined(document) for document in scene.history.files.documents.values())
