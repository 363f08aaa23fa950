"""Values that a text spells as Python writes them."""

from __future__ import annotations

import ast
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
