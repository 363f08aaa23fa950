"""Commands that don't come to an end, and long or limited runs that are meant so."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event
from analyzer.model.words import Mark
from tests.build import Part, call, findings, read, run
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]


def stopped(command: str, result: str = "The last command timed out and has been killed.", **more: object) -> Call:
    return run(command, result, None, mark=Mark.TIMEOUT, **more)


STILL = "<command with shellId: 4 is still running after 30 seconds. Use read_bash to wait or stop_bash to stop it.>"


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts_of(parts), detector="hang-and-timeouts")
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


@pytest.mark.parametrize(("count", "severity"), [(2, "low"), (3, "medium"), (8, "high")])
def test_matters_more_the_more_often(count: int, severity: str) -> None:
    (found,) = findings(*(stopped("python slow.py") for _ in range(count)), detector="hang-and-timeouts")
    assert found.severity == severity
    assert found.title == f"`python slow.py` was stopped {'twice' if count == 2 else f'{count} times'} before it ended"


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        ("pytest tests", "Run the test files of `pytest tests` one by one"),
        ("python slow.py", "under its own time limit"),
        ("apt-get install default-jdk", "call it with `-y`"),
        ("apt-get install -yq default-jdk", "under its own time limit"),
        ("apt-get update", "under its own time limit"),
    ],
)
def test_says_how_to_run_it_instead(command: str, advice: str) -> None:
    (found,) = findings(*(stopped(command) for _ in range(2)), detector="hang-and-timeouts")
    assert advice in found.advice[0]


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert findings(*parts_of(parts), detector="hang-and-timeouts") == []


@pytest.mark.parametrize(
    ("names", "severity"),
    [pytest.param("abc", "low", id="another command each time"), pytest.param("aaa", "medium", id="one command again")],
)
def test_what_the_agent_stops_itself_matters_less_unless_it_is_run_again(names: str, severity: str) -> None:
    parts = [(run(f"find /{name} -name knots", STILL, None), call("stop_bash", {}, "stopped")) for name in names]
    (found,) = findings(*(part for pair in parts for part in pair), detector="hang-and-timeouts")
    assert found.severity == severity


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("tide", "moon"), "2 commands were stopped before they ended: `python tide.py` and `python moon.py`"),
        (("tide", "moon", "gull"), "3 calls were stopped before they ended: `python tide.py` and 2 other commands"),
        (
            ("tide", "moon", "tide"),
            "3 calls were stopped before they ended: `python tide.py` twice and 1 other command",
        ),
        (("tide", "tide"), "`python tide.py` was stopped twice before it ended"),
    ],
)
def test_the_title_names_all_or_counts_the_rest(names: tuple[str, ...], said: str) -> None:
    parts = [run(f"python {name}.py", "timed out", 124, mark=Mark.TIMEOUT) for name in names]
    (found,) = findings(*parts, detector="hang-and-timeouts")
    assert found.title == said


def steps_between(count: int) -> list[Part]:
    return [read(f"f{number}.py", f"the text of file number {number}") for number in range(count)]


@pytest.mark.parametrize(
    ("parts", "severity"),
    [
        pytest.param([*[stopped("lint all")] * 4, *steps_between(40)], "low", id="four of forty, and the work went on"),
        pytest.param([*[stopped("lint all")] * 9, *steps_between(90)], "low", id="nine of a hundred"),
        pytest.param([*steps_between(60), *[stopped("lint all")] * 4], "medium", id="the session ends in them"),
        pytest.param([*[stopped("lint all")] * 4, *steps_between(10)], "medium", id="four of fourteen"),
        pytest.param([*[stopped("lint all")] * 9, *steps_between(20)], "high", id="nine of thirty"),
        pytest.param(
            [*[stopped("lint all", at=900.0 * n, took=700.0) for n in range(3)], *steps_between(40)],
            "high",
            id="few steps, but much time",
        ),
    ],
)
def test_matters_by_what_it_cost(parts: list[Part], severity: str) -> None:
    (found,) = findings(*parts, detector="hang-and-timeouts")
    assert found.severity == severity


@pytest.mark.parametrize(
    ("command", "is_test"),
    [
        ("pytest tests", True),
        ("go test ./...", True),
        ("npm test", True),
        ("pylint --recursive=y .", False),
        ("mypy src", False),
        ("cargo build", False),
        ("python slow.py", False),
    ],
)
def test_only_a_test_runner_runs_its_files_one_by_one(command: str, is_test: bool) -> None:
    (found,) = findings(*[stopped(command)] * 3, detector="hang-and-timeouts")
    assert ("the test files of" in found.advice[0]) is is_test


@pytest.mark.parametrize(
    ("result", "quote"),
    [
        pytest.param(
            "Command timed out after 60 seconds\n" + "quay.py:1: missing docstring\n" * 200,
            "Command timed out after 60 seconds",
            id="before a long output",
        ),
        pytest.param(
            "quay.py:1: missing docstring\n" * 200 + "Command timed out after 60 seconds",
            "Command timed out after 60 seconds",
            id="after a long output",
        ),
    ],
)
def test_quotes_what_says_that_it_was_stopped(result: str, quote: str) -> None:
    (found,) = findings(*[stopped("lint all", result)] * 3, detector="hang-and-timeouts")
    assert [entry.quote for entry in found.evidence] == [quote] * 3
