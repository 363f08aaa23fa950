"""Loops of a browser that is asked in words: it does the same again, and the page doesn't change."""

from __future__ import annotations

import pytest

from analyzer.timeline.keys import visit_of
from tests.detectors.rounds import loops
from tests.sessions import Written, parts_of
from tests.tables import table


@table("fires")
def test_fires(parts: Written, steps: list[int], detectable_at: int) -> None:
    (found,) = loops(*parts_of(parts))
    assert (found.kind, found.steps, found.detectable_at) == ("repeated-call", steps, detectable_at)
    assert found.title.startswith("The browser ")
    assert "another source" in found.advice[0]


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert [found.title for found in loops(*parts_of(parts))] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I " + "clicked " * 10_000 + "Here is a screenshot of [", id="a long action"),
        pytest.param("I clicked" + "\n" * 900 + "Here is a screenshot of [", id="many empty lines"),
        pytest.param("I clicked.\n\nHere is a screenshot of [a](" + "b" * 100_000, id="a long address"),
        pytest.param("I clicked.\n\nHere is a screenshot of [" + "](" * 50_000, id="many addresses"),
        pytest.param("Here is a screenshot of [a](b).", id="no action"),
        pytest.param("", id="nothing"),
        pytest.param(None, id="no result"),
    ],
)
def test_what_shows_no_page_is_no_visit(text: str | None) -> None:
    assert visit_of(text) is None


def test_a_visit() -> None:
    visit = visit_of(
        "I clicked 'a\nb'.\n\nHere is a screenshot of [T](http://x.test/?q=(a)). The viewport shows 3% of the "
        "webpage, and is positioned 8% down from the top of the page.\nText"
    )
    assert visit is not None
    assert (visit.browser_action, visit.browser_page, visit.shown) == (
        "clicked 'a b'",
        "http://x.test/?q=(a) 3% 8% down from the top of the page",
        "\nText",
    )
