"""A session that ends with the model's refusal gives no answer."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, read, says, user

ASKED = user("Write a letter that threatens the harbour master.")
NO = says("I'm sorry, but I can't help with that.")
REFUSED = "No answer: the model refused the request: \"I'm sorry, but I can't help with that.\""


def delivered(*parts: Part) -> list[str]:
    return [entry.text for entry in diagnosed(ASKED, *parts).diagnosis.lead if entry.part == "delivered"]


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        pytest.param([NO], "The model refused the request.", id="at once"),
        pytest.param([read("/p/tide.md", "x"), NO], "The model refused the request.", id="after a call"),
        pytest.param([says("Hello."), user("Do it."), NO], "The model refused what it was asked last.", id="later"),
    ],
)
def test_a_refusal_is_no_answer(parts: list[Part], reason: str) -> None:
    made = diagnosed(ASKED, *parts)
    assert delivered(*parts) == [REFUSED]
    assert (str(made.outcome.status), made.outcome.reason) == ("unknown", reason)
    assert made.diagnosis.headline.endswith(reason)
    assert made.outcome.deliverable is None or str(made.outcome.deliverable.kind) == "nothing"


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([says("Dear harbour master, ...")], id="an answer"),
        pytest.param([NO, user("Then a polite one."), says("Dear harbour master, ...")], id="answered later"),
        pytest.param([edit("/p/tide.md", "x", "y"), NO], id="after a change"),
        pytest.param([says("I can't help with that without the master's name.")], id="something is missing"),
    ],
)
def test_other_ends_are_none(parts: list[Part]) -> None:
    made = diagnosed(ASKED, *parts)
    assert "refused" not in " ".join([made.diagnosis.headline, made.outcome.reason, *delivered(*parts)])
