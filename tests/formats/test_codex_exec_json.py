"""The event stream of `codex exec --json`."""

from __future__ import annotations

from typing import Any

from analyzer.model.session import Message, Session, Tokens, ToolResult
from analyzer.model.words import Ending, Kind
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import main_calls
from tests.formats.reading import lines, sessions_in
from tests.tables import table

Json = dict[str, Any]
THREAD: Json = {"type": "thread.started", "thread_id": "t1"}
TURN: Json = {"type": "turn.started"}


def item(event: str, number: int, kind: str, **rest: object) -> Json:
    return {"type": f"item.{event}", "item": {"id": f"item_{number}", "type": kind, **rest}}


def command(event: str, number: int, line: str, **rest: object) -> Json:
    return item(
        event, number, "command_execution", command=line, **{"aggregated_output": "", "status": "in_progress", **rest}
    )


def usage(sent: int, cached: int, out: int) -> Json:
    return {
        "type": "turn.completed",
        "usage": {"input_tokens": sent, "cached_input_tokens": cached, "output_tokens": out},
    }


SAMPLE: list[Json] = [
    THREAD,
    TURN,
    item("completed", 0, "reasoning", text="**Hm**"),
    item("completed", 1, "agent_message", text="I look."),
    command("started", 2, "bash -lc 'make test'"),
    command("completed", 2, "bash -lc 'make test'", aggregated_output="boom", exit_code=2, status="failed"),
    item("started", 3, "todo_list", items=[{"text": "a", "completed": False}]),
    item("updated", 3, "todo_list", items=[{"text": "a", "completed": True}]),
    item("completed", 4, "file_change", changes=[{"path": "/lamp/a.c", "kind": "update"}], status="completed"),
    item("completed", 3, "todo_list", items=[{"text": "a", "completed": True}]),
    item("completed", 5, "agent_message", text="Lit."),
    usage(100, 40, 7),
]


def sessions_of(*records: object) -> list[Session]:
    return sessions_in(lines(*records), "codex-exec-json")


def session_of(*records: object) -> Session:
    (session,) = sessions_of(*records)
    return session


def test_a_whole_stream() -> None:
    session = session_of(*SAMPLE)
    assert (session.id, session.tokens, session.assistant_messages) == ("t1", Tokens(100, 7, 40), 2)
    assert (session.recorded_status, session.ending, session.started_at, session.warnings) == (
        "turn.completed",
        None,
        None,
        [],
    )
    assert [(one.role, one.text, one.thought) for one in session.events if isinstance(one, Message)] == [
        ("assistant", "**Hm**", True),
        ("assistant", "I look.", False),
        ("assistant", "Lit.", False),
    ]
    actions = build_timeline(session).actions
    assert [(one.tool, one.kind, one.result, one.exit_code) for one in actions] == [
        ("shell", Kind.TEST, "boom", 2),
        ("update_plan", Kind.PLAN, "", None),
        ("apply_patch", Kind.EDIT, "", None),
    ]
    assert actions[0].operation.command == "make test"
    assert actions[2].operation.path == "/lamp/a.c"


@table("every_kind_of_call")
def test_every_kind_of_call(ended: Json, name: str, arguments: Json, result: tuple[object, ...]) -> None:
    session = session_of(THREAD, ended)
    (call,) = session.calls()
    assert (call.name, call.arguments) == (name, arguments)
    assert [
        (one.text, one.is_error, one.exit_code, one.mark) for one in session.events if isinstance(one, ToolResult)
    ] == [result]


@table("the_last_word_about_the_end_counts")
def test_the_last_word_about_the_end_counts(
    recorded: list[Json], status: str | None, ending: Ending | None, detail: str | None
) -> None:
    session = session_of(*SAMPLE[:-1], *recorded)
    assert (session.recorded_status, session.ending, session.ending_detail) == (status, ending, detail)


def test_a_resumed_thread_is_one_session_though_its_ids_start_again() -> None:
    session = session_of(*SAMPLE, *SAMPLE)
    assert (main_calls(session), session.tokens, len({call.id for call in session.calls()})) == (
        6,
        Tokens(100, 7, 40),
        6,
    )
    assert [action.result for action in build_timeline(session).actions] == ["boom", "", ""] * 2


def test_usage_that_falls_is_a_new_count() -> None:
    assert session_of(*SAMPLE, usage(150, 50, 9), usage(10, 5, 1)).tokens == Tokens(160, 10, 55)


def test_every_thread_is_a_session() -> None:
    first, second = sessions_of(
        *SAMPLE, {"type": "thread.started", "thread_id": "t2"}, command("completed", 0, "ls", exit_code=0)
    )
    assert [(one.id, main_calls(one)) for one in (first, second)] == [("t1", 3), ("t2", 1)]


def test_a_command_that_did_not_end_has_no_result() -> None:
    (action,) = build_timeline(session_of(THREAD, command("started", 1, "sleep 9"))).actions
    assert action.result is None


def test_unknown_things_are_counted() -> None:
    session = session_of(
        THREAD,
        item("started", 1, "riddle"),
        item("completed", 1, "riddle"),
        {"type": "dream"},
        {"a": 1},
        {"type": "item.started"},
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 2", "unknown item type 'riddle'; skipped (2 times, first here)"),
        ("line 4", "unknown event type 'dream'; skipped"),
        ("line 5", "no event type; skipped"),
        ("line 6", "no item type; skipped"),
    ]


def test_an_error_item_is_the_harness() -> None:
    session = session_of(THREAD, item("completed", 1, "error", message="odd"))
    assert [(one.role, one.text) for one in session.events if isinstance(one, Message)] == [("harness", "odd")]
