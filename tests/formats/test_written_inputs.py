"""What tracers write down as the input of a model, in unusual forms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
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
            {"model": "m-1", "contents": ASKED}, {"model": "m-1", "contents": ASKED}, [("user", ASKED)], id="contents"
        ),
        pytest.param({"args": [ASKED]}, {"args": [ASKED]}, [("user", ASKED)], id="arguments of a function"),
        pytest.param(
            json.dumps({"role": "user", "content": ASKED}),
            json.dumps({"role": "user", "content": ASKED}),
            [("user", ASKED)],
            id="one message as a text",
        ),
    ],
)
def test_the_words_of_the_user_are_found(asked: Any, again: Any, said: list[tuple[str, str]]) -> None:
    assert words(asked, again) == said
