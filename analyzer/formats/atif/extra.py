"""What `convert --to atif` puts under a key of its own into the `extra` of trajectories, calls and results, and how
it's read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, is_naive, parse_time, str_or_none
from analyzer.formats.record.own_form import expected_of, usage_of_other_models
from analyzer.model.session import Session, ToolCall, ToolResult
from analyzer.model.words import Ending, Mark

OURS = "analyze_session"
"""The key in an `extra` under which stands what the format has no field for."""


def ours(holder: dict[str, Any]) -> dict[str, Any]:
    """Return what stands under our key in the `extra` of a trajectory, call or result."""
    return dict_of(dict_of(holder.get("extra")).get(OURS))


def take_header(session: Session, facts: dict[str, Any]) -> None:
    """Take in the session's task, times, counts and end."""
    counts = dict_of(facts.get("messages"))
    session.user_messages, session.assistant_messages = (int_or_none(counts.get(one)) for one in ("user", "assistant"))
    for key in ("task", "title", "ending_detail", "broke"):
        setattr(session, key, str_or_none(facts.get(key)))
    session.recorded_status = str_or_none(facts.get("status"))
    session.cost_is_partial = facts.get("cost_is_partial") is True
    session.started_at, session.ended_at = parse_time(facts.get("started_at")), parse_time(facts.get("ended_at"))
    session.naive_clock = session.naive_clock or is_naive(facts.get("started_at")) or is_naive(facts.get("ended_at"))
    recorded = dict_of(facts.get("environment"))
    session.environment = {key: value for key, value in recorded.items() if isinstance(value, str)}
    session.ending = next((word for word in Ending if word == facts.get("ending")), None)
    session.expected = expected_of(facts.get("expected"))
    session.beside = usage_of_other_models(facts.get("beside"))


def take_call(call: ToolCall, facts: dict[str, Any]) -> None:
    """Take in when a call was sent, its file, whether it hands in the work, and that its arguments are one free
    text."""
    call.time = parse_time(facts.get("started_at")) or call.time
    call.path = str_or_none(facts.get("path"))
    for key in ("task_done", "harness", "asks_agent"):
        setattr(call, key, facts.get(key) is True)
    given = call.arguments.get("input") if isinstance(call.arguments, Mapping) else None
    if facts.get("free_text") is True and isinstance(given, str):
        call.arguments = given


def take_result(result: ToolResult, facts: dict[str, Any]) -> None:
    """Take in what is known about a result beyond its text."""
    result.mark = next((word for word in Mark if word == facts.get("mark")), None)
    result.error_type = str_or_none(facts.get("error_type"))
    result.duration = float_or_none(facts.get("duration_seconds"))
    result.score = float_or_none(facts.get("score"))
