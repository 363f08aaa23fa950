"""A cause in the failing call.

It may be a name, a path or a text that nothing had shown before the agent used it, or that had been replaced by then;
or a difference in one argument from a call that worked.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, Kind, Status
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import holds_any
from analyzer.text.similarity import alike

_PATH = late(r"(?<![\w./-])(?P<path>[\w.~@+-]*(?:/[\w.@+-]+)+|[\w@+-]+\.[A-Za-z]\w{0,8})(?![\w/])")
_QUOTED = late(r"['\"`‘](?P<value>[^'\"`’\n]{3,120})['\"`’]")
_LEAST_LINE = 8
_GUESSED = frozenset({FailureKind.NOT_FOUND, FailureKind.INVALID_CALL, FailureKind.USAGE})


def invented(scene: FailureContext) -> Provenance | None:
    """What the failing step names and nothing before it had shown."""
    failure = scene.failure
    if failure.kind is FailureKind.EDIT_REFUSED:
        return _quoted_text(scene)
    return _value(scene) if failure.kind in _GUESSED and not failure.frames else None


def _quoted_text(scene: FailureContext) -> Provenance | None:
    """Lines that a refused edit looks for in a file although nothing had shown them."""
    if scene.failure.type != "EditNoMatch":
        return None
    step = scene.action.step
    for edit in scene.action.operation.edits:
        for line in (edit.before or "").split("\n"):
            text = line.strip()
            # Of a line that was shown but for its end it's only that it was miscopied.
            if len(text) < _LEAST_LINE or _known(scene, text) or _known(scene, text[: len(text) * 4 // 5]):
                continue
            reason = f"The edit looks for {code(clip(text, 100))} in {code(edit.path)}, and nothing before step"
            reason += f" {step} had shown that line"
            return answer(ProvenanceKind.INVENTED, 0.75, reason, quote=text, step=step, place=(edit.path, None))
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
    paths = (found["path"] for found in _PATH.finditer(message))
    for value in dict.fromkeys((*paths, *(found["value"] for found in _QUOTED.finditer(message)))):
        told = last_part(value) if "/" in value else value
        if len(told) < 3 or value not in given or scene.texts.shown(told, scene.index):
            continue
        naming = [action for action in scene.earlier if value in _arguments(action)]
        if any(action.status is Status.OK for action in naming):
            continue
        first = next(iter(naming), scene.action)
        reason = f"{code(value)} was first named by the agent itself, at step {first.step}; neither the user nor a"
        reason += " result before had shown it"
        return answer(ProvenanceKind.INVENTED, 0.65, reason, quote=value, step=first.step)
    return None


def _arguments(action: Action) -> str:
    if isinstance(action.arguments, str):
        return action.arguments
    return json.dumps(list(action.arguments.values()), ensure_ascii=False, default=str)


_OF_THE_CALL = frozenset(
    {FailureKind.USAGE, FailureKind.INVALID_CALL, FailureKind.NOT_FOUND, FailureKind.OTHER, FailureKind.EXCEPTION}
)
_ALIKE = 60.0
_NEAR = 40
"""Actions on either side within which a call that worked is looked for."""


def different(scene: FailureContext) -> Provenance | None:
    """The nearest call of the same tool or program that worked, where only one argument is different."""
    failure, action = scene.failure, scene.action
    of_the_call = failure.kind in _OF_THE_CALL and not failure.frames
    if not of_the_call or action.kind in (Kind.EDIT, Kind.TEST, Kind.READ, Kind.SEARCH):
        return None
    actions, at = scene.history.actions, scene.index
    near = (index for distance in range(1, _NEAR) for index in (at - distance, at + distance))
    for other in (actions[index] for index in near if 0 <= index < len(actions)):
        same = (other.lane, other.tool, other.directory) == (action.lane, action.tool, action.directory)
        if not same or other.status is not Status.OK:
            continue
        found = _difference(action, other)
        if found is not None:
            name, here, there = found
            what = f"in {code(name)}" if name else "in one word"
            here_text, there_text = (code(clip(value, 100)) if value else "nothing" for value in (here, there))
            reason = f"The call differs from the one at step {other.step}, which worked, only {what}: {here_text}"
            reason += f" instead of {there_text}"
            return answer(ProvenanceKind.DIFFERENT_CALL, 0.7, reason, quote=here or there, step=action.step)
    return None


def _difference(action: Action, other: Action) -> tuple[str, str, str] | None:
    """The name of the only argument that is different, and its two values."""
    if action.operation.command is not None:
        return _of_words(action, other)
    if isinstance(action.arguments, str) or isinstance(other.arguments, str):
        return None
    mine, theirs = dict(action.arguments), dict(other.arguments)
    names = [name for name in dict.fromkeys([*mine, *theirs]) if mine.get(name) != theirs.get(name)]
    if len(names) != 1 or len(mine) < 2:
        return None
    here, there = _text(mine.get(names[0])), _text(theirs.get(names[0]))
    return (names[0], here, there) if _close(here, there) else None


def _of_words(action: Action, other: Action) -> tuple[str, str, str] | None:
    if len(action.operation.commands) != 1 or len(other.operation.commands) != 1:
        return None
    mine, theirs = action.operation.commands[0], other.operation.commands[0]
    if mine.program != theirs.program or abs(len(mine.args) - len(theirs.args)) > 1 or len(mine.args) < 2:
        return None
    here, there = _without_common(mine.args, theirs.args)
    if len(here) > 1 or len(there) > 1 or not (here or there):
        return None
    one, two = "".join(here), "".join(there)
    return ("", one, two) if not one or not two or _close(one, two) else None


def _without_common(mine: Sequence[str], theirs: Sequence[str]) -> tuple[list[str], list[str]]:
    one, two = list(mine), list(theirs)
    for end in (0, -1):
        while one and two and one[end] == two[end]:
            one.pop(end)
            two.pop(end)
    return one, two


def _close(one: str, two: str) -> bool:
    return len(one) < 400 and len(two) < 400 and alike(one.lower(), two.lower(), _ALIKE)


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else repr(value)
