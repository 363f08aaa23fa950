"""A timeline as a pandas DataFrame, for notebooks. The only place that imports pandas."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import pandas

if TYPE_CHECKING:
    from analyzer.model.action import Action
    from analyzer.timeline.timeline import Timeline

_COLUMNS = {
    **{name: name for name in ("step", "lane", "tool", "kind")},
    "target": "operation.target",
    **{name: name for name in ("status", "status_source", "decided_by", "exit_code")},
    "failure_kind": "failure.kind",
    "failure_type": "failure.type",
    "failure_message": "failure.message",
    **{name: name for name in ("repeats_step", "repeats_as")},
    "failure_group": "failure.group",
    "origin": "failure.origin.role",
    "expected": "failure.expected",
    **{name: name for name in ("started_at", "duration", "state", "directory", "said")},
    "tokens_input": "usage.tokens.input",
    "tokens_output": "usage.tokens.output",
    "tokens_cached": "usage.tokens.cached",
    "cost_usd": "usage.cost_usd",
}
"""The columns, each with where an action has its value."""


def to_frame(timeline: Timeline) -> pandas.DataFrame:
    """One row per action, in file order. `started_at` is a UTC timestamp, `duration` in seconds. Tokens and `cost_usd`
    are what the model used to ask for the action, and since the action before it; of actions that were sent together
    the first has them."""
    rows = [[_value(action, path) for path in _COLUMNS.values()] for action in timeline.actions]
    frame = pandas.DataFrame(rows, columns=list(_COLUMNS))
    frame["started_at"] = pandas.to_datetime(frame["started_at"], unit="s", utc=True, errors="coerce")
    counts = dict.fromkeys(("exit_code", "repeats_step", "tokens_input", "tokens_output", "tokens_cached"), "Int64")
    return frame.astype({**counts, "duration": "float64", "cost_usd": "float64", "expected": "bool"})


def _value(action: Action, path: str) -> object:
    """What an action has there, None where a part of the way is missing; a state or a directory may be unknown."""
    value: object = action
    for name in path.split("."):
        value = getattr(value, name) if value is not None else None
    return str(value) if isinstance(value, Enum) else None if value == "" and path in ("state", "directory") else value
