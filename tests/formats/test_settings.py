"""What stands beside a list of messages: settings, sums and the folder."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Session, Tokens
from tests.tables import table

MESSAGES = [{"role": "user", "content": "Count the zones."}, {"role": "assistant", "content": "Four."}]


def beside(**header: Any) -> Session:
    (session,) = load_bytes(json.dumps({**header, "messages": MESSAGES}).encode(), "run.json", "chat").sessions
    return session


@table("the_model_that_settings_name")
def test_the_model_that_settings_name(header: dict[str, Any], model: str | None) -> None:
    assert beside(**header).model == model


@table("the_folder")
def test_the_folder(header: dict[str, Any], folder: str | None) -> None:
    assert beside(**header).environment.get("working directory") == folder


@pytest.mark.parametrize(
    ("stats", "tokens", "cost"),
    [
        pytest.param(
            {"session_prompt_tokens": 900, "session_completion_tokens": 40, "session_cost": 0.25},
            Tokens(900, 40),
            0.25,
            id="sums",
        ),
        pytest.param({"session_prompt_tokens": 0, "session_completion_tokens": 0, "session_cost": 0.0}, Tokens(), None),
        pytest.param({"session_prompt_tokens": "many", "session_cost": -1}, Tokens(), None, id="no numbers"),
    ],
)
def test_sums(stats: dict[str, Any], tokens: Tokens, cost: float | None) -> None:
    session = beside(metadata={"stats": stats})
    assert (session.tokens, session.cost_usd) == (tokens, cost)


def test_what_a_reply_counts_is_more_exact_than_a_sum() -> None:
    session = beside(usage={"prompt_tokens": 7, "completion_tokens": 2}, stats={"total_prompt_tokens": 900})
    assert session.tokens == Tokens(7, 2)
