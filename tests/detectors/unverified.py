"""Runs whose claim of success may rest on nothing."""

from __future__ import annotations

from typing import Any

from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, pytest_report, run, says

CHANGE = edit("shapes.py", "a", "b")


FAILS = run("pytest", pytest_report(), 1)


PASSES = run("pytest", "4 passed in 0.10s", 0)


QUIET = "[The command has no new output after 30 seconds. You may wait longer for more.]"


HANDED_BACK = run("pytest", f"collected 4 items\n{QUIET}", None)


CLAIM = says("The area is now fixed.")


def unverified(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="unverified-success", **header)
