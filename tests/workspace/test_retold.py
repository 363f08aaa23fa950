"""Which files repeat the code by which a task shows a fault."""

from __future__ import annotations

import pytest

from analyzer.workspace.ownership import scratch_paths
from analyzer.workspace.retold import repeats_report
from tests.build import edit, read, write
from tests.workspace.states import history

CODE = """tide = Tide(height=4)
tide.moor("gull")
for berth in harbour.berths:
    berth.lower(tide.height)
assert tide.height == 0
"""
REPORT = f"Tides are not lowered\n\nThis fails:\n```python\n{CODE}```\nIt raises an error instead of lowering."
SAME = f"from harbour import Tide\n\n{CODE}print('done')\n"
CLASS = "public class LowTide {\n" + "".join(f"    {line}\n" for line in CODE.splitlines()) + "}\n"

REPEATS = [
    pytest.param(SAME, REPORT, id="a script"),
    pytest.param(CLASS, REPORT, id="within a class of another indentation"),
    pytest.param(SAME, REPORT.replace("```python\n", "```\n"), id="a block without a language"),
    pytest.param(
        SAME,
        "Tides: unexpected result\n\n" + "".join(f"    {line}\n" for line in CODE.splitlines()),
        id="an indented block",
    ),
    pytest.param(SAME, "A crash:\n" + "".join(f">>> {line}\n" for line in CODE.splitlines()), id="a prompt"),
]
OTHERS = [
    pytest.param("def lower(tide):\n    tide.height = 0\n    return tide\n", REPORT, id="other code"),
    pytest.param(None, REPORT, id="unknown code"),
    pytest.param(
        SAME, f"Create a module. Put this code into it:\n```\n{CODE}```\nNo error may be left.", id="asked for"
    ),
    pytest.param(SAME, f"An example of a harbour:\n```\n{CODE}```", id="no fault is reported"),
    pytest.param(SAME, "Tides are not lowered, an error is raised instead.", id="a report without code"),
    pytest.param(CODE + "".join(f"berth_{n} = harbour.berth({n})\n" for n in range(9)), REPORT, id="mostly its own"),
    pytest.param("tide = Tide(height=4)\nharbour.close()\n", REPORT, id="one line"),
]


@pytest.mark.parametrize(("text", "task"), REPEATS)
def test_what_repeats_a_report(text: str | None, task: str) -> None:
    assert repeats_report(text, task)


@pytest.mark.parametrize(("text", "task"), OTHERS)
def test_what_does_not(text: str | None, task: str) -> None:
    assert not repeats_report(text, task)


@pytest.mark.parametrize(
    ("path", "scratch"),
    [
        pytest.param("/repo/LowTide.py", True, id="at the top"),
        pytest.param("/repo/tests/low_tide.py", False, id="in a folder"),
        pytest.param("/repo/harbour.py", False, id="it was there before"),
        pytest.param("/repo/called.py", False, id="another file refers to it"),
    ],
)
def test_only_a_new_file_outside_all_folders_is_a_reproduction(path: str, scratch: bool) -> None:
    made = history(
        read("/repo/harbour.py", "x = 1\n"),
        write("/repo/docs.md", "Run called.py first.\n"),
        write(path, SAME),
        edit("/repo/src/tide.py", "a", "b"),
        environment={"working directory": "/repo"},
    )
    assert (path in scratch_paths(made, REPORT)) is scratch
