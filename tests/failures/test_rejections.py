"""What validators of several languages say of arguments, each in its own words."""

from __future__ import annotations

import pytest

from analyzer.failures.rejections import ArgumentError, rejection_in
from tests.tables import table


@table("the_names_and_values_are_read")
def test_the_names_and_values_are_read(
    answer: str, said: tuple[ArgumentError, tuple[str, ...], tuple[str, ...]]
) -> None:
    found = rejection_in(answer)
    assert found is not None
    assert (found, found.allowed, found.takes) == said


@pytest.mark.parametrize(
    "answer",
    [
        "The booking is confirmed.",
        '{"status": "ok", "required": ["zone"], "unknown": 3}',
        "Expected delivery on Tuesday; the option is valid until noon.",
        "12 fields were read, none is missing.",
    ],
)
def test_an_ordinary_answer_rejects_nothing(answer: str) -> None:
    assert rejection_in(answer) is None


@pytest.mark.parametrize(
    ("answer", "takes"),
    [
        ("fire_kiln does not know 'heat' (it has cone, hours)", ("cone", "hours")),
        ("fire_kiln doesn't take `heat`; it takes cone, hours", ("cone", "hours")),
        ("The tool does not accept the argument 'heat'.", ()),
        ("There is no parameter 'heat'.", ()),
        ("'heat' is not one of the arguments of fire_kiln", ()),
        ("'heat' isn't a known parameter", ()),
    ],
)
def test_a_check_may_word_it_in_its_own_way(answer: str, takes: tuple[str, ...]) -> None:
    said = rejection_in(answer)
    assert said is not None
    assert (said.unexpected, said.takes, said.loose) == (("heat",), takes, True)


@pytest.mark.parametrize(
    "answer",
    [
        "She does not know 'Bob'.",
        "The table does not have 'heat'.",
        "No clue 'heat' was found.",
        "'heat' is not a town",
        "The kiln has no shelf 'heat', it has rings",
    ],
)
def test_words_that_speak_of_something_else(answer: str) -> None:
    assert rejection_in(answer) is None
