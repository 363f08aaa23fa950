"""What Gemini CLI prints as stream-json: answers in pieces, calls with their results, ends, and what damage costs."""

from __future__ import annotations

import json
from typing import Any

from analyzer.model.session import Session, Tokens
from analyzer.model.words import Ending
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import calls, results, words
from tests.formats.reading import lines_of, sessions_in
from tests.tables import table

Json = dict[str, Any]
LINES: list[Json] = [
    json.loads(line) for line in (SAMPLES / "gemini_cli_stream.jsonl").read_text(encoding="utf-8").splitlines()
]
INIT = LINES[0]


def read(*events: object) -> list[Session]:
    return sessions_in(lines_of(list(events)), "gemini-cli-stream")


def test_the_run_of_ours() -> None:
    session = load_sample("gemini_cli_stream.jsonl", "gemini-cli-stream")
    assert (session.id, session.agent, session.model, session.task, session.recorded_status) == (
        "run-1",
        "Gemini CLI",
        "example-model-4",
        "The oven stays cold. Fix it.",
        "success",
    )
    assert (session.user_messages, session.assistant_messages, session.tokens) == (1, 2, Tokens(1000, 50, 300))
    assert calls(session) == [("run_shell_command", {"command": "pytest -q"}), ("read_file", {"file_path": "oven.py"})]
    assert results(session) == [("1 failed", False, 1, None), ("File not found: oven.py", True, None, None)]
    assert words(session) == [
        ("user", "The oven stays cold. Fix it."),
        ("assistant", "I run the tests."),
        ("harness", "Loop detected, stopping execution"),
        ("assistant", "There is no oven."),
    ]
    assert (session.ending, session.warnings) == (None, [])


def test_runs_behind_each_other_are_sessions() -> None:
    one, two = read(*LINES, {**INIT, "session_id": "run-2"}, *LINES[1:])
    assert (one.id, two.id, one.tokens, two.tokens) == ("run-1", "run-2", Tokens(1000, 50, 300), Tokens(1000, 50, 300))
    assert len(calls(one)) == len(calls(two)) == 2


def test_a_run_that_was_resumed_goes_on() -> None:
    (session,) = read(*LINES, INIT, *LINES[1:])
    assert (len(calls(session)), session.tokens) == (4, Tokens(2000, 100, 600))


def test_what_was_asked_before_the_first_event_belongs_to_it() -> None:
    (session,) = read({"type": "message", "role": "user", "content": "Bake.", "ts": "2026-02-03T10:19:59"}, *LINES)
    assert (session.task, session.user_messages) == ("Bake.", 2)


@table("how_a_run_ended")
def test_how_a_run_ended(event: Json, ending: Ending | None) -> None:
    (session,) = read(INIT, event)
    assert session.ending == ending


@table("what_is_not_understood_is_said")
def test_what_is_not_understood_is_said(event: Json, what: str) -> None:
    (session,) = read(INIT, event)
    assert [warning.what for warning in session.warnings] == [what]
