"""Calls as the benchmark writes them: objects of a function's name with its arguments, or Python expressions; and those
that a task accepts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.formats.record.fields import dict_of
from analyzer.model.session import ExpectedCall
from analyzer.text.expressions import compiled

_LONGEST = 20_000
_PUNCTUATION = compiled(r"[ ,./\-_*^()'\"]")


@dataclass(frozen=True, slots=True)
class Call:
    """A function's name, and its arguments by name; those without one are numbered."""

    name: str
    arguments: Mapping[str, Any]


def calls_in(value: object) -> Iterator[Call | None]:
    """The calls of one answer; None for what is none."""
    if isinstance(value, str):
        yield _expression(value)
    elif isinstance(value, dict):
        for name, given in value.items():
            yield Call(str(name), given) if isinstance(given, dict) else None
    elif isinstance(value, list):
        for inner in value:
            yield from calls_in(inner)
    elif value is not None:
        yield None


def _expression(text: str) -> Call | None:
    """The call that a Python expression is, such as `move(source='a', target='b')`."""
    if len(text) > _LONGEST:
        return None
    try:
        node = ast.parse(text.strip(), mode="eval").body
        if not isinstance(node, ast.Call):
            return None
        given = {f"argument {number}": _value(one) for number, one in enumerate(node.args, 1)}
        named = {one.arg: _value(one.value) for one in node.keywords if one.arg is not None}
        return Call(ast.unparse(node.func), given | named)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return ast.unparse(node)
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)


def accepted(value: object, made: Sequence[Call]) -> list[ExpectedCall]:
    """The calls that a task expects. Of an argument with several accepted values the one that was given counts, where
    it is among them; one that may be left out, and was, doesn't count."""
    found: list[ExpectedCall] = []
    left = list(made)
    for call in calls_in(value):
        if call is None:
            continue
        given = next((one for one in left if one.name == call.name), None)
        if given is not None:
            left.remove(given)
        mine = dict_of(given.arguments) if given is not None else {}
        arguments = {}
        for name, values in call.arguments.items():
            chosen = _chosen(values, mine.get(name)) if isinstance(values, list) else (values,)
            if chosen:
                arguments[name] = chosen[0]
        found.append(ExpectedCall(call.name, arguments, tuple(arguments)))
    return found


def written(value: object) -> list[ExpectedCall]:
    """The calls that a task expects as they are written, each with all its arguments."""
    return [ExpectedCall(call.name, dict(call.arguments)) for call in calls_in(value) if call is not None]


def _chosen(values: list[Any], given: Any) -> tuple[Any, ...]:
    same = [value for value in values if value == given or _plain(value) == _plain(given)]
    if same and given is not None:
        return (given,)
    if given is None and "" in values:
        return ()
    return tuple(values[:1])


def _plain(value: Any) -> object:
    """A text as the benchmark compares it, without case and punctuation; anything else as it is."""
    return _PUNCTUATION.sub("", value).casefold() if isinstance(value, str) else value
