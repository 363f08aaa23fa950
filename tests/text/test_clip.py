"""Texts cut to a length."""

from __future__ import annotations

import pytest

from analyzer.report import safe
from analyzer.text.clip import apart, around, both_ends, clip, clip_path, clip_words, middle, quote, without_marks
from tests.tables import table


@pytest.mark.parametrize(
    ("path", "limit", "shown"),
    [
        ("src/tide.py", 20, "src/tide.py"),
        ("/home/anna/harbour/src/tide.py", 14, "…/src/tide.py"),
        ("C:\\harbour\\src\\tide.py", 14, "C:\\…\\tide.py"),
        ("a_very_long_name_of_a_file.py", 10, "…a_file.py"),
    ],
)
def test_a_path_keeps_its_last_parts(path: str, limit: int, shown: str) -> None:
    assert clip_path(path, limit) == shown
    assert len(shown) <= limit


_LIMITS = (2, 9, 40, 300)
_UNITS = {
    "words": "tide and harbour ",
    "one word": "x",
    "white space": " \n\t",
    "white space between letters": "x" + " " * 4_000,
    "lines": "a\r\n",
    "a path": "folder/",
    "an escape that never ends": "\x1b]8;;harbour ",
    "an escape that ends late": "\x1b]0;" + "q" * 4_000 + "\x07tide ",
    "colours": "\x1b[31mred\x1b[0m ",
    "controls": "\x00\x08\u202e",
    "lone surrogates": "\ud83d ",
}


def whole(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("unit", _UNITS.values(), ids=_UNITS.keys())
@pytest.mark.parametrize("before", ["", "quay ", " " * 5_000])
def test_a_long_text_is_cut_as_if_all_of_it_had_been_looked_at(before: str, unit: str) -> None:
    for times in (1, 7, 300, 2_000):
        text = (before + unit * times)[:40_000]
        line, seen = whole(text), whole(safe.visible(text))
        for limit in _LIMITS:
            tail = limit // 2
            fits = len(line) <= limit
            assert clip(text, limit) == (line if fits else line[: limit - 1].rstrip() + "…")
            assert middle(text, limit) == (
                line if fits else f"{line[: limit - tail - 1].rstrip()}…{line[-tail:].lstrip()}"
            )
            assert clip_words(text, limit) == clip_words(line, limit)
            assert clip_path(text, limit) == clip_path(line, limit)
            assert safe.clip(text, limit) == (seen if len(seen) <= limit else seen[: limit - 1].rstrip() + "…")


LINE = "the tide is low at noon and the harbour is dry until the evening comes"
PARTS = [
    pytest.param("tide", 100, LINE, id="fits"),
    pytest.param("tide", 30, "the tide is low at noon and…", id="near-the-beginning"),
    pytest.param("harbour", 30, "…and the harbour is dry…", id="in-the-middle"),
    pytest.param("evening", 30, "…dry until the evening comes", id="near-the-end"),
    pytest.param("harbour is dry until", 12, "…harbour is…", id="longer-than-there-is-room"),
]


@pytest.mark.parametrize(("part", "limit", "shown"), PARTS)
def test_a_text_is_cut_around_what_it_is_about(part: str, limit: int, shown: str) -> None:
    start = LINE.index(part)
    assert around(LINE, start, start + len(part), limit) == shown
    assert len(shown) <= max(limit, len(shown) if shown == LINE else 0)


@pytest.mark.parametrize("unit", _UNITS.values(), ids=_UNITS.keys())
def test_what_is_cut_around_a_part_is_never_longer_than_asked(unit: str) -> None:
    for times in (1, 300, 2_000):
        text = unit * times
        for place in (0, len(text) // 3, len(text) - 1):
            for limit in (9, 40, 300):
                assert len(around(text, place, place + 1, limit)) <= limit


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("low tide", "high tide", ("low tide", "high tide")),
        (
            "a: 1\n" + "same line\n" * 20 + "depth: 3\nend",
            "a: 1\n" + "same line\n" * 20 + "depth: 4\nend",
            ("…same line same line depth: 3 end", "…same line same line depth: 4 end"),
        ),
        (
            "same " * 20,
            "same " * 20 + "but more",
            ("…same same same same same same same", "…same same same same same but more"),
        ),
    ],
    ids=["short", "far-in", "one-goes-on"],
)
def test_two_texts_are_cut_where_they_differ(one: str, other: str, shown: tuple[str, str]) -> None:
    assert apart(one, other, 36) == shown


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        pytest.param("/c:/tide/zones.py", "c:/tide/zones.py", id="a drive"),
        pytest.param("/c/tide/zones.py", "/c/tide/zones.py", id="a folder of one letter"),
        pytest.param("/cc:/tide", "/cc:/tide", id="no drive"),
        pytest.param("/d:/" + "tide/" * 9 + "z.py", "d:/…/tide/tide/tide/z.py", id="a long one"),
    ],
)
def test_a_path_begins_with_its_drive(path: str, shown: str) -> None:
    assert clip_path(path, 24) == shown


@table("both_ends_of_a_text")
def test_both_ends_of_a_text(text: str, said: str) -> None:
    assert both_ends(text, 30) == said


@table("a_quotation")
def test_a_quotation(text: list[tuple[str, int]], shown: list[tuple[str, int]]) -> None:
    said, expected = ("".join(words * times for words, times in parts) for parts in (text, shown))
    assert quote(without_marks(said)) == expected
