"""The thumbnail for tables, and the code that it's drawn from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import analyze
from analyzer.report.picture.thumbnail import COLUMNS, code_from, code_of, svg_of
from tests.report.picture.sessions import KINDS


def code(letters: str, *episodes: tuple[int, int]) -> str:
    return code_from([(KINDS[letter.lower()], letter.isupper()) for letter in letters], episodes)


def test_code_of_a_sample(samples: Path) -> None:
    session = analyze(samples / "bspline_clamping.json").sessions[0]
    assert code_of(session.timeline, session.findings) == "26:srrxexxxessrxxeTeTeTeTeTeT|15-26"


def test_many_actions_share_columns_and_none_that_failed_is_lost() -> None:
    count, letters = code("r" * 100 + "T" + "r" * 899, (501, 1000)).split(":")
    assert count == "1000"
    assert letters == "r" * 8 + "T" + "r" * 71 + "|41-80"


def test_what_failed_is_taller_and_episodes_are_underlined() -> None:
    drawn = svg_of("4:eTeT|1-4")
    assert '<path class="f" d="M4 5.7h3.5v5.6h-3.5zM12 5.7h3.5v5.6h-3.5z"/>' in drawn
    assert '<path class="k1" d="M0 3.9h3.5v2.6h-3.5zM8 3.9h3.5v2.6h-3.5z"/>' in drawn
    assert '<path class="episode" d="M0 19.2H15.2"/>' in drawn
    assert 'aria-label="4 actions, 2 failed, 1 episode of repetition"' in drawn


@pytest.mark.parametrize("code", ["", "abc", "3:rz!", "3:rzq", "3:rrr|", "3:rrr|1-", "3:rrr|1-2;", '3:r"><script>'])
def test_a_text_that_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="not the code of a thumbnail"):
        svg_of(code)


@given(st.text("rsetxwhpfoRSETXWHPFO", max_size=300))
def test_any_session_has_a_code_and_a_picture(letters: str) -> None:
    drawn = code(letters)
    columns = drawn.split(":")[1]
    assert len(columns) == min(len(letters), COLUMNS)
    assert any(letter.isupper() for letter in columns) == any(letter.isupper() for letter in letters)
    assert svg_of(drawn).count("<path") <= 6
