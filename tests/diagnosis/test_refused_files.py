"""A file whose write was refused isn't delivered, whoever refused it; one that was written is."""

from __future__ import annotations

import pytest

from analyzer.model.words import Mark
from tests.build import Part, diagnosed, read, run, says, user, write

TASK = user("Plan the new quay and write the plan to plan.md.")
PLAN = "cat > plan.md <<'EOF'\n# Plan\nEOF"
PYTHON = "python - <<'EOF'\nopen('plan.md', 'w').write('# Plan')\nEOF"
NO = "The user doesn't want to proceed with this tool use."
END = says("The quay needs two more berths.")


def files(*parts: Part) -> list[str]:
    left = diagnosed(TASK, *parts, END, environment={"working directory": "/w"}).outcome.deliverable
    return left.files if left is not None else []


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run(PLAN, NO, None, is_error=True)], id="by the user"),
        pytest.param([run(PLAN, "User rejected this action.", None)], id="by the user, without a flag"),
        pytest.param([run(PLAN, NO, None, mark=Mark.DENIED)], id="by the user, as the log marks it"),
        pytest.param([run(PLAN, "This command requires approval", None, is_error=True)], id="for want of leave"),
        pytest.param([run(PLAN, "Command was blocked by the sandbox policy.", None)], id="by a rule"),
        pytest.param([run(PYTHON, "Command was blocked by the sandbox policy.", None)], id="a script, by a rule"),
        pytest.param([run(PLAN, "bash: plan.md: Permission denied", 1)], id="by the file system"),
        pytest.param([run(PLAN, "sh: 1: cannot create plan.md: Permission denied", 2)], id="in another shell"),
        pytest.param([run(PLAN, "zsh: read-only file system: plan.md", 1)], id="in a third shell"),
        pytest.param([run(PLAN, "/bin/bash: line 3: plan.md: No such file or directory", 1)], id="no such folder"),
        pytest.param([run("echo Plan | tee plan.md", "tee: plan.md: Permission denied\nPlan", 1)], id="through tee"),
        pytest.param([write("plan.md", "# Plan\n", NO, is_error=True)], id="by a tool for files"),
        pytest.param([run(PLAN, "bash: plan.md: Permission denied", 1), run(PLAN, NO, None)], id="twice"),
        pytest.param(
            [run(f"{PLAN}\nls", "bash: plan.md: Permission denied\nquay.txt", 0)], id="and another command ran"
        ),
    ],
)
def test_a_refused_file_is_not_delivered(parts: list[Part]) -> None:
    assert files(*parts) == []


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run(PLAN, "", 0)], id="written"),
        pytest.param([run(PLAN, "")], id="without an answer"),
        pytest.param([run(PLAN, NO, None), run(PLAN, "", 0)], id="allowed later"),
        pytest.param([run(PLAN, "bash: notes.md: Permission denied", 0)], id="another file was refused"),
        pytest.param([run(PLAN, "bash: old/plan.md: Permission denied", 0)], id="a file of the same name"),
        pytest.param([run(f"ls quay; {PLAN}", "ls: quay: No such file or directory", 0)], id="another command failed"),
        pytest.param([run(f"{PLAN}\npython check.py", "The request was blocked by quay 3", 1)], id="a program says no"),
        pytest.param([run(f"python ask.py; {PLAN}", "User rejected the plan, as he had said", 0)], id="shown words"),
        pytest.param(
            [run("echo Plan > plan.md || echo Plan | sudo tee plan.md", "bash: plan.md: Permission denied\nPlan", 0)],
            id="written another way",
        ),
        pytest.param([write("plan.md", "# Plan\n"), run(PLAN, NO, None)], id="written before"),
    ],
)
def test_a_written_file_is(parts: list[Part]) -> None:
    assert files(*parts) == ["plan.md"]


def test_what_the_others_left_is_told() -> None:
    made = diagnosed(TASK, run(PLAN, NO, None), write("quay.md", "x\n"), END)
    assert next(line.text for line in made.diagnosis.lead if line.part == "delivered") == "Wrote `quay.md` (step 2)."


def test_a_recording_that_ends_in_a_write_does_not_say_that_it_was_made() -> None:
    made = diagnosed(TASK, read("quay.txt", "x"), write("plan.md", "x", None))
    lines = [line.text for line in made.diagnosis.lead if line.part == "delivered"]
    assert any("plan.md" in line and "recorded" in line for line in lines)
    assert not any(line.startswith("Wrote `plan.md` (step 2).") for line in lines)
