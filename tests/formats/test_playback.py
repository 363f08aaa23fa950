"""A file that says only what is to be done is said to be that, with what a post-mortem needs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.errors import UnreadableInput

MOVES: list[dict[str, Any]] = [
    {"data": {"action_input": {"id": number, "data": {"board": "quay-1", "x": 2 * number}, "reasoning": None}}}
    for number in range(4)
]
CLICKS = [
    {"type": "navigate", "url": "http://quay.test"},
    {"type": "click", "selectors": [["#berth"]], "timestamp": 12},
    {"type": "fill", "selector": "#name", "value": "gull"},
]
COMMANDS = [{"id": number, "cmd": f"look {number}", "delay": 2} for number in range(3)]


def refused(value: Any, *, lines: bool = False) -> UnreadableInput:
    text = "\n".join(map(json.dumps, value)) if lines else json.dumps(value)
    with pytest.raises(UnreadableInput) as raised:
        load_bytes(text.encode(), "moves.jsonl")
    return raised.value


@pytest.mark.parametrize("lines", [False, True], ids=["a list", "lines"])
@pytest.mark.parametrize(
    ("records", "key"),
    [
        pytest.param(MOVES, "data.action_input", id="moves"),
        pytest.param(CLICKS, "type", id="gestures"),
        pytest.param(COMMANDS, "cmd", id="commands"),
    ],
)
def test_a_playback(records: list[dict[str, Any]], key: str, lines: bool) -> None:
    error = refused(records, lines=lines)
    said = f"is a playback of actions: every record says what is to be done ({key}), none what came back."
    assert (error.what, error.foreign) == (said, True)
    assert "recording of a run" in (error.hint or "")
    assert "learn" not in error.message


def test_one_inside_of_an_object() -> None:
    assert "is a playback" in refused({"version": 1, "steps": CLICKS}).what


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([{**move, "out": "4 m"} for move in COMMANDS], id="something beside it"),
        pytest.param([*COMMANDS, {"id": 9, "cmd": "look", "answer": "4 m"}], id="one that came back"),
        pytest.param([{"data": {**move["data"], "frame": [[1]]}} for move in MOVES], id="with what was seen"),
        pytest.param([{"question": "How deep?", "id": number} for number in range(3)], id="questions"),
        pytest.param([{"type": "tide", "value": number} for number in range(3)], id="other records"),
        pytest.param([*CLICKS, "done"], id="something else among them"),
        pytest.param(CLICKS[:2], id="two records"),
        pytest.param([], id="nothing"),
    ],
)
def test_other_files_are_none(records: list[Any]) -> None:
    assert "playback" not in refused(records).message


def test_what_can_be_read_is_read() -> None:
    (session,) = load_bytes(json.dumps([{"action": "look", "x": 1}] * 3).encode(), "moves.json").sessions
    assert len(list(session.calls())) == 3
