"""Rates of success: what logs record and what is judged by the sessions' course are never counted together."""

from __future__ import annotations

import re

import pytest

from analyzer.audit.figures.breakdown import breakdowns, over_time
from analyzer.model.audit_figures import Share
from analyzer.report.picture.small import WHAT
from tests.audit.index_pages import index_page
from tests.audit.tables import Values, sessions, tables

RECORDED: Values = {"outcome": "succeeded", "outcome_confidence": 0.95}
REFUTED: Values = {"outcome": "failed", "outcome_confidence": 0.95}
SEEMS: Values = {"outcome": "succeeded", "outcome_confidence": 0.7}
STUCK: Values = {"outcome": "stuck", "outcome_confidence": 0.7}
UNKNOWN: Values = {"outcome": "unknown"}


def dated(*entries: Values) -> list[Values]:
    return sessions(
        *(
            {**entry, "started_at": f"2026-03-{1 + place % 2:02}", "agent": "pq"[place % 2]}
            for place, entry in enumerate(entries)
        )
    )


def pair(part: Share) -> tuple[int, int]:
    return part.count, part.of


def test_each_stretch_of_time_has_both_apart() -> None:
    bins, _ = over_time(tables(sessions=dated(RECORDED, SEEMS, REFUTED, STUCK, UNKNOWN, RECORDED)))
    assert [(pair(entry.recorded), pair(entry.judged)) for entry in bins] == [((1, 2), (0, 0)), ((1, 1), (1, 2))]


def test_each_group_has_both_apart() -> None:
    (by,) = breakdowns(tables(sessions=dated(RECORDED, SEEMS, REFUTED, STUCK, UNKNOWN, RECORDED)))
    assert {
        row.value: (pair(row.success_recorded), pair(row.success_judged), pair(row.success)) for row in by.rows
    } == {"p": ((1, 2), (0, 0), (1, 2)), "q": ((1, 1), (1, 2), (2, 3))}


@pytest.mark.parametrize(
    ("entries", "drawn"),
    [
        ([RECORDED, SEEMS, REFUTED, RECORDED, SEEMS, SEEMS], "recorded"),
        ([SEEMS, STUCK, SEEMS, SEEMS], "judged"),
        ([UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN], None),
    ],
)
def test_a_chart_shows_one_of_them_and_says_which(entries: list[Values], drawn: str | None) -> None:
    page = index_page(tables(sessions=dated(*entries)))
    captions = re.findall(r"<figcaption>(?:<b>)?([^<]*)", page)
    assert {what for what, word in WHAT.items() if word in captions} == {"loop_rate", *([drawn] if drawn else [])}
    assert len(captions) == (4 if drawn else 2)
    if drawn == "recorded":
        assert "p: 50% of 2" in page  # the session that only seems to have succeeded isn't in it
    elif drawn == "judged":
        assert "p: 100% of 2" in page
