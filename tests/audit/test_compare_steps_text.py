"""Two runs beside each other on a page of text."""

from __future__ import annotations

from analyzer.model.struct import replace
from analyzer.report.run_pairs import Row, tables_of
from tests.audit.test_compare_steps import aligned, steps


def test_rows_of_text() -> None:
    (table,) = tables_of(
        [aligned(steps("ls", "cat a", "cat b", "make tide"), steps("ls", "cat a", "cat b", "make sea"))]
    )
    assert table.title == "3 steps in common"
    assert table.rows == [
        Row("steps 1-3", "steps 1-3", "the same calls"),
        Row("4 shell make tide", "4 shell make sea", "command: `make tide` -> `make sea`"),
    ]
    assert table.left_out == ""


def test_the_same_call_that_failed_in_one_run_only() -> None:
    one, other = steps("ls", "make", "git diff"), steps("ls", "make", "git diff")
    one[1] = replace(one[1], status="error")
    (table,) = tables_of([aligned(one, other)])
    assert [row.difference for row in table.rows] == [
        "the same call",
        "the same call, which failed in A only",
        "the same call",
    ]


def test_a_step_that_only_one_run_has() -> None:
    (table,) = tables_of([aligned(steps("ls", "pytest -q tests"), steps("ls"))])
    assert table.rows == [
        Row("1 shell ls", "1 shell ls", "the same call"),
        Row("2 shell pytest -q tests", "", "only in A"),
    ]


def test_long_runs_say_what_they_leave_out() -> None:
    one, other = (steps(*(f"{name} {number}" * 3 for number in range(60))) for name in ("tide", "moon"))
    (table,) = tables_of([aligned(one, other)])
    assert len(table.rows) == 40
    assert table.left_out == "80 rows more in the JSON output."
