"""Requests to which only empty replies are recorded."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import EMPTY_ANSWER, Message, Tokens
from analyzer.model.words import Ending
from tests.build import Part, diagnosed, findings, run, says, user

ASK = user("Reply with the word ready.")
EMPTY = Message("harness", EMPTY_ANSWER, failed=True)


@pytest.mark.parametrize(
    ("parts", "header", "title"),
    [
        pytest.param(
            [ASK],
            {"assistant_messages": 1, "tokens": Tokens(input=900, output=39)},
            "The only reply is recorded as empty, though 39 output tokens are counted; nothing answers the request",
            id="tokens-counted",
        ),
        pytest.param(
            [ASK],
            {"assistant_messages": 1, "tokens": Tokens(input=900, output=1)},
            "The only reply is recorded as empty, though 1 output token is counted; nothing answers the request",
            id="one-token",
        ),
        pytest.param(
            [ASK],
            {"assistant_messages": 2, "tokens": Tokens(input=900, output=0)},
            "All 2 replies are recorded as empty, and no output token is counted; nothing answers the request",
            id="no-token",
        ),
        pytest.param(
            [ASK, EMPTY], {}, "The only reply is recorded as empty; nothing answers the request", id="said-by-the-log"
        ),
    ],
)
def test_a_reply_that_is_recorded_empty(parts: list[Part], header: dict[str, Any], title: str) -> None:
    (found,) = findings(*parts, detector="empty-reply", **header)
    assert (found.severity, found.title, found.steps) == ("medium", title, [])
    assert [(entry.step, entry.quote) for entry in found.evidence] == [(0, "Reply with the word ready.")]
    made = diagnosed(*parts, **header)
    assert made.diagnosis.improvements == []
    assert not any("step" in entry.text for entry in made.diagnosis.lead)
    assert made.diagnosis.headline.startswith(title.rstrip("."))
    assert (made.outcome.status, made.outcome.words) == ("unknown", "no word of the agent is recorded")


@pytest.mark.parametrize(
    ("parts", "header"),
    [
        pytest.param([ASK, says("ready")], {"assistant_messages": 1}, id="answered"),
        pytest.param([ASK, Message("assistant", "One word.", thought=True)], {"assistant_messages": 1}, id="a-thought"),
        pytest.param([ASK, run("ls")], {"assistant_messages": 1}, id="a-call"),
        pytest.param([ASK], {}, id="no-reply-counted"),
        pytest.param([ASK], {"assistant_messages": 0}, id="none-yet"),
        pytest.param([], {"assistant_messages": 1}, id="nothing-asked"),
        pytest.param([ASK, Message("assistant", "", unrecorded=True)], {"assistant_messages": 1}, id="words-left-out"),
        pytest.param(
            [ASK, Message("harness", "403 limit", failed=True)], {"assistant_messages": 1}, id="a-failed-call"
        ),
        pytest.param([ASK], {"assistant_messages": 1, "ending": Ending.CANCELLED}, id="cancelled"),
        pytest.param([ASK], {"assistant_messages": 1, "recorded_status": "running"}, id="still-running"),
    ],
)
def test_a_reply_that_is_there_or_cannot_be(parts: list[Part], header: dict[str, Any]) -> None:
    assert findings(*parts, detector="empty-reply", **header) == []
