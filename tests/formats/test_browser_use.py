"""Histories of browser-use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session
from analyzer.model.words import Ending
from analyzer.timeline import build_timeline

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "formats" / "browser_use.json"


def history() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SAMPLE.read_text(encoding="utf-8"))
    return found


def read(value: dict[str, Any]) -> Session:
    (session,) = load_bytes(json.dumps(value).encode(), "history.json", "browser-use").sessions
    return session


def test_actions_have_their_results_by_position() -> None:
    actions = build_timeline(read(history())).actions
    assert [(action.tool, action.arguments) for action in actions] == [
        ("go_to_url", {"url": "https://shop.example/"}),
        ("input_text", {"index": 3, "text": "apples"}),
        ("click_element_by_index", {"index": 4}),
        ("done", {"text": "Apples cost 2 euros.", "success": True}),
    ]
    assert [str(action.status) for action in actions] == ["ok", "ok", "error", "ok"]
    assert actions[2].result == "Element with index 4 does not exist"
    assert actions[1].batch == actions[2].batch != actions[0].batch
    # The step's 8 s are the model's and the action's together.
    assert (actions[0].started_at, actions[0].duration) == (1_767_344_410.0, None)


def test_an_answer_that_could_not_be_used_is_the_harness_speaking() -> None:
    said = [event.text for event in read(history()).events if isinstance(event, Message) and event.role == "harness"]
    assert said == ["Could not parse the answer of the model"]


def test_the_end_is_what_the_agent_says_of_it() -> None:
    session = read(history())
    assert (session.recorded_status, session.ending) == ("done", Ending.SUBMITTED)
    value = history()
    value["history"][-1]["result"][0]["success"] = False
    given_up = read(value)
    assert (given_up.recorded_status, given_up.ending) == ("done without success", None)


def test_an_action_that_is_no_list_is_read() -> None:
    value = history()
    first = value["history"][0]
    first["model_output"]["action"] = first["model_output"]["action"][0]
    first["result"] = first["result"][0]
    assert build_timeline(read(value)).actions[0].result == "Navigated to https://shop.example/"


def test_entries_and_actions_of_no_known_shape_are_named() -> None:
    value = history()
    value["history"][0]["model_output"]["action"] = [{}, {"wait": {"seconds": 3}, "scroll": {}}]
    value["history"].append("x")
    assert [(warning.where, warning.what) for warning in read(value).warnings] == [
        ("entry 1", "an action without a name; skipped"),
        ("entry 1", "an action with several names; the first is taken"),
        ("entry 5", "a JSON str where an entry was expected; skipped"),
    ]
