"""Definitions of tools held against the calls: what a call and its answer show of an argument, beside what the
definition says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.signals.argument_errors import argument_error_of, arguments_of, inner_tool
from analyzer.failures.rejections import ArgumentError
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.model.action import Action
from analyzer.model.definition import Parameter, ToolDefinition
from analyzer.model.session import Message
from analyzer.text.expressions import compiled
from analyzer.text.late import late

Sort = Literal["refused", "unknown-required", "not-passed", "value-refused", "undeclared", "left-out", "other-value"]
"""What's between a definition and an answer.

Where the call follows the definition: a declared argument is `refused` as unknown, one that it doesn't ask for is
wanted (`unknown-required`), one that was given is missed (`not-passed`), a value that it allows isn't taken
(`value-refused`). Where the call doesn't: an argument that isn't there (`undeclared`), a required one that wasn't given
(`left-out`), a value that it excludes (`other-value`).
"""

_SIGNATURE = late(
    r"\(\) missing \d{1,3} required (?:positional|keyword-only) arguments?: (?P<names>['\"]\w{1,60}['\"]"
    r"(?:,? (?:and )?['\"]\w{1,60}['\"]){0,12})"
)
_WANTED = late(
    r"\b(?:must be|should be|expected|is expected as|requires|convert\w* to) (?:of type |type |(?:a|an) (?:valid )?)?"
    r"[`'\"]?(?P<type>string|str|text|integer|int|number|float|boolean|bool|array|list|object|dict)\b",
    re.IGNORECASE,
)
_JSON = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}
_SEPARATOR = compiled(r"__|::|[./:]")
_LONGEST = 100_000
_MOST_ACTIONS = 400


@dataclass(frozen=True, slots=True)
class Side:
    """One argument, as its definition and one answer have it. `parameter` is None where the definition doesn't have
    it."""

    sort: Sort
    argument: str
    parameter: Parameter | None
    action: Action
    given: Any
    error: ArgumentError
    wanted: str | None = None
    """What the answer says it takes for it: a type or values."""


class Definitions:
    """The definitions that a lane's record holds, by tool."""

    def __init__(self, facts: Facts, lane: str, told: Sequence[ToolDefinition] | None = None) -> None:
        # Of equal ones those in the session itself come first: their place is the same in every format.
        told = told_by_prompts(facts) if told is None else told
        found = agreed((*told, *_listed(facts, lane), *facts.timeline.session.definitions))
        self._by_name = {entry.name: entry for entry in found}

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def names(self) -> list[str]:
        """The names of the tools that are defined."""
        return list(self._by_name)

    def of(self, tool: str) -> ToolDefinition | None:
        """The definition of a tool; where only the end of the name is the same, the one whose name ends so."""
        exact = self._by_name.get(tool)
        if exact is not None:
            return exact
        alike = [entry for name, entry in self._by_name.items() if _same(name, tool)]
        return alike[0] if len(alike) == 1 else None


def called(action: Action) -> tuple[str, Mapping[str, Any]]:
    """The tool that an answer speaks of, with its arguments: where a call hands over a plan, those of the plan's
    step."""
    inner = inner_tool(action)
    return (inner or action.tool), arguments_of(action, inner)


def sides(action: Action, definition: ToolDefinition, given: Mapping[str, Any]) -> list[Side]:
    """What lies between the definition and the answer to a call that was rejected because of its arguments."""
    error = _refusal(action)
    if error is None:
        return []
    return list(_sides(action, definition, given, error))


def _sides(
    action: Action, definition: ToolDefinition, given: Mapping[str, Any], error: ArgumentError
) -> Iterator[Side]:
    for name in error.unexpected:
        parameter = definition.parameter(name)
        if name not in given or name in definition.inner:
            continue
        sort: Sort = "refused" if parameter is not None else "undeclared"
        yield Side(sort, name, parameter, action, given[name], error)
    for name in error.missing:
        parameter = definition.parameter(name)
        if error.alternatives or (parameter is None and (name in definition.inner or _deep(given))):
            continue
        if name in given:
            if parameter is not None:
                yield Side("not-passed", name, parameter, action, given[name], error)
        elif parameter is not None and parameter.required:
            yield Side("left-out", name, parameter, action, None, error)
        elif parameter is None or parameter.required is False:
            yield Side("unknown-required", name, parameter, action, None, error)
    for name in error.wrong:
        parameter = definition.parameter(name)
        if parameter is not None and name in given and name not in definition.inner:
            yield from _value(action, parameter, given[name], error)


