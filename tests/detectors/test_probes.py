"""Errors that the agent provokes with its own input and accepts are no loop; twins that look alike still are."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.detectors.episodes.shown import accepts
from tests.build import Part, timeline
from tests.sessions import Written, parts_of
from tests.tables import table


def found(*parts: Part) -> set[str]:
    kept = {"loops", "identical-error", "near-identical-error"}
    return {finding.detector for finding in detect(timeline(*parts)) if finding.detector in kept}


@table("probes_are_no_repetition")
def test_probes_are_no_repetition(parts: Written) -> None:
    assert found(*parts_of(parts)) == set()


@table("what_only_looks_so")
def test_what_only_looks_so(parts: Written) -> None:
    assert found(*parts_of(parts)) != set()


@pytest.mark.parametrize(
    "said",
    [
        "It works!",
        "It seems to work. Now two ropes.",
        "It fails as expected (without quotes).",
        "That is exactly what I wanted.",
        "The linter correctly rejects it.",
        "As expected, it ends with an error.",
    ],
)
def test_words_that_accept(said: str) -> None:
    assert accepts(said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "It still fails.",
        "It does not work.",
        "Hmm, that isn't what I expected. It works elsewhere.",
        "Let me see why it fails. One. Two. It works on the pier.",
        "Now run the linter again.",
        "It works without the rope, oops.",
        "I expected another error.",
    ],
)
def test_words_that_do_not(said: str) -> None:
    assert not accepts(said)
