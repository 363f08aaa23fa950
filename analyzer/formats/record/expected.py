"""What a task expects of the agent, in the project's own form."""

from __future__ import annotations

from analyzer.formats.record.fields import dict_of, list_of, str_or_none
from analyzer.model.session import Expected, ExpectedCall


def expected_of(value: object) -> Expected | None:
    """The expected calls and words under `calls` and `words`; None where `value` is no object. What isn't a call with
    a tool, or no text, is left out."""
    if not isinstance(value, dict):
        return None
    calls = (
        ExpectedCall(tool, dict_of(call.get("arguments")), _names(call.get("compared")))
        for call in map(dict_of, list_of(value.get("calls")))
        if (tool := str_or_none(call.get("tool")))
    )
    return Expected(tuple(calls), _names(value.get("words")) or ())


def _names(value: object) -> tuple[str, ...] | None:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else None
