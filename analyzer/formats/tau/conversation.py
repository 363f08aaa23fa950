"""What tau-bench and tau2-bench share: how a run is called, how the talk ends, and when its reward is full."""

from __future__ import annotations

import re

from analyzer.formats.record.fields import int_or_none, str_or_none

_SIGNAL = re.compile(r"\s*###[A-Z-]+###\s*")
_FULL_REWARD = 1 - 1e-6


def is_signal(text: str) -> bool:
    """Whether the text is what the simulated user says to end the talk, which nobody says aloud."""
    return _SIGNAL.fullmatch(text) is not None


def is_full(reward: float) -> bool:
    """Whether a reward is that of a solved task."""
    return reward >= _FULL_REWARD


def task_name(task_id: object) -> str | None:
    """Return a task's id, which is a number or a text, as a text."""
    number = int_or_none(task_id)
    return str_or_none(task_id) if number is None else str(number)


def run_name(task_id: object, trial: object, place: str) -> str:
    """Return the name of one run of a task: the task's, else that of its place, with the number of the trial."""
    name, number = task_name(task_id) or place.replace(" ", "-"), int_or_none(trial)
    return name if number is None else f"{name}/trial-{number}"
