"""What tau-bench and tau2-bench share: how a run is called, how the talk ends, and when its reward is full."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, name_or_none, str_or_none
from analyzer.model.session import Expected, ExpectedCall, Message, Session
from analyzer.model.words import SIMULATED_USER
from analyzer.text.expressions import compiled

_SIGNAL = compiled(r"\s*###[A-Z-]+###\s*")
_FULL_REWARD = 1 - 1e-6


def take_task(
    session: Session, instruction: str | None, actions: object, words: object, ticket: str | None = None
) -> None:
    """Fill in what the user wants, as they first say it, and what is expected of the agent; and the instruction of the
    simulated user, which the agent didn't see unless the user said it."""
    spoken = (event.text for event in session.events if isinstance(event, Message) and event.role == "user")
    session.task = ticket or next(spoken, None) or instruction
    if instruction is not None and instruction != session.task:
        session.environment[SIMULATED_USER] = instruction
    session.expected = _expected_of(actions, words)


def is_signal(text: str) -> bool:
    """Whether the text is what the simulated user says to end the talk, which nobody says aloud."""
    return _SIGNAL.fullmatch(text) is not None


def is_full(reward: float) -> bool:
    """Whether a reward is that of a solved task."""
    return reward >= _FULL_REWARD


def run_name(task_id: object, trial: object, place: str) -> str:
    """Return the name of one run of a task: the task's, else that of its place, with the number of the trial."""
    name, number = name_or_none(task_id) or place.replace(" ", "-"), int_or_none(trial)
    return name if number is None else f"{name}/trial-{number}"


def _expected_of(actions: object, words: object) -> Expected | None:
    """What a task expects: the agent's calls among its actions, and the words that the user is to hear; None where
    it records no actions."""
    if not isinstance(actions, list):
        return None
    calls = [call for entry in actions if (call := _expected_call(dict_of(entry))) is not None]
    return Expected(tuple(calls), tuple(word for entry in list_of(words) if (word := str_or_none(entry))))


def _expected_call(action: dict[str, object]) -> ExpectedCall | None:
    name = str_or_none(action.get("name"))
    if name is None or action.get("requestor") == "user":
        return None
    arguments = arguments_of(action.get("kwargs") if "kwargs" in action else action.get("arguments"))
    compared = action.get("compare_args")
    names = tuple(map(str, compared)) if isinstance(compared, list) else None
    return ExpectedCall(name, arguments if isinstance(arguments, Mapping) else {}, names)
