"""What an event of OpenHands V0 says that the agent asked for, without what the harness filled in."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import arguments_of, dict_of, list_of
from analyzer.text.names import name_set

_HARNESS_ARGUMENTS = name_set(
    """
    thought confirmation_state is_confirmed security_risk action_risk hidden blocking keep_prompt kernel_init_code
    include_extra impl_source translated_ipython_code is_static
    """
)
"""What the harness adds to the arguments of an action; it says nothing about what the agent wanted."""

_RAW_RECORD = frozenset(
    {"action", "observation", "id", "source", "timestamp", "cause", "message", "tool_call_metadata"}
)

_EDITOR = "oh_aci"

_EDITOR_DEFAULTS = frozenset({"start", "end", "content"})


def arguments_in(event: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of an event; in a bare record of older files, what isn't the record's own."""
    args = event.get("args")
    if isinstance(args, dict):
        return args
    return {key: value for key, value in event.items() if key not in _RAW_RECORD}


def call_arguments(action: str, event: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    """Keep what the agent asked for, without the defaults that the harness fills in."""
    kept = {
        key: value
        for key, value in args.items()
        if key not in _HARNESS_ARGUMENTS and value is not None and value is not False
    }
    if action == "think" and "thought" in args:
        kept["thought"] = args["thought"]
    if action in {"edit", "read"} and args.get("impl_source") == _EDITOR:
        kept = {key: value for key, value in kept.items() if key not in _EDITOR_DEFAULTS}
        if action == "edit" and "command" not in kept:
            kept = _asked(dict_of(event.get("tool_call_metadata"))) | kept
    return kept


def _asked(call_data: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that the model sent, for events that don't repeat them."""
    for choice in map(dict_of, list_of(dict_of(call_data.get("model_response")).get("choices"))):
        for record in map(dict_of, list_of(dict_of(choice.get("message")).get("tool_calls"))):
            if record.get("id") == call_data.get("tool_call_id"):
                arguments = arguments_of(dict_of(record.get("function")).get("arguments"))
                return arguments if isinstance(arguments, dict) else {}
    return {}
