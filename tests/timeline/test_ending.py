"""How a session ends, and whether success is claimed."""

from __future__ import annotations

import pytest

from analyzer.model.words import Ending
from analyzer.timeline.ending import claim_of
from tests.build import Part, edit, says, submit, timeline

CHANGED = edit("a.py", "1", "2")


@pytest.mark.parametrize(
    ("parts", "ending", "words"),
    [
        pytest.param([says("The bug is fixed.")], None, "The bug is fixed.", id="said"),
        pytest.param([submit("Here it is.")], None, "Here it is.", id="handed in by a call"),
        pytest.param([says("Here it is.")], Ending.SUBMITTED, "Here it is.", id="recorded as handed in"),
        pytest.param([], Ending.SUBMITTED, "edit", id="recorded as handed in without a word"),
        pytest.param([says("Here it is.")], None, None, id="nothing that claims success"),
        pytest.param([says("I could not fix it.")], Ending.SUBMITTED, None, id="an admission"),
        pytest.param([says("The bug is fixed.")], Ending.LIMIT, None, id="ended by a limit"),
    ],
)
def test_success_is_claimed(parts: list[Part], ending: Ending | None, words: str | None) -> None:
    made = timeline(CHANGED, *parts, ending=ending)
    claim = claim_of(made, made.lane())
    assert (claim.words if claim is not None else None) == words
