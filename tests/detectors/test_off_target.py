"""Edits that go elsewhere than to what the task and its failing tests are about."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, call, edit, findings, pytest_report, read, run, user

TASK = "inspector should print the default"
FIELDS = edit("db/fields.py", "a", "b")
REPORT = pytest_report("KeyError: 'oar'", raised=("db/fields.py", 9, "return self.kept[name]"))
FAILS = run("pytest tests/inspector/test_defaults.py", REPORT, 1)


def off_target(*parts: Part, task: str = TASK) -> list[Finding]:
    return findings(user(task), *parts, detector="off-target", task=task)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([FIELDS, FAILS, FIELDS, FAILS], id="by the command"),
        pytest.param(
            [FIELDS, call("run_tests", {}, f"Command: runtests inspector.tests\n{REPORT}")], id="by what was echoed"
        ),
    ],
)
def test_fires(parts: list[Part]) -> None:
    (found,) = off_target(*parts)
    assert found.severity == "high"
    assert "`inspector`" in found.title
    assert "`fields.py`" in found.title


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([FIELDS, FAILS, FIELDS, run("pytest tests/inspector", "4 passed in 0.1s")], id="it passes"),
        pytest.param([read("core/inspector.py"), FIELDS, FAILS], id="it was read"),
        pytest.param([edit("core/inspector.py", "a", "b"), FIELDS, FAILS], id="it was changed"),
        pytest.param([FIELDS, run("pytest tests/test_fields.py", REPORT, 1)], id="other tests"),
        pytest.param([FAILS], id="no edit"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert off_target(*parts) == []


def test_a_file_that_the_task_names_is_its_target() -> None:
    assert off_target(FIELDS, FAILS, task=f"{TASK}\nIt comes from fields.py.") == []
