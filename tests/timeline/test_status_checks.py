"""A question about the state of something waits only where it's asked again while nothing was done."""

from __future__ import annotations

from tests.build import timeline
from tests.sessions import Written, parts_of
from tests.tables import table


@table("only_a_question_that_is_asked_again_waits")
def test_only_a_question_that_is_asked_again_waits(parts: Written, kinds: list[str]) -> None:
    assert [str(action.kind) for action in timeline(*parts_of(parts)).actions] == kinds
