"""Values that a text spells as Python or JSON writes them."""

from __future__ import annotations

import ast
import json
import warnings
from contextlib import suppress
from typing import Any

OBJECTS = ("{", "[")
"""How a text begins that spells members or a list."""
_WORDS_BEFORE = 80


def record_in(text: str) -> Any:
    """The members or the list that a text spells in JSON or as Python does, below one short line of words at most; the
    text itself where it spells none."""
    lead, _, rest = text.partition(":\n")
    spelled = rest if len(lead) < _WORDS_BEFORE and rest[:1] in OBJECTS else text
    for read in (json.loads, python_values) if spelled.lstrip()[:1] in OBJECTS else ():
        with suppress(ValueError, RecursionError):
            return read(spelled)
    return text


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


def called_with(text: str) -> dict[str, Any]:
    """The named values of a text that spells a call (`Result(code=1, output='')`), as far as they're values; none for
    another text."""
    found: dict[str, Any] = {}
    with warnings.catch_warnings(), suppress(SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        warnings.simplefilter("ignore")
        call = ast.parse(text.strip(), mode="eval").body
        for named in call.keywords if isinstance(call, ast.Call) else ():
            if named.arg is not None and not isinstance(named.value, ast.Call | ast.Name):
                found[named.arg] = _plain(ast.literal_eval(named.value))
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if value is None or isinstance(value, str | int | float):
        return value
    return str(value)
