"""The thorough run makes up more examples for every test than the ordinary one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import settings

from tests.drawn import PROFILE, USUAL, examples, times

TESTS = Path(__file__).resolve().parent
CAP = re.compile(r"\bmax_examples\s*=")
HERE = {TESTS / "drawn.py", Path(__file__).resolve()}


def test_no_test_caps_what_the_thorough_run_makes_up() -> None:
    capped = [
        str(file.relative_to(TESTS))
        for file in sorted(TESTS.rglob("*.py"))
        if file not in HERE and CAP.search(file.read_text(encoding="utf-8"))
    ]
    assert not capped, "use tests.drawn.examples, which asks for six times as many in the thorough run"


@pytest.mark.parametrize("count", [15, 50, 300])
def test_a_number_of_ones_own_grows_with_the_profile(count: int) -> None:
    assert examples(count).max_examples == count * times(PROFILE)


def test_the_thorough_profile_makes_up_six_times_as_many() -> None:
    assert settings.get_profile("fast").max_examples == USUAL
    assert settings.get_profile("thorough").max_examples == 6 * USUAL
    assert (times("fast"), times("thorough")) == (1, 6)
