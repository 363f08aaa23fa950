"""What users say in several sessions, with the rule that would have prevented it."""

from __future__ import annotations

import json

from analyzer.audit.figures.summary import summarize
from analyzer.model.audit_report import RepeatedCorrection
from analyzer.report.audit import render
from tests.audit.tables import Values, sessions, tables
from tests.tables import table


def corrections(*rules: list[str] | None, projects: tuple[str | None, ...] = ()) -> list[RepeatedCorrection]:
    """What an audit makes of sessions of which each has a finding that brings these lines."""
    named = projects or ("quay",) * len(rules)
    rows: list[Values] = [
        {"session": f"s{number}", "severity": "info", "rules": json.dumps(lines) if lines is not None else None}
        for number, lines in enumerate(rules, 1)
    ]
    entries: list[Values] = [{"project": project} for project in named]
    return summarize(tables(sessions=sessions(*entries), findings=rows), None).corrections


@table("a_rule_that_several_sessions_call_for")
def test_a_rule_that_several_sessions_call_for(rules: list[list[str] | None], found: list[tuple[str, int]]) -> None:
    assert [(entry.rule, entry.sessions) for entry in corrections(*rules)] == found


def test_it_names_the_projects_whose_file_the_line_belongs_in() -> None:
    (made,) = corrections(["Use tabs."], ["Use tabs."], ["Use tabs."], projects=("quay", "quay", None))
    assert [(entry.value, entry.sessions) for entry in made.projects] == [("quay", 2)]
    assert made.example.id == "run-1"


def test_the_report_tells_them_only_where_there_are_any() -> None:
    rows: list[Values] = [{"session": name, "rules": '["Use `tabs`."]'} for name in ("s1", "s2")]
    text = render(summarize(tables(sessions=sessions({}, {}), findings=rows), None))
    assert "What users had to say again" in text
    assert "| Use `tabs`. | 2 |" in text
    assert "What users had to say again" not in render(summarize(tables(sessions=sessions({})), None))
