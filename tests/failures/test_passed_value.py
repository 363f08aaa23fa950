"""Whether the value that a message refuses is the one that the test passes."""

from __future__ import annotations

import pytest

from analyzer.failures.passed_value import changed_on_the_way, has_literal, speaks_of
from analyzer.model.failure import CodeLine
from tests.tables import table


@table("the_implementation_changed_it")
def test_the_implementation_changed_it(message: str, call: str, lines: list[str]) -> None:
    assert changed_on_the_way(message, call, lines)


@table("it_may_be_the_one_that_was_passed")
def test_it_may_be_the_one_that_was_passed(message: str, call: str, lines: list[str]) -> None:
    assert not changed_on_the_way(message, call, lines)


@pytest.mark.parametrize(
    ("line", "holds"), [('Berth(row["code"], rows[0])', False), ('Berth("A12")', True), ("Berth(code, 9)", True)]
)
def test_keys_are_no_values(line: str, holds: bool) -> None:
    assert has_literal(line) == holds


def test_the_lines_that_speak_of_a_value() -> None:
    lines = [CodeLine("conftest.py", number, text) for number, text in enumerate(['"A-12"', '"B-03"', "x = 1"], 1)]
    assert [line.line for line in speaks_of("berth code 'A12' has no dash", lines)] == [1]
    assert list(speaks_of("the ring is not closed", lines)) == []
