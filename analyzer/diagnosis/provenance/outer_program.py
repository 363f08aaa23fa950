"""A program that was called through another one, which doesn't know it."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnosis.provenance.answer import answer
from analyzer.diagnosis.provenance.context import FailureContext
from analyzer.model.action import Action, Command
from analyzer.model.provenance import Provenance, ProvenanceKind
from analyzer.text.late import late
from analyzer.text.markdown import code

_REJECTED = late(
    r"\b(?:unrecogni[sz]ed|unknown|invalid|unsupported|no such|not a valid) (?:sub-?)?(?:command|option|argument"
    r"|flag)s?\b[:\s]*['\"`‘]?(?P<name>[\w@./+-]{1,60}?)['\"`’]?(?=$|[\s.,;)])"
    r"|['\"`‘](?P<quoted>[\w@./+-]{1,60})['\"`’] is not an? [\w./-]{1,40} command\b",
    2,
)


def find(scene: FailureContext) -> Provenance | None:
    """A word that the program in front of it rejects, and that as a program of its own works at another step."""
    action = scene.action
    found = _REJECTED.search(scene.failure.message) or _REJECTED.search(scene.texts.text(scene.index))
    if found is None:
        return None
    name = found["name"] or found["quoted"]
    outer = next((command for command in action.operation.commands if name in command.args), None)
    if outer is None or outer.program == name:
        return None
    other = next(_worked(scene, name), None)
    if other is None:
        return None
    return answer(
        ProvenanceKind.DIFFERENT_CALL,
        0.8,
        (
            f"{code(outer.program)} rejects {code(name)}; without {code(outer.program)} in front of it, {code(name)} "
            f"works at step {other.step}"
        ),
        quote=scene.failure.headline,
        step=action.step,
    )


def _worked(scene: FailureContext, name: str) -> Iterator[Action]:
    """The steps of the lane that run a program of that name first and without a failure, the nearest after the failing
    one first."""
    actions = scene.history.actions
    for index in (*range(scene.index + 1, len(actions)), *range(scene.index - 1, -1, -1)):
        action = actions[index]
        if action.lane == scene.group.lane and action.failure is None and _first(action) == name:
            yield action


def _first(action: Action) -> str | None:
    commands: tuple[Command, ...] = action.operation.commands
    return next((command.program for command in commands if command.program != "cd"), None)
