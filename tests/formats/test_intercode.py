"""InterCode episodes become one session each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.container.document import Document
from analyzer.formats.intercode import FORMAT
from analyzer.formats.loading.load import load
from analyzer.model.session import Expected, ExpectedAnswer, Session, ToolResult
from analyzer.model.words import Ending
from tests.formats.corpus_files import SAMPLES
from tests.formats.events import answered, calls, results, words
from tests.formats.reading import taken_by
from tests.tables import table

Json = dict[str, Any]


def episode(actions: object, observations: object = (), environment: str = "ic_bash", **more: Any) -> Json:
    history = {
        "actions": actions,
        "observations": list(observations) if isinstance(observations, tuple) else observations,
    }
    return {
        "environment": environment,
        "query": "Do it.",
        "turn_history": {**history, **more.pop("history", {})},
        **more,
    }


def session_of(value: object) -> Session:
    (session,) = taken_by(FORMAT, {"0": value}, "x.json")
    return session


def test_the_sample_has_one_session_per_episode() -> None:
    bash, python, ctf = load(SAMPLES / "intercode.json").sessions

    assert (bash.id, python.id, ctf.id) == ("ic_bash-0", "ic_python-1", "ic_ctf-2")
    assert bash.task == "Count the parcels heavier than 500 g in /rates/parcels.csv"
    assert [name for name, _ in calls(bash)] == ["bash", "bash"]
    assert [(flag, text[:9]) for text, flag, _, _ in results(bash)] == [(True, "awk: cann"), (False, "12\n")]
    assert (bash.ending, bash.recorded_status, bash.ending_detail) == (
        Ending.SOLVED,
        "reward 1",
        "the best reward was 1 of 1",
    )
    assert calls(python)[0] == ("python", {"code": "def price(grams):\n    return 2.5"})
    assert [text for text, *_ in results(python)][1] == "NameError: name 'rates' is not defined"
    assert (python.ending, python.ending_detail) == (
        Ending.UNSOLVED,
        "the best reward was 0.5 of 1; all 2 turns were used",
    )
    assert calls(ctf) == [("bash", {"command": "strings label.bin"}), ("submit", {"answer": "parcel"})]
    assert [call.task_done for call in ctf.calls()] == [False, True]
    assert [session.warnings for session in (bash, python, ctf)] == [[], [], []]


def test_a_plan_comes_before_its_action() -> None:
    session = session_of(episode(["ls", "wc"], ("a", "1"), history={"steps": ["List.", "Count."]}))

    assert words(session) == [("user", "Do it."), ("assistant", "List."), ("assistant", "Count.")]
    assert answered(session) == [("bash", "a"), ("bash", "1")]


@table("an_observation_is_shown_as_text")
def test_an_observation_is_shown_as_text(observation: object, text: str) -> None:
    assert [shown for shown, *_ in results(session_of(episode(["a"], (observation,))))] == [text]


@table("the_reward_judges")
def test_the_reward_judges(more: Json, ending: Ending | None) -> None:
    assert session_of(episode(["a"], ("b",), **more)).ending is ending


def test_odd_things_are_reported() -> None:
    session = session_of(episode(["a", 4], ("b", "c", "d")))
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("actions[1]", "a JSON int where an action was expected; kept as text"),
        ("observations", "1 observations without an action; left out"),
    ]
    document = Document("x.json", json.dumps({"0": 5, "1": episode(["a"]), "2": "x"}))
    (only,) = FORMAT.read(document)
    assert [warning.where for warning in only.warnings] == ["episode 0"]


def test_the_recorded_end_has_the_last_reward_and_says_when_a_better_one_was_lost() -> None:
    history = {"rewards": [0.5, 0.75, 0.75, 0.25, 0.25]}
    session = session_of(episode(["a", "b", "c", "d", "e"], ("1", "2", "3", "4", "5"), history=history))
    assert (session.recorded_status, session.ending) == ("reward 0.25", Ending.UNSOLVED)
    assert session.ending_detail == "the best reward was 0.75 of 1 after step 2, the last 0.25; it fell at step 4"
    assert [event.score for event in session.events if isinstance(event, ToolResult)] == [0.5, 0.75, 0.75, 0.25, 0.25]


@pytest.mark.parametrize(
    ("rewards", "detail"),
    [
        pytest.param([0.5, 0.75], "the best reward was 0.75 of 1", id="it rose"),
        pytest.param([0.75, 0.5, 0.75], "the best reward was 0.75 of 1", id="it came back"),
        pytest.param([0.75, None], "the best reward was 0.75 of 1", id="the last isn't known"),
    ],
)
def test_a_reward_that_is_the_best_at_the_end_was_not_lost(rewards: list[float | None], detail: str) -> None:
    actions = ["a"] * len(rewards)
    session = session_of(episode(actions, tuple(actions), history={"rewards": rewards}))
    assert (session.recorded_status, session.ending_detail) == ("reward 0.75", detail)


def test_what_the_last_state_was_held_against_is_read() -> None:
    info = {
        "eval_obs": "12\n",
        "agent_obs": "11\n",
        "diff_miss": [["quay/a.txt", "D"], ["M", "quay/b.txt"]],
        "diff_extra": [["??", "quay/c/"], ['"quay/the', 'tide"'], 3],
    }
    session = session_of(episode(["a"], ("11",), history={"rewards": [0.5]}, info=info))
    assert session.expected == Expected(None, answer=ExpectedAnswer("12", "11"))
    assert session.ending_detail == (
        "the best reward was 0.5 of 1; changes that are missing: quay/a.txt (deleted), quay/b.txt (changed); "
        "changes that were not expected: quay/c/ (new)"
    )


def test_an_expected_output_of_nothing_is_no_answer() -> None:
    assert session_of(episode(["a"], ("1",), info={"eval_obs": "", "agent_obs": "1"})).expected is None
