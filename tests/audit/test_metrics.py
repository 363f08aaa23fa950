"""The figures over sessions, against values worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.audit.audit import frame
from analyzer.audit.figures.breakdown import breakdowns
from analyzer.audit.figures.metrics import RECORDED, metrics, outcomes
from analyzer.audit.store.entries import rows_of
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Metrics
from analyzer.model.audit_report import GroupRow
from analyzer.model.session import Tokens, Usage
from analyzer.model.words import Ending
from tests.audit.tables import Values, sessions, tables
from tests.build import Part, diagnosed, edit, run, submit
from tests.tables import table

FIVE = sessions(
    {
        "outcome": "succeeded",
        "outcome_confidence": 0.95,
        "actions": 4,
        "duration_seconds": 60.0,
        "tokens_input": 90,
        "tokens_output": 10,
        "cost_usd": 0.5,
        "loop_tokens": 0,
        "loop_usd": 0.0,
    },
    {"outcome": "succeeded", "outcome_confidence": 0.65, "actions": 6, "duration_seconds": 0.0, "cost_usd": 0.0},
    {
        "outcome": "stuck",
        "actions": 20,
        "loops": 2,
        "loop_actions": 15,
        "duration_seconds": 240.0,
        "loop_seconds": 90.0,
        "tokens_input": 900,
        "loop_tokens": 600,
        "actions_saved": 9,
    },
    {
        "outcome": "failed",
        "outcome_confidence": 0.95,
        "actions": 10,
        "loops": 1,
        "loop_actions": 12,
        "duration_seconds": 300.0,
        "cost_usd": 1.5,
        "loop_usd": 1.0,
        "actions_saved": 3,
    },
    {"outcome": "unknown", "actions": 0, "duration_seconds": 30.0},
)
LOOPS: list[Values] = [
    {"session": "s3", "escaped": True},
    {"session": "s3", "escaped": False},
    {"session": "s4"},
    {"session": "s1", "severity": "info", "escaped": True},
    {"session": "s1", "category": "error"},
]


def figures(rows: list[Values], findings: list[Values] = []) -> Metrics:  # noqa: B006 - never changed
    made = tables(sessions=rows, findings=findings)
    return metrics(made)


def test_success_is_of_the_sessions_with_a_known_outcome() -> None:
    made = figures(FIVE, LOOPS)
    assert (made.success.count, made.success.of, made.success.share) == (2, 4, 0.5)
    assert (made.success_by_verdict, made.unknown) == (1, 1)


def test_loops_are_of_the_sessions_with_actions() -> None:
    made = figures(FIVE, LOOPS)
    assert (made.loop_rate.count, made.loop_rate.of, made.loops, made.escaped) == (2, 4, 3, 1)


def test_actions_per_task() -> None:
    actions = figures(FIVE).actions
    assert (actions.sessions, actions.total, actions.median, actions.mean, actions.p90, actions.maximum) == (
        4,
        40,
        8,
        10,
        17,
        20,
    )
    assert figures(FIVE).actions_succeeded.median == 5


def test_a_duration_or_a_cost_of_zero_is_not_recorded() -> None:
    made = figures(FIVE)
    assert (made.seconds.sessions, made.seconds.median) == (3, 240)  # in s5 nothing was done
    assert (made.seconds_succeeded.sessions, made.seconds_succeeded.median) == (1, 60)
    assert (made.usd.sessions, made.usd.total) == (2, 2)
    assert (made.tokens.sessions, made.tokens.total) == (2, 1000)


def test_inside_loops_each_figure_rests_on_the_sessions_that_record_it() -> None:
    summary = {
        entry.what: (entry.inside, entry.total, entry.share, entry.sessions, entry.looping, entry.largest)
        for entry in figures(FIVE).inside
    }
    assert summary == {
        "actions": (25, 40, 0.625, 4, 2, 20),  # never more inside of a loop than the session has
        "seconds": (90, 300, 0.3, 2, 1, 240),  # s4 has a loop of unknown length
        "tokens": (600, 1000, 0.6, 2, 1, 900),
        "usd": (1, 2, 0.5, 2, 1, 1.5),
    }


def test_what_nobody_records_is_left_out() -> None:
    made = figures(sessions({"actions": 3}))
    assert [entry.what for entry in made.inside] == ["actions"]
    assert (made.seconds.sessions, made.seconds.median, made.usd.mean) == (0, None, None)


def test_an_early_stop() -> None:
    made = figures(FIVE)
    assert (made.detectable, made.saved) == (2, 12)


def test_no_sessions() -> None:
    made = figures([])
    assert (made.success.share, made.loop_rate.share, made.actions.sessions, made.inside) == (None, None, 0, [])


def test_outcomes_are_counted_with_what_rests_on_the_log_unknown_last() -> None:
    more = [*FIVE, *[{**row, "session": f"u{number}", "outcome": "unknown"} for number, row in enumerate(FIVE)]]
    summary = [(row.outcome, row.sessions, row.share, row.recorded) for row in outcomes(tables(sessions=more))]
    assert summary == [("succeeded", 2, 0.2, 1), ("failed", 1, 0.1, 1), ("stuck", 1, 0.1, 0), ("unknown", 6, 0.6, 0)]


@pytest.mark.parametrize(
    ("parts", "header", "expected"),
    [
        ([run("ls"), submit()], {"ending": Ending.SOLVED}, ("succeeded", True)),
        ([run("ls"), submit()], {"ending": Ending.UNSOLVED}, ("failed", True)),
        ([run("ls")], {"ending": Ending.LIMIT}, ("limit_reached", True)),
        ([run("ls")], {"ending": Ending.CRASHED}, ("crashed", True)),
        ([run("ls")], {"ending": Ending.CANCELLED}, ("abandoned", True)),
        ([edit("a.py", "x", "y"), run("pytest", "3 passed in 0.1s"), submit("All done.")], {}, ("succeeded", False)),
        ([edit("a.py", "x", "y"), run("pytest", "1 failed in 0.1s", 1), submit("All done.")], {}, ("failed", False)),
        ([run("ls"), submit("I was unable to fix it. Giving up.")], {}, ("abandoned", False)),
        ([run("ls")], {}, ("unknown", False)),
    ],
)
def test_what_rests_on_the_log(parts: list[Part], header: dict[str, Any], expected: tuple[str, bool]) -> None:
    made = Tables.of(rows_of(diagnosed(*parts, **header), "/runs/a.json", 1, "actions"))
    ((outcome, recorded),) = made.rows(f"SELECT outcome, {RECORDED} FROM sessions")
    assert (outcome, bool(recorded)) == expected


def group(rows: list[Values], by: str, value: str | None) -> GroupRow:
    (found,) = [
        row for entry in breakdowns(tables(sessions=rows)) if entry.by == by for row in entry.rows if row.value == value
    ]
    return found


def test_a_group_has_the_figures_of_its_sessions() -> None:
    rows = [
        {**row, "agent": "one" if number < 3 else "two", "about": "loops/cycle" if number == 2 else None}
        for number, row in enumerate(FIVE)
    ]
    made = group(rows, "agent", "one")
    assert (made.sessions, made.few, made.actions, made.seconds, made.tokens, made.loop_share) == (
        3,
        True,
        6,
        150,
        500,
        0.5,
    )
    assert (made.success.count, made.success.of, made.loop_rate.count, made.loop_rate.of) == (2, 3, 1, 3)
    assert (made.finding, made.finding_sessions) == ("loops/cycle", 1)
    other = group(rows, "agent", "two")
    assert (other.actions, other.success.of, other.loop_rate.of, other.finding) == (10, 1, 1, None)


def test_groups_are_ordered_by_size_with_what_is_not_recorded_last() -> None:
    rows = sessions(*[{"model": name} for name in ("b", "a", "c", "c", None, None, None)])
    (models,) = [entry for entry in breakdowns(tables(sessions=rows)) if entry.by == "model"]
    assert [(row.value, row.sessions) for row in models.rows] == [("c", 2), ("a", 1), ("b", 1), (None, 3)]
    assert models.values == 3


def test_a_property_with_one_value_parts_nothing() -> None:
    rows = sessions({"model": "a", "agent": "x"}, {"model": None, "agent": "x"})
    assert breakdowns(tables(sessions=rows)) == []


def test_ten_sessions_are_not_few() -> None:
    rows = sessions(*[{"model": "a"} for _ in range(10)], *[{"model": "b"} for _ in range(9)])
    assert [(row.value, row.few) for row in breakdowns(tables(sessions=rows))[0].rows] == [("a", False), ("b", True)]


def test_versions_follow_each_other_in_time() -> None:
    rows = sessions(
        {"agent": "x", "agent_version": "1.10", "started_at": "2025-01-03T00:00:00Z"},
        {"agent": "x", "agent_version": "1.9", "started_at": "2025-01-02T00:00:00Z"},
        {"agent": "x", "agent_version": "1.10", "started_at": "2025-01-05T00:00:00Z"},
        {"agent": "x", "agent_version": "2.10"},
        {"agent": "x", "agent_version": "2.9"},
        {"agent": "y", "agent_version": "7"},
    )
    (versions,) = [entry for entry in breakdowns(tables(sessions=rows)) if entry.by == "version"]
    assert versions.of == "x"
    assert [(row.value, row.first, row.last) for row in versions.rows] == [
        ("1.9", "2025-01-02T00:00:00Z", "2025-01-02T00:00:00Z"),
        ("1.10", "2025-01-03T00:00:00Z", "2025-01-05T00:00:00Z"),
        ("2.9", None, None),
        ("2.10", None, None),
    ]


@table("tokens_and_money_inside_of_loops")
def test_tokens_and_money_inside_of_loops(recorded_per_step: bool, expected: tuple[int, float]) -> None:
    used = Usage(Tokens(500, 10), 0.25) if recorded_per_step else None
    made = diagnosed(
        run("ls", used=used), [run("pwd", "b", used=used) for _ in range(4)], tokens=Tokens(9000, 1000), cost_usd=5.0
    )
    table = frame("sessions", rows_of(made, "/runs/a.json", 1, "actions")["sessions"])
    assert (table["loop_tokens"][0], table["loop_usd"][0]) == expected


def test_times_leave_out_the_pauses_between_turns() -> None:
    rows = sessions({"duration_seconds": 900.0, "active_seconds": 60.0}, {"duration_seconds": 80.0})
    assert figures(rows).seconds.total == 140
