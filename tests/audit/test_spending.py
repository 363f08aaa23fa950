"""What the sessions of an audit cost together, against sums worked out by hand."""

from __future__ import annotations

from analyzer.audit.figures.breakdown import spending
from analyzer.model.audit_figures import AuditSpending, SpendingRow
from analyzer.report.audit_spending import sentences_of, tables_of
from tests.audit.tables import Values, sessions, tables

ROWS: list[Values] = [
    {
        "agent": "tern",
        "model": "tern-1",
        "project": "quay",
        "started_at": "2026-03-02T08:00:00Z",
        "actions": 10,
        "tokens_input": 900,
        "tokens_output": 100,
        "spent_usd": 2.0,
        "spent_basis": "recorded",
        "wasted_actions": 3,
        "wasted_usd": 0.5,
        "wasted_on": '{"loop": 2, "waiting": 1}',
    },
    {
        "agent": "tern",
        "model": "tern-2",
        "project": "mole",
        "started_at": "2026-03-08T23:00:00Z",
        "actions": 20,
        "spent_usd": 3.25,
        "spent_basis": "list prices",
        "wasted_actions": 2,
        "wasted_on": '{"waiting": 2}',
    },
    {
        "agent": "gull",
        "model": "gull-9",
        "started_at": "2026-03-09T00:00:00Z",
        "actions": 10,
        "tokens_input": 50,
        "unpriced": '["gull-9"]',
    },
]


def found(*rows: Values) -> AuditSpending:
    made = spending(tables(sessions=sessions(*rows)))
    assert made is not None
    return made


def test_the_sums() -> None:
    made = found(*ROWS)
    assert made.all == SpendingRow(
        value=None, sessions=3, usd=5.25, priced=2, tokens=1_050, actions=40, wasted=5, wasted_usd=0.5
    )
    assert (made.recorded, [(entry.value, entry.sessions) for entry in made.unpriced]) == (1, [("gull-9", 1)])
    assert [(row.kind.value, row.actions, row.sessions) for row in made.waste] == [("waiting", 3, 2), ("loop", 2, 1)]


def test_by_week_project_agent_and_model() -> None:
    rows = {entry.by: [(row.value, row.sessions, row.usd) for row in entry.rows] for entry in found(*ROWS).by}
    assert rows == {
        "week": [("2026-03-02", 2, 5.25), ("2026-03-09", 1, None)],
        "project": [("mole", 1, 3.25), ("quay", 1, 2.0), (None, 1, None)],
        "agent": [("tern", 2, 5.25), ("gull", 1, None)],
        "model": [("tern-2", 1, 3.25), ("tern-1", 1, 2.0), ("gull-9", 1, None)],
    }


def test_what_all_share_has_no_table() -> None:
    assert found(ROWS[0], ROWS[0]).by == []


def test_the_sentences_say_what_the_amounts_rest_on() -> None:
    assert sentences_of(found(*ROWS)) == [
        "2 sessions cost $5.25 (1 recorded and 1 at list prices); of 1 the cost isn't known, including those of models "
        "without a known price: gull-9.",
        "5 of 40 actions (12%) were repeated, discarded or waiting, $0.50 as far as the logs have it per step; most of "
        "them: waits (3).",
    ]
    weeks = next(table for table in tables_of(found(*ROWS)) if table.title == "By week")
    assert [cell.text for cell in weeks.rows[0]] == ["2026-03-02", "2", "$5.25", "1 000", "30", "5 (17%)", "$0.50"]


def test_without_cost_and_waste_nothing_is_said() -> None:
    assert spending(tables(sessions=sessions({"actions": 3}))) is None
    assert (sentences_of(None), list(tables_of(None))) == ([], [])
