"""The budget counts what it says, never goes up, and the oracle names every kind of difference."""

from __future__ import annotations

import ast

import pytest

from benchmarks.budget import expressions, is_prose, is_word_list, over, written
from benchmarks.oracle import Facts, compared
from tests.tables import table


@pytest.mark.parametrize(
    ("source", "counted"),
    [
        ('import re\nA = re.compile(r"a+")', ["a+"]),
        ('A = late(r"(?:a|b)" f"{NAME}c", 2)', ["(?:a|b)c"]),
        ('A = compiled(r"x")\nB = guarded(r"y")', ["x", "y"]),
        ('import re\nre.sub(r" +", " ", text)', [" +"]),
        ("A = pattern.search(text)", []),
        ('A = frame.compile("a")', []),
    ],
)
def test_expressions_are_counted_where_they_are_made(source: str, counted: list[str]) -> None:
    assert list(expressions(ast.parse(source))) == counted


@pytest.mark.parametrize(
    ("source", "prose"),
    [
        (r"(?i)\b(?:i|we) (?:could|can) not (?:find|open) the \w+", True),
        (r"\bthis is not what (?:i|we) wanted\b", True),
        (r"^(?P<file>[\w./-]+):(?P<line>\d+): error", False),
        (r"Traceback \(most recent call last\)", False),
        (r"\b(?:npm|pnpm|yarn|bun)\b", False),
    ],
)
def test_an_expression_is_prose_by_its_function_words(source: str, prose: bool) -> None:
    assert is_prose(source) is prose


@pytest.mark.parametrize(
    ("source", "counted"),
    [
        ('("a", "b", "c", "d", "e")', True),
        ('{"a", "b", "c", "d", "e"}', True),
        ('"a b c d e".split()', True),
        ('("a", "b", "c", "d")', False),
        ('("a", "b", "c", "d", e)', False),
    ],
)
def test_a_word_list_has_five_words(source: str, counted: bool) -> None:
    assert is_word_list(ast.parse(source, mode="eval").body) is counted


def test_a_figure_above_the_budget_is_named_and_never_written() -> None:
    figures, most = {"lines": 90, "modules": 12}, {"lines": 100, "modules": 11}
    assert over(figures, most) == ["modules"]
    assert written(figures, most).splitlines()[1:] == ["lines = 90", "modules = 11"]


STEP = ["main:1", "run", "failed", "ValueError", "F1", "code a.py:3", "s1"]
LOOP = ["loops/alternating", "high", "main", [1, 2], 2, "A loop.", [], [], 0.9]


def _facts(**changed: object) -> Facts:
    return {"outcome": "failed", "headline": "It failed.", "steps": [STEP], "findings": [LOOP], **changed}


@table("the_oracle_names_each_kind_of_difference")
def test_the_oracle_names_each_kind_of_difference(now: dict[str, object], difference: tuple[str, str]) -> None:
    assert [row[:2] for row in compared("a.json", [_facts()], [_facts(**now)])] == [difference]


def test_the_oracle_says_nothing_of_what_is_the_same() -> None:
    assert list(compared("a.json", [_facts()], [_facts()])) == []
    assert [row[:2] for row in compared("a.json", [_facts()], [])] == [("session", "gone")]
