"""What only shows another side of a loop is a part of that finding."""

from __future__ import annotations

from analyzer.detectors import detect
from analyzer.model.finding import Finding
from tests.build import Part, edit, read, run, timeline, traceback

FAILS = traceback("KeyError: 'depth'", ("a.py", 7, "f", "d[k]"))


def found(*parts: Part) -> list[Finding]:
    return detect(timeline(*parts), select=["loops", "identical-error"])


def attempts(count: int) -> list[Part]:
    return [part for number in range(count) for part in (edit("a.py", f"x{number}", "y"), run("python a.py", FAILS, 1))]


def test_the_error_of_a_loop_is_an_aspect_of_it() -> None:
    (loop,) = found(*attempts(4))
    assert loop.detector == "loops"
    assert [(aspect.detector, aspect.steps) for aspect in loop.aspects] == [("identical-error", [2, 4, 6, 8])]


def test_an_error_that_comes_back_far_apart_stands_alone() -> None:
    between = [read(f"{name}.txt", f"about {name}") for name in "abcdefghijklmnop"]
    (error,) = found(*(part for _ in range(3) for part in (run("python a.py", FAILS, 1), *between)))
    assert (error.detector, error.aspects) == ("identical-error", [])


def test_loops_of_one_error_have_it_once() -> None:
    between = [read(f"{name}.txt", f"about {name}") for name in "abcdefghijklmnop"]
    one, other = sorted(found(*attempts(3), *between, *attempts(5)), key=lambda finding: finding.first_step)
    assert (one.aspects, [aspect.detector for aspect in other.aspects]) == ([], ["identical-error"])
