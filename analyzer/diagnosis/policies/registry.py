"""The policies: the plain ones, then those of other programs. What each is called and can be given is in
`registry.toml`."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from analyzer.diagnosis.policies.policy import Anywhere, Counter, Cycle, InARow, Messages, PolicyKind, Turns, Window
from analyzer.model.action import Action
from analyzer.model.errors import BadConfiguration
from analyzer.model.struct import convert
from analyzer.model.words import Kind, Mark, Status
from analyzer.text.english import did_you_mean
from analyzer.text.expressions import KEPT
from analyzer.text.names import digest

_LONGEST = 500
"""Characters of arguments that are kept as they are; of longer ones a digest is."""


def tool(action: Action) -> str:
    """The tool's name."""
    return action.tool


def _call_and_result(action: Action) -> Hashable:
    return action.keys.call, action.keys.outcome


def _error(action: Action, *, masked: bool = False) -> Hashable:
    """The error to the letter, or the session's group of it, unless it was to be expected."""
    failure = action.failure if action.failure is not None and not action.failure.expected else None
    return failure and (failure.group if masked else failure.headline)


def _as_written(action: Action) -> Hashable:
    """The tool's name and its arguments as JSON in the order in which they were written."""
    return f"{action.tool}:{_json(action.arguments, in_order=False)}"


def _sorted(action: Action, without: str | None = None) -> str:
    """The tool's name and its arguments as JSON with sorted keys; the argument `without` is left out."""
    arguments = action.arguments
    if without is not None and not isinstance(arguments, str):
        arguments = {name: value for name, value in arguments.items() if name != without}
    return f"{action.tool}:{_json(arguments, in_order=True)}"


def _json(arguments: Mapping[str, Any] | str, *, in_order: bool) -> str:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, sort_keys=in_order, default=str)
    return text if len(text) <= _LONGEST else digest(text)


def _sorted_and_result(action: Action) -> Hashable:
    return _sorted(action), action.keys.outcome


def _one_fails(one: Hashable, other: Hashable) -> bool:
    """Whether of two tools with their errors the second one fails, and only it."""
    assert isinstance(one, tuple)
    assert isinstance(other, tuple)
    return one[0] != other[0] and one[1] is None and other[1] is not None


def _thought_of_command(action: Action) -> Hashable:
    """Name and arguments; of a command the thought before it as well."""
    return _sorted(action), action.said if action.operation.command is not None else ""


def _thought(action: Action) -> Hashable:
    """The thought, the name and the arguments."""
    return action.said, _sorted(action)


def _exit_code(action: Action) -> Hashable:
    """Of a command the exit code (where none was recorded, whether it failed), else the text."""
    if action.operation.command is None or action.result is None:
        return action.keys.outcome
    return action.exit_code if action.exit_code is not None else str(action.status)


def _refused(action: Action) -> bool:
    """Whether the harness, and no command, says that it went wrong."""
    return action.mark is Mark.REJECTED or (action.operation.command is None and action.status is Status.ERROR)


_COUNTERS: dict[str, Callable[..., Sequence[Counter]]] = {
    "same-tool": lambda times: [InARow(tool, times)],
    "identical-call": lambda times: [InARow(lambda action: action.keys.call, times)],
    "identical-call-and-result": lambda times: [InARow(_call_and_result, times)],
    "identical-error": lambda times: [Anywhere(_error, times)],
    "masked-error": lambda times: [Anywhere(partial(_error, masked=True), times)],
    "alternating-calls": lambda rounds: [Turns(_call_and_result, rounds)],
    "alternating-error": lambda rounds: [
        Turns(lambda action: (action.tool, action.failure.group if action.failure else None), rounds, _one_fails)
    ],
    "exact-cycle": lambda period, rounds: [Cycle(lambda action: (action.tool, action.keys.call), period, rounds)],
    "step-limit": lambda actions: [Anywhere(lambda _action: True, actions)],
    "openhands": lambda: [
        Turns(lambda action: (_thought_of_command(action), _exit_code(action)), 3),
        InARow(lambda action: (_thought_of_command(action), _exit_code(action)), 4),
        InARow(lambda action: _thought_of_command(action) if _refused(action) else None, 3),
    ],
    "openhands-sdk": lambda: [
        Turns(lambda action: (_thought(action), action.keys.outcome), 3),
        InARow(lambda action: (_thought(action), action.keys.outcome), 4),
        InARow(lambda action: _thought(action) if _refused(action) else None, 4),
    ],
    "gemini-cli": lambda: [Cycle(_as_written, 5, 5)],
    "qwen-code": lambda: [Turns(_sorted, 3), InARow(_sorted, 5), Anywhere(_sorted, 6), InARow(tool, 8)],
    "roo-code": lambda: [InARow(_sorted, 4)],
    "cline": lambda times: [InARow(lambda action: _sorted(action, without="task_progress"), times)],
    "opencode": lambda: [
        InARow(lambda action: (action.batch, _as_written(action)) if action.batch is not None else None, 3)
    ],
    "crush": lambda: [Messages(lambda action: (_as_written(action), action.keys.outcome), 10, 6)],
    "browser-use": lambda times: [Window(lambda action: _sorted(action).casefold(), 20, times)],
    "openclaw": lambda times: [
        Turns(_sorted_and_result, (times + 1) // 2),
        Window(_sorted, max(30, times), times, lambda action: action.keys.outcome),
    ],
    "hermes-agent": lambda times: [
        Cycle(_sorted_and_result, 4, times, shortest=2),
        InARow(_sorted_and_result, times),
        Anywhere(
            lambda action: _sorted(action) if action.failed else None,
            times,
            forgets=lambda action: action.kind in (Kind.EDIT, Kind.RUN, Kind.TEST),
        ),
    ],
}
POLICIES = {
    name: convert({**row, "name": name, "counters": _COUNTERS[name]}, PolicyKind)
    for name, row in KEPT.table(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
"""Every policy by its name."""


def policy(name: str) -> PolicyKind:
    """The policy of that name. Raises `BadConfiguration` where there's none."""
    found = POLICIES.get(name)
    if found is None:
        raise BadConfiguration(f"there is no policy {name!r}.", hint=did_you_mean(name, POLICIES))
    return found
