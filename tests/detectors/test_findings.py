"""Whole sessions as data, and what is found in them: faults, and beside each the twin in which nothing is wrong."""

from __future__ import annotations

from typing import Any

from analyzer.text.names import names
from tests import build
from tests.build import diagnosed
from tests.sessions import parts_of
from tests.tables import table


@table("unreported", "claims", "losses", "users", "forbidden", "demands_less", "misplaced")
def test_what_is_found(task: str, session: list[dict[str, Any]], found: list[str]) -> None:
    report = diagnosed(build.user(task), *parts_of(session), task=task)
    rules = names("overstated-report destructive-command user-correction edited-forbidden weakened-tests wrong-file")
    assert [f"{one.detector}/{one.kind}" for one in report.findings if one.detector in rules] == found
