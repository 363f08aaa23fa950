"""What findings have in common, and which sessions come first."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from analyzer.audit.figures.breakdown import Weeks
from analyzer.audit.figures.counts import start_of
from analyzer.audit.figures.parts import Links, file_link
from analyzer.audit.figures.summary import summarize
from analyzer.audit.figures.themes import Advice, themes
from analyzer.model.audit_report import FindingTheme
from analyzer.report.audit import changes_of, dearest_line, first_changes, render
from analyzer.report.picture.small import week_bars, words
from tests.audit.tables import Values, sessions, tables
from tests.tables import table


def themes_of(findings: list[Values], count: int = 9) -> list[FindingTheme]:
    made = tables(sessions=sessions(*[{"findings": 1} for _ in range(count)]), findings=findings)
    return themes(made, Links(made, None), Weeks(made))


def test_a_theme_sums_up_its_findings() -> None:
    (theme,) = themes_of(
        [
            {
                "session": "s1",
                "detectable_at": 3,
                "first_step": 1,
                "last_step": 8,
                "cost_actions": 8,
                "escaped": True,
                "mast": '["FM-1.3"]',
                "advice": '["Stop."]',
            },
            {
                "session": "s1",
                "detectable_at": 9,
                "first_step": 7,
                "last_step": 10,
                "cost_actions": 4,
                "escaped": False,
                "severity": "low",
                "mast": '["FM-1.3","FM-1.5"]',
                "advice": '["Stop."]',
            },
            {
                "session": "s2",
                "detectable_at": 5,
                "first_step": 5,
                "last_step": 5,
                "cost_actions": 1,
                "severity": "medium",
                "mast": '["FM-2.1"]',
                "advice": '["Ask."]',
            },
            {"session": "s2", "severity": "info"},
        ]
    )
    assert (theme.findings, theme.sessions.count, theme.sessions.of, theme.severity) == (3, 2, 9, "high")
    assert theme.severities == {"high": 1, "medium": 1, "low": 1}
    assert (theme.detectable_at, theme.actions, theme.lost, theme.escaped) == (5, 13, 6, 1)
    assert theme.mast == ["FM-1.3"]
    assert (theme.advice, theme.advised) == ("Stop.", 2)
    assert (theme.example.id, theme.example.step, theme.example.link) == ("run-1", 1, "sessions/s1.md")


def test_what_is_no_loop_has_nothing_to_escape_from() -> None:
    (theme,) = themes_of([{"session": "s1", "category": "error", "escaped": None}])
    assert theme.escaped is None


def test_severity_weighs_as_much_as_number() -> None:
    rows = [
        *({"session": f"s{n}", "detector": "often", "severity": "low"} for n in range(1, 6)),
        *({"session": f"s{n}", "detector": "badly", "severity": "high"} for n in range(1, 3)),
        *({"session": f"s{n}", "detector": "rarely", "severity": "medium"} for n in range(1, 3)),
    ]
    assert [theme.detector for theme in themes_of(rows)] == ["badly", "often", "rarely"]


@table("the_most_frequent_advice")
def test_the_most_frequent_advice(given: list[list[str]], advice: str | None, count: int, worded: int) -> None:
    assert Advice(map(json.dumps, given)).common() == (advice, count, worded)


def test_the_example_is_one_that_was_given_the_advice() -> None:
    rows: list[Values] = [
        {"session": "s1", "cost_actions": 50, "advice": '["Ask."]'},
        {"session": "s2", "cost_actions": 5, "advice": '["Stop."]', "title": "Round and round"},
        {"session": "s3", "cost_actions": 1, "advice": '["Stop."]'},
    ]
    (theme,) = themes_of(rows)
    assert (theme.advice, theme.example.id, theme.title) == ("Stop.", "run-2", "Round and round")


def test_the_worst_sessions_come_by_severity_outcome_and_what_could_be_saved() -> None:
    rows = sessions(
        {"findings": 1, "worst": "medium", "outcome": "failed", "actions_saved": 90},
        {"findings": 1, "worst": "high", "outcome": "succeeded", "actions_saved": 50},
        {"findings": 1, "worst": "high", "outcome": "stuck", "actions_saved": 3},
        {"findings": 2, "worst": "high", "outcome": "failed", "actions_saved": 30},
        {"findings": 0, "outcome": "failed"},
        {"findings": 1, "worst": "high", "outcome": "unknown", "actions_saved": None, "loop_actions": 2},
        {"findings": 1, "worst": "low", "outcome": "failed"},
        {"findings": 1, "worst": "low", "outcome": "succeeded", "about": "loops/cycle"},
    )
    made = summarize(tables(sessions=rows), None)
    assert [row.session for row in made.worst] == ["s4", "s3", "s6", "s2", "s1", "s8"]
    assert (made.worst_found, made.with_findings) == (6, 7)


@table("links_are_relative_and_encoded")
def test_links_are_relative_and_encoded(path: str, root: str | None, link: str | None) -> None:
    assert file_link(path, root) == link


def test_failed_trials_that_were_held_against_their_tasks_go_by_mode() -> None:
    held = {"detector": "expected-calls", "category": "plan", "kind": "differs"}
    rows: list[Values] = [
        {"session": "s1", **held, "pattern": "`move` refused"},
        {"session": "s2", **held, "pattern": "`move` called with another `zip`"},
        {"session": "s3", **held, "pattern": "`move` called with another `zip`"},
        {"session": "s3", "position": 2, "pattern": "edit-test loop"},
        {"session": "s4", **held, "pattern": None},
    ]
    made = summarize(
        tables(
            sessions=sessions({"task_key": "a"}, {"task_key": "b"}, {"task_key": "b"}, {"task_key": "c"}), findings=rows
        ),
        None,
    )
    assert [(row.mode, row.trials, row.tasks, row.example.id) for row in made.trial_modes] == [
        ("`move` called with another `zip`", 2, 1, "run-2"),
        ("`move` refused", 1, 1, "run-1"),
    ]
    text = render(made)
    assert "3 trials failed whose log records what the task expects" in text
    assert "| `move` called with another `zip` | 2 | 1 |" in text


def test_without_such_trials_there_is_no_table_of_modes() -> None:
    made = summarize(
        tables(sessions=sessions({"task_key": "a"}), findings=[{"session": "s1", "pattern": "edit-test loop"}]), None
    )
    assert made.trial_modes == []
    assert "failed trials" not in render(made)


def test_time_and_money_are_those_after_it_was_detectable() -> None:
    rows: list[Values] = [
        # 4 of 8 actions came after it was detectable: half of their time and money.
        {
            "first_step": 1,
            "last_step": 8,
            "detectable_at": 4,
            "cost_actions": 8,
            "rounds": 4,
            "cost_seconds": 60.0,
            "cost_usd": 0.5,
        },
        # 4 of the session's 10 actions, which cost a dollar; how long they took isn't known.
        {"session": "s2", "first_step": 1, "last_step": 8, "detectable_at": 4, "cost_actions": 8, "rounds": 4},
        # Neither is known.
        {"session": "s3", "first_step": 1, "last_step": 8, "detectable_at": 4, "cost_actions": 8, "rounds": 4},
    ]
    made = tables(
        sessions=sessions({"spent_usd": 9.0}, {"spent_usd": 1.0}, {}),
        findings=[{"session": "s1", **row} for row in rows],
    )
    (theme,) = themes(made, Links(made, None), Weeks(made))
    assert (theme.lost, theme.lost_seconds, theme.timed) == (12, 30.0, 1)
    assert theme.lost_usd == pytest.approx(0.25 + 0.4)
    assert theme.priced == 2


def test_what_isnt_repeated_has_no_time_or_money_to_save() -> None:
    whole: Values = {"first_step": 1, "last_step": 8, "detectable_at": 1, "cost_actions": 8, "cost_seconds": 9.0}
    (theme,) = themes_of([{"session": "s1", **whole, "cost_usd": 1.0, "rounds": None}])
    assert (theme.lost_seconds, theme.timed, theme.lost_usd, theme.priced) == (None, 0, None, 0)


def test_time_and_money_that_nobody_knows_are_not_said() -> None:
    (theme,) = themes_of([{"session": "s1"}])
    assert (theme.lost_seconds, theme.timed, theme.lost_usd, theme.priced) == (None, 0, None, 0)
    assert dearest_line(changes_of([theme])) == ""


@table("what_would_have_saved_most_time_and_money")
def test_what_would_have_saved_most_time_and_money(often: Values, dear: Values, said: str) -> None:
    wide: Values = {
        "category": "tool",
        "first_step": 1,
        "last_step": 8,
        "detectable_at": 4,
        "cost_actions": 8,
        "rounds": 4,
    }
    found = themes_of(
        [
            *({**wide, **often, "session": f"s{n}", "detector": "often", "advice": '["Do less."]'} for n in (1,)),
            {**wide, **dear, "session": "s2", "detector": "dear", "severity": "low", "advice": '["Ask."]'},
        ]
    )
    changes = changes_of(found)
    assert dearest_line(changes) == said
    assert [change["name"] for change in first_changes(changes, most=1)] == [
        "often: repeated call (1 session)",
        *(["dear: repeated call (1 session)"] if said else []),
    ]


def test_weeks_are_those_up_to_the_last_session() -> None:
    made = tables(
        sessions=sessions(
            *({"started_at": day} for day in ("2024-01-01", "2026-03-02", "2026-03-08", "2026-03-16T08:00:00Z")),
            {"started_at": None},
        )
    )
    weeks = Weeks(made).of(
        Counter(start_of("week", day) for day in ("2024-01-01", "2026-03-02", "2026-03-16T08:00:00Z", None))
    )
    assert [(week.start, week.sessions, week.of) for week in weeks] == [
        ("2026-03-02", 1, 2),
        ("2026-03-09", 0, 0),
        ("2026-03-16", 1, 1),
    ]
    assert words(weeks) == "Sessions with it by week, from the week of 2026-03-02: 1 of 2, no session, 1 of 1"
    assert week_bars(weeks).count("<rect") == 2


@pytest.mark.parametrize("days", [[], [None], ["2026-03-02", "2026-03-03"], ["0001-01-01", "0001-01-09"], ["?", "x"]])
def test_one_week_shows_no_trend(days: list[str | None]) -> None:
    made = tables(sessions=sessions(*({"started_at": day} for day in days)))
    assert Weeks(made).of(Counter(start_of("week", day) for day in days[:1])) == []
    assert week_bars([]) == ""
