"""What lies between two occurrences that are far apart is no part of what they cost."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.model.session import Tokens, Usage
from tests.build import Part, diagnosed, edit, read, run, timeline, traceback

LOST = traceback("KeyError: 'low'", ("tides.py", 3, "load", "d['low']"))
USED = Usage(Tokens(100, 10))


def fails(at: int) -> Part:
    return run("python tides.py", LOST, 1, at=float(at), took=2.0, used=USED)


def other(at: int) -> Part:
    return read(f"notes{at}.md", f"note {at}", at=float(at), took=1.0, used=USED)


def spaced(*gaps: int) -> list[Part]:
    """A failing run, so many other steps, the same run again, and so on."""
    parts: list[Part] = [fails(0)]
    for gap in gaps:
        parts += [other(len(parts) + number) for number in range(gap)]
        parts.append(fails(len(parts)))
    return parts


CASES = [
    pytest.param(spaced(15, 15), (3, 6.0, 330), id="far-apart"),
    pytest.param(spaced(15, 15, 40), (4, 8.0, 440), id="farther-apart"),
    pytest.param(spaced(2, 20), (3, 6.0, 330), id="one-far-from-the-others"),
    # Twins in which what lies between belongs to it.
    pytest.param(spaced(2, 2), (7, 8.0, 770), id="close-together"),
    pytest.param(spaced(11, 11), (25, 26.0, 2750), id="just-close-enough"),
    pytest.param(spaced(0, 0, 0), (4, 5.0, 440), id="in-a-row"),
]


@pytest.mark.parametrize(("parts", "cost"), CASES)
def test_what_occurrences_cost(parts: list[Part], cost: tuple[int, float, int]) -> None:
    (found,) = detect(timeline(parts), select=["identical-error"])
    assert (found.cost.actions, found.cost.seconds, found.cost.tokens) == cost


def looked(gap: int) -> list[Part]:
    """The same look at what nothing changes, so many other steps apart."""
    return [
        part
        for at in range(5)
        for part in (
            run("ls harbour", "pier\nquay", at=float(at * 100), took=2.0, used=USED),
            *(other(at * 100 + number + 1) for number in range(gap)),
        )
    ]


def test_a_loop_of_single_calls_far_apart_costs_these_calls() -> None:
    (found,) = detect(timeline(looked(15)), select=["loops"])
    assert (found.cost.actions, found.cost.seconds, found.cost.tokens) == (len(found.steps), 10.0, 550)
    said = [entry.text for entry in diagnosed(looked(15)).diagnosis.lead if entry.part == "cost"]
    assert "Steps 1, 17, 33, 49 and 65 took 5 of the 80 actions, 10 s and 550 tokens." in said


def test_a_loop_of_rounds_costs_all_of_its_steps() -> None:
    parts = [[edit("tides.py", f"x{number}", f"y{number}"), fails(number)] for number in range(5)]
    (found,) = detect(timeline(parts), select=["loops"])
    assert found.cost.actions == found.last_step - found.first_step + 1
