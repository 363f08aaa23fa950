"""Which edits were made, by what came back."""

from __future__ import annotations

from tests.build import edit, timeline
from tests.tables import table


@table("an_edit_was_made_unless_it_was_refused")
def test_an_edit_was_made_unless_it_was_refused(result: str, made: bool) -> None:
    (action,) = timeline(edit("a.py", "x", "y", result)).actions
    assert bool(action.accepted_edits) is made
