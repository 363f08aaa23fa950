"""Something that the program needs isn't there: a module, a program, a service, or what an earlier call had left.

The name that a failure says is missing.
"""

from __future__ import annotations

import re

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, OriginRole
from analyzer.text.late import late
from analyzer.text.markdown import code

_NAME = r"(?P<name>[A-Za-z_$][\w$]{1,80})"
_MISSING = tuple(
    late(pattern)
    for pattern in (
        rf"name ['\"`]{_NAME}['\"`] is not defined",
        rf"cannot import name ['\"`]{_NAME}['\"`]",
        rf"has no (?:attribute|member|exported member(?: named)?|method|property) ['\"`]{_NAME}['\"`]",
        rf"cannot find (?:\w+,? ){{0,4}}[`'\"]{_NAME}[`'\"]",
        rf"no (?:function|method|field|variant)[^`'\"]{{0,40}}[`'\"]{_NAME}[`'\"]",
        rf"Cannot find name ['\"`]{_NAME}['\"`]",
        rf"[Pp]roperty ['\"`]{_NAME}['\"`] does not exist",
        rf"[Ee]xport(?: named)? ['\"`]{_NAME}['\"`]",
        rf"undefined (?:local variable or method|method|constant|name|reference to|function|variable) [`'\"]?{_NAME}",
        rf"uninitialized constant (?:\w+::)*{_NAME}",
        rf"undefined: (?:\w+\.)?{_NAME}",
        rf"cannot find symbol:? ?(?:symbol: ?)?(?:method|variable|class)? ?{_NAME}",
        rf"(?:^|[\s.(]){_NAME}\)? is not (?:defined|a function|a constructor)",
        rf"Call to undefined (?:function|method) (?:[\w\\]+(?:::|->))?{_NAME}",
        rf"has no field or method {_NAME}",
        rf"[Uu]nresolved (?:reference|import|name)s?:? [`'\"]?(?:\w+(?:::|\.))*{_NAME}",
        rf"[‘'`]{_NAME}[’'] was not declared",
    )
)
_MODULE = late(r"(?:No module named|Cannot find module|Cannot resolve module) ['\"`]?(?P<name>[\w./@:-]{1,120})")


def missing_name(failure: Failure) -> str | None:
    """The name of a function, class, method or variable that the message says isn't there."""
    for pattern in _MISSING:
        found = pattern.search(failure.message)
        if found is not None and found["name"]:
            return found["name"]
    return None


def missing_module(failure: Failure) -> str | None:
    """The module that the message says can't be found."""
    found = _MODULE.search(failure.message)
    return found["name"].rstrip(".") if found else None


_INSTALL = late(r"\b(?:install|add|sync|restore|get|ci)\b")
_SERVICE = late(r"ECONNREFUSED|[Cc]onnection refused|could not connect to server|Connection reset")
_ENDPOINT = late(r"\b(?:[\w.-]+|\[[0-9a-f:]+\]):\d{2,5}\b")
_PROGRAM = late(r"(?P<name>[\w./+-]+): (?:command )?not found|['\"](?P<quoted>[\w./+-]+)['\"]")


def find(scene: FailureContext) -> Provenance | None:
    """What is missing, and whether any step tried to provide it."""
    failure = scene.failure
    lost = _lost(scene)
    if lost is not None:
        return lost
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
    if _SERVICE.search(failure.message):
        where = _ENDPOINT.search(failure.message)
        at = f" at {code(where[0])}" if where else ""
        return _of(scene, f"No service answers{at}, and no step before this one had started it", 0.7)
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
        return _of(scene, f"The {what} {code(name)} {gone}, and nothing before this step shows its installation", 0.8)
    last = tried[-1]
    how = (
        f"its installation at step {last.step} fails"
        if last.failure is not None
        else f"step {last.step}, which installs it, shows no failure, but the run doesn't find it"
    )
    return _of(scene, f"The {what} {code(name)} isn't there: {how}", 0.8)


def _of(scene: FailureContext, reason: str, confidence: float) -> Provenance:
    frame = scene.frames[0] if scene.frames else None
    return answer(
        ProvenanceKind.ENVIRONMENT,
        confidence,
        reason,
        quote=scene.failure.headline,
        file=frame.file if frame else None,
        line=frame.line if frame else None,
    )


def _lost(scene: FailureContext) -> Provenance | None:
    """A name that an earlier call of the same tool had defined, where each call starts again."""
    failure, action = scene.failure, scene.action
    name = missing_name(failure)
    if name is None or not _of_snippet(failure):
        return None
    assigns = re.compile(rf"^{re.escape(name)}\s*=[^=]|^(?:def|class|import) {re.escape(name)}\b", re.MULTILINE)
    if assigns.search(_code(action)):
        return None
    for earlier in reversed(scene.earlier):
        found = assigns.search(_code(earlier)) if earlier.tool == action.tool else None
        if found is not None:
            line = _code(earlier)[found.start() :].split("\n", 1)[0]
            return answer(
                ProvenanceKind.ENVIRONMENT,
                0.8,
                (
                    f"{code(name)} was defined in the call at step {earlier.step}, but each call of "
                    f"{code(action.tool)} runs in a new process that keeps nothing between calls"
                ),
                quote=line,
                step=earlier.step,
            )
    return None


def _of_snippet(failure: Failure) -> bool:
    return not failure.frames or failure.frames[-1].file.startswith(("<", "-"))


def _code(action: Action) -> str:
    if isinstance(action.arguments, str):
        return action.arguments
    return "\n".join(value for value in action.arguments.values() if isinstance(value, str))
