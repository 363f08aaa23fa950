"""Which edits were made, by what came back."""

from __future__ import annotations

import pytest

from tests.build import edit, timeline


@pytest.mark.parametrize(
    ("result", "made"),
    [
        pytest.param("Edited.", True, id="made"),
        pytest.param(
            "a.py was edited.\n\n====== 1 failed, 210 passed in 2.1s ======", True, id="a test behind it failed"
        ),
        pytest.param(
            "The file a.py has been edited.\n\nModuleNotFoundError: No module named 'quay'\n"
            "53 passed. 0 failed. 1 errors.",
            True,
            id="a test run behind it could not load a module",
        ),
        pytest.param("Error: the text to replace is not in a.py", False, id="refused"),
    ],
)
def test_an_edit_was_made_unless_it_was_refused(result: str, made: bool) -> None:
    (action,) = timeline(edit("a.py", "x", "y", result)).actions
    assert bool(action.accepted_edits) is made
