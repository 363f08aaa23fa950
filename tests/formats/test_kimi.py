"""Kimi's three files: contexts, the wire and the later program's records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.sources.discover import LocalTree
from analyzer.formats.loading.folders import of_files, units
from analyzer.model.session import Compaction, Session, Tokens
from analyzer.model.words import Ending, Kind, Mark, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import calls, results, words
from tests.formats.reading import read_lines
from tests.tables import table

Json = dict[str, Any]


def wire(*events: tuple[str, Json]) -> Session:
    lines = [
        {"timestamp": 1777881600.0 + number, "message": {"type": kind, "payload": payload}}
        for number, (kind, payload) in enumerate([("TurnBegin", {"user_input": "Go"}), *events])
    ]
    return read_lines(lines, "kimi")


def tool(call_id: str = "c", arguments: str = "{}") -> tuple[str, Json]:
    return ("ToolCall", {"id": call_id, "function": {"name": "Shell", "arguments": arguments}})


def came(**value: object) -> tuple[str, Json]:
    return ("ToolResult", {"tool_call_id": "c", "return_value": value})


def test_the_wire_of_ours() -> None:
    session = load_sample("kimi_wire.jsonl", "kimi")
    assert (session.agent, session.task, session.tokens) == (
        "Kimi CLI",
        "The clock is slow. Fix it.",
        Tokens(550, 28, 400, 0),
    )
    assert (session.user_messages, session.assistant_messages, session.warnings) == (1, 2, [])
    timeline = build_timeline(session)
    assert [(one.kind, one.exit_code, one.status, one.duration) for one in timeline.lane("main")] == [
        (Kind.TEST, 1, Status.ERROR, 1.5),
        (Kind.OTHER, None, Status.UNKNOWN, pytest.approx(2.9)),
    ]
    assert [(one.kind, one.status) for one in timeline.lane("agent-a7")] == [(Kind.READ, Status.OK)]
    assert sum(isinstance(event, Compaction) for event in session.events) == 1


def test_the_context_of_ours() -> None:
    session = load_sample("kimi_context.jsonl", "kimi")
    assert (session.task, session.tokens, session.warnings) == ("The clock is slow. Fix it.", Tokens(), [])
    assert words(session)[0] == ("system", "You help.")
    assert [(one.kind, one.exit_code, one.status) for one in build_timeline(session).actions] == [
        (Kind.TEST, 1, Status.ERROR),
        (Kind.READ, None, Status.ERROR),
    ]


def test_the_records_of_the_later_program() -> None:
    session = load_sample("kimi_code.jsonl", "kimi")
    assert (session.agent, session.model, session.tokens, session.recorded_status) == (
        "Kimi Code",
        "example-4",
        Tokens(100, 9, 10, 0),
        "tool_use",
    )
    assert session.environment == {"working directory": "/srv/clock"}
    assert (session.ending, session.user_messages, session.warnings) == (Ending.CANCELLED, 1, [])
    assert [(one.kind, one.status) for one in build_timeline(session).actions] == [(Kind.TEST, Status.ERROR)]


@table("what_came_of_a_call")
def test_what_came_of_a_call(value: Json, came_of_it: tuple[object, ...]) -> None:
    assert results(wire(tool(), came(**value))) == [came_of_it]


def test_a_call_that_the_user_rejected() -> None:
    session = wire(
        tool(),
        ("ApprovalRequest", {"id": "a", "tool_call_id": "c"}),
        ("ApprovalResponse", {"request_id": "a", "response": "reject"}),
        came(is_error=True, output="", message="No."),
    )
    assert [mark for *_, mark in results(session)] == [Mark.DENIED]


def test_arguments_that_came_in_pieces_are_put_together() -> None:
    pieces = [("ToolCallPart", {"arguments_part": piece}) for piece in ('mmand": "l', 's"}')]
    assert calls(wire(tool(arguments='{"co'), *pieces)) == [("Shell", {"command": "ls"})]


def test_an_interrupted_step_is_the_end_unless_something_follows() -> None:
    stopped: tuple[str, Json] = ("StepInterrupted", {})
    assert (wire(stopped).ending, wire(stopped, ("StepBegin", {"n": 2})).ending) == (Ending.CANCELLED, None)


def test_a_session_is_its_wire_without_the_context_beside_it(tmp_path: Path) -> None:
    for name, file in (("wire", "kimi_wire"), ("context", "kimi_context"), ("context_1", "kimi_context")):
        (tmp_path / f"{name}.jsonl").write_bytes((SAMPLES / f"{file}.jsonl").read_bytes())
    tree = LocalTree(str(tmp_path))
    assert [unit.path for unit in units(tree)] == ["wire.jsonl"]
    assert [unit.path for unit in of_files(tree, "", ["context.jsonl", "wire.jsonl"])] == [
        "context.jsonl",
        "wire.jsonl",
    ]
    (tmp_path / "wire.jsonl").write_text('{"type": "metadata"}', "utf-8")
    assert len(units(LocalTree(str(tmp_path)))) == 3


def test_unknown_things_are_counted() -> None:
    session = wire(("Riddle", {}), ("Riddle", {}), ("ContentPart", {"type": "odd"}), ("ToolCall", {"id": "x"}))
    others = read_lines(
        [{"role": "_checkpoint", "id": 0}, {"role": "ghost"}, {"type": "odd.type", "time": 1}, {"x": 1}], "kimi"
    )
    assert [one.what for one in session.warnings + others.warnings] == [
        "unknown event 'Riddle'; skipped (2 times, first here)",
        "unknown part 'odd'; skipped",
        "a tool call without 'function'",
        "tool call without a name, kept as 'unknown'",
        "unknown role 'ghost'; skipped",
        "unknown type of record 'odd.type'; skipped",
        "no record of Kimi; skipped",
    ]
