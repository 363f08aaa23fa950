"""What is said where no file of the project was changed."""

from __future__ import annotations

import pytest

from analyzer.model.words import Mark
from tests.build import Part, diagnosed, edit, read, run, says, user, write
from tests.sessions import Written, parts_of
from tests.tables import table

TASK = user("Repair the tide table in tide.py. It fails with an error.")
SEEN = read("/p/tide.py", "x = 1\n")
HELD = "The pilot asked for permission to edit /p/tide.py, but you haven't granted it yet."
DENIED = edit("/p/tide.py", "x = 1", "x = 2", HELD, is_error=True, mark=Mark.DENIED)
NO_MATCH = edit("/p/tide.py", "x = 3", "x = 2", "No match found for old_string.", is_error=True)
ENDS = says("May I edit the file?")
START = "No file was changed: "


def said(*parts: Part) -> list[str]:
    return [one.text for one in diagnosed(TASK, SEEN, *parts).diagnosis.lead if one.part == "delivered"]


@table("edits_that_came_to_nothing")
def test_edits_that_came_to_nothing(parts: Written, text: str) -> None:
    lines = [line.replace("/p/tide.py`", "tide.py`") for line in said(*parts_of(parts), ENDS)]
    assert lines[0] == f"{START}{text}"


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([NO_MATCH, edit("/p/tide.py", "x = 1", "x = 2")], id="a later edit was made"),
        pytest.param([run("sed -i s/1/2/ /p/tide.py"), NO_MATCH], id="a command made it"),
        pytest.param([run("./mend"), NO_MATCH], id="a command of unknown effect"),
        pytest.param([], id="no edit was tried"),
        pytest.param([edit("/p/tide.py", "x = 1", "x = 2"), edit("/p/tide.py", "x = 2", "x = 1")], id="taken back"),
    ],
)
def test_what_may_have_changed_a_file(parts: list[Part]) -> None:
    assert not [line for line in said(*parts, ENDS) if line.startswith(START)]


NEW = write("/p/repro_tide.py", "print(1)\n")
TRIED = run("cd /p && python repro_tide.py", "1")
ONLY_NEW = "no existing file was changed"


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        pytest.param([NEW, TRIED], True, id="a trial alone"),
        pytest.param([NEW, TRIED, edit("/p/tide.py", "x = 1", "x = 1\nprint(x)")], False, id="prints in the project"),
        pytest.param([edit("/p/tide.py", "x = 1", "x = 2"), NEW, TRIED], False, id="beside a change"),
    ],
)
def test_that_only_new_files_are_left(parts: list[Part], told: bool) -> None:
    assert any(ONLY_NEW in line for line in said(*parts, says("Done."))) is told


def test_the_edits_that_failed_are_named_beside_what_is_left() -> None:
    (line,) = (line for line in said(NEW, NO_MATCH, TRIED, says("Done.")) if ONLY_NEW in line)
    assert line == (
        "Left only experimental files: `repro_tide.py` (step 2); no existing file was changed: the "
        "only edit of `/p/tide.py` (step 3) was rejected: the text to be replaced is not in the file."
    )


def test_an_edit_of_the_trial_itself_is_not_one_of_them() -> None:
    own = edit("/p/repro_tide.py", "print(3)", "print(2)", "No match found for old_string.", is_error=True)
    (line,) = (line for line in said(NEW, own, TRIED, says("Done.")) if ONLY_NEW in line)
    assert line.endswith(f"{ONLY_NEW}.")


def test_a_call_without_leave_is_refused_on_the_whole_page() -> None:
    made = diagnosed(TASK, SEEN, DENIED, ENDS)
    assert [str(row.not_run) for row in made.timeline] == ["None", "refused"]
    assert "-> REFUSED (" in made.timeline[1].summary
    steps = " ".join(one.text for one in made.diagnosis.lead if one.part == "steps")
    assert "No action failed; 1 call was refused (step 2)" in steps


def test_a_call_that_was_stopped_while_it_ran_is_no_failure_on_the_page() -> None:
    stopped = run("python3", "The user cancelled the operation.", None, is_error=True, mark=Mark.INTERRUPTED)
    made = diagnosed(TASK, SEEN, stopped, ENDS)
    assert (str(made.timeline[1].not_run), made.timeline[1].shown_as) == ("stopped", "unknown")
    assert "-> STOPPED (" in made.timeline[1].summary
    steps = " ".join(one.text for one in made.diagnosis.lead if one.part == "steps")
    assert "No action failed; 1 call was stopped (step 2)" in steps


def test_a_call_that_failed_is_not() -> None:
    made = diagnosed(TASK, SEEN, NO_MATCH, ENDS)
    assert [row.not_run for row in made.timeline] == [None, None]
    assert not any("refused" in text for text in (made.diagnosis.headline, *(one.text for one in made.diagnosis.lead)))
