"""The final diff, and what it says of what isn't known."""

from __future__ import annotations

from typing import Any

from analyzer.model.difference import ChangeKind, Difference, Known
from analyzer.report.plain_lines import diff_lines, header_of, stat_lines
from analyzer.workspace.difference import difference, step_index
from tests.build import Part, call, edit, read, run, write
from tests.workspace.states import history

AREA = "def area(w, h):\n    return w * w\n"
ROOT: dict[str, Any] = {"environment": {"working directory": "/repo"}}


def _diff(*parts: Part, upto: int | None = None, task: str = "", **header: Any) -> Difference:
    return difference(history(*parts, **header), upto, task)


def _text(made: Difference) -> str:
    return "\n".join(line.text for line in diff_lines(made))


def test_a_file_that_was_shown_whole() -> None:
    made = _diff(read("/repo/area.py", AREA), edit("/repo/area.py", "w * w", "w * h"), **ROOT)
    assert _text(made) == (
        "# session-1, state S1 at the end: 1 file changed, +1 -1\n"
        "# area.py: modified at step 2\n"
        "--- a/area.py\n"
        "+++ b/area.py\n"
        "@@ -1,2 +1,2 @@\n"
        " def area(w, h):\n"
        "-    return w * w\n"
        "+    return w * h"
    )


def test_the_steps_of_another_lane_are_told_apart() -> None:
    parts = [
        edit("a.py", "y", "z"),
        edit("area.py", "w * h", "h * w"),
        edit("area.py", "w * w", "w * h", lane="agent-1"),
    ]
    assert "# area.py: modified at steps 2, 1 of agent-1; the" in _text(_diff(*parts))


def test_a_file_of_which_a_part_was_shown_has_its_line_numbers() -> None:
    shown = call(
        "read", {"path": "a.py", "offset": 40, "limit": 4}, "    40\tx = 1\n    41\ty = 2\n    42\tz = 3\n    43\tq = 4"
    )
    change = _diff(shown, edit("a.py", "y = 2\nz = 3", "y = 5\nz = 3")).files[0]
    assert change.known is Known.WHOLE
    assert (change.hunks[0].old_line, change.hunks[0].lines) == (40, [" x = 1", "-y = 2", "+y = 5", " z = 3", " q = 4"])


def test_a_file_that_was_never_shown_has_the_edit_without_its_place() -> None:
    change = _diff(edit("a.py", "one", "two")).files[0]
    assert change.known is Known.PARTS
    assert change.why_not == "the place was never shown: the texts are those of the edit, not whole lines"
    assert header_of(change.hunks[0]) == "@@ at a line that isn't known @@"
    assert change.hunks[0].lines == ["-one", "+two"]


def test_a_change_that_was_taken_back_is_none() -> None:
    assert _diff(edit("a.py", "one", "two"), run("git checkout a.py")).files == []
    assert _diff(write("new.py", "x\n"), run("rm new.py")).files == []


def test_files_that_were_made_and_removed() -> None:
    made = _diff(read("old.py", "x = 1\n"), write("new.py", "y = 2\n"), run("rm old.py"))
    assert [(change.file, change.kind, change.added, change.removed) for change in made.files] == [
        ("new.py", ChangeKind.CREATED, 1, 0),
        ("old.py", ChangeKind.REMOVED, 0, 1),
    ]


def test_a_removed_file_that_was_never_shown_says_so() -> None:
    change = _diff(run("ls", "a.py"), run("rm a.py")).files[0]
    assert (change.kind, change.known, change.why_not) == (ChangeKind.REMOVED, Known.NOT, "its content was never shown")


def test_what_a_command_wrote_that_was_never_shown() -> None:
    made = _diff(read("/repo/a.py", "b\na\n"), run("sort a.py > table.py"), run("sed -i '/a/,/b/d' a.py"), **ROOT)
    assert [(change.file, change.known) for change in made.files] == [("a.py", Known.NOT), ("table.py", Known.NOT)]
    assert "its content wasn't shown" in (made.files[0].why_not or "")


def test_scratch_files_stand_last() -> None:
    made = _diff(
        write("/repo/a_repro.py", "print(1)\n"), run("python a_repro.py", "1"), write("/repo/b.py", "x = 1\n"), **ROOT
    )
    assert [(change.file, change.scratch) for change in made.files] == [("b.py", False), ("a_repro.py", True)]
    assert "# Scratch files of the agent:\n# a_repro.py: created at step 1" in _text(made)


def test_commands_with_unknown_effects_and_changes_from_outside_are_listed() -> None:
    made = _diff(read("a.py", "one\n"), read("a.py", "two\n"), run("./build.sh", "ok"))
    assert [(entry.step, entry.what) for entry in made.unknown_effects] == [(3, "./build.sh")]
    assert [(entry.step, entry.what) for entry in made.changed_outside] == [(2, "a.py")]
    assert _text(made).endswith(
        "# Not known: what these commands did to files\n#   step 3: ./build.sh\n"
        "# Not known: what had changed these files before they were read\n#   step 2: a.py"
    )


def test_what_a_command_with_unknown_effects_may_have_changed_is_not_changed_from_outside() -> None:
    made = _diff(read("a.py", "one\n"), run("./build.sh", "ok"), read("a.py", "two\n"))
    assert made.changed_outside == []
    assert made.files[0].hunks[0].lines == ["-one", "+two"]


def test_a_file_that_has_more_lines_than_were_first_shown() -> None:
    more = call("read", {"path": "a.py", "offset": 2, "limit": 3}, "     2\ttwo\n     3\tthree\n     4\tfour")
    made = _diff(read("a.py", "     1\tone\n     2\ttwo"), more, edit("a.py", "four", "five"))
    assert made.changed_outside == []
    assert made.files[0].hunks[0].lines == [" one", " two", " three", "-four", "+five"]


def test_the_files_after_a_step() -> None:
    parts = (read("a.py", "one\n"), edit("a.py", "one", "two"), edit("a.py", "two", "three"))
    made = history(*parts)
    index = step_index(made, 2)
    assert index == 1
    after = difference(made, index)
    assert (after.state, after.after_step, after.files[0].hunks[0].lines) == ("S1", 2, ["-one", "+two"])
    assert difference(made, -1).files == []
    assert difference(made, 2).files == difference(made).files
    assert step_index(made, 9) is None


def test_one_line_for_each_file() -> None:
    made = _diff(read("a.py", AREA), edit("a.py", "w * w", "w * h"), run("rm b.py"))
    assert [line.text for line in stat_lines(made)] == [
        "# session-1, state S2 at the end: 2 files changed, +1 -1",
        " a.py |    2 +-",
        " b.py |    ?   (removed; its content was never shown)",
    ]


def test_a_session_that_changed_nothing() -> None:
    assert _text(_diff(run("ls"))) == "# session-1, state S0 at the end: no file changed"
    assert _text(_diff()) == "# session-1, state S0 at the end: no file changed"
