"""Edits that left the file as it was."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, read, run
from tests.sessions import Written, parts_of
from tests.tables import table

SHOWN = read("pier.py", "posts = 2\n# the deck\ndepth = 3\n")


def idle(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="ineffective-edits")


@table("fires")
def test_fires(parts: Written, severity: str, steps: list[int]) -> None:
    (found,) = idle(*parts_of(parts))
    assert (found.severity, found.steps) == (severity, steps)
    assert "`pier.py`" in found.title


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([SHOWN, run("sed -i '3s/depth/height/' pier.py")], id="it hit"),
        pytest.param([run("sed -i '3s/depth/height/' pier.py")], id="lines that nobody has seen"),
        pytest.param([edit("pier.py", "REDACTED", "REDACTED")], id="texts that a recorder blanked out"),
        pytest.param([edit("pier.py", "<redacted>", "<redacted>")], id="texts in brackets that are blanked out"),
        pytest.param([edit("pier.env", "KEY=*** # old", "KEY=*** # old")], id="texts with a part blanked out"),
        pytest.param([SHOWN, run("sed -i '2s/depth/height/' pier.py", "sed: no such file", 2)], id="it failed"),
        pytest.param([SHOWN, run("sed -n '2p' pier.py", "# the deck")], id="only shown"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert idle(*parts) == []


SAME = "the old and the new text are the same"
NO_MATCH = "nothing matches where it looked"


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        pytest.param([SHOWN, edit("pier.py", "depth = 3", "depth = 3")], SAME, id="the same text again"),
        pytest.param([SHOWN, run("sed -i 's/depth/depth/' pier.py")], SAME, id="by a stream editor"),
        pytest.param([SHOWN, run("sed -i 's/oars/sails/' pier.py")], NO_MATCH, id="a text that isn't there"),
        pytest.param([SHOWN, run("sed -i '2s/depth/height/' pier.py")], NO_MATCH, id="there, on another line"),
        pytest.param(
            [SHOWN, edit("pier.py", "depth = 3", "depth = 3"), run("sed -i 's/oars/sails/' pier.py")],
            f"in 1 of them {SAME}, and for the others nothing matches where they looked",
            id="both",
        ),
    ],
)
def test_the_title_says_why_nothing_changed(parts: list[Part], reason: str) -> None:
    (found,) = idle(*parts)
    assert found.title.endswith(f"): {reason}")
    assert ("prints nothing" in " ".join(found.advice)) is (reason != SAME)


def test_many_steps_are_named_by_the_first_and_the_last() -> None:
    (found,) = idle(SHOWN, *(edit("pier.py", "depth = 3", "depth = 3") for _ in range(25)))
    assert found.title.startswith("25 edits of `pier.py` changed nothing (between steps 2 and 26)")
    assert found.steps == list(range(2, 27))
