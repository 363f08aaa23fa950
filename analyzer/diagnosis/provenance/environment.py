"""Something that the program needs isn't there: a module or a program."""

from __future__ import annotations

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.failures.requirement import missing_module
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, OriginRole
from analyzer.text.late import late
from analyzer.text.markdown import code

_INSTALL = late(r"\b(?:install|add|sync|restore|get|ci)\b")
_PROGRAM = late(r"(?P<name>[\w./+-]+): (?:command )?not found|['\"](?P<quoted>[\w./+-]+)['\"]")


def find(scene: FailureContext) -> Provenance | None:
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
