"""What other programs compare of a call: its name and its arguments, to the letter or with sorted keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from analyzer.model.action import Action
from analyzer.text.names import digest

_LONGEST = 500
"""Characters of arguments that are kept as they are; of longer ones a digest is."""


def as_written(action: Action) -> str:
    """The tool's name and its arguments as JSON in the order in which they were written."""
    return f"{action.tool}:{_json(action.arguments, in_order=False)}"


def with_sorted_keys(action: Action, without: str | None = None) -> str:
    """The tool's name and its arguments as JSON with sorted keys; the argument `without` is left out."""
    arguments = action.arguments
    if without is not None and not isinstance(arguments, str) and without in arguments:
        arguments = {name: value for name, value in arguments.items() if name != without}
    return f"{action.tool}:{_json(arguments, in_order=True)}"


def _json(arguments: Mapping[str, Any] | str, *, in_order: bool) -> str:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, sort_keys=in_order, default=str)
    return text if len(text) <= _LONGEST else digest(text)
