"""Two runs beside each other: what stands in one row."""

from __future__ import annotations

from pathlib import Path

from analyzer.audit.compare import compare, load
from analyzer.audit.compare.steps import MOST_STEPS, RunOf, Step, beside
from analyzer.audit.run import run
from analyzer.audit.settings import Settings
from analyzer.model.comparison import RunPair
from tests.audit.test_compare_side import log, one_by_one
from tests.tables import table


def steps(*commands: str, tool: str = "shell", kind: str = "run") -> list[Step]:
    """Commands as steps, each with its text as its only argument."""
    return [
        Step(number, tool, kind, text, "ok", f"{tool} {text}", (("command", text),))
        for number, text in enumerate(commands, 1)
    ]


def aligned(before: list[Step], after: list[Step]) -> RunPair:
    return beside("task", RunOf("a", "succeeded", before), RunOf("b", "failed", after))


def rows(found: RunPair) -> list[tuple[str, int | None, int | None]]:
    return [
        (row.match, row.before.step if row.before else None, row.after.step if row.after else None)
        for row in found.rows
    ]


@table("rows")
def test_rows(before: list[str], after: list[str], expected: list[tuple[str, int | None, int | None]]) -> None:
    found = aligned(steps(*before), steps(*after))
    assert rows(found) == expected
    assert found.same == sum(match == "same" for match, _, _ in expected)


def test_another_tool_is_another_call() -> None:
    assert rows(aligned(steps("fit.py", tool="read"), steps("fit.py", tool="open"))) == [
        ("before", 1, None),
        ("after", None, 1),
    ]


def test_edits_of_one_file_differ_in_their_texts() -> None:
    one, other = (
        Step(1, "edit", "edit", "fit.py", "ok", "edit fit.py", (("path", "fit.py"), ("new", text)))
        for text in ("degree = 3", "raise ValueError")
    )
    (row,) = aligned([one], [other]).rows
    assert row.match == "differs"
    assert [(each.name, each.before, each.after) for each in row.arguments] == [
        ("new", "degree = 3", "raise ValueError")
    ]


def test_long_arguments_are_shown_from_where_they_differ() -> None:
    begin = "x" * 500
    (row,) = aligned(steps(f"{begin} alpha {begin}"), steps(f"{begin} beta {begin}")).rows
    (argument,) = row.arguments
    assert argument.before is not None
    assert argument.after is not None
    assert argument.before.startswith("…x")
    assert " alpha x" in argument.before
    assert " beta x" in argument.after
    assert max(len(argument.before), len(argument.after)) <= 122


def test_an_argument_that_only_one_has() -> None:
    one = Step(1, "grep", "search", "fit.py", "ok", "grep", (("pattern", "knots"),))
    other = Step(1, "grep", "search", "fit.py", "ok", "grep", (("pattern", "knots"), ("flags", "-i")))
    (argument,) = aligned([one], [other]).rows[0].arguments
    assert (argument.name, argument.before, argument.after) == ("flags", None, "-i")


def test_without_arguments_calls_are_the_same_where_their_target_is() -> None:
    one, other, third = (Step(1, "read", "read", target, "ok", "read") for target in ("a.py", "a.py", "b.py"))
    assert rows(aligned([one], [other])) == [("same", 1, 1)]
    assert [match for match, _, _ in rows(aligned([one], [third]))] != ["same"]


def test_long_runs_are_compared_as_far_as_that_goes() -> None:
    many = steps(*(f"step {number} of many" for number in range(MOST_STEPS + 7)))
    found = aligned(many, steps("nothing"))
    assert (found.left_out_before, found.left_out_after) == (7, 0)
    assert len(found.rows) >= MOST_STEPS


def test_runs_are_read_from_the_audits(tmp_path: Path) -> None:
    for side, ending, commands in (
        ("march", "unsolved", [("make", "ok", 0), ("pytest -q", "1 failed", 1)]),
        ("april", "solved", [("make", "ok", 0), ("git status", "clean", 0), ("pytest -q", "1 passed", 0)]),
    ):
        (tmp_path / side).mkdir()
        log(tmp_path / side, "curve", ending, commands)
        run([str(tmp_path / side)], tmp_path / "audits" / side, Settings(), one_by_one)
    found = compare(*(load(tmp_path / "audits" / side, side) for side in ("march", "april")))
    (pair,) = found.runs
    assert rows(pair) == [("same", 1, 1), ("after", None, 2), ("same", 2, 3)]
    assert (pair.outcome_before, pair.outcome_after, pair.same) == ("failed", "succeeded", 2)
    last = pair.rows[-1]
    assert last.before is not None
    assert last.after is not None
    assert (last.before.status, last.after.status) == ("error", "ok")
