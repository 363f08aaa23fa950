"""Sessions and evaluation sets of Google ADK."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.model.session import Message, Session, Tokens
from analyzer.timeline import build_timeline
from tests.formats.reading import sessions_in

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "formats" / "google_adk.json"


def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SAMPLE.read_text(encoding="utf-8"))
    return found


def read(value: Any) -> list[Session]:
    return sessions_in(value, "google-adk", "shop.json")


def test_events_are_calls_results_and_words() -> None:
    (session,) = read(stored())
    first, second = build_timeline(session).actions
    assert (first.arguments, first.result, str(first.status)) == ({"order": 7}, "shipped", "ok")
    assert (second.arguments, second.result, str(second.status)) == ({"order": 8}, "no order 8", "error")
    assert first.batch == second.batch
    assert (session.id, session.agent, session.task) == ("s-1", "shop", "Is order 7 shipped?")
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("user", "Is order 7 shipped?"), ("assistant", "Order 7 is on its way.")]


def test_the_state_that_a_call_changed_is_what_came_back() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    event = next(one for one in json.loads(text)["events"] if "function_response" in json.dumps(one))
    part = next(part for part in event["content"]["parts"] if part.get("function_response"))
    part["function_response"]["response"], event["actions"] = {}, {"state_delta": {"paid": True}}
    (session,) = read([one if one["id"] != event["id"] else event for one in json.loads(text)["events"]])
    assert any("paid" in (action.result or "") for action in build_timeline(session).actions)


def test_camel_case_says_the_same() -> None:
    names = {"invocation_id": "invocationId", "function_call": "functionCall", "function_response": "functionResponse"}
    names |= {"usage_metadata": "usageMetadata", "prompt_token_count": "promptTokenCount", "app_name": "appName"}
    text = SAMPLE.read_text(encoding="utf-8")
    for name, other in names.items():
        text = text.replace(f'"{name}"', f'"{other}"')
    (session,) = read(json.loads(text))
    assert (session.agent, len(list(session.calls())), session.tokens) == ("shop", 2, Tokens(240, 30))


def test_events_may_be_listed_without_their_session() -> None:
    (session,) = read(stored()["events"])
    assert (session.id, session.agent, len(list(session.calls()))) == ("shop", "helper", 2)


def test_cases_of_an_evaluation_set_are_sessions() -> None:
    use = {"id": None, "name": "order_status", "args": {"order": 7}}
    turn = {
        "invocation_id": "i-1",
        "user_content": {"role": "user", "parts": [{"text": "Is order 7 shipped?", "function_call": None}]},
        "final_response": {"role": "model", "parts": [{"text": "It is."}]},
        "intermediate_data": {"tool_uses": [use], "intermediate_responses": []},
        "creation_timestamp": 1767344400.0,
    }
    cases = [{"eval_id": name, "conversation": [turn]} for name in ("one", "two")]
    sessions = read({"eval_set_id": "set", "eval_cases": cases})
    assert [session.id for session in sessions] == ["one", "two"]
    (action,) = build_timeline(sessions[0]).actions
    assert (action.tool, action.arguments, action.result) == ("order_status", {"order": 7}, None)


def test_what_is_no_event_is_named() -> None:
    (session,) = read([*stored()["events"], {"note": "x"}])
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("record 6", "neither a session nor an event nor an evaluation set; skipped")
    ]
