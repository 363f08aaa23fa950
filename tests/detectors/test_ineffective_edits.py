"""Edits that left the file as it was."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, read, run

SHOWN = read("pier.py", "posts = 2\n# the deck\ndepth = 3\n")


def idle(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="ineffective-edits")


@pytest.mark.parametrize(
    ("parts", "severity", "steps"),
    [
        pytest.param([SHOWN, run("sed -i '2s/depth/height/' pier.py")], "low", [2], id="another line"),
        pytest.param([SHOWN, run("sed -i 's/oars/sails/' pier.py")], "low", [2], id="a text that isn't there"),
        pytest.param(
            [SHOWN, run("sed -i '2s/depth/height/' pier.py"), run("sed -i '1s/depth/height/' pier.py")],
            "medium",
            [2, 3],
            id="twice",
        ),
        pytest.param([SHOWN, edit("pier.py", "depth = 3", "depth = 3")], "low", [2], id="the same text again"),
    ],
)
def test_fires(parts: list[Part], severity: str, steps: list[int]) -> None:
    (found,) = idle(*parts)
    assert (found.severity, found.steps) == (severity, steps)
    assert "`pier.py`" in found.title


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([SHOWN, run("sed -i '3s/depth/height/' pier.py")], id="it hit"),
        pytest.param([run("sed -i '3s/depth/height/' pier.py")], id="lines that nobody has seen"),
        pytest.param([SHOWN, run("sed -i '2s/depth/height/' pier.py", "sed: no such file", 2)], id="it failed"),
        pytest.param([SHOWN, run("sed -n '2p' pier.py", "# the deck")], id="only shown"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert idle(*parts) == []


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        pytest.param([edit("pier.py", "depth = 3", "depth = 3")] * 2, "the new text is the old one", id="equal texts"),
        pytest.param(
            [run("sed -i '2s/depth/height/' pier.py")],
            "what was to be replaced isn't in the lines that are named",
            id="another line",
        ),
        pytest.param([run("sed -i 's/oars/sails/' pier.py")], "what was to be replaced isn't there", id="nowhere"),
        pytest.param(
            [run("sed -i 's/oars/sails/' pier.py"), edit("pier.py", "depth = 3", "depth = 3")],
            "what was to be replaced isn't there, or the new text is the old one",
            id="both",
        ),
    ],
)
def test_the_title_says_why_nothing_changed(parts: list[Part], why: str) -> None:
    (found,) = idle(SHOWN, *parts)
    assert found.title.endswith(f": {why}")
    assert ("prints nothing either way" in found.advice[0]) == ("new text" not in why)
