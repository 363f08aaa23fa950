"""Score files of the function calling leaderboard: calls, what the task accepts, verdicts, and what damage costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.formats.bfcl.format import accepted, calls_in
from analyzer.formats.loading.load import load
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ExpectedCall, Session
from analyzer.model.words import Ending
from tests.formats.corpus_files import SAMPLES
from tests.formats.events import answered, calls, words
from tests.formats.reading import lines_of, sessions_in
from tests.tables import table

Json = dict[str, Any]
LINES: list[Json] = [json.loads(line) for line in (SAMPLES / "bfcl.jsonl").read_text(encoding="utf-8").splitlines()]
SUMMARY, ONE_TURN, TURNS = LINES


def read(*records: object) -> list[Session]:
    return sessions_in(lines_of(list(records)), "bfcl")


def test_the_tasks_of_ours() -> None:
    one, several = load(SAMPLES / "bfcl.jsonl").sessions
    assert (one.id, one.model, one.title, one.task) == (
        "multiple_3",
        "example-4",
        "multiple",
        "How far is it from the mill to the bridge, in kilometers?",
    )
    assert (one.recorded_status, one.ending) == ("value_error:string", Ending.UNSOLVED)
    assert one.ending_detail == "Invalid value for parameter 'unit': 'miles'. Expected one of ['km', 'kilometers']."
    assert calls(one) == [("distance", {"start": "Mill", "end": "bridge", "unit": "miles"})]
    assert one.expected is not None
    assert one.expected.calls == (
        ExpectedCall("distance", {"start": "Mill", "end": "bridge", "unit": "km"}, ("start", "end", "unit")),
    )
    assert [definition.name for definition in one.definitions] == ["distance"]
    assert (several.recorded_status, several.ending_detail) == (
        "multi_turn:instance_state_mismatch",
        "The state differs after turn 1.",
    )
    assert calls(several) == [
        ("cd", {"folder": "house"}),
        ("mv", {"source": "ledger", "destination": "cellar"}),
        ("ls", {"a": True}),
    ]
    assert answered(several) == [
        ("cd", '{"current_working_directory": "house"}'),
        ("mv", '{"error": "mv: no such folder: cellar"}'),
        ("ls", '{"files": []}'),
    ]
    assert [text for role, text in words(several) if role == "user"] == [
        "Move the ledger into the attic.",
        "What is in the attic now?",
    ]
    assert several.expected is not None
    assert several.expected.calls == (
        ExpectedCall("cd", {"folder": "house"}),
        ExpectedCall("mv", {"source": "ledger", "destination": "attic"}),
        ExpectedCall("ls", {}),
    )
    assert one.warnings + several.warnings == []


@table("what_a_task_accepts")
def test_what_a_task_accepts(given: Json, accepts: Json, wanted: Json) -> None:
    assert accepted([{"f": accepts}], [ExpectedCall("f", given)]) == [ExpectedCall("f", wanted, tuple(wanted))]


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("go(a=1, b=[1, 'x'], c=None)", ExpectedCall("go", {"a": 1, "b": [1, "x"], "c": None})),
        ("shop.cart.add('tea', amount=-2.5)", ExpectedCall("shop.cart.add", {"argument 1": "tea", "amount": -2.5})),
        ("go(a=other)", ExpectedCall("go", {"a": "other"})),
        ("go", None),
        ("go(", None),
        ("(" * 500, None),
        ("go(a=" + "1" * 30_000 + ")", None),
    ],
)
def test_calls_written_as_expressions(text: str, call: ExpectedCall | None) -> None:
    assert list(calls_in(text)) == [call]


def test_an_answer_without_a_call_is_what_the_model_said() -> None:
    record = {**ONE_TURN, "model_result_decoded": None, "model_result_raw": "I can't know that."}
    (session,) = read(SUMMARY, record)
    assert (calls(session), words(session)[-1]) == ([], ("assistant", "I can't know that."))
    assert session.expected is not None
    assert session.expected.calls is not None
    assert [call.tool for call in session.expected.calls] == ["distance"]


def test_where_no_call_fits_none_is_expected() -> None:
    record = {key: value for key, value in ONE_TURN.items() if key != "possible_answer"}
    (session,) = read({**record, "test_category": "live_irrelevance"})
    assert session.expected is not None
    assert session.expected.calls == ()
    (other,) = read(record)
    assert other.expected is None


def test_a_task_that_was_solved() -> None:
    (session,) = read({**ONE_TURN, "valid": True, "error": None, "error_type": None})
    assert (session.recorded_status, session.ending) == ("valid", Ending.SOLVED)


def test_results_that_do_not_fit_the_calls_are_nobodys() -> None:
    log = [{"step_0": [{"role": "tool", "content": "one"}]}]
    (session,) = read({**TURNS, "inference_log": log})
    assert answered(session)[:2] == [("cd", None), ("mv", None)]


def test_what_is_not_understood_is_said() -> None:
    prompt = {"question": [[{"role": "gardener", "content": "x"}, {"role": "user", "content": "Go."}]]}
    (session,) = read(SUMMARY, {"x": 1}, {**ONE_TURN, "prompt": prompt, "model_result_decoded": [{"f": 1}]})
    assert [(warning.where, warning.what) for warning in session.warnings if "line" in warning.where] == [
        ("line 2", "neither a judged task nor the count of them; skipped"),
        ("line 3", "unknown role 'gardener'; skipped"),
        ("line 3", "a decoded answer that is no call; skipped"),
    ]


def test_a_file_in_which_all_were_solved_holds_no_session(tmp_path: Path) -> None:
    place = tmp_path / "score.json"
    place.write_bytes(lines_of([{**SUMMARY, "correct_count": 4}]))
    with pytest.raises(UnreadableInput, match="lists no task that wasn't solved: 4 of 4 were solved") as raised:
        load(place)
    assert raised.value.foreign
