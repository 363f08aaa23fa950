"""How the headline says that a loop was left: got out of it, or went on with other things."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, pytest_report, read, run, write

FAILS = run("pytest -q", pytest_report("IndexError: no berth", raised=("berth.py", 4, "return berths[9]")), 1)
TRIES: list[Part] = [[edit("berth.py", f"depth = {n}", f"depth = {n + 1}"), FAILS] for n in range(6)]
REFUSED: list[Part] = [
    edit("pier.py", f"post = {n}", "post = 9", "String to replace not found in file.", is_error=True) for n in range(6)
]
OTHERS: list[Part] = [read(f"plan{number}.md", f"plan {number}") for number in range(6)]
OUT, ON = ", then got out of it", ", then went on with other things"


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        pytest.param([*TRIES, *OTHERS, run("pytest -q", "3 passed in 0.1s")], OUT, id="the check passes"),
        pytest.param([*REFUSED, *OTHERS, edit("pier.py", "post = 1", "post = 9")], OUT, id="an edit is accepted"),
        pytest.param([*TRIES, *OTHERS], ON, id="the check is never run again"),
        pytest.param(
            [*TRIES, run("pytest -q tests/other", "3 passed in 0.1s"), *OTHERS], ON, id="another check passes"
        ),
        pytest.param(
            [*TRIES, run("pytest -q", "3 passed in 0.1s"), *OTHERS, FAILS, *OTHERS], ON, id="the error is back"
        ),
        pytest.param([*REFUSED, *OTHERS, write("other.py", "post = 9"), *OTHERS], ON, id="another file is edited"),
        pytest.param([run("ls harbour", "pier.csv")] * 6 + OTHERS, ON, id="nothing failed"),
    ],
)
def test_how_a_loop_was_left(parts: list[Part], said: str) -> None:
    headline = diagnosed(*parts).diagnosis.headline
    assert said in headline
    assert (OUT if said is ON else ON) not in headline


@pytest.mark.parametrize(
    "parts", [pytest.param(TRIES, id="it ends inside"), pytest.param(OTHERS, id="there's no loop")]
)
def test_a_loop_that_nobody_left_says_nothing_of_it(parts: list[Part]) -> None:
    headline = diagnosed(*parts).diagnosis.headline
    assert OUT not in headline
    assert ON not in headline
