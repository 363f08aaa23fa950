"""A name, a path or a text that nothing had shown before the agent used it, or that had been replaced by then."""

from __future__ import annotations

import json

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, Status
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import holds_any

_PATH = late(r"(?<![\w./-])(?P<path>[\w.~@+-]*(?:/[\w.@+-]+)+|[\w@+-]+\.[A-Za-z]\w{0,8})(?![\w/])")
_QUOTED = late(r"['\"`‘](?P<value>[^'\"`’\n]{3,120})['\"`’]")
_LEAST_LINE = 8
_GUESSED = frozenset({FailureKind.NOT_FOUND, FailureKind.INVALID_CALL, FailureKind.USAGE})


def find(scene: FailureContext) -> Provenance | None:
    """What the failing step names and nothing before it had shown."""
    failure = scene.failure
    if failure.kind is FailureKind.EDIT_REFUSED:
        return _quoted_text(scene)
    if failure.kind in _GUESSED and not failure.frames:
        return _value(scene)
    return None


def _quoted_text(scene: FailureContext) -> Provenance | None:
    """Lines that a refused edit looks for in a file although nothing had shown them."""
    if (scene.failure.type or "") != "EditNoMatch":
        return None
    for edit in scene.action.operation.edits:
        for line in (edit.before or "").split("\n"):
            text = line.strip()
            # Of a line that was shown but for its end it's only that it was miscopied.
            if len(text) < _LEAST_LINE or _known(scene, text) or _known(scene, text[: len(text) * 4 // 5]):
                continue
            return answer(
                ProvenanceKind.INVENTED,
                0.75,
                (
                    f"The edit looks for {code(clip(text, 100))} in {code(edit.path)}, and nothing before step "
                    f"{scene.action.step} had shown that line"
                ),
                quote=text,
                step=scene.action.step,
                file=edit.path or None,
            )
    return None


def _known(scene: FailureContext, text: str) -> bool:
    """Whether a line was shown, or written by the agent, before the failing step."""
    if text in scene.texts.said:
        return True
    for index in range(scene.index):
        operation = scene.history.actions[index].operation
        if text in scene.texts.text(index) or text in (operation.command or ""):
            return True
        if any(text in (edit.after or "") for edit in operation.edits):
            return True
    plain = text.replace("\\", "")
    return any(plain in scene.texts.text(index).replace("\\", "") for index in range(scene.index))


def _value(scene: FailureContext) -> Provenance | None:
    """A path or a value that the failing call gives and the message quotes."""
    if holds_any(scene.action.operation.command or "", ("2>", "||")):
        return None  # a look for something that may be there
    given = _arguments(scene.action)
    message = scene.failure.message
    values = [found["path"] for found in _PATH.finditer(message)] + [
        found["value"] for found in _QUOTED.finditer(message)
    ]
    for value in dict.fromkeys(values):
        told = last_part(value) if "/" in value else value
        if len(told) < 3 or value not in given or scene.shown_before(told):
            continue
        naming = [action for action in scene.earlier if value in _arguments(action)]
        if any(action.status is Status.OK for action in naming):
            continue
        first = next(iter(naming), scene.action)
        return answer(
            ProvenanceKind.INVENTED,
            0.65,
            (
                f"{code(value)} was first named by the agent itself, at step {first.step}; neither the user nor a "
                "result before had shown it"
            ),
            quote=value,
            step=first.step,
        )
    return None


def _arguments(action: Action) -> str:
    if isinstance(action.arguments, str):
        return action.arguments
    return json.dumps(list(action.arguments.values()), ensure_ascii=False, default=str)
