"""The table of the sessions of one file gives the request that the outcome beside it is of."""

from __future__ import annotations

import pytest

from analyzer.report.session_list import document
from tests.build import Part, edit, read, report, says, session, user

LAST = "The last request of"
TASK = "Repair the tide table in tide.py, which counts the low tide twice."
LOOK = read("tide.py", "level = 1")
DONE: list[Part] = [user(TASK), LOOK, edit("tide.py", "level = 1", "level = 2"), says("It counts it once.")]
MORE: list[Part] = [user("Which harbour is the deepest?"), says("Seal Harbour.")]


@pytest.mark.parametrize(
    ("parts", "task"),
    [
        pytest.param([*DONE, *MORE], 'The last request of 2 turns: "Which harbour is the deepest?"', id="two requests"),
        pytest.param(
            [*DONE, *MORE, user("List all bays."), LOOK],
            'The last request of 3 turns: "List all bays."',
            id="three requests",
        ),
        # Twins with one request.
        pytest.param(DONE, f'"{TASK}"', id="one request"),
        pytest.param(
            [*DONE, user("Thanks, that's perfect."), says("Gladly.")], f'{LAST} 2 turns: "{TASK}"', id="thanks"
        ),
        pytest.param(
            [*DONE, user("No, that's wrong: it still counts the low tide twice."), LOOK],
            'The last correction of 2 turns: "No, that\'s wrong: it still counts the low tide twice."',
            id="corrected",
        ),
        pytest.param([LOOK], f'"{TASK}"', id="only the header gives it"),
    ],
)
def test_the_task_of_a_row(parts: list[Part], task: str) -> None:
    rows = document(report(session(*parts, id="one", task=TASK), session(LOOK, id="two"))).rows
    assert next(row.task for row in rows if row.id == "one") == task
