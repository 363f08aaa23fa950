"""Texts cut to a length."""

from __future__ import annotations

import pytest

from analyzer.report import safe
from analyzer.text.clip import clip, clip_path, clip_words, middle


@pytest.mark.parametrize(
    ("path", "limit", "shown"),
    [
        ("src/tide.py", 20, "src/tide.py"),
        ("/home/anna/harbour/src/tide.py", 14, "…/src/tide.py"),
        ("C:\\harbour\\src\\tide.py", 14, "…\\src\\tide.py"),
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
