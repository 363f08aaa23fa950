"""What the page says of an alarm is what the guard says at it, and holds nothing that came later."""

from __future__ import annotations

import re

import pytest

from analyzer.guard import Guard
from analyzer.model.postmortem import PostMortem
from analyzer.model.session import Message, ToolCall
from analyzer.timeline.pairing import pair
from tests.build import Part, diagnosed, edit, pytest_report, read, run, session, traceback

LOST = traceback("KeyError: 'low'", ("tides.py", 3, "load", "d['low']"))
LONG: dict[str, list[Part]] = {
    "a check that keeps failing": [
        [edit("tides.py", f"x{number}", f"y{number}"), run("pytest", pytest_report(), 1)] for number in range(9)
    ],
    "a call that keeps failing": [
        [read(f"notes{number}.md", f"note {number}"), run("python tides.py", LOST, 1)] for number in range(9)
    ],
    "different calls at first, then the same": [
        [edit("tides.py", f"x{number}", f"y{number}"), run(f"python {'high' if number < 2 else 'low'}.py", LOST, 1)]
        for number in range(9)
    ],
    "the same answer": [run("ls data", "a.csv") for _ in range(9)],
}


def comments(made: PostMortem) -> list[str]:
    sketches = [entry.sketch or "" for entry in made.diagnosis.improvements if entry.where == "guard"]
    return [line for sketch in sketches for line in sketch.splitlines() if line.startswith("#")]


def live(parts: list[Part]) -> set[str]:
    shown = session(parts)
    guard, results = Guard(shown.task or ""), iter(pair(shown.events).results)
    said: set[str] = set()
    for event in shown.events:
        if isinstance(event, Message):
            alarms = guard.take_message(event)
        elif isinstance(event, ToolCall):
            alarms = guard.take(event, next(results))
        else:
            continue
        said.update(f"# step {alarm.finding.detectable_at}: {alarm.finding.title}" for alarm in alarms)
    return said


@pytest.mark.parametrize("name", LONG)
def test_the_snippet_says_what_the_guard_says(name: str) -> None:
    told = comments(diagnosed(LONG[name]))
    assert told
    assert set(told) <= live(LONG[name])


@pytest.mark.parametrize("name", LONG)
def test_no_step_of_the_future_is_named(name: str) -> None:
    for line in comments(diagnosed(LONG[name])):
        alarm, words = re.fullmatch(r"# step (\d+): (.*)", line).groups()  # type: ignore[union-attr]
        assert all(int(number) <= int(alarm) for number in re.findall(r"\d+", words)), line


@pytest.mark.parametrize("name", LONG)
def test_what_came_after_the_alarm_changes_none_of_its_words(name: str) -> None:
    parts = LONG[name]
    said = comments(diagnosed(parts))
    longer = comments(diagnosed(parts, [read(f"more{number}.md", f"{number}") for number in range(4)]))
    assert said == longer


def test_the_replay_of_the_own_guard_says_it_too() -> None:
    made = diagnosed(LONG["a check that keeps failing"])
    (own,) = [entry for entry in made.early_stop.policies if entry.policy == "this program's guard"]
    assert own.why == "`loops`: Edit-test loop: 3 rounds with the same error (steps 1-6)"
    assert made.findings[0].title == "Edit-test loop: 9 rounds with the same error (steps 1-18)"
