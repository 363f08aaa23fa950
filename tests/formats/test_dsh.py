"""Sessions of the DeepSeek harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session
from analyzer.model.words import Ending
from analyzer.timeline import build_timeline

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "formats" / "dsh.jsonl"


def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def read(lines: list[dict[str, Any]]) -> Session:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (session,) = load_bytes(text.encode(), "session.jsonl", "dsh").sessions
    return session


def test_a_call_that_is_asked_for_and_made_is_one_call() -> None:
    read_file, run = build_timeline(read(records())).actions
    assert (read_file.tool, read_file.arguments, read_file.result) == (
        "read",
        {"file_path": "src/bill.py"},
        "def total(items):",
    )
    assert (str(run.status), run.decided_by, run.started_at) == ("error", "the log's flag", 1_767_344_402.0)
    assert read_file.batch == run.batch is not None


def test_the_header_and_what_was_said() -> None:
    session = read(records())
    assert (session.id, session.model, session.task) == ("s-1", "m-1", "Repair the total.")
    assert session.environment == {"working directory": "/srv/shop"}
    assert (session.recorded_status, session.ending) == ("completed", None)
    said = [(event.role, event.thought, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [
        ("user", False, "Repair the total."),
        ("assistant", True, "I read it first."),
        ("assistant", False, "It fails."),
    ]


def test_a_turn_that_ends_in_an_error_says_so() -> None:
    lines = records()
    lines[-1]["data"]["reason"] = {"kind": "error", "message": "the service is overloaded"}
    session = read(lines)
    assert (session.ending, session.ending_detail) == (Ending.CRASHED, "the service is overloaded")


def test_a_call_that_only_its_own_record_shows_is_read() -> None:
    lines = [record for record in records() if record["type"] != "assistant/message"]
    assert [call.name for call in read(lines).calls()] == ["read"]


def test_a_record_of_unknown_type_is_named() -> None:
    lines = [*records(), {"type": "dream/start", "seq": 99, "time": 1, "data": {}}]
    assert [warning.what for warning in read(lines).warnings] == ["unknown type of record 'dream/start'; skipped"]
