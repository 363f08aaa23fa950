"""What only shows another side of a loop is a part of that finding."""

from __future__ import annotations

from analyzer.detectors import detect
from analyzer.detectors.engine.aspects import reported_once
from analyzer.model.finding import Finding
from tests.build import Part, edit, read, run, says, timeline, traceback

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
    assert (one.aspects, [aspect.detector for aspect in other.aspects]) == ([], ["identical-error", "loops"])
    assert (one.severity, other.severity, other.aspects[-1].steps) == ("low", "high", one.steps)


def test_loops_of_two_errors_are_two() -> None:
    other_error = FAILS.replace("KeyError", "IndexError")
    between = [read(f"{name}.txt", f"about {name}") for name in "abcdefghijklmnop"]
    more = [part for number in range(5) for part in (edit("a.py", f"x{number}", "y"), run("./b", other_error, 1))]
    one, other = sorted(found(*attempts(5), *between, *more), key=lambda finding: finding.first_step)
    assert [aspect.detector for aspect in (*one.aspects, *other.aspects)] == ["identical-error"] * 2
    assert "low" not in (one.severity, other.severity)


def test_findings_of_one_category_about_other_steps_stand_alone() -> None:
    parts: list[Part] = [
        read("knots.py", "def tie(rope):\n    return rope.loop()\n"),
        [run(f"cat {name}.log", "knot\n" * 12_000) for name in "ab"],
        says("I don't have the contents of `knots.py`, so I'll guess."),
    ]
    every = detect(timeline(*parts), select=["context-pressure", "lost-context"])
    assert {finding.detector for finding in every} == {"context-pressure", "lost-context"}


FULL = [run(f"make {name}", "tar: cannot write: No space left on device", 2) for name in ("bay", "pier", "quay")]


def parted(missing: int) -> list[tuple[str, list[str]]]:
    """Who tells of an error with a trouble that weighs as much and is about all of its steps but so many."""
    (trouble,) = detect(timeline(*FULL), select=["environment-trouble"])
    (error,) = detect(timeline(*FULL), select=["identical-error"])
    about = {"severity": error.severity, "steps": trouble.steps[missing:]}
    every = reported_once([trouble.model_copy(update=about), error], lambda finding: finding is error)
    return [(one.detector, [aspect.detector for aspect in one.aspects]) for one in every]


def test_an_error_whose_steps_another_finding_explains_is_a_part_of_that() -> None:
    assert parted(0) == [("environment-trouble", ["identical-error"])]


def test_an_error_that_also_comes_elsewhere_stands_alone() -> None:
    assert parted(1) == [("environment-trouble", []), ("identical-error", [])]
