"""A cause outside of the implementation.

A module or a program isn't there; or the test is at fault: it or its data supplies what the implementation refuses,
or its own line is what raises.
"""

from __future__ import annotations

from analyzer.diagnosis.provenance.context import FailureContext, answer, place_text
from analyzer.failures.origin import is_of_what_is_called
from analyzer.failures.refusal import refuses
from analyzer.failures.requirement import demands
from analyzer.failures.unparsed import disagrees
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, FrameRole, OriginRole
from analyzer.text.clip import clip
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.text.markdown import code

_MODULE = late(r"(?:No module named|Cannot find module|Cannot resolve module) ['\"`]?(?P<name>[\w./@:-]{1,120})")


def missing_module(failure: Failure) -> str | None:
    """The module that the message says can't be found."""
    found = _MODULE.search(failure.message)
    return found["name"].rstrip(".") if found else None


_INSTALL = late(r"\b(?:install|add|sync|restore|get|ci)\b")
_PROGRAM = late(r"(?P<name>[\w./+-]+): (?:command )?not found|['\"](?P<quoted>[\w./+-]+)['\"]")


def not_there(scene: FailureContext) -> Provenance | None:
    """What is missing, and whether any step tried to provide it."""
    failure = scene.failure
    origin = failure.origin
    if origin is None or origin.role is not OriginRole.ENVIRONMENT:
        return None
    if failure.kind is FailureKind.MISSING_DEPENDENCY:
        name = missing_module(failure)
        return _missing(scene, name, "module") if name and ":" not in name else None
    if failure.kind is FailureKind.COMMAND_NOT_FOUND:
        found = _PROGRAM.search(failure.message)
        name = (found["name"] or found["quoted"]) if found else None
        return _missing(scene, name, "program") if name else None
    return None


def _missing(scene: FailureContext, name: str, what: str) -> Provenance:
    whole = name if "/" in name else name.split(".", maxsplit=1)[0]
    tried = [
        action
        for action in scene.earlier
        if _INSTALL.search(action.operation.command or "") and whole.lower() in (action.operation.command or "").lower()
    ]
    if not tried:
        gone = "isn't installed" if what == "module" else "isn't installed or isn't on the path"
        gone = gone if whole == name else "can't be found"
        # What a harness set up isn't always shown.
        nothing = (
            "" if any(one.harness for one in scene.earlier) else ", and nothing before this step shows its installation"
        )
        return _of(scene, f"The {what} {code(name)} {gone}{nothing}")
    last = tried[-1]
    how = (
        f"its installation at step {last.step} fails"
        if last.failure is not None
        else f"step {last.step}, which installs it, shows no failure, but the run doesn't find it"
    )
    return _of(scene, f"The {what} {code(name)} isn't there: {how}")


def _of(scene: FailureContext, reason: str) -> Provenance:
    frame = scene.frames[0] if scene.frames else None
    return answer(
        ProvenanceKind.ENVIRONMENT,
        0.8,
        reason,
        quote=scene.failure.headline,
        file=frame.file if frame else None,
        line=frame.line if frame else None,
    )


_LEAST = 0.6
_OTHER_MODULES = compiled(r"\bES module scope\b|\boutside a module\b")
"""How a runtime says that a file is written for the other one of its two module systems."""


def supplied_by_test(scene: FailureContext) -> Provenance | None:
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


def raised_by_test(scene: FailureContext) -> Provenance | None:
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
