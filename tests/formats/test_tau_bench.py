"""tau-bench results become one session per task and trial."""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.load import load
from analyzer.formats.tau.bench_format import FORMAT
from analyzer.model.session import Expected, ExpectedCall, Message, Session, ToolResult
from analyzer.model.words import SIMULATED_USER, Ending
from tests.conftest import ROOT
from tests.formats.reading import taken_by
from tests.tables import table

Json = dict[str, Any]
SAMPLE = ROOT / "tests" / "data" / "formats" / "tau_bench.json"


def run(*traj: object, reward: object = 1.0, task: object = 3, trial: object = 0, **info: Any) -> Json:
    return {"task_id": task, "reward": reward, "trial": trial, "info": info, "traj": list(traj)}


def said(role: str, content: object, **more: Any) -> Json:
    return {"role": role, "content": content} | more


def asked(call_id: str | None, name: str, arguments: str = "{}") -> Json:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return said("assistant", None, tool_calls=[call], function_call=None)


def sessions(value: object) -> list[Session]:
    return taken_by(FORMAT, value, "results.json")


def session_of(*traj: object, **rest: Any) -> Session:
    (session,) = sessions([run(*traj, **rest)])
    return session


def calls(session: Session) -> list[tuple[str | None, str, object]]:
    return [(call.id, call.name, call.arguments) for call in session.calls()]


def results(session: Session) -> list[tuple[str | None, str]]:
    return [(event.call_id, event.text) for event in session.events if isinstance(event, ToolResult)]


def words(session: Session) -> list[tuple[str, str, bool]]:
    return [(event.role, event.text, event.thought) for event in session.events if isinstance(event, Message)]


def test_the_sample_of_both_kinds_of_agents() -> None:
    first, second = load(SAMPLE).sessions

    assert (first.id, first.ending, first.recorded_status) == ("7/trial-0", Ending.UNSOLVED, "reward 0")
    assert [call.name for call in first.calls()] == ["get_parcel"] * 3
    assert (first.user_messages, first.assistant_messages) == (2, 5)
    assert (second.id, second.ending, second.user_messages) == ("7/trial-1", Ending.SOLVED, 1)
    assert calls(second) == [
        ("action-2", "get_parcel", {"parcel_id": "P-501"}),
        ("action-4", "set_price", {"parcel_id": "P-501", "price": 3.0}),
    ]
    assert results(second) == [("action-2", '{"grams": 501, "zone": "home", "price": 2.5}'), ("action-4", "ok")]
    assert ("assistant", "The number is known.", True) in words(second)
    assert ("assistant", "The price is 3.00 now.", False) in words(second)
    assert first.task == "Hello, my parcel P-501 was quoted too low, I think."
    assert first.environment[SIMULATED_USER].startswith("You are Lena Marsh.")
    assert [warning for session in (first, second) for warning in session.warnings] == []


def test_calls_and_results_keep_their_ids() -> None:
    session = session_of(
        asked("a", "look", '{"x": 1}'), said("tool", "one", tool_call_id="a", name="look"), asked("b", "act", "torn{")
    )

    assert calls(session) == [("a", "look", {"x": 1}), ("b", "act", "torn{")]
    assert results(session) == [("a", "one")]


def test_the_older_form_of_a_call() -> None:
    legacy = said("assistant", "Hm.", function_call={"name": "look", "arguments": "{}"})

    assert calls(session_of(legacy, said("function", "seen", name="look"))) == [(None, "look", {})]


@table("an_action_in_the_text")
def test_an_action_in_the_text(
    text: str,
    answer: str | None,
    expected_calls: list[tuple[str, str, object]],
    expected_words: list[tuple[str, str, bool]],
) -> None:
    session = session_of(said("system", "Act."), said("assistant", text), *([said("user", answer)] if answer else []))

    assert calls(session) == expected_calls
    assert words(session)[1:] == expected_words
    answered = bool(answer and answer.startswith("API"))
    assert results(session) == ([("action-1", "seen")] if answered else [])


@table("how_it_ended")
def test_how_it_ended(rest: Json, ending: Ending | None, status: str | None, detail: str | None) -> None:
    session = session_of(said("user", "Hi."), **rest)

    assert (session.ending, session.recorded_status, session.ending_detail) == (ending, status, detail)


def test_every_session_has_a_name_of_its_own() -> None:
    found = sessions([run(), run(), run(trial=None), run(task=None, trial=None), run(task="x", trial=2)])

    assert [session.id for session in found] == ["3/trial-0", "3/trial-0-2", "3", "run-4", "x/trial-2"]


def test_one_run_alone_is_read() -> None:
    (session,) = sessions(run(said("user", "Hi."), asked("a", "look")))

    assert (session.task, len(calls(session))) == ("Hi.", 1)


def test_what_is_not_understood_is_counted() -> None:
    first, second = sessions(
        [run(3, said("judge", "x"), said("judge", "y"), said("assistant", "", tool_calls=[4])), 5, run(trial=1)]
    )

    assert [(warning.where, warning.what) for warning in first.warnings] == [
        ("run 1, message 1", "a JSON int where a message was expected; skipped"),
        ("run 1, message 2", "unknown role 'judge'; skipped (2 times, first here)"),
        ("run 1, message 4", "a JSON int where a tool call was expected; skipped"),
        ("run 2", "not a run with its trajectory; skipped"),
    ]
    assert second.warnings == []


def test_what_the_task_expects_is_kept() -> None:
    task = {"actions": [{"name": "cancel", "kwargs": {"order": "7"}}], "outputs": ["12"]}
    (read,) = sessions([{**run(said("user", "Cancel it.")), "info": {"task": task}}])
    assert read.expected == Expected((ExpectedCall("cancel", {"order": "7"}),), ("12",))
