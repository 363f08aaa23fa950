"""The plan that a record holds: calls with references to the results of earlier ones, and which actions carried it
out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.text.expressions import compiled
from analyzer.text.late import late

_TOOL_KEYS = ("tool", "tool_name", "function", "action", "name")
_ARGUMENT_KEYS = ("arguments", "args", "parameters", "params", "input", "inputs", "action_input")
_SEPARATOR = compiled(r"__|::|[./:]")
_LONGEST = 200_000
_MOST = 60
_REFERENCE = late(
    r"(?:\{\{\s{0,4}|\$\{|\$|#)(?P<word>steps?|results?|outputs?|E)[._\[]{0,2}(?:step)?[_ -]?(?P<number>\d{1,4})\]?"
    r"(?:\.(?:output|result|value|response)\b)?(?P<way>(?:\.[A-Za-z_]\w{0,60}|\[\d{1,6}\])*)(?:\s{0,4}\}\}|\})?"
)
"""How planners refer to the result of a step: `$result.step_2.id`, `{{step_2.output.id}}`, `${steps.2.id}`, `#E2`."""


class PlannedCall(Struct, frozen=True):
    """One call of a plan: its name, the tool, and the arguments, references written as `$result.step_N`."""

    name: str
    tool: str
    arguments: Mapping[str, Any]


def plan_in(action: Action) -> list[PlannedCall]:
    """The plan that a call hands over or gets back; empty for none. Only a plan that refers to results is one."""
    for value in (_parsed(action.result), action.arguments):
        for entries in _lists(value, 3):
            calls = [call for number, entry in enumerate(entries, 1) if (call := _call(entry, number)) is not None]
            if (
                len(calls) == len(entries)
                and len(calls) > 1
                and any(
                    "$result.step_" in json.dumps(call.arguments, ensure_ascii=False, default=str) for call in calls
                )
            ):
                return calls
    return []


def carried_out(plan: Sequence[PlannedCall], actions: Sequence[Action]) -> list[tuple[PlannedCall, Action]]:
    """The calls of a plan with the actions that made them, in order."""
    found, place = [], 0
    for call in plan:
        number = next((number for number in range(place, len(actions)) if _same(call.tool, actions[number].tool)), None)
        if number is not None:
            found.append((call, actions[number]))
            place = number + 1
    return found


def _call(entry: Any, number: int) -> PlannedCall | None:
    if not isinstance(entry, Mapping):
        return None
    tool = next((entry[key] for key in _TOOL_KEYS if isinstance(entry.get(key), str)), None)
    arguments = next((entry[key] for key in _ARGUMENT_KEYS if isinstance(entry.get(key), Mapping)), None)
    if tool is None or arguments is None or " " in tool:
        return None
    return PlannedCall(f"step_{number}", tool, {str(name): _written(value) for name, value in arguments.items()})


def _written(value: Any) -> Any:
    """A value of a plan with its references written in one way."""
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: f"$result.step_{int(found['number'])}{found['way']}", value)
    if isinstance(value, list):
        return [_written(entry) for entry in value[:_MOST]]
    if isinstance(value, Mapping):
        return {str(key): _written(entry) for key, entry in value.items()}
    return value


def _lists(value: Any, depth: int) -> Iterator[list[Any]]:
    if isinstance(value, list):
        if 1 < len(value) <= _MOST:
            yield value
    elif isinstance(value, dict) and depth:
        for entry in list(value.values())[:20]:
            yield from _lists(entry, depth - 1)


def _same(planned: str, called: str) -> bool:
    wanted, given = _SEPARATOR.split(planned.casefold()), _SEPARATOR.split(called.casefold())
    count = min(len(wanted), len(given))
    return wanted[-count:] == given[-count:]


def _parsed(text: str | None) -> Any:
    if text is None or len(text) > _LONGEST or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
