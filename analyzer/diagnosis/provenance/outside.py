"""A cause outside of the implementation.

A module or a program isn't there; or the test is at fault: it or its data supplies what the implementation refuses,
or its own line is what raises.
"""

from __future__ import annotations

from analyzer.diagnosis.labels import at, place_text
from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.failures.compilers import disagrees
from analyzer.failures.origin import is_of_what_is_called
from analyzer.failures.refusal import refuses
from analyzer.failures.requirement import demands, missing_module
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, FrameRole, OriginRole
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code

_INSTALL = late(r"\b(?:install|add|sync|restore|get|ci)\b")
_PROGRAM = late(r"(?P<name>[\w./+-]+): (?:command )?not found|['\"](?P<quoted>[\w./+-]+)['\"]")


def not_there(scene: FailureContext) -> Provenance | None:
    """What is missing, and whether any step tried to provide it."""
    failure, origin = scene.failure, scene.failure.origin
    if origin is None or origin.role is not OriginRole.ENVIRONMENT:
        return None
    if name := missing_module(failure):
        return _missing(scene, name, "module") if ":" not in name else None
    if failure.kind is FailureKind.COMMAND_NOT_FOUND and (found := _PROGRAM.search(failure.message)):
        name = found["name"] or found["quoted"]
        return _missing(scene, name, "program") if name else None
    return None


def _missing(scene: FailureContext, name: str, what: str) -> Provenance:
    whole = name if "/" in name else name.split(".", maxsplit=1)[0]
    installs = (one for one in scene.earlier if _INSTALL.search(one.operation.command or ""))
    tried = [one for one in installs if whole.lower() in (one.operation.command or "").lower()]
    if not tried:
        gone = "isn't installed" if what == "module" else "isn't installed or isn't on the path"
        gone = gone if whole == name else "can't be found"
        # What a harness set up isn't always shown.
        if not any(one.harness for one in scene.earlier):
            gone += ", and nothing before this step shows its installation"
    elif tried[-1].failure is not None:
        gone = f"isn't there: its installation at step {tried[-1].step} fails"
    else:
        gone = f"isn't there: step {tried[-1].step}, which installs it, shows no failure, but the run doesn't find it"
    reason = f"The {what} {code(name)} {gone}"
    return answer(ProvenanceKind.ENVIRONMENT, 0.8, reason, quote=scene.failure.headline, place=scene.deepest)


_LEAST = 0.6
_OTHER_MODULES = late(r"\bES module scope\b|\boutside a module\b")
"""How a runtime says that a file is written for the other one of its two module systems."""


def supplied_by_test(scene: FailureContext) -> Provenance | None:
    """The place that the origin of the failure names, with the step that wrote it where one did."""
    origin, failure = scene.failure.origin, scene.failure
    if origin is None or origin.role is not OriginRole.TEST or origin.file is None or origin.confidence < _LEAST:
        return None
    if not (refuses(failure) or demands(failure.message)) or [frame.role for frame in scene.frames] == [FrameRole.TEST]:
        return None
    refuser = scene.frames[0] if scene.frames and scene.frames[0].role is FrameRole.PROJECT else None
    by = f"what {at(refuser)} rejects" if refuser is not None else "the refused value"
    line = f" ({code(clip(origin.code, 120))})" if origin.code else ""
    said = f"{line} supplies {by}"
    return _of_test(scene, ProvenanceKind.TEST_DATA, origin.confidence, said, (origin.file, origin.line), origin.code)


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
    # Where a compiler sees a name that isn't there, it doesn't say whether that is wrong or what should have it.
    if _OTHER_MODULES.search(failure.message) or disagrees(failure):
        return None
    said, place = " raises it itself", (raised.file, raised.line)
    return _of_test(scene, ProvenanceKind.TEST_CODE, origin.confidence, said, place, raised.code)


def _of_test(
    scene: FailureContext, kind: ProvenanceKind, sure: float, said: str, place: tuple[str, int | None], line: str | None
) -> Provenance:
    """A place in a test with what is said of it, and the step that wrote its line where one did."""
    author = scene.author(place[0], line) if line else None
    wrote = f"; step {author.step} wrote that line" if author is not None else ""
    reason, step = f"{code(place_text(*place))}{said}{wrote}", author.step if author is not None else None
    return answer(kind, sure, reason, quote=line or scene.failure.headline, step=step, place=place)
