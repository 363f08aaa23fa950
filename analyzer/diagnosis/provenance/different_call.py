"""A call that differs in one argument from a call that worked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, Kind, Status
from analyzer.text.clip import clip
from analyzer.text.markdown import code
from analyzer.text.similarity import alike

_OF_THE_CALL = frozenset(
    {FailureKind.USAGE, FailureKind.INVALID_CALL, FailureKind.NOT_FOUND, FailureKind.OTHER, FailureKind.EXCEPTION}
)
_ALIKE = 60.0
_NEAR = 40
"""Actions on either side within which a call that worked is looked for."""


def find(scene: FailureContext) -> Provenance | None:
    """The nearest call of the same tool or program that worked, where only one argument is different."""
    failure, action = scene.failure, scene.action
    if (
        failure.kind not in _OF_THE_CALL
        or failure.frames
        or action.kind in (Kind.EDIT, Kind.TEST, Kind.READ, Kind.SEARCH)
    ):
        return None
    for other in _nearest(scene):
        if other.tool != action.tool or other.status is not Status.OK or other.directory != action.directory:
            continue
        found = _difference(action, other)
        if found is not None:
            name, here, there = found
            what = f"in {code(name)}" if name else "in one word"
            here_text, there_text = (code(clip(value, 100)) if value else "nothing" for value in (here, there))
            return answer(
                ProvenanceKind.DIFFERENT_CALL,
                0.7,
                (
                    f"The call differs from the one at step {other.step}, which worked, only {what}: {here_text} "
                    f"instead of {there_text}"
                ),
                quote=here or there,
                step=action.step,
            )
    return None


def _nearest(scene: FailureContext) -> Iterator[Action]:
    actions = scene.history.actions
    for distance in range(1, _NEAR):
        for index in (scene.index - distance, scene.index + distance):
            if 0 <= index < len(actions) and actions[index].lane == scene.group.lane:
                yield actions[index]


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
    while one and two and one[0] == two[0]:
        one.pop(0)
        two.pop(0)
    while one and two and one[-1] == two[-1]:
        one.pop()
        two.pop()
    return one, two


def _close(one: str, two: str) -> bool:
    return len(one) < 400 and len(two) < 400 and alike(one.lower(), two.lower(), _ALIKE)


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else repr(value)
