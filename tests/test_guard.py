"""The guard says, live, what the analysis of the recording says afterwards."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.api import load
from analyzer.detectors import detectors
from analyzer.detectors.engine.interface import Trait
from analyzer.guard import Alarm, Guard
from analyzer.model.errors import BadConfiguration
from analyzer.model.session import Compaction
from analyzer.model.words import Severity
from analyzer.timeline import Timeline, build_timeline
from tests.build import Part, call, edit, pytest_report, read, run, says, session, think, traceback, user, write
from tests.drawn import examples
from tests.live import found, raised

ROOT = Path(__file__).resolve().parent.parent
PARTS = {"loops"} | {entry.name for entry in detectors() if Trait.ASPECT_OF_LOOP in entry.traits}
"""What may turn out to be a part of a longer loop."""


def check_same(timeline: Timeline) -> None:
    live, afterwards = raised(timeline.session), found(timeline)
    assert afterwards - live == Counter()
    assert {name for name, *_ in live - afterwards} <= PARTS, (
        "only a loop or what shows one may become a part of a loop"
    )


@pytest.mark.parametrize("sample", sorted((ROOT / "sample_sessions").glob("*.json*")), ids=lambda path: path.stem)
def test_every_finding_of_a_sample_is_raised_at_the_step_from_which_it_is_known(sample: Path) -> None:
    for timeline in load(sample).sessions:
        check_same(timeline)


WORDS = ("alpha", "beta", "gamma", "delta")


def part(choice: tuple[int, int]) -> Part:
    kind, number = choice
    word = WORDS[number]
    makers: list[Callable[[], Part]] = [
        lambda: run(f"python {word}.py", f"{word} is done"),
        lambda: read(f"{word}.txt", f"about {word} " * 20),
        lambda: edit("shapes.py", f"side = {word}", f"side = {WORDS[number - 1]}"),
        lambda: run("pytest", pytest_report("ValueError: Need at least 4 corners", test_code=f"{word}([0, 1])"), 1),
        lambda: run(f"python {word}.py", traceback(f"KeyError: '{word}'", (f"{word}.py", 7, word, f"d['{word}']")), 1),
        lambda: run(f"cat {word}.cfg", f"cat: {word}.cfg: No such file or directory", 1),
        lambda: call(f"fly_{word}", {}, f"Unknown tool: fly_{word}", is_error=True),
        lambda: edit("shapes.py", word, "x", "String to replace not found in file.", is_error=True),
        lambda: user(f"And now {word}."),
        lambda: says(f"I will look for {word} in the atlas of the harbour now."),
        lambda: write("repro.py", word),
        lambda: think(word),
        lambda: run(f"cd /w && python {word}.py", None),
        lambda: Compaction(),
    ]
    return makers[kind]()


@pytest.mark.slow
@examples(150)
@given(st.lists(st.tuples(st.integers(0, 13), st.integers(0, 3)), max_size=40))
def test_every_finding_of_any_session_is_raised_at_the_step_from_which_it_is_known(
    choices: list[tuple[int, int]],
) -> None:
    check_same(build_timeline(session([part(choice) for choice in choices], task="Make it work.")))


def test_an_agent_loop_is_reported_in_its_own_terms() -> None:
    guard = Guard("Make the tests pass.", least=Severity.MEDIUM)
    report = pytest_report(
        "ValueError: Need at least 4 corners for a quad", test_line=21, test_code="shape = Quad(corners=[0, 1, 2])"
    )
    heard: list[Alarm] = []
    for number in range(3):
        heard += guard.observe("edit", {"path": "shapes.py", "old": f"a{number}", "new": f"b{number}"}, "Edited.")
        heard += guard.observe("bash", {"command": "pytest"}, report, exit_code=1, said="Let me check.")
    assert {alarm.finding.detector for alarm in heard} >= {"loops", "wrong-file"}
    assert {alarm.finding.detectable_at for alarm in heard} == {6}
    (wrong,) = [alarm for alarm in heard if alarm.finding.detector == "wrong-file"]
    assert "Need at least 4 corners for a quad" in wrong.message
    assert "tests/test_shapes.py:21" in wrong.message
    assert "shapes.py" in wrong.message


def test_a_loop_is_raised_once() -> None:
    guard = Guard(select=["loops"])
    heard = [guard.observe("bash", {"command": "ls"}, "a.py") for _ in range(40)]
    assert [position for position, now in enumerate(heard, 1) if now] == [3]


def test_what_the_user_says_and_a_compaction_count() -> None:
    guard = Guard(select=["loops"])
    for number in range(5):
        assert guard.hear(f"Again, {number}.") == []
        assert guard.observe("bash", {"command": "ls"}, "a.py") == []
    guard.compacted()
    assert guard.observe("bash", {"command": "pwd"}, "/w") == []


def test_lanes_are_apart() -> None:
    guard = Guard(select=["loops"])
    heard = [
        guard.observe("bash", {"command": "ls"}, "a.py", lane=lane) for lane in ("main", "helper", "main", "helper")
    ]
    assert not any(heard)
    (alarm,) = guard.observe("bash", {"command": "ls"}, "a.py", lane="helper")
    assert (alarm.finding.lane, alarm.finding.detectable_at) == ("helper", 3)


def test_options_and_names_are_checked() -> None:
    guard = Guard(select=["loops"], settings={"loops": {"rounds": 5}})
    heard = [guard.observe("bash", {"command": "ls"}, "a.py") for _ in range(6)]
    assert [position for position, now in enumerate(heard, 1) if now] == [5]
    with pytest.raises(BadConfiguration, match="unknown detector 'lops'"):
        Guard(ignore=["lops"])


def grown() -> int:
    """The bytes by which a guard grows in 350 rounds after 1,000 others."""
    guard = Guard("Make it work.")

    def steps(start: int, count: int) -> None:
        for number in range(start, start + count):
            guard.observe(
                "edit", {"path": f"m{number % 700}.py", "old": f"a{number}", "new": f"b{number}" * 20}, "Edited."
            )
            guard.observe(
                "bash",
                {"command": f"python t{number}.py"},
                traceback(f"KeyError: 'k{number}'", (f"m{number}.py", 7, "f", "d[k]")),
                exit_code=1,
            )
            guard.observe("bash", {"command": "make"}, "the same result " * 30)

    steps(0, 1_000)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        steps(1_000, 350)
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_stays_constant() -> None:
    # What is dropped was allocated before the measurement began: all that may be seen is what is kept at any time, some
    # 3.2 MB, and 2.6 kB for each of the rounds. What other tests put into caches isn't there in a process of its own.
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        assert process.submit(grown).result() < 4_100_000


def test_one_event_is_one_alarm() -> None:
    guard = Guard(select=["loops", "identical-error"])
    heard = [
        guard.observe(
            "bash", {"command": "python a.py"}, traceback("KeyError: 'depth'", ("a.py", 7, "f", "d[k]")), exit_code=1
        )
        for _ in range(3)
    ]
    (alarm,) = heard[-1]
    assert [alarm.finding.detector, *(entry.detector for entry in alarm.also)] == ["loops", "identical-error"]
