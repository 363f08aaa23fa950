"""Whether the value that a message refuses is the one that the test passes."""

from __future__ import annotations

import pytest

from analyzer.failures.passed_value import changed_on_the_way, has_literal, speaks_of
from analyzer.model.failure import CodeLine


@pytest.mark.parametrize(
    ("message", "call", "lines"),
    [
        pytest.param("berth code 'A12' has no dash", 'Berth("A-12", 9)', [], id="the sign that is missed was passed"),
        pytest.param("unknown currency 'eur'", 'Money(5, "EUR")', [], id="a look-up in other letters"),
        pytest.param("length -9 must be positive", "berth(9)", [], id="the other sign"),
        pytest.param("no crew called 'Ellen Rip'", 'crew("Ellen Ripl")', [], id="cut short"),
        pytest.param("code A12 has no dash", "berth(row.code)", ['["B-03", "A-12"]'], id="in a table"),
        pytest.param("code B03 has no dash", "berth(row.code)", ['"code,length\\nB-03,12\\n"'], id="in one text"),
    ],
)
def test_the_implementation_changed_it(message: str, call: str, lines: list[str]) -> None:
    assert changed_on_the_way(message, call, lines)


@pytest.mark.parametrize(
    ("message", "call", "lines"),
    [
        pytest.param("berth code 'A12' has no dash", 'Berth("A12", 9)', [], id="passed as it is"),
        pytest.param("bad check digits in DE9837", 'account("DE98 37")', [], id="only spaces are taken away"),
        pytest.param(
            "checksum of 9783161484100 is wrong", 'book("978-3-16-148410-0")', [], id="dashes that don't count"
        ),
        pytest.param("berth code 'A12' has no dash", "berth(code)", [], id="the value isn't shown"),
        pytest.param("berth code 'A12' has no dash", "berth(code)", ['"A-12"', '"A12"'], id="both stand there"),
        pytest.param("the ring is not closed", "ring(2, 4)", [], id="no value in the message"),
    ],
)
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
