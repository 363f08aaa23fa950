"""Edits by line number that damage a file because its lines had moved."""

from __future__ import annotations

import pytest

from analyzer.model.words import Severity
from tests.build import Part, edit, findings, read, run, write

SOURCE = "\n".join(f"row_{number} = {number}" for number in range(1, 31)) + "\n"
BROKEN = "  File \"/w/a.py\", line {line}\n    )\n    ^\nSyntaxError: unmatched ')'"
DOWN = "sed -i '2,3d' /w/a.py && sed -i '8,9d' /w/a.py"
UP = "sed -i '8,9d' /w/a.py && sed -i '2,3d' /w/a.py"


def check(line: int) -> Part:
    return run("python /w/a.py", BROKEN.format(line=line), 1)


def ran() -> Part:
    return run("python /w/a.py", "ok")


@pytest.mark.parametrize(
    ("parts", "steps", "severity"),
    [
        pytest.param([run(DOWN), check(7)], [3, 4], Severity.LOW, id="from top to bottom"),
        pytest.param(
            [run(DOWN), check(7), run("cd /w && git checkout a.py"), ran(), run(DOWN.replace("8,9", "9,10")), check(8)],
            [3, 4, 7, 8],
            Severity.MEDIUM,
            id="twice",
        ),
        pytest.param(
            [edit("/w/a.py", "row_2 = 2\n", ""), run("sed -i '9d' /w/a.py"), check(8)],
            [4, 5],
            Severity.LOW,
            id="numbers from before another edit",
        ),
    ],
)
def test_fires(parts: list[Part], steps: list[int], severity: Severity) -> None:
    (found,) = findings(write("/w/a.py", SOURCE), ran(), *parts, detector="outdated-line-numbers")
    assert (found.steps, found.severity) == (steps, severity)
    assert found.fault is not None
    assert found.fault.file == "/w/a.py"
    assert "damaged a.py" in found.title


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run(UP), check(7)], id="from bottom to top"),
        pytest.param([run(DOWN), ran()], id="no damage"),
        pytest.param([check(7), run(DOWN), check(7)], id="it was broken so before"),
        pytest.param(
            [edit("/w/a.py", "row_2 = 2\n", ""), read("/w/a.py", "x"), run("sed -i '9d' /w/a.py"), check(8)],
            id="read in between",
        ),
        pytest.param([run(DOWN), edit("/w/a.py", "row_5 = 5", "row_5 = )"), check(3)], id="another edit came after"),
    ],
)
def test_is_silent(parts: list[Part]) -> None:
    assert findings(write("/w/a.py", SOURCE), ran(), *parts, detector="outdated-line-numbers") == []
