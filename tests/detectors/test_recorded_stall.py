"""Records that agents keep of themselves, which say that they get no further."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from analyzer.model.session import Message
from tests.build import Part, findings, read, run, says

AGAIN = Message("assistant", "{}", thought=True, stalled="We ask for the same chart again.")
ANEW = Message("assistant", "{}", thought=True, stalled="We plan anew.")
DONE = Message("assistant", "{}", thought=True, satisfied=True)
WELL = Message("assistant", "We are in a loop: True", thought=True)


def stalled(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="recorded-stall")


@pytest.mark.parametrize(
    ("parts", "severity", "steps"),
    [
        pytest.param([read("a.md"), AGAIN, read("b.md"), ANEW], "low", [1, 2], id="twice"),
        pytest.param([[(read(f"{name}.md"), AGAIN)] for name in "abcd"], "medium", [1, 2, 3, 4], id="after each step"),
        pytest.param(
            [[(read(f"{name}.md"), AGAIN)] for name in "abcd"] + [read("e.md"), read("f.md"), read("g.md")],
            "low",
            [1, 2, 3, 4],
            id="and then it went on",
        ),
        pytest.param(
            [[(read(f"{name}.md"), AGAIN)] for name in "abcd"] + [read("e.md"), DONE],
            "low",
            [1, 2, 3, 4],
            id="and done",
        ),
        pytest.param(
            [[(read(f"{name}.md"), AGAIN)] for name in "abc"] + [DONE, read("d.md"), AGAIN],
            "medium",
            [1, 2, 3, 4],
            id="done, and stuck again",
        ),
        pytest.param([read("a.md"), AGAIN, ANEW, read("b.md"), WELL, read("c.md"), AGAIN], "low", [1, 3], id="parted"),
    ],
)
def test_fires(parts: list[Part], severity: str, steps: list[int]) -> None:
    (found,) = stalled(*parts)
    assert (found.severity, found.steps, found.detectable_at) == (severity, steps, steps[1])
    assert found.title == (f"At {len(steps)} steps the run's own record says that it loops or makes no progress")
    assert found.evidence[0].quote == AGAIN.stalled


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([read("a.md"), AGAIN, ANEW, AGAIN, read("b.md")], id="after one step"),
        pytest.param([[(read("a.md"), WELL)] * 4], id="all is well"),
        pytest.param([[(read("a.md"), DONE)] * 4], id="it says that all is done"),
        pytest.param([[(run("make", "stalled", 1), says("We are stuck in a loop."))] * 4], id="an agent's own words"),
        pytest.param([[AGAIN] * 4, read("a.md")], id="before the first step"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert stalled(*parts) == []
