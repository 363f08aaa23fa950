"""Sessions of pi and of those that write the same: the tree, results, endings, and what damage costs."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Compaction, Message, Session, Tokens
from analyzer.model.words import MAIN_LANE, Ending, Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import load_sample
from tests.formats.events import results_in
from tests.formats.reading import read_lines
from tests.tables import table

Json = dict[str, Any]
HEADER: Json = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-05-04T08:00:00Z", "cwd": "/srv"}


def entry(number: int, before: int | None, role: str, **message: object) -> Json:
    above = None if before is None else f"e{before}"
    message = {"role": role, "timestamp": 1_777_881_600_000 + number, **message}
    return {"type": "message", "id": f"e{number}", "parentId": above, "message": message}


def call(number: int, before: int | None, **message: object) -> Json:
    block = {"type": "toolCall", "id": f"c{number}", "name": "bash", "arguments": {"command": "make"}}
    return entry(number, before, "assistant", content=[block], **message)


def read(*entries: object) -> Session:
    return read_lines((HEADER, *entries), "pi")


def ids(session: Session) -> list[str | None]:
    return [one.id for one in session.calls() if one.lane == MAIN_LANE]


def test_the_sample_of_ours() -> None:
    session = load_sample("pi.jsonl", "pi")
    assert (session.id, session.agent, session.model) == ("0197aaaa-0000-7000-8000-000000000001", "pi", "example-4")
    assert (session.task, session.user_messages, session.assistant_messages) == ("The kiln overheats. Fix it.", 1, 4)
    assert session.environment == {"working directory": "/srv/kiln"}
    assert (session.tokens, session.cost_usd) == (Tokens(2130, 73, 950, 70), 0.94)
    assert (session.recorded_status, session.ending) == ("stop", None)
    assert not session.warnings
    assert {event.lane for event in session.events} == {MAIN_LANE, "branch 1"}
    assert [(one.kind, one.exit_code, one.status, one.duration) for one in build_timeline(session).lane()] == [
        (Kind.TEST, 1, Status.ERROR, 2.0),
        (Kind.READ, None, Status.OK, pytest.approx(2.1)),
        (Kind.EDIT, None, Status.OK, pytest.approx(0.2)),
        (Kind.TEST, 0, Status.OK, 1.2),
    ]
    assert [event.tokens_before for event in session.events if isinstance(event, Compaction)] == [1210]


def test_the_path_to_the_last_entry_is_the_session() -> None:
    session = read(entry(1, None, "user", content="Go"), call(2, 1), call(3, 2), call(4, 1), call(5, 4))
    assert ids(session) == ["c4", "c5"]
    assert [one.id for one in session.calls() if one.lane == "branch 1"] == ["c2", "c3"]


def test_a_list_without_ids_is_read_in_file_order() -> None:
    entries = [entry(1, None, "user", content="Go"), call(2, 1), call(3, 2)]
    session = read(*({key: value for key, value in one.items() if key not in ("id", "parentId")} for one in entries))
    assert (ids(session), session.warnings) == (["c2", "c3"], [])


def test_where_the_one_before_is_damaged_the_path_goes_on() -> None:
    session = read(entry(1, None, "user", content="Go"), call(2, 1), call(4, 3), call(5, 4))
    assert (ids(session), session.warnings) == (["c2", "c4", "c5"], [])


def test_entries_of_one_id_belong_together() -> None:
    session = read(entry(1, None, "user", content="Go"), call(2, 1), call(3, 1), call(3, 1))
    assert ids(session) == ["c3", "c3"]


def test_ids_that_were_replaced_by_one_text_tell_nothing_of_branches() -> None:
    entries = [{**call(number, None), "id": "REDACTED", "parentId": "REDACTED"} for number in (1, 2, 3)]
    assert (ids(read(*entries)), read(*entries).warnings) == (["c1", "c2", "c3"], [])


def test_entries_in_a_circle_end() -> None:
    assert ids(read(call(1, 2), call(2, 1))) == ["c1", "c2"]


START = 1_777_881_600
"""2026-05-04 08:00:00 UTC."""


def written(one: Json, seconds: float) -> Json:
    """An entry that was written down so many seconds after the start."""
    return {**one, "timestamp": f"2026-05-04T08:00:{seconds:06.3f}Z"}


def returned(number: int, before: int, call_id: str, seconds: float, **details: object) -> Json:
    at = int((START + seconds) * 1000)
    return entry(number, before, "toolResult", toolCallId=call_id, content="ok", timestamp=at, details=details)


@table("the_models_time_is_not_the_tools")
def test_the_models_time_is_not_the_tools(complete: float | None, result: Json, took: float | None) -> None:
    asked = call(1, None, timestamp=START * 1000)
    session = read(asked if complete is None else written(asked, complete), returned(2, 1, "c1", 9.0, **result))
    (made,) = build_timeline(session).actions
    assert made.duration == (None if took is None else pytest.approx(took))
    assert made.started_at is not None
    if complete is None and took is not None:
        assert made.started_at == pytest.approx(START + 9 - took)


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        pytest.param("2026-05-04T09:30:00Z", (START + 1, START + 8), id="a header after what was done"),
        pytest.param("2026-05-04T06:00:00Z", (START + 1, START + 8), id="a header hours before"),
    ],
)
def test_a_session_takes_from_its_first_to_its_last_message(first: str, expected: tuple[float, float]) -> None:
    header = {**HEADER, "timestamp": first}
    asked = written(entry(1, None, "user", content="Go", timestamp=(START + 1) * 1000), 1)
    answer = written(call(2, 1, timestamp=(START + 1) * 1000), 8)
    session = read_lines((header, {"type": "model_change", "timestamp": first}, asked, answer), "pi")
    assert (session.started_at, session.ended_at) == expected


def test_a_session_without_messages_has_the_time_of_its_header() -> None:
    model = {"type": "message", "id": "e1", "message": {"role": "user", "content": "Go", "timestamp": "x"}}
    assert read(model).started_at == START


@table("the_last_word_about_the_end_counts")
def test_the_last_word_about_the_end_counts(more: list[Json], ending: Ending | None, detail: str | None) -> None:
    session = read(*more)
    assert (session.ending, session.ending_detail) == (ending, detail)


@table("what_came_of_a_call")
def test_what_came_of_a_call(message: Json, is_error: bool | None, code: int | None, duration: float | None) -> None:
    (result,) = results_in(read(call(1, None), entry(2, 1, "toolResult", toolCallId="c1", toolName="bash", **message)))
    assert (result.is_error, result.exit_code, result.duration) == (is_error, code, duration)


def test_what_the_harness_put_there_is_not_the_users() -> None:
    session = read(
        {"type": "custom_message", "customType": "project-context", "content": "<tree>"},
        entry(1, None, "user", content="Continue.", attribution="agent"),
        entry(2, 1, "user", content="Go"),
        entry(3, 2, "bashExecution", command="make", output="boom", exitCode=2),
        call(4, 3),
    )
    assert [(one.role, one.text) for one in session.events if isinstance(one, Message)] == [
        ("harness", "<tree>"),
        ("harness", "Continue."),
        ("user", "Go"),
        ("harness", "The user ran: make\nboom\nexit code 2"),
    ]
    assert (session.task, session.user_messages) == ("Go", 1)


def test_usage_and_cost_of_zero_are_unknown() -> None:
    usage = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": 0}}
    session = read(call(1, None, usage=usage))
    assert (session.tokens, session.cost_usd) == (Tokens(), None)


def test_the_agent_is_known_by_its_own_entries() -> None:
    assert read(call(1, None), {"type": "custom", "customType": "openclaw:cache-ttl", "data": {}}).agent == "OpenClaw"


def test_unknown_things_are_counted() -> None:
    odd = {"type": "riddle"}
    session = read(call(1, None), odd, odd, {"id": "e9", "parentId": "e1"}, entry(10, 9, "ghost", content=[odd]))
    session.warnings += read(entry(1, None, "assistant", content=[odd, {"type": "toolCall", "id": "c"}])).warnings
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 3", "unknown type of entry 'riddle'; skipped (2 times, first here)"),
        ("line 5", "entry without a type; skipped"),
        ("line 6", "message of neither the user nor the agent; skipped"),
        ("line 2", "unknown content block 'riddle'; skipped"),
        ("line 2", "tool call without a name, kept as 'unknown'"),
    ]


def test_a_turn_that_failed_is_not_what_the_agent_said() -> None:
    failed = entry(2, 1, "assistant", content="[no answer]", stopReason="error", errorMessage="403 key limit exceeded")
    session = read(entry(1, None, "user", content="hello"), failed)
    (message,) = [event for event in session.events if isinstance(event, Message) and event.role != "user"]
    assert (message.role, message.text) == ("harness", "403 key limit exceeded")
