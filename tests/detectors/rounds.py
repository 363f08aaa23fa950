"""Steps of which loops consist, and what a loop is shown as."""

from __future__ import annotations

from typing import Any

from analyzer.model.finding import Finding
from analyzer.model.session import Event
from tests.build import Part, edit, findings, pytest_report, run

Call = tuple[Event, ...]

MISSING = "cat: settings.toml: No such file or directory"
BAD_MATCH = "String to replace not found in file."
REFUSED = (
    "Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent"
)


def loops(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="loops", **header)


def change(number: int, path: str = "shapes.py") -> Call:
    """An edit of the implementation, different for each number."""
    return edit(path, f"side = {number}", f"side = {number} + margin")


def check(error: str = "ValueError: boom", command: str = "pytest", **more: Any) -> Call:
    """A test run that fails with `error`."""
    return run(command, pytest_report(error, **more), 1)


def passes() -> Call:
    return run("pytest", "4 passed in 0.10s", 0)


def fails(command: str, output: str, code: int = 1) -> Call:
    return run(command, output, code)


def distinct(*names: str) -> list[Call]:
    """Steps that have nothing to do with each other."""
    return [run(f"python {name}.py", f"{name} is done") for name in names]


def shown(found: Finding) -> tuple[str, int, int, int | None, int | None, int, bool | None]:
    return found.kind, found.first_step, found.last_step, found.rounds, found.period, found.detectable_at, found.escaped


BEFORE = distinct("alpha", "beta")
AFTER = distinct("gamma", "delta", "epsilon")
