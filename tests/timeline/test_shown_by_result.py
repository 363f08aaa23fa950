"""What only a result says of a call whose arguments weren't recorded."""

from __future__ import annotations

import pytest

from analyzer.model.words import Kind, Repeat
from tests.build import call, read, run, timeline
from tests.tables import table


@pytest.mark.parametrize(
    ("result", "path"),
    [
        ("The file /srv/quay/tide.py has been updated successfully.", "/srv/quay/tide.py"),
        ("Successfully wrote to `docs/tide.md`", "docs/tide.md"),
        ("Modified src\\quay\\tide.cs (2 lines)", "src\\quay\\tide.cs"),
        ("Saved tide.toml.\n1  depth = 3", "tide.toml"),
        ("Applied 2 edits to src/tide.py", "src/tide.py"),
        ("src/tide.py: 3 lines changed", "src/tide.py"),
        pytest.param("\x1b[32mUpdated src/tide.py\x1b[0m", "src/tide.py", id="in colour"),
        pytest.param("<result>Updated src/tide.py</result>", "src/tide.py", id="between tags"),
        pytest.param('{"output": "Updated src/tide.py", "exit_code": 0}', "src/tide.py", id="in a recorder's JSON"),
        pytest.param("Applied the rules of docs/style.md", None, id="something else was applied"),
        pytest.param("Edit applied.", None, id="no file is named"),
        pytest.param("Updated tide.py and quay.py", None, id="two files are named"),
        pytest.param("Nothing to do for tide.py", None, id="no change is reported"),
        pytest.param("", None, id="no result"),
    ],
)
def test_the_file_of_an_edit(result: str, path: str | None) -> None:
    (action,) = timeline(call("edit", {}, result)).actions
    assert [edit.path for edit in action.operation.edits] == ([path] if path else [])


@table("a_task_is_what_it_reports")
def test_a_task_is_what_it_reports(line: str, result: str, kind: Kind) -> None:
    assert timeline(run(line, result)).actions[0].kind is kind


def test_what_the_arguments_say_counts_first() -> None:
    (action,) = timeline(call("edit", {"path": "a.py", "old": "x", "new": "y"}, "Updated b.py")).actions
    assert [edit.path for edit in action.operation.edits] == ["a.py"]


@pytest.mark.parametrize(
    ("result", "lines"),
    [
        ("   80\u2192def depth():\n   81\u2192    return 3", (80, 81)),
        ("80: def depth():\n81:     return 3", (80, 81)),
        ("   80\u2192def depth():\n   81\u2192    return 3\n(12 more lines)", (80, 81)),
        pytest.param(
            "<path>tide.py</path>\n<type>file</type>\n<content>80: a\n81: b\n\n(End of file)\n</content>",
            (80, 81),
            id="between tags",
        ),
        pytest.param(
            "<path>tide.py</path>\n<type>file</type>\n<content>1: a\n2: b\n3: c\n</content>",
            None,
            id="between tags, from the beginning",
        ),
        pytest.param("80 ships\n81 boats", None, id="two counts"),
        pytest.param("80: a\n81: b\n... truncated ...\n90: c", None, id="a part is left out"),
        pytest.param("80 | def depth():", None, id="one line, which may be what the file holds"),
        pytest.param("100\t5\n200\t6", None, id="a table of numbers"),
        pytest.param("1\tdef depth():\n2\t    return 3", None, id="from the beginning"),
        pytest.param("80 readings were found", None, id="no line's number"),
    ],
)
def test_the_lines_of_a_read(result: str, lines: tuple[int, int | None] | None) -> None:
    (action,) = timeline(read("tide.py", result)).actions
    assert action.operation.lines == lines


@table("the_lines_that_were_read_are_those_that_the_result_shows")
def test_the_lines_that_were_read_are_those_that_the_result_shows(
    asked: tuple[int, int], result: str, lines: tuple[int, int]
) -> None:
    start, last = asked
    given = {"path": "tide.py", "offset": start, "limit": last - start + 1}
    (action,) = timeline(call("read", given, result)).actions
    assert action.operation.lines == lines


EIGHTY = "80\ta\n81\tb"


def test_other_lines_of_a_file_are_no_repetition() -> None:
    made = timeline(read("tide.py", EIGHTY), read("tide.py", "120\tb\n121\tc"), read("tide.py", EIGHTY)).actions
    assert [(action.repeats_step, action.repeats_as) for action in made] == [(None, None)] * 2 + [(1, Repeat.SAME_CALL)]


def test_edits_of_which_nothing_is_recorded_repeat_nothing() -> None:
    made = timeline(*[call("edit", {}, "Edit applied.") for _ in range(4)]).actions
    assert [action.repeats_step for action in made] == [None] * 4
