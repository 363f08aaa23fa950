"""What a sentence does: claims, admissions, requests, corrections."""

from __future__ import annotations

import pytest

from analyzer.speech.acts import Act, acts_of, verbs_done
from tests.build import diagnosed, edit, findings, says
from tests.tables import table

ACTS_OF_SINGLE_RULES = {Act.ABSENT, Act.ASKS_TO_SUPPLY, Act.ASKS_FOR_INPUT}


def shown(acts: frozenset[Act], named: set[Act]) -> set[Act]:
    """The acts that a case is about: a sentence that does one thing may do a lesser one as well."""
    general = {Act.NOT_DONE, Act.HEDGES, Act.DEFERS} if named & {Act.GIVES_UP, Act.LACKS, Act.ASSUMES} else set()
    return set(acts) - ACTS_OF_SINGLE_RULES - (general - named)


@table("agent")
def test_what_an_agent_says(text: str, acts: set[Act]) -> None:
    assert shown(acts_of(text), acts) == acts


@table("user")
def test_what_a_user_says(text: str, acts: set[Act]) -> None:
    assert shown(acts_of(text, "user"), acts) == acts


@table("operations_that_are_said_to_be_done")
def test_operations_that_are_said_to_be_done(text: str, verbs: list[str]) -> None:
    assert verbs_done(text) == verbs


@pytest.mark.parametrize("words", ["The quay list is not working.", "No files were changed.", "The bug is not fixed."])
def test_what_is_denied_is_no_claim(words: str) -> None:
    assert findings(edit("quay.py", "a", "b"), says(words), detector="unverified-success") == []
    assert "reports that it is done" not in diagnosed(edit("quay.py", "a", "b"), says(words)).outcome.reason
