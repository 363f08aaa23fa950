"""Runs whose claim of success may rest on nothing."""

from __future__ import annotations

from typing import Any

from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, pytest_report, run, says

CHANGE = edit("shapes.py", "a", "b")


FAILS = run("pytest", pytest_report(), 1)


PASSES = run("pytest", "4 passed in 0.10s", 0)


CLAIM = says("The area is now fixed.")


def unverified(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="unverified-success", **header)
