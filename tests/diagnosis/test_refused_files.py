"""A file whose write was refused isn't delivered, whoever refused it; one that was written is."""

from __future__ import annotations

from tests.build import Part, diagnosed, read, run, says, user, write
from tests.sessions import Written, parts_of
from tests.tables import table

TASK = user("Plan the new quay and write the plan to plan.md.")
PLAN = "cat > plan.md <<'EOF'\n# Plan\nEOF"
NO = "The user doesn't want to proceed with this tool use."
END = says("The quay needs two more berths.")


def files(*parts: Part) -> list[str]:
    left = diagnosed(TASK, *parts, END, environment={"working directory": "/w"}).outcome.deliverable
    return left.files if left is not None else []


@table("a_refused_file_is_not_delivered")
def test_a_refused_file_is_not_delivered(parts: Written) -> None:
    assert files(*parts_of(parts)) == []


@table("a_written_file_is")
def test_a_written_file_is(parts: Written) -> None:
    assert files(*parts_of(parts)) == ["plan.md"]


def test_what_the_others_left_is_told() -> None:
    made = diagnosed(TASK, run(PLAN, NO, None), write("quay.md", "x\n"), END)
    assert next(line.text for line in made.diagnosis.lead if line.part == "delivered") == "Wrote `quay.md` (step 2)."


def test_a_recording_that_ends_in_a_write_does_not_say_that_it_was_made() -> None:
    made = diagnosed(TASK, read("quay.txt", "x"), write("plan.md", "x", None))
    lines = [line.text for line in made.diagnosis.lead if line.part == "delivered"]
    assert any("plan.md" in line and "recorded" in line for line in lines)
    assert not any(line.startswith("Wrote `plan.md` (step 2).") for line in lines)
