"""A session without a call says what is recorded of it, once, and shows the answer."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Tokens
from tests.build import diagnosed, says, user
from tests.sessions import Written, parts_of
from tests.tables import table

ASKED = user("How high is the tide?")


@table("what_is_recorded_is_said_once")
def test_what_is_recorded_is_said_once(parts: Written, headline: str, delivered: list[str]) -> None:
    made = diagnosed(*parts_of(parts))
    assert made.diagnosis.headline == headline
    assert [entry.text for entry in made.diagnosis.lead if entry.part in ("delivered", "said")] == delivered


@pytest.mark.parametrize(
    ("header", "cost"),
    [
        pytest.param({"cost_usd": 0.075}, ["$0.07."], id="money"),
        pytest.param(
            {"cost_usd": 0.5, "tokens": Tokens(19_923, 9)}, ["19 923 tokens in, 9 tokens out, $0.50."], id="all"
        ),
        pytest.param(
            {"cost_usd": 0.5, "started_at": 0.0, "ended_at": 90.0}, ["1 min 30 s, $0.50."], id="money and time"
        ),
        # Twins in which nothing was counted.
        pytest.param({}, [], id="nothing"),
        pytest.param({"cost_usd": 0.0, "tokens": Tokens(0, 0)}, [], id="zeros"),
        pytest.param({"started_at": 0.0, "ended_at": 90.0}, [], id="time alone"),
    ],
)
def test_what_words_alone_cost(header: dict[str, Any], cost: list[str]) -> None:
    made = diagnosed(ASKED, says("It is 4 m."), **header)
    assert [entry.text for entry in made.diagnosis.lead if entry.part == "cost"] == cost
