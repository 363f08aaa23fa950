"""Fields of any JSON type are read without raising."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from analyzer.formats.record import fields
from tests.formats.mutations import ANY_JSON
from tests.tables import table

MIDNIGHT = 1_704_067_200.0
"""2024-01-01T00:00:00Z."""


@pytest.mark.parametrize(
    ("value", "seconds", "naive"),
    [
        pytest.param("2024-01-01T00:00:00Z", MIDNIGHT, False, id="utc"),
        pytest.param("2024-01-01T02:00:00+02:00", MIDNIGHT, False, id="offset"),
        pytest.param("2024-01-01T00:00:00.250Z", MIDNIGHT + 0.25, False, id="fraction"),
        pytest.param("2024-01-01T00:00:00.250000999Z", MIDNIGHT + 0.25, False, id="nanoseconds"),
        pytest.param("2024-01-01T00:00:00", MIDNIGHT, True, id="no zone"),
        pytest.param(" 2024-01-01 00:00:00 ", MIDNIGHT, True, id="blank for T"),
        pytest.param("20240101", MIDNIGHT, True, id="date of digits"),
        pytest.param(1_704_067_200, MIDNIGHT, False, id="seconds"),
        pytest.param(1_704_067_200.5, MIDNIGHT + 0.5, False, id="fractional seconds"),
        pytest.param(1_704_067_200_500, MIDNIGHT + 0.5, False, id="milliseconds"),
        pytest.param(1_704_067_200_500_000, MIDNIGHT + 0.5, False, id="microseconds"),
        pytest.param(1_704_067_200_500_000_000, MIDNIGHT + 0.5, False, id="nanoseconds as a number"),
        pytest.param("1704067200", MIDNIGHT, False, id="seconds as text"),
        pytest.param("1704067200.5", MIDNIGHT + 0.5, False, id="fractional seconds as text"),
        pytest.param(0, None, False, id="zero is unset"),
        pytest.param(-1, None, False, id="negative"),
        pytest.param("0001-01-01T00:00:00Z", None, False, id="zero time of Go"),
        pytest.param("0001-01-01T00:00:00+14:00", None, False, id="before the calendar"),
        pytest.param(True, None, False, id="truth value"),
        pytest.param(10**400, None, False, id="beyond floats"),
        pytest.param(float("nan"), None, False, id="not a number"),
        pytest.param("9" * 500, None, False, id="endless digits"),
        pytest.param("yesterday", None, False, id="words"),
        pytest.param("", None, False, id="empty"),
        pytest.param(["2024-01-01T00:00:00Z"], None, False, id="list"),
    ],
)
def test_times(value: object, seconds: float | None, naive: bool) -> None:
    assert fields.parse_time(value) == (None if seconds is None else pytest.approx(seconds, abs=1e-5))
    assert fields.is_naive(value) is naive


@table("text_of_content")
def test_text_of_content(content: object, text: str) -> None:
    assert fields.text_of(content) == text


def test_text_of_endless_nesting_is_said_to_be_too_deep() -> None:
    nested: Any = "x"
    for _ in range(100_000):
        nested = [nested]
    assert fields.text_of(nested) == "[nested too deeply to be shown]"
    assert fields.arguments_of("[" * 100_000) == "[" * 100_000


@pytest.mark.parametrize(
    ("value", "whole", "number"),
    [
        pytest.param(3, 3, 3.0, id="int"),
        pytest.param(3.0, 3, 3.0, id="whole float"),
        pytest.param(3.5, None, 3.5, id="float"),
        pytest.param(True, None, None, id="truth value"),
        pytest.param("3", None, None, id="text"),
        pytest.param(None, None, None, id="null"),
        pytest.param(float("nan"), None, None, id="not a number"),
        pytest.param(float("inf"), None, None, id="infinite"),
        pytest.param(10**400, None, None, id="beyond floats"),
        pytest.param(10**30, None, 1e30, id="beyond counting"),
    ],
)
def test_numbers(value: object, whole: int | None, number: float | None) -> None:
    assert fields.int_or_none(value) == whole
    assert fields.float_or_none(value) == number


@table("arguments")
def test_arguments(value: object, arguments: object) -> None:
    assert fields.arguments_of(value) == arguments


@table("guards")
def test_guards(value: object, text: str | None, mapping: dict[str, Any], items: list[Any]) -> None:
    assert (fields.str_or_none(value), fields.dict_of(value), fields.list_of(value)) == (text, mapping, items)


@given(ANY_JSON)
def test_every_function_takes_any_value(value: object) -> None:
    json.dumps(fields.arguments_of(value))
    seconds = fields.parse_time(value)
    assert seconds is None or 0 < seconds < 253_402_300_800
    assert isinstance(fields.text_of(value), str)
    assert not (fields.is_naive(value) and seconds is None)
    assert fields.int_or_none(value) is None or isinstance(fields.int_or_none(value), int)