def _value(action: Action, parameter: Parameter, given: Any, error: ArgumentError) -> Iterator[Side]:
    """A value that the answer doesn't take, beside what the definition takes."""
    if not admits(parameter, given):
        yield Side("other-value", parameter.name, parameter, action, given, error)
        return
    if error.allowed:
        if parameter.values is not None and str(given) not in error.allowed:
            wanted = ", ".join(error.allowed)
            yield Side("value-refused", parameter.name, parameter, action, given, error, wanted)
        return
    found = _WANTED.search((action.result or "")[:2_000])
    kind = found["type"].lower() if found is not None else None
    kind = _JSON.get(kind, kind) if kind is not None else None
    if kind is not None and parameter.types and len(error.wrong) == 1 and not _fits(kind, parameter.types):
        yield Side("value-refused", parameter.name, parameter, action, given, error, kind)


def admits(parameter: Parameter, given: Any) -> bool:
    """Whether a definition takes a value: its type and, where it lists them, the value itself."""
    if parameter.values is not None and given not in parameter.values and str(given) not in map(str, parameter.values):
        return False
    return not parameter.types or any(_is(kind, given) for kind in parameter.types)


def _is(kind: str, value: Any) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return (isinstance(value, int) and not isinstance(value, bool)) or (
                isinstance(value, float) and value.is_integer()
            )
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "array":
            return isinstance(value, list | tuple)
        case "object":
            return isinstance(value, Mapping)
        case _:
            return value is None


def _fits(kind: str, types: Sequence[str]) -> bool:
    return kind in types or (kind == "number" and "integer" in types) or (kind == "integer" and "number" in types)


def _refusal(action: Action) -> ArgumentError | None:
    """What an answer says of the call's arguments, whether a validator says it or the function itself."""
    if action.harness or action.result is None:
        return None
    found = argument_error_of(action)
    if found is not None and found.specific:
        return found
    if action.failure is None or action.operation.command is not None or len(action.result) > 6_000:
        return None
    signed = _SIGNATURE.search(action.result)
    if signed is None:
        return None
    return ArgumentError(missing=tuple(re.findall(r"\w{1,60}", signed["names"].replace(" and ", " "))))


def _deep(given: Mapping[str, Any]) -> bool:
    """Whether a name that is missed may be meant to stand within one of the values."""
    return any(
        isinstance(value, Mapping | list) or (isinstance(value, str) and value.lstrip()[:1] in ("{", "["))
        for value in given.values()
    )


def _same(defined: str, tool: str) -> bool:
    wanted, given = _SEPARATOR.split(defined.casefold()), _SEPARATOR.split(tool.casefold())
    count = min(len(wanted), len(given))
    return wanted[-count:] == given[-count:]


def told_by_prompts(facts: Facts) -> list[ToolDefinition]:
    """The definitions in the prompts, which are the same for every lane."""
    return [
        definition
        for event in facts.timeline.session.events
        if isinstance(event, Message) and event.role in ("system", "harness") and '"name"' in event.text
        for definition in _told(event.text)
    ]


def _listed(facts: Facts, lane: str) -> Iterator[ToolDefinition]:
    """The definitions in the listings of tools that calls were given or got."""
    for action in list(facts.lane(lane))[:_MOST_ACTIONS]:
        if isinstance(action.arguments, Mapping):
            for key in ("tools", "functions", "tool_definitions"):
                if isinstance(action.arguments.get(key), list | Mapping):
                    yield from definitions_in({key: action.arguments[key]}, f"step {action.step}")
        result = (action.result or "").lstrip()
        if action.failure is None and result[:1] in ("{", "[") and '"tools"' in result and len(result) < _LONGEST:
            listed = _parsed(result)
            if isinstance(listed, Mapping):
                yield from definitions_in(
                    {key: listed[key] for key in ("tools", "result") if key in listed}, f"step {action.step}"
                )


def _told(text: str) -> Iterable[ToolDefinition]:
    """The definitions within a prompt."""
    decoder, place = json.JSONDecoder(), 0
    for _ in range(200):
        found = re.compile(r'[\[{]\s{0,20}(?:\{\s{0,20})?"(?:type|name|function)"').search(text, place)
        if found is None:
            return
        try:
            value, place = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            place = found.start() + 1
            continue
        yield from definitions_in({"tools": value}, "system message")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
