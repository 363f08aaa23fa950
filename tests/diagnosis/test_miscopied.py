"""A name that nobody gave, one character off a name that the user gave, is the first thing to say of calls that fail
with it."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.causes.miscopied import one_slip
from analyzer.model.postmortem import PostMortem
from tests.build import Part, call, diagnosed, read, user

ASKS = user("Please move the boat HRN7QX to berth 12.")


def fails(name: str, message: str = "Error: boat {} not found") -> Part:
    return call("find_boat", {"boat": name}, message.format(name), is_error=True)


def page_of(made: PostMortem) -> str:
    diagnosis = made.diagnosis
    return "\n".join(
        [
            diagnosis.headline,
            diagnosis.root_cause or "",
            *diagnosis.step_back,
            *(approach.text for approach in diagnosis.approaches),
        ]
    )


def test_a_miscopied_name_is_reported_first() -> None:
    made = diagnosed(ASKS, [fails("HRN7GX")] * 4)
    assert "the user had written `HRN7QX`" in made.diagnosis.headline
    assert "`HRN7GX`" in (made.diagnosis.root_cause or "")
    assert made.diagnosis.approaches[0].title == "Use the name that was given"
    assert "`HRN7QX`" in made.diagnosis.step_back[0]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([ASKS, [fails("HRN7QX")] * 4], id="the name as it was given"),
        pytest.param([ASKS, [fails("TRN4BA")] * 4], id="another name"),
        pytest.param([user("Move HRN7QX, or HRN7GX if you can't."), [fails("HRN7GX")] * 4], id="both were given"),
        pytest.param(
            [ASKS, read("boats.md", "HRN7GX lies in berth 3"), [fails("HRN7GX")] * 4], id="an earlier step showed it"
        ),
        pytest.param(
            [ASKS, [fails("HRN7GX", "Error: the harbour is closed")] * 4], id="the answer is about something else"
        ),
        pytest.param([user("Find the boats of the harbour."), [fails("harbours")] * 4], id="a plain word"),
    ],
)
def test_nothing_is_said_of_other_names(parts: list[Part]) -> None:
    assert "had written" not in page_of(diagnosed(*parts))


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        pytest.param("HRN7QX", "HRN7GX", True, id="another letter"),
        pytest.param("HRN7QX", "HRN7XQ", True, id="two letters changed about"),
        pytest.param("HRN7QX", "HRN7Q", True, id="a letter left out"),
        pytest.param("HRN7QX", "HRN77QX", True, id="a letter twice"),
        pytest.param("HRN7QX", "HRN7QX", False, id="the same"),
        pytest.param("HRN7QX", "HRM7GX", False, id="two letters"),
        pytest.param("HRN7QX", "HRN7QX12", False, id="two letters more"),
    ],
)
def test_one_slip(one: str, other: str, slips: bool) -> None:
    assert one_slip(one, other) is slips
    assert one_slip(other, one) is slips
