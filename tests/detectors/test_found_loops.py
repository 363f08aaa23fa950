"""Sessions that go round in circles: which steps of them are a loop, of which kind, and how often they go round."""

from __future__ import annotations

from typing import Any

from tests.build import read, run, traceback
from tests.detectors.rounds import (
    BEFORE,
    MISSING,
    change,
    check,
    fails,
    loops,
    passes,
    shown,
)
from tests.sessions import Written, parts_of
from tests.tables import table


@table("fires")
def test_fires(parts: Written, expected: tuple[Any, ...], group: str | None) -> None:
    (found,) = loops(*parts_of(parts))
    assert shown(found) == expected
    assert found.group == group


def test_two_loops_are_two_findings() -> None:
    found = loops(
        [fails("cat settings.toml", MISSING) for _ in range(3)], BEFORE, [[change(n), check()] for n in range(3)]
    )
    assert sorted(shown(entry)[:4] for entry in found) == [("alternating", 6, 11, 3), ("repeated-call", 1, 3, 3)]


def test_an_error_that_was_fixed_in_between_starts_again() -> None:
    rounds = [[change(n), check()] for n in range(3)]
    found = loops(rounds, [change(8), passes()], rounds)
    assert sorted((entry.first_step, entry.last_step, entry.escaped) for entry in found) == [
        (1, 6, True),
        (9, 14, False),
    ]


def test_loops_of_lanes_are_apart() -> None:
    found = loops([[run("ls", "a.py"), run("pwd", "/w", lane="helper")] for _ in range(3)])
    assert sorted((entry.lane, entry.first_step, entry.last_step) for entry in found) == [
        ("helper", 1, 3),
        ("main", 1, 3),
    ]


def test_a_cycle_whose_rounds_make_other_calls_is_named_by_its_error() -> None:
    output = traceback("KeyError: 'x'", ("a.py", 3, "load", "d['x']"))
    (found,) = loops(
        [[read(f"{name}.py", name), run(f"ls {name}", name), fails("python a.py", output)] for name in "bcde"]
    )
    assert found.title == "The same error 4 times, every 3 steps (steps 1-12)"
    (found,) = loops([[read("b.py", "b"), run("ls", "b"), fails("python a.py", output)] for _ in range(4)])
    assert found.title == "The same 3 steps 4 times with the same error (steps 1-12)"


def test_steps_of_a_cycle_with_one_failing_call_are_those_that_fail() -> None:
    output = traceback("KeyError: 'x'", ("a.py", 3, "load", "d['x']"))
    (found,) = loops([[fails("python a.py", output), read("a.py", "one"), run("ls", "a.py")] for _ in range(4)])
    assert found.steps == [1, 4, 7, 10]
    assert found.repeated == "KeyError: 'x'"


def test_rounds_that_differ_by_a_step_are_said_to_be_nearly_the_same() -> None:
    rounds = [
        [run("make status", "3 open"), read("a.py", "one"), read("b.py", "two"), *extra, run("git status", "clean")]
        for extra in ([], [run("ls d1", "x")], [], [run("ls d3", "x")], [])
    ]
    (found,) = loops(rounds)
    assert found.title == ("Nearly the same steps 5 times, with the same result at the end of each round (steps 1-22)")
