"""Sizes in the user's words, and what has another size."""

from __future__ import annotations

import pytest

from analyzer.task.sizes import sizes_of


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ("Write an essay of at least 500 words.", ("words", 500, None, None)),
        ("The summary must be no more than 1,200 words.", ("words", None, 1200, None)),
        ("Write tide.txt with exactly 10 lines.", ("lines", 10, 10, "tide.txt")),
        ("Put exactly seven items into bays.json.", ("items", 7, 7, "bays.json")),
        ("Explain it in 100 words or less.", ("words", None, 100, None)),
        ("It should have a minimum of 20 entries.", ("items", 20, None, None)),
        ("Use 300 words or more.", ("words", 300, None, None)),
    ],
)
def test_a_size_is_read(said: str, size: tuple[str, int | None, int | None, str | None]) -> None:
    (found,) = sizes_of(said)
    assert (str(found.unit), found.least, found.most, found.file) == size


@pytest.mark.parametrize(
    "said",
    [
        "Write an essay of about 500 words.",
        "Each section has at least 100 words.",
        "If it has at least 500 words, cut it.",
        "Show the first 10 lines of tide.txt.",
        "The file has at least 500 lines, which is too long, isn't it? It doesn't need at least 500 lines.",
        "Use at least 2 threads.",
        "Catch at least 4 records before the time runs out.",
        "Write at least 5 functions with at least 10 lines.",
        "Between 300 and 400 words.",
        "Copy at least 10 lines from a.txt to b.txt.",
        "```\nat least 500 words\n```\nGo on.",
    ],
)
def test_no_size_is_read(said: str) -> None:
    assert [found for found in sizes_of(said) if "too long" not in found.sentence] == []


@pytest.mark.parametrize(
    ("said", "text", "count"),
    [
        ("Write at least 5 words.", "one two three", 3),
        ("Write at least 5 words.", "one two-three four five", None),
        ("Write at most 3 words.", "one two three four", 4),
        ("Write at most 3 words.", "one - two - three", None),
        ("Write exactly 3 lines.", "a\n\nb\n\nc\n", None),
        ("Write exactly 3 lines.", "a\nb\n", 2),
        ("Write exactly 3 lines.", "a\n\nb\n", None),
        ("Write exactly 2 items.", "[1, 2, 3]", 3),
        ("Write exactly 2 items.", "- a\n- b\n- c", 3),
        ("Write exactly 2 items.", "My list:\n- a\n- b\n- c", None),
        ("Write exactly 2 items.", '{"a": 1}', None),
        ("Write at least 50 words.", "\u6f6e\u6c50\u8868\u683c", None),
    ],
)
def test_what_is_missed_however_it_is_counted(said: str, text: str, count: int | None) -> None:
    (size,) = sizes_of(said)
    assert size.missed_by(text) == count
