"""Whole sessions as data, and what is found in them: faults, and beside each the twin in which nothing is wrong."""

from __future__ import annotations

from typing import Any

from tests import build
from tests.build import Part, diagnosed
from tests.tables import table


def parts(session: list[dict[str, Any]]) -> list[Part]:
    """The parts of a session: each names the function that makes it, with its arguments; the last may be options."""
    made: list[Part] = []
    for part in session:
        ((name, values),) = part.items()
        given = values if isinstance(values, list) else [values]
        last = given[-1] if isinstance(given[-1], dict) else {}
        arguments = given[:-1] if "with" in last else given
        made.append(getattr(build, name)(*arguments, **last.get("with", {})))
    return made


@table("unreported", "claims", "losses", "users", "forbidden", "demands_less")
def test_what_is_found(task: str, session: list[dict[str, Any]], found: list[str]) -> None:
    report = diagnosed(build.user(task), *parts(session), task=task)
    families = ("overstated-report", "destructive-command", "user-correction", "edited-forbidden", "weakened-tests")
    assert [f"{one.detector}/{one.kind}" for one in report.findings if one.detector in families] == found
