"""Rules that hold for every row of every transcript, tried on made-up timelines; `tests/test_corpus.py` tries them on
real ones."""

from __future__ import annotations

import pytest

from analyzer.model.struct import replace
from analyzer.model.words import Status
from tests.build import call, run, says, timeline, traceback, user
from tests.dress.consistency import contradictions, is_nothing_but_an_error, says_that_tests_failed
from tests.dress.fact import facts
from tests.tables import table


@table("a_summary_is_read_by_its_last_line")
def test_a_summary_is_read_by_its_last_line(name: str, failed: bool) -> None:
    (fact,) = [fact for fact in facts() if fact.name == name]
    assert says_that_tests_failed(fact.text) is failed


@pytest.mark.parametrize(
    ("text", "nothing_else"),
    [
        (traceback("KeyError: 'x'", ("a.py", 1, "<module>", "x")), True),
        (traceback("KeyError: 'x'", ("a.py", 1, "<module>", "x")) + "\nwent on", False),
        ('{"error": "no such tide"}', True),
        ('{"error": null}', False),
        ('{"error": "no such tide", "rows": []}', False),
        ("KeyError is raised where a key is missing", False),
    ],
)
def test_an_error_and_nothing_else(text: str, nothing_else: bool) -> None:
    assert is_nothing_but_an_error(text) is nothing_else


def test_what_is_shown_contradicts_nothing() -> None:
    log = "============ 1 failed, 9 passed in 0.41s ============"
    assert contradictions(timeline(user("Look."), run("cat ci.log", log))) == []


def test_a_contradiction_names_its_step() -> None:
    made = timeline(user("Go on."), call("convert", {"x": 1}, "ok"), call("convert", {"x": 2}, '{"error": "no x"}'))
    made.actions[:] = [replace(action, status=Status.OK) for action in made.actions]
    assert contradictions(made) == ["step 2: an error and nothing else, but ok"]


def test_a_calm_session_contradicts_nothing() -> None:
    assert contradictions(timeline(user("Go on."), run("make", "done"), says("Made."))) == []
