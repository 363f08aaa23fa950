"""Long texts lose their middle, and all of them together fit into a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.step_texts import Text, water_level
from analyzer.report.html.texts import LEAST, WHOLE, plain, shown

LINES = "\n".join(f"line {number:05}" for number in range(2_000))


def test_a_short_text_is_shown_whole() -> None:
    text = shown(Text.of("a\n<b>\n"), 5_000)
    assert (text.head, text.tail, text.folded, text.missing) == ("a\n&lt;b&gt;\n", "", 0, 0)


def test_the_middle_of_a_long_text_is_folded_between_whole_lines() -> None:
    text = shown(Text.of(LINES), 100_000)
    assert text.missing == 0
    assert "\n".join([text.head, text.before, text.tail]) == LINES
    assert len(text.head) < 1_300
    assert len(text.tail) < 600
    assert text.head.endswith("line 00108")
    assert len(text.before) <= text.folded <= len(text.before) + 2


def test_of_a_text_beyond_the_limit_the_rest_is_counted() -> None:
    text = shown(Text.of(LINES), 6_000)
    assert text.missing == len(LINES) - 6_000
    assert LINES.startswith(f"{text.head}\n{text.before}")
    assert LINES.endswith(f"{text.after}\n{text.tail}")
    kept = len(text.head) + len(text.before) + len(text.after) + len(text.tail)
    assert 6_000 - 4 <= kept <= 6_000


def test_a_text_cut_to_little_has_nothing_to_fold() -> None:
    text = shown(Text.of(LINES), 300)
    assert text.folded == 0
    assert 250 < len(text.head) + len(text.tail) <= 300 < WHOLE
    assert text.missing == len(LINES) - len(text.head) - len(text.tail)


def test_little_of_a_text_is_whole_lines_too() -> None:
    text = shown(Text.of(LINES), 305)
    assert LINES.startswith(f"{text.head}\n")
    assert LINES.endswith(f"\n{text.tail}")
    assert {len(line) for line in f"{text.head}\n{text.tail}".split("\n")} == {len("line 00000")}


def test_what_the_recording_left_out_is_missing_too() -> None:
    kept = Text.of("x" * 100_000, 60_000)
    assert shown(kept, 60_000).missing == 40_000
    assert shown(kept, 5_000).missing == 95_000


@given(st.text(max_size=8_000), st.integers(0, 9_000))
def test_no_character_is_unaccounted_for(text: str, limit: int) -> None:
    made = shown(Text.of(text), limit)
    if not made.missing:
        pieces = [made.head, made.before, made.after, made.tail]
        assert "".join(pieces).replace("\n", "") == plain(text).replace("\n", "")


@pytest.mark.parametrize(
    ("sizes", "room", "level"),
    [
        pytest.param([(1_000, 1), (500, 1)], 2_000, 1_000, id="all fit"),
        pytest.param(
            [(10_000, 1), (10_000, 1), (200, 1)], 4_200, 2_000, id="the small one leaves its room to the others"
        ),
        pytest.param([(10_000, 3), (10_000, 1)], 8_000, 2_000, id="three times the limit"),
        pytest.param([(10_000, 1)] * 100, 1_000, LEAST, id="never less than that"),
        pytest.param([], 1_000, LEAST, id="nothing"),
    ],
)
def test_water_level(sizes: list[tuple[int, int]], room: int, level: int) -> None:
    assert water_level(sizes, room, LEAST) == level


@given(
    st.lists(st.tuples(st.integers(0, 100_000), st.integers(1, 4)), min_size=1, max_size=50),
    st.integers(20_000, 1_000_000),
)
def test_the_water_fills_the_room(sizes: list[tuple[int, int]], room: int) -> None:
    level = water_level(sizes, room, LEAST)
    held = sum(min(size, level * weight) for size, weight in sizes)
    assert held <= max(room, sum(LEAST * weight for _, weight in sizes))
    if any(size > level * weight for size, weight in sizes) and level > LEAST:
        more = sum(min(size, (level + 1) * weight) for size, weight in sizes)
        assert more > room
