"""A run that fails as before and shows more than before is progress; one that shows the same, or the same with other
numbers, isn't."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from tests.build import Part, edit, pytest_report, run, timeline, traceback, write

HUNG = "Result: TIMEOUT"
TIDES = traceback("KeyError: 'low'", ("tides.py", 3, "load", "d['low']"))
STAGES = ("opened the table", "read the header", "split the rows", "sorted by hour", "summed the heights")


def printing(*outputs: str, end: str = HUNG, code: int = 1) -> list[Part]:
    """One script, run once for each output, after an edit that makes it print."""
    return [
        [
            edit("tides.py", f"step_{number}()", f"step_{number}(); show()"),
            run("python probe.py", f"{shown}{end}", code),
        ]
        for number, shown in enumerate(outputs)
    ]


def grown(count: int = 5) -> list[str]:
    return ["".join(f"{line}\n" for line in STAGES[: number + 1]) for number in range(count)]


def probes() -> list[Part]:
    """A new script each time, each run once."""
    names = ("probe", "probe_small", "probe_smaller", "probe_smallest")
    return [[write(f"{name}.py", f"run({name!r})"), run(f"python {name}.py", HUNG, 1)] for name in names]


PROGRESS: dict[str, list[Part]] = {
    "a line more each time": printing(*grown()),
    "a line more ahead of the others each time": printing(
        *("".join(f"{line}\n" for line in reversed(STAGES[: number + 1])) for number in range(5))
    ),
    "a line more ahead of a stack trace": printing(*grown(), end=TIDES),
    "a new script each time": probes(),
}
REPETITION: dict[str, list[Part]] = {
    "the same output each time": printing(*[grown()[2]] * 5),
    "the same line once more each time": printing(*("waiting for the gauge\n" * number for number in range(1, 6))),
    "the same line with another number each time": printing(
        *("".join(f"attempt {at}\n" for at in range(1, number + 1)) for number in range(1, 6))
    ),
    "other lines, and not more of them": printing(*(f"{line}\n" for line in STAGES)),
    "less each time": printing(*reversed(grown())),
    "the same stack trace, whose lines move": printing(*[""] * 5, end=TIDES),
    "a test's report that quotes more each time": [
        [
            edit("tides.py", f"step_{number}()", f"step_{number + 1}()"),
            run("pytest", f"{shown}{pytest_report('KeyError: low', raised=('tides.py', 3, 'd[low]'))}", 1),
        ]
        for number, shown in enumerate(grown())
    ],
    "one script that is changed and run again": [
        [write("probe.py", f"run({number})"), run("python probe.py", HUNG, 1)] for number in range(4)
    ],
    "one script that is changed and run with other words": [
        [
            edit("probe.py", f"low = {number}", f"low = {number}{number}"),
            run(f"python probe.py --hour {number}", HUNG, 1),
        ]
        for number in range(4)
    ],
    "a new script each time, and a change of the code": [
        [edit("tides.py", f"low = {number}", f"low = {number}{number}"), part] for number, part in enumerate(probes())
    ],
}


def loops(parts: list[Part]) -> list[str]:
    return [finding.title for finding in detect(timeline(parts), select=["loops"])]


@pytest.mark.parametrize("name", PROGRESS)
def test_what_shows_more_is_no_repetition(name: str) -> None:
    assert loops(PROGRESS[name]) == []


@pytest.mark.parametrize("name", REPETITION)
def test_what_shows_no_more_is_a_repetition(name: str) -> None:
    assert loops(REPETITION[name]) != []


@pytest.mark.parametrize("name", ["a line more each time", "a line more ahead of a stack trace"])
def test_what_shows_more_is_not_counted_as_the_same_error(name: str) -> None:
    assert detect(timeline(PROGRESS[name]), select=["identical-error", "near-identical-error"]) == []


def test_only_the_runs_that_show_no_more_are_counted() -> None:
    parts = printing(*grown(4), *[grown(4)[-1]] * 3)
    (found,) = detect(timeline(parts), select=["identical-error"])
    assert (found.steps, found.rounds) == ([2, 10, 12, 14], 4)
