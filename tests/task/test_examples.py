"""The values that the user says a call must give."""

from __future__ import annotations

import pytest

from analyzer.task.examples import examples_of


@pytest.mark.parametrize(
    ("text", "call", "value"),
    [
        ("`area(4)` must return 16.", "area(4)", "16"),
        ("shapes.area( 2 ) should be `4`", "shapes.area(2)", "4"),
        ('name("a") has to give "A"', "name('a')", '"A"'),
        ("`ends([3, 1])` needs to be [1, 3].", "ends([3,1])", "[1, 3]"),
    ],
)
def test_examples(text: str, call: str, value: str) -> None:
    (example,) = examples_of(text)
    assert (example.call, example.value) == (call, value)


@pytest.mark.parametrize("text", ["area(4) returns 16", "area(4) must return the area", "call area(4) if it must be 3"])
def test_no_examples(text: str) -> None:
    assert list(examples_of(text)) == []


@pytest.mark.parametrize(
    ("output", "holds"),
    [
        ("16\n", True),
        ("16.0", True),
        ("15", False),
        ("two\nlines", None),
        ("sixteen", None),
        ("True", None),
        ("", None),
    ],
)
def test_whether_an_output_is_the_value(output: str, holds: bool | None) -> None:
    (example,) = examples_of("`area(4)` must return 16.")
    assert example.holds(output) is holds
