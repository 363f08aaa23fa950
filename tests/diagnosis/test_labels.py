"""The one line by which an action is listed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.build import call, diagnosed, run
from tests.tables import table


@table("kinds_that_are_shown")
def test_kinds_that_are_shown(tool: str, arguments: dict[str, Any], kind: str) -> None:
    (row,) = diagnosed(call(tool, arguments, "12")).timeline
    assert (row.kind, row.shown_kind) == ("other", kind)


@table("how_many_of_how_many")
def test_how_many_of_how_many(command: str, output: str, end: str) -> None:
    (row,) = diagnosed(run(command, output, 1)).timeline
    assert row.summary.endswith(end)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("python3 -m pytest tests", "bash pytest tests"),
        ("/usr/bin/python3 -m pytest t", "bash /usr/bin/python3 -m pytest t"),
    ],
)
def test_an_interpreter_that_was_chosen_is_shown(command: str, shown: str) -> None:
    (row,) = diagnosed(run(command, "1 passed in 0.1s", 0)).timeline
    assert row.summary.startswith(f"{shown} ->")


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param("source env/bin/activate && python oars.py", "bash … python oars.py", id="an-environment"),
        pytest.param("cd /quay && export OARS=2; python oars.py", "bash … python oars.py", id="several"),
        pytest.param("python oars.py && cd /quay", "bash python oars.py && cd /quay", id="behind-it"),
        pytest.param("OARS=2 python oars.py", "bash OARS=2 python oars.py", id="a-variable"),
    ],
)
def test_what_is_left_out_before_a_command_is_marked(command: str, shown: str) -> None:
    (row,) = diagnosed(run(command, "rowed")).timeline
    assert row.summary == f"{shown} -> SUCCESS"
