"""Where the failure of a check comes from that marks a line and gives no message."""

from __future__ import annotations

import pytest

from analyzer.model.words import OriginRole
from tests.build import Part, call, edit, run, timeline

MARKS = "## See the line marked with █.\n\nsails.py:\n 3│def sail():\n 4█    mast: Mast[object],\n 5│    return\n"
LINT = call("lint", {}, MARKS, is_error=True)


@pytest.mark.parametrize(
    ("before", "role"),
    [
        pytest.param(edit("sails.py", "wind = 1", "wind = 2"), OriginRole.UNKNOWN, id="another line was edited"),
        pytest.param(
            edit("sails.py", "mast: Mast", "mast: Mast[object],"),
            OriginRole.IMPLEMENTATION,
            id="the edit wrote the line",
        ),
        pytest.param(
            run("sed -i 's/Mast/Mast[object],/' sails.py"), OriginRole.IMPLEMENTATION, id="an edit that isn't shown"
        ),
    ],
)
def test_a_marked_line_that_no_edit_wrote_is_not_blamed_on_the_edits(before: Part, role: OriginRole) -> None:
    failure = timeline(before, LINT).actions[-1].failure
    assert failure is not None
    assert failure.origin is not None
    assert failure.origin.role is role
