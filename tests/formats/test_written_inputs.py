"""What tracers write down as the input of a model, in unusual forms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.formats.otlp.recorded_messages import conversation_in
from analyzer.model.session import Message
from tests.formats.trace_builders import langfuse

ASKED = "How high is the tower?"


def words(asked: object, again: object) -> list[tuple[str, str]]:
    """What was said in a trace whose two calls of the model have these inputs."""
    trace = langfuse()
    for item in trace["observations"]:
        if item["type"] == "GENERATION":
            item["input"] = asked if item["id"] == "g1" else again
    (session,) = load_bytes(json.dumps(trace).encode(), "trace.json").sessions
    return [(str(event.role), event.text) for event in session.events if isinstance(event, Message)][:-1]


@pytest.mark.parametrize(
    ("asked", "again", "said"),
    [
        pytest.param(
            f"system: Be brief.\nuser: {ASKED}",
            f"system: Be brief.\nuser: {ASKED}\nassistant: None\ntool: 90 m",
            [("system", "Be brief."), ("user", ASKED)],
            id="one text with roles",
        ),
        pytest.param(
            f"developer: Use\nlists.\nuser: {ASKED}\nNow.",
            f"developer: Use\nlists.\nuser: {ASKED}\nNow.",
            [("system", "Use\nlists."), ("user", f"{ASKED}\nNow.")],
            id="more lines",
        ),
        pytest.param(
            {"model": "m-1", "contents": ASKED}, {"model": "m-1", "contents": ASKED}, [("user", ASKED)], id="contents"
        ),
        pytest.param({"args": [ASKED]}, {"args": [ASKED]}, [("user", ASKED)], id="arguments of a function"),
        pytest.param(
            json.dumps({"role": "user", "content": ASKED}),
            json.dumps({"content": "role"}),
            [("user", ASKED)],
            id="a field's name for its value",
        ),
    ],
)
def test_the_words_of_the_user_are_found(asked: Any, again: Any, said: list[tuple[str, str]]) -> None:
    assert words(asked, again) == said


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ASKED, id="no role"),
        pytest.param(f"Translate this:\nuser: {ASKED}", id="a role further down"),
        pytest.param("system: Be brief.", id="no user"),
        pytest.param("User: how high?", id="a name in capitals"),
        pytest.param("tool: 90 m\nassistant: 90 m.", id="results"),
    ],
)
def test_other_texts_are_one_message(text: str) -> None:
    assert conversation_in(text) is None
