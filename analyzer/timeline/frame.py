"""A timeline as a pandas DataFrame, for notebooks. The only place that imports pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas

if TYPE_CHECKING:
    from analyzer.timeline.timeline import Timeline


def to_frame(timeline: Timeline) -> pandas.DataFrame:
    """One row per action, in file order. `started_at` is a UTC timestamp, `duration` in seconds. Tokens and `cost_usd`
    are what the model used to ask for the action, and since the action before it; of actions that were sent together
    the first has them."""
    rows = [
        {
            "step": action.step,
            "lane": action.lane,
            "tool": action.tool,
            "kind": str(action.kind),
            "target": action.operation.target,
            "status": str(action.status),
            "status_source": str(action.status_source),
            "decided_by": action.decided_by,
            "exit_code": action.exit_code,
            "failure_kind": str(action.failure.kind) if action.failure else None,
            "failure_type": action.failure.type if action.failure else None,
            "failure_message": action.failure.message if action.failure else None,
            "repeats_step": action.repeats_step,
            "repeats_as": str(action.repeats_as) if action.repeats_as else None,
            "failure_group": action.failure.group if action.failure else None,
            "origin": str(action.failure.origin.role) if action.failure and action.failure.origin else None,
            "expected": bool(action.failure and action.failure.expected),
            "started_at": action.started_at,
            "duration": action.duration,
            "state": action.state or None,
            "directory": action.directory or None,
            "said": action.said,
            "tokens_input": action.usage.tokens.input if action.usage else None,
            "tokens_output": action.usage.tokens.output if action.usage else None,
            "tokens_cached": action.usage.tokens.cached if action.usage else None,
            "cost_usd": action.usage.cost_usd if action.usage else None,
        }
        for action in timeline.actions
    ]
    frame = pandas.DataFrame(rows, columns=_COLUMNS)
    frame["started_at"] = pandas.to_datetime(frame["started_at"], unit="s", utc=True, errors="coerce")
    counts = dict.fromkeys(("exit_code", "repeats_step", "tokens_input", "tokens_output", "tokens_cached"), "Int64")
    return frame.astype({**counts, "duration": "float64", "cost_usd": "float64", "expected": "bool"})


_COLUMNS = [
    "step",
    "lane",
    "tool",
    "kind",
    "target",
    "status",
    "status_source",
    "decided_by",
    "exit_code",
    "failure_kind",
    "failure_type",
    "failure_message",
    "repeats_step",
    "repeats_as",
    "failure_group",
    "origin",
    "expected",
    "started_at",
    "duration",
    "state",
    "directory",
    "said",
    "tokens_input",
    "tokens_output",
    "tokens_cached",
    "cost_usd",
]
