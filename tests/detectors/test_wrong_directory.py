"""Commands that fail because the shell is inside the folder that they name."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, findings, read, run

START = run("cd /srv/bay && ls", "pier\n")
INTO = run("cd pier && make deck", "built")
FROM_INSIDE = run("make -C pier deck", "make: *** pier: No such file or directory.  Stop.", 2)
CD_AGAIN = run("cd pier && make rail", "bash: cd: pier: No such file or directory", 1)
IN_IT = run("cat pier/deck.c", "cat: pier/deck.c: No such file or directory", 1)


def lost(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="wrong-working-directory")


@pytest.mark.parametrize(
    ("parts", "severity", "steps"),
    [
        pytest.param([START, INTO, FROM_INSIDE, FROM_INSIDE], "low", [2, 3, 4], id="by an option"),
        pytest.param([START, INTO, CD_AGAIN, FROM_INSIDE, CD_AGAIN], "medium", [2, 3, 4, 5], id="by another cd"),
        pytest.param(
            [START, INTO, [part for _ in range(5) for part in (FROM_INSIDE, run("date", "noon"))]],
            "high",
            [2, 3, 5, 7, 9, 11],
            id="again and again",
        ),
        pytest.param(
            [START, read("/srv/bay/pier/deck.c", "int deck;"), INTO, IN_IT, run("pwd", "/srv/bay/pier"), IN_IT],
            "low",
            [3, 4, 6],
            id="a file that was read by its whole path",
        ),
    ],
)
def test_fires(parts: list[Part], severity: str, steps: list[int]) -> None:
    (found,) = lost(*parts)
    assert (found.severity, found.steps) == (severity, steps)
    assert found.title.endswith(f"from inside `pier`, into which step {steps[0]} had changed")
    assert "`/srv/bay`" in found.advice[0]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([START, INTO, FROM_INSIDE], id="once"),
        pytest.param([START, FROM_INSIDE, FROM_INSIDE], id="from the folder above"),
        pytest.param([START, INTO, IN_IT, IN_IT], id="a file that nobody has seen there"),
        pytest.param([INTO, FROM_INSIDE, FROM_INSIDE], id="a directory that isn't known"),
        pytest.param(
            [START, INTO, run("cd ..", ""), FROM_INSIDE, run("cd pier", ""), run("cd ..", ""), FROM_INSIDE],
            id="it went back",
        ),
        pytest.param(
            [START, INTO, [run("make -C quay", "make: *** quay: No such file or directory.  Stop.", 2)] * 3],
            id="another folder",
        ),
        pytest.param(
            [START, INTO, [run("make deck", "cc: pier: No such file or directory", 2)] * 3], id="it names no such path"
        ),
        pytest.param([START, INTO, [run("ls deck", "pier: not found in the list", 0)] * 3], id="it didn't fail"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert lost(*parts) == []
