"""Databases of Crush and of its ancestor: sessions and sub-agents, results, endings, and what damage costs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from analyzer.formats.loading.load import load, load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Session
from analyzer.model.words import Ending, Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES
from tests.formats.databases import bytes_of, database_of
from tests.formats.events import results, words
from tests.formats.mutations import mutated, read_or_refuse
from tests.formats.reading import session_in
from tests.tables import table

Json = dict[str, Any]
SQL = (SAMPLES / "crush.sql").read_text(encoding="utf-8")
TABLES = "\n".join(SQL.splitlines()[:2])


def part(kind: str, **data: object) -> Json:
    return {"type": kind, "data": data}


def stored(*messages: tuple[str, object], **about: object) -> bytes:
    columns = {"id": "s", "title": "T", "message_count": 1, "created_at": 1777881600, "updated_at": 1777881600, **about}
    values = ", ".join("NULL" if value is None else f"'{value}'" for value in columns.values())
    sql = f"{TABLES}; INSERT INTO sessions ({', '.join(columns)}) VALUES ({values});"
    for number, (role, parts) in enumerate(messages):
        text = json.dumps(parts).replace("'", "''")
        sql += (
            "INSERT INTO messages (id, session_id, role, parts, created_at, updated_at) "
            f"VALUES ('m{number}', 's', '{role}', '{text}', 1777881600, 1777881600);"
        )
    return bytes_of(sql)


def read(*messages: tuple[str, object], **about: object) -> Session:
    return session_in(stored(*messages, **about), "crush")


def call(name: str = "bash") -> tuple[str, object]:
    return ("assistant", [part("tool_call", id="c", name=name, input="{}")])


def result(content: str, **more: object) -> tuple[str, object]:
    return ("tool", [part("tool_result", tool_call_id="c", content=content, **more)])


def test_the_sample_of_ours() -> None:
    parent, child = load(database_of(SAMPLES / "crush.sql")).sessions
    assert (parent.id, parent.agent, parent.title, parent.model, parent.cost_usd) == (
        "s1",
        "Crush",
        "Crooked tower",
        "example-4",
        0.5,
    )
    assert (parent.task, parent.user_messages, parent.assistant_messages) == ("The tower leans. Fix it.", 1, 3)
    assert (parent.started_at, parent.ended_at, parent.recorded_status) == (1777881600.0, 1777881620.0, "end_turn")
    assert [(one.kind, one.exit_code, one.status, one.duration) for one in build_timeline(parent).actions] == [
        (Kind.TEST, 1, Status.ERROR, 1.5),
        (Kind.OTHER, None, Status.UNKNOWN, 7.0),
        (Kind.EDIT, None, Status.ERROR, 1.0),
    ]
    assert (parent.environment, results(parent)[0][0]) == ({"working directory": "/srv/tower"}, "1 failed\nExit code 1")
    assert (child.environment, child.cost_usd) == ({"sub-agent of": "s1"}, 0.25)


@table("what_came_of_a_call")
def test_what_came_of_a_call(tool: str, more: Json, is_error: bool | None, code: int | None) -> None:
    assert results(read(call(tool), result("x", **more))) == [("x", is_error, code, None)]


@table("the_exit_code_is_at_the_end_of_an_output")
def test_the_exit_code_is_at_the_end_of_an_output(text: str, code: int | None) -> None:
    assert [found for _, _, found, _ in results(read(call(), result(text)))] == [code]


@table("the_last_word_about_the_end_counts")
def test_the_last_word_about_the_end_counts(finish: Json, ending: Ending | None, detail: str | None) -> None:
    last = ("assistant", [part("finish", **finish)])
    session = read(("user", [part("text", text="Go")]), last)
    assert (session.ending, session.ending_detail, session.recorded_status) == (ending, detail, finish["reason"])
    assert read(last, ("user", [part("text", text="Again")])).ending is None


def test_a_summary_is_a_compaction_and_not_said() -> None:
    session = read(
        ("user", [part("text", text="Go")]), ("assistant", [part("text", text="So far")]), summary_message_id="m1"
    )
    assert (words(session), sum(isinstance(event, Compaction) for event in session.events)) == (
        [("user", "Go"), ("harness", "So far")],
        1,
    )


def test_unknown_things_are_counted() -> None:
    session = read(
        ("user", [part("text", text="Go"), part("riddle"), part("image_url")]), ("ghost", []), ("user", {"a": 1})
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("s, message 0", "unknown part 'riddle'; skipped"),
        ("s, message 1", "no message with parts of the user, the agent or a tool; skipped (2 times, first here)"),
    ]


def test_a_database_without_messages_is_refused() -> None:
    with pytest.raises(UnreadableInput, match="holds no message of Crush"):
        load_bytes(bytes_of(TABLES), "crush.db")


@given(
    mutated(
        [
            ["user", [part("text", text="Go")]],
            ["assistant", [part("tool_call", id="c", name="bash", input="{}"), part("finish", reason="tool_use")]],
            ["tool", [part("tool_result", tool_call_id="c", content="x", metadata='{"start_time": 1, "end_time": 2}')]],
        ]
    )
)
def test_any_damage_gives_sessions_or_a_refusal(messages: Any) -> None:
    rows = [row for row in messages if isinstance(row, list) and len(row) == 2] if isinstance(messages, list) else []
    for session in read_or_refuse(stored(*((str(role).replace("'", ""), parts) for role, parts in rows)), "crush"):
        json.dumps([str(one) for one in session.events])


def test_a_row_of_the_users_with_a_result_is_no_turn_of_the_user() -> None:
    back = part("tool_result", tool_call_id="c", content="on:\n  push", is_error=False)
    session = read(
        ("user", [part("text", text="Look at it")]),
        call(),
        ("user", [part("text", text="[Output] on:\n  push"), back]),
        (
            "user",
            [part("text", text="Never mind"), part("tool_result", tool_call_id="c", content="Never mind the gap")],
        ),
    )
    assert words(session) == [("user", "Look at it"), ("user", "Never mind")]
    assert (session.user_messages, results(session)[0][0]) == (2, "on:\n  push")


def test_a_call_that_the_model_was_still_writing() -> None:
    begun = part("tool_call", id="d", name="write", input='{"file_path": "a.md", "content": "x', finished=False)
    whole = part("tool_call", id="c", name="bash", input="{}", finished=True)
    session = read(("assistant", [whole, part("finish", reason="tool_use")]), result("x"), ("assistant", [begun]))

    assert [one.unfinished for one in session.calls()] == [False, True]
    assert session.recorded_status is None
    last = build_timeline(session).actions[-1]
    assert (last.kind, last.operation.edits, last.unfinished) == (Kind.EDIT, (), True)


def talk(*rows: tuple[str, str | None, list[Json]]) -> Session:
    """A session whose rows each have a role, a model and parts."""
    sql = f"{TABLES}; INSERT INTO sessions (id, title, message_count, created_at, updated_at) VALUES ('s','T',1,1,1);"
    for number, (role, model, parts) in enumerate(rows):
        named = "NULL" if model is None else f"'{model}'"
        sql += (
            "INSERT INTO messages (id, session_id, role, parts, model, created_at, updated_at) "
            f"VALUES ('m{number}', 's', '{role}', '{json.dumps(parts)}', {named}, 1, 1);"
        )
    (session,) = load_bytes(bytes_of(sql), "crush.db").sessions
    return session


def say(role: str, text: str, model: str | None = None, *, ends: bool = True) -> tuple[str, str | None, list[Json]]:
    return role, model, [part("text", text=text), *([part("finish", reason="stop")] if ends else [])]


LISTED, PRINTED = say("user", "ls"), say("assistant", "tower.py", ends=False)
ASKED, REPLY = say("user", "Is it high?"), say("assistant", "It is.", "example-4")


@pytest.mark.parametrize(
    ("rows", "said", "counts"),
    [
        pytest.param(
            [LISTED, PRINTED, ASKED, REPLY],
            [("harness", "ls"), ("harness", "tower.py"), ("user", "Is it high?"), ("assistant", "It is.")],
            (1, 1, "Is it high?"),
            id="the program's own shell",
        ),
        # Twins that a model said, or may have said.
        pytest.param(
            [ASKED, REPLY], [("user", "Is it high?"), ("assistant", "It is.")], (1, 1, "Is it high?"), id="an answer"
        ),
        pytest.param(
            [LISTED, PRINTED], [("user", "ls"), ("assistant", "tower.py")], (1, 1, "ls"), id="no row names a model"
        ),
        pytest.param(
            [ASKED, REPLY, ASKED, say("assistant", "Yes.")],
            [("user", "Is it high?"), ("assistant", "It is."), ("user", "Is it high?"), ("assistant", "Yes.")],
            (2, 2, "Is it high?"),
            id="a row with an end",
        ),
        pytest.param(
            [ASKED, REPLY, say("assistant", "Indeed.", ends=False)],
            [("user", "Is it high?"), ("assistant", "It is."), ("assistant", "Indeed.")],
            (1, 2, "Is it high?"),
            id="no row of the user's before it",
        ),
        pytest.param(
            [ASKED, say("assistant", "It is.", "example-4", ends=False)],
            [("user", "Is it high?"), ("assistant", "It is.")],
            (1, 1, "Is it high?"),
            id="an answer that was cut off",
        ),
    ],
)
def test_what_the_users_own_shell_printed_is_no_answer(
    rows: list[tuple[str, str | None, list[Json]]], said: list[tuple[str, str]], counts: tuple[int, int, str]
) -> None:
    session = talk(*rows)
    assert words(session) == said
    assert (session.user_messages, session.assistant_messages, session.task) == counts
