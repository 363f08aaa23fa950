"""What is told to be delivered: the final difference, without trials, saved diffs and what was taken back."""

from __future__ import annotations

import pytest

from analyzer.model.postmortem import Deliverable
from tests.build import Part, call, diagnosed, edit, read, report, run, says, session, user, write
from tests.sessions import Written, parts_of
from tests.tables import table

TASK = user("Repair the tide table in tide.py.")
SEEN = read("/p/tide.py", "x = 1\n")
CHANGED = edit("/p/tide.py", "x = 1", "x = 2")
TRIAL = write("/p/repro_tide.py", "import tide\nprint(tide.x)\n")
TRIED = run("cd /p && python repro_tide.py", "2")
CLAIM = says("The table is repaired.")


def left(*parts: Part) -> Deliverable:
    found = diagnosed(*parts).outcome.deliverable
    assert found is not None
    return found


def said(*parts: Part) -> list[str]:
    return [statement.text for statement in diagnosed(*parts).diagnosis.lead if statement.part == "delivered"]


def test_a_trial_that_is_left_is_an_aspect_of_what_is_delivered() -> None:
    found = left(TASK, SEEN, CHANGED, TRIAL, TRIED, CLAIM)
    assert (str(found.kind), found.files, found.scratch) == ("change", ["tide.py", "repro_tide.py"], ["repro_tide.py"])
    assert said(TASK, SEEN, CHANGED, TRIAL, TRIED, CLAIM)[:2] == [
        "Changed `tide.py` (step 2).",
        "Experimental files were left behind: `repro_tide.py` (step 3).",
    ]


def test_a_trial_that_was_removed_is_not() -> None:
    gone = run("cd /p && rm repro_tide.py", "")
    assert left(TASK, SEEN, CHANGED, TRIAL, TRIED, gone, CLAIM).scratch == []


REMOVE = user("Remove the old tables.")
OTHER = edit("b.py", "x", "y")


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        pytest.param([run("rm notes.py")], "deleted `notes.py`", id="rm"),
        pytest.param([read("old/a.py"), run("rm -rf old")], "deleted `old/a.py`", id="a folder read before"),
        pytest.param([run("ls old", "a.py\nb.py"), run("rm -rf old")], "deleted `old`", id="a folder listed before"),
        pytest.param([run("git rm -r old", "rm 'old/a.py'")], "deleted `old`", id="git rm"),
        pytest.param([run("git -C . rm a.py")], "deleted `a.py`", id="git rm behind an option"),
        pytest.param([call("delete_file", {"path": "a.py"}, "Deleted.")], "deleted `a.py`", id="a tool"),
        pytest.param([read("package.json"), run("rm package.json")], "deleted `package.json`", id="a setting"),
    ],
)
def test_what_is_gone_was_deleted(parts: list[Part], what: str) -> None:
    made = said(REMOVE, *parts, run("ls"), OTHER, CLAIM)[0]
    assert f"and {what} (step" in made
    assert "changed `b.py`" in made.casefold()
    phases = diagnosed(REMOVE, *parts, run("ls"), OTHER, CLAIM).spending
    assert phases is not None
    assert next(p.first_step for p in phases.phases if p.phase == "first to last change") == len(parts)


@table("what_is_not_gone_was_not_deleted")
def test_what_is_not_gone_was_not_deleted(parts: Written) -> None:
    assert "eleted" not in said(REMOVE, *parts_of(parts), OTHER, CLAIM)[0]


@pytest.mark.parametrize(
    ("path", "first"),
    [("/p/notes.md", 3), ("/p/LICENSE", 3), ("/p/index.html", 1), ("/p/.gitignore", 1), ("/p/ci.yml", 1)],
)
def test_the_phases_begin_with_what_is_run_opened_or_loaded(path: str, first: int) -> None:
    made = diagnosed(REMOVE, edit(path, "a", "b"), run("ls"), OTHER, CLAIM).spending
    assert made is not None
    assert next(p.first_step for p in made.phases if p.phase == "first to last change") == first


NEW = "File created successfully at /p/gauge.py"


@table("what_was_new_is_not_said_to_be_changed")
def test_what_was_new_is_not_said_to_be_changed(parts: Written, text: str) -> None:
    assert said(user("Write down how high it is."), *parts_of(parts), CLAIM)[0] == text


def test_of_many_files_each_is_counted_with_what_was_done_to_it() -> None:
    made = [write(f"/p/gauge{number}.py", "h = 1\n", NEW) for number in range(6)]
    assert said(TASK, SEEN, CHANGED, *made, CLAIM)[0] == (
        "Changed `/p/tide.py` (step 2), and created `/p/gauge0.py` (step 3), `/p/gauge1.py` (step 4), "
        "`/p/gauge2.py` (step 5) and 3 more."
    )


def test_a_trial_that_only_the_prompt_around_the_task_names_is_none() -> None:
    made = session(
        user("You may write repro_tide.py first. The task: Repair the tide table in tide.py."),
        SEEN,
        CHANGED,
        TRIAL,
        TRIED,
        CLAIM,
        task="Repair the tide table in tide.py.",
    )
    deliverable = report(made).sessions[0].outcome.deliverable
    assert deliverable is not None
    assert deliverable.scratch == ["repro_tide.py"]


def test_the_steps_of_a_trial_are_its_own() -> None:
    trial = write("/tmp/p/tide.py", "x = 3\n")
    seen: list[Part] = [read("/p/tide.py", "x = 1\n"), CHANGED, trial, run("python /tmp/p/tide.py", "3"), CLAIM]
    assert said(TASK, *seen)[:2] == [
        "Changed `/p/tide.py` (step 2).",
        "Experimental files were left behind: `/tmp/p/tide.py` (step 3).",
    ]


MISSING = 'Tool "terminal" not found. Did you mean "read"?'


@pytest.mark.parametrize(
    ("answer", "exit_code", "changed"),
    [pytest.param(MISSING, None, False, id="no such tool"), pytest.param("", 0, True, id="carried out")],
)
def test_a_call_that_was_not_carried_out_changes_nothing(answer: str, exit_code: int | None, changed: bool) -> None:
    command = "sed -i '/x/,/y/c\\ebb' /p/tide.py && sed -i '/a/,/b/c\\flow' /p/tide.py"
    tried = call("terminal", {"command": command}, answer, exit_code=exit_code, is_error=not changed)

    assert any("Changed `/p/tide.py`" in text for text in said(TASK, SEEN, tried)) == changed


DELEGATED = [read(f"{name}.py", "x = 1\n", lane="agent-1") for name in ("a", "b", "c")]
MADE = write("tide.py", "x = 2\n", "New file created.", lane="agent-1")


@pytest.mark.parametrize("number", [1, 5], ids=["fewer steps in the main lane", "as many"])
def test_a_file_of_a_sub_agent_is_new_by_what_its_own_step_says(number: int) -> None:
    parts: list[Part] = [TASK, *DELEGATED, MADE, *(run("ls", "tide.py") for _ in range(number)), CLAIM]
    assert left(*parts).created == ["tide.py"]
    assert said(*parts)[0] == "Created `tide.py`."
