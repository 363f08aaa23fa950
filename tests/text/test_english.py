"""Words that depend on a number."""

from __future__ import annotations

import pytest

from analyzer.text.english import listed, plural


@pytest.mark.parametrize(
    ("count", "noun", "many", "expected"),
    [(0, "file", "", "0 files"), (1, "file", "", "1 file"), (2, "policy", "policies", "2 policies")],
)
def test_plural(count: int, noun: str, many: str, expected: str) -> None:
    assert plural(count, noun, many) == expected


def test_the_count_is_written_as_asked() -> None:
    assert plural(1_200, "run", number="{:,}".format) == "1,200 runs"


@pytest.mark.parametrize(
    ("words", "expected"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_listed(words: list[str], expected: str) -> None:
    assert listed(words) == expected


def test_another_last_word() -> None:
    assert listed(["a", "b"], "or") == "a or b"
