"""Commands that change the project's code are drawn and counted as changes, others aren't."""

from __future__ import annotations

import pytest

from analyzer.report.picture.model import ROWS, row_of
from tests.build import Part, call, diagnosed, edit, read, run, says, user, write

TASK = user("Mend `clearance_of` in tide.py.")
SCRIPT = "cat > mend.py <<'EOF'\nopen('tide.py', 'w').write('return depth + 1\\n')\nEOF\npython mend.py"


@pytest.mark.parametrize(
    ("step", "row"),
    [
        pytest.param(run("sed -i 's/depth/depth + 1/' tide.py"), "change", id="a stream editor"),
        pytest.param(run(SCRIPT), "change", id="a script that writes the file"),
        pytest.param(run("git diff > mine.patch"), "run", id="a diff kept in a file"),
        pytest.param(
            run("cat > look.py <<'EOF'\nprint(1)\nEOF\npython look.py"), "run", id="a script that only prints"
        ),
        pytest.param(run("echo done >> NOTES.md"), "change", id="a document, by the kind of the call"),
        pytest.param(run("ls"), "look", id="a look"),
        pytest.param(call("get_tide", {"port": "7"}, "low"), "look", id="a function that asks"),
        pytest.param(call("book_berth", {"port": "7"}, "done"), "run", id="a function that does something"),
    ],
)
def test_where_a_command_is_drawn(step: Part, row: str) -> None:
    (found, *_) = diagnosed(TASK, step, says("Done.")).timeline

    assert ROWS[row_of(found)] == row


def test_the_first_change_is_the_first_of_the_projects_code() -> None:
    made = diagnosed(
        TASK,
        write("look.py", "import tide\nprint(tide.clearance_of(3))\n"),
        run("python look.py", "3"),
        edit("tide.py", "return depth", "return depth + 1"),
        run("python look.py", "4"),
        says("Done."),
    )
    assert made.spending is not None

    assert [(row.phase, row.first_step) for row in made.spending.phases] == [
        ("before the first change", 1),
        ("first to last change", 3),
        ("after the last change", 4),
    ]


def test_without_any_change_of_code_there_are_the_phases_of_what_was_edited() -> None:
    made = diagnosed(user("Note it."), read("a.txt"), edit("NOTES.md", "a", "b"), says("Done."))
    assert made.spending is not None

    assert [row.first_step for row in made.spending.phases] == [1, 2]
