"""Expressions that are compiled late find what the plain ones find."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.text.late import late

MANY = "|".join(f"word{letter}" for letter in "abcdefghijkl")
EXPRESSIONS = (
    (r"(?:error|fatal): \w+", 0),
    (r"task is done", re.IGNORECASE),
    (r"(?i:kiss)es?", 0),
    (MANY, 0),
    (r"\d+|error", 0),
    (r"^error$", re.MULTILINE),
)
COMPILED = [(re.compile(source, flags), late(source, flags)) for source, flags in EXPRESSIONS]
for _, used in COMPILED:
    for _ in range(50):  # so often that texts without its literals aren't searched any more
        used.search("")
        used.findall("")
        list(used.finditer(""))
PIECES = ["error", "ERROR", "fatal: x", "task is done", "TASK \u0130S DONE", "ta\u017fk \u0131s done", "ki\u017f\u017f"]
PIECES += ["wordk", "wordz", "7", "\n", "\ufb01", "KISS", "\u212aiss", "x" * 1_200]


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_a_late_expression_finds_what_the_plain_one_finds(text: str) -> None:
    for plain, lazy in COMPILED:
        assert str(lazy.search(text)) == str(plain.search(text))
        assert [found.span() for found in lazy.finditer(text)] == [found.span() for found in plain.finditer(text)]
        assert lazy.findall(text) == plain.findall(text)
        assert str(lazy.match(text)) == str(plain.match(text))
        assert lazy.sub("-", text) == plain.sub("-", text)


@pytest.mark.parametrize(("text", "found"), [("an error: x", True), ("an Error: x", False), ("nothing", False)])
def test_bounds_are_kept(text: str, *, found: bool) -> None:
    expression = late(r"error: \w")
    for _ in range(50):
        assert (expression.search(text, 2) is not None) is found
        assert expression.search(text, len(text)) is None
        assert list(expression.finditer(text, 0, 3)) == []


def test_a_wrong_expression_is_an_error_at_its_first_use() -> None:
    expression = late("(unclosed")
    with pytest.raises(re.error, match="missing"):
        expression.search("anything")
