"""Arguments that are nested more deeply than anything that goes through them may go."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from analyzer.model.session import Session, ToolCall

_DEEPEST = 100
"""Levels of a call's arguments: every one costs several calls of Python's, of which a thousand may be under way."""
_NOTHING = object()


def write_deep_as_text(session: Session) -> None:
    """Put the JSON text of what lies deeper in a call's arguments in its place."""
    for event in session.events:
        if isinstance(event, ToolCall) and isinstance(event.arguments, Mapping):
            event.arguments = _members(event.arguments, 1)
    if session.expected is not None and session.expected.calls is not None:
        calls = tuple(replace(call, arguments=_members(call.arguments, 1)) for call in session.expected.calls)
        session.expected = replace(session.expected, calls=calls)


def _members(value: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
    changed = {
        key: after
        for key, inner in value.items()
        if isinstance(inner, dict | list | tuple) and (after := _value(inner, depth)) is not inner
    }
    return {**value, **changed} if changed else value


def _value(value: Any, depth: int) -> Any:
    """The value itself where nothing in it is too deep."""
    if depth >= _DEEPEST:
        return _text(value)
    if isinstance(value, Mapping):
        return _members(value, depth + 1)
    after = [_value(inner, depth + 1) if isinstance(inner, dict | list | tuple) else inner for inner in value]
    return after if any(one is not other for one, other in zip(after, value, strict=True)) else value


def _text(value: Any) -> str:
    """The JSON text of a value, made without going into it: it may be as deep as Python reads."""
    parts: list[str] = []
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        before, inner = waiting.pop()
        parts.append(before)
        if inner is _NOTHING:
            continue
        if isinstance(inner, Mapping):
            members = [
                (f"{', ' if at else ''}{_written(str(key))}: ", one) for at, (key, one) in enumerate(inner.items())
            ]
            waiting += [("}", _NOTHING), *reversed(members)]
            parts.append("{")
        elif isinstance(inner, list | tuple):
            waiting += [("]", _NOTHING), *reversed([(", " if at else "", one) for at, one in enumerate(inner)])]
            parts.append("[")
        else:
            parts.append(_written(inner))
    return "".join(parts)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
