"""Stretches that bring nothing new: what counts as progress, and what doesn't."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from analyzer.model.session import Compaction, Event
from analyzer.model.words import Severity
from tests.build import Part, call, edit, findings, pytest_report, read, run, think, user

Call = tuple[Event, ...]


def page(first: int, last: int) -> str:
    return "\n".join(f"{number}\tknot number {chr(97 + number % 26)}{number}" for number in range(first, last + 1))


def times(count: int, made: Callable[[int], Call]) -> list[Part]:
    return [made(number) for number in range(count)]


FILES = [read(f"f{number}.py", f"text {number}") for number in range(3)]


@pytest.mark.parametrize(
    ("parts", "steps", "detectable_at", "escaped"),
    [
        pytest.param(
            [*FILES, times(30, lambda n: read(f"f{n % 3}.py", f"text {n % 3}"))],
            [4, 33],
            33,
            False,
            id="the same files in turns",
        ),
        pytest.param(
            [
                read("a.py", page(1, 60)),
                times(34, lambda n: call("read", {"path": "a.py", "offset": n + 1, "limit": 20}, page(n + 1, n + 20))),
            ],
            [2, 31, 35],
            31,
            False,
            id="other windows of lines that were seen",
        ),
        pytest.param(
            [times(31, lambda n: run("pytest -q", pytest_report(seconds=1.0 + n), 1))],
            [2, 31],
            31,
            False,
            id="one failing test, other times",
        ),
        pytest.param(
            [times(34, lambda n: edit("a.py", "x", "x\ny") if n % 2 else edit("a.py", "x\ny", "x"))],
            [2, 31, 34],
            31,
            False,
            id="a line that is put in and taken out",
        ),
        pytest.param(
            [times(31, lambda _: run("grep '>>' log.txt", "knot >> rope"))],
            [2, 31],
            31,
            False,
            id="a search for the sign of appending",
        ),
        pytest.param(
            [times(32, lambda n: run("sh build.sh", f"done in {n}.5s"))],
            [2, 31, 32],
            31,
            False,
            id="one output, other times",
        ),
        pytest.param(
            [times(32, lambda n: edit("a.py", "x", "y") if n % 2 else edit("a.py", "y", "x"))],
            [2, 31, 32],
            31,
            False,
            id="an edit put in and taken back",
        ),
        pytest.param(
            [
                times(32, lambda n: edit("a.py", "x", f"y{n}", "String to replace not found in file.", is_error=True)),
                read("b.py", "new"),
            ],
            [2, 31, 32],
            31,
            True,
            id="edits that are refused",
        ),
    ],
)
def test_fires(parts: list[Part], steps: list[int], detectable_at: int, *, escaped: bool) -> None:
    (found,) = findings(*parts, detector="no-progress")
    assert (found.kind, found.steps, found.detectable_at, found.escaped) == (
        "no-progress",
        steps,
        detectable_at,
        escaped,
    )


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([times(29, lambda _: read("a.py", "text"))], id="too short"),
        pytest.param([times(60, lambda n: read(f"f{n}.py", f"text of file {n} {'x' * n}"))], id="a long exploration"),
        pytest.param(
            [times(60, lambda n: call("read", {"path": "a.py", "offset": n * 20}, page(n * 20, n * 20 + 19)))],
            id="paging through a file",
        ),
        pytest.param([times(60, lambda n: edit("a.py", "x", "y" * (n + 1)))], id="edits that differ"),
        pytest.param([times(60, lambda _: edit("a.py", "x", "x\ny", "Edited."))], id="an edit by which a file grows"),
        pytest.param([times(60, lambda _: run("echo knot >> log.txt"))], id="a file that is appended to"),
        pytest.param(
            [times(60, lambda n: run("pytest -q", pytest_report(failed=60 - n, passed=n + 1), 1))],
            id="fewer failures each time",
        ),
        pytest.param([times(60, lambda _: call("wait", {"id": "1"}, "still running"))], id="waiting"),
        pytest.param(
            [times(60, lambda n: call("wait", {"id": "1"}, f"{n} of 60 files compiled"))],
            id="waiting for output that moves",
        ),
        pytest.param(
            [times(60, lambda n: run(f"mkdir -p out/{chr(97 + n % 26)}{n}"))], id="commands that change something"
        ),
        pytest.param([times(60, lambda n: think(f"What if knot {n} is loose?"))], id="thinking"),
        pytest.param(
            [
                times(20, lambda _: read("a.py", "text")),
                user("Look at it again, please."),
                times(20, lambda _: read("a.py", "text")),
            ],
            id="asked for by the user",
        ),
        pytest.param(
            [times(20, lambda _: read("a.py", "text")), Compaction(), times(20, lambda _: read("a.py", "text"))],
            id="read again after a compaction",
        ),
        pytest.param([times(60, lambda _: call("press", {"key": "down"}, None))], id="results that weren't recorded"),
        pytest.param(
            [times(60, lambda _: call("press", {"key": "down"}, "[screenshot taken]"))], id="results that are pictures"
        ),
        pytest.param([times(60, lambda _: call("press", {"key": "down"}, "ok"))], id="results that say nothing"),
        pytest.param(
            [
                times(20, lambda _: read("a.py", "text")),
                run("ls", "a.py\nnew.py"),
                times(20, lambda _: read("a.py", "text")),
            ],
            id="one new line in between",
        ),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="no-progress") == []


def test_matters_more_when_it_goes_on() -> None:
    (short,) = findings(times(40, lambda _: read("a.py", "text")), detector="no-progress")
    (long,) = findings(times(70, lambda _: read("a.py", "text")), detector="no-progress")
    assert (short.severity, long.severity) == (Severity.MEDIUM, Severity.HIGH)
