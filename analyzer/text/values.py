"""Values that a text spells: as Python writes them, or as JSON whose end is missing."""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any


def python_values(text: str) -> Any:
    """The value, of the types that JSON has: anything else in it is text, and so are names of members. Raises
    `ValueError` for a text that spells no value."""
    try:
        with warnings.catch_warnings():
            # What Python remarks on odd escapes is for whoever wrote them.
            warnings.simplefilter("ignore")
            return _plain(ast.literal_eval(text))
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if value is None or isinstance(value, str | int | float):
        return value
    return str(value)


_DECODER = json.JSONDecoder(strict=False)
_BLANK = " \t\r\n"
_LITERALS = ("true", "false", "null")
_LONGEST = 200_000
_MOST = 100


class _End(Exception):
    """The text ends here."""


def cut_members(text: str) -> dict[str, Any] | None:
    """The whole members at the beginning of a JSON object whose end is missing; None for a text that is no such object:
    a whole one, one that breaks JSON's rules before its end, or another text."""
    head = text[:_LONGEST].lstrip(_BLANK)
    if not head.startswith("{") or len(head) < 2:
        return None
    found: dict[str, Any] = {}
    place = 1
    try:
        for _ in range(_MOST):
            key, place = _value(head, _skip(head, place))
            place = _skip(head, place)
            if not isinstance(key, str) or head[place] != ":":
                return None
            found_value, place = _value(head, _skip(head, place + 1))
            found[key] = found_value
            place = _skip(head, place)
            if head[place] != ",":
                return None
            place += 1
    except _End:
        return found
    except (ValueError, RecursionError):
        return None
    return None


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANK:
        place += 1
    if place >= len(text):
        raise _End
    return place


def _value(text: str, place: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        rest = text[place:]
        if (
            error.msg.startswith("Unterminated string")
            or error.pos >= len(text.rstrip(_BLANK))
            or any(word.startswith(rest) for word in _LITERALS)
            or rest == "-"
        ):
            raise _End from error
        raise
    if end >= len(text) and not isinstance(value, str | list | dict):
        raise _End  # a number may go on
    return value, end
