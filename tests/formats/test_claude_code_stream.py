"""What Claude Code prints in print mode."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.claude_code.stream_format import FORMAT
from analyzer.formats.container.document import Document
from analyzer.model.session import Compaction, Session, Tokens
from analyzer.model.words import Ending
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import answered, calls, results, words
from tests.formats.reading import lines, taken_by
from tests.tables import table

Json = dict[str, Any]
SAMPLE: list[Json] = list(
    map(json.loads, (SAMPLES / "claude_code_stream.jsonl").read_text(encoding="utf-8").splitlines())
)
INIT = SAMPLE[0]


def sessions_of(*records: object) -> list[Session]:
    return taken_by(FORMAT, lines(*records), "run.jsonl")


def said(number: int, text: str, session: str = "run-a", **more: Any) -> Json:
    content = [{"type": "text", "text": text}]
    message = {"id": f"m{number}", "role": "assistant", "content": content}
    return {"type": "assistant", "session_id": session, "parent_tool_use_id": None, "message": message, **more}


def ended(subtype: str = "success", session: str = "run-a", **more: Any) -> Json:
    return {"type": "result", "subtype": subtype, "is_error": False, "num_turns": 2, "session_id": session, **more}


def test_the_sample() -> None:
    session = load_sample("claude_code_stream.jsonl", "claude-code-stream")

    assert (session.id, session.model, session.agent_version) == ("run-a", "claude-test-1", "2.1.0")
    assert session.environment == {"working directory": "/home/dev/parcel-rates", "permission mode": "default"}
    assert calls(session) == [("Bash", {"command": "pytest -q"}), ("Task", {"prompt": "Look"})]
    assert calls(session, "agent-t2aabbcc") == [("Grep", {"pattern": "FAR"})]
    assert answered(session) == [("Bash", "Exit code 1\n1 failed"), ("Task", "nothing"), ("Grep", None)]
    assert results(session)[0][1:3] == (True, 1)
    assert (session.ending, session.recorded_status) == (Ending.LIMIT, "error_max_turns")
    assert session.ending_detail == "limit of turns; 3 turns were used; Reached maximum number of turns (3)"
    assert (session.task, session.warnings) == (None, [])


@table("the_results_know_the_output_that_the_messages_do_not")
def test_the_results_know_the_output_that_the_messages_do_not(rows: list[Json], tokens: Tokens) -> None:
    (session,) = sessions_of(INIT, *rows)
    assert session.tokens == tokens


@table("how_it_ended")
def test_how_it_ended(result: Json, ending: Ending | None, detail: str | None) -> None:
    (session,) = sessions_of(INIT, said(1, "Hm."), result)
    assert (session.ending, session.ending_detail) == (ending, detail)


def test_a_result_that_was_already_said_is_said_once() -> None:
    (session,) = sessions_of(INIT, said(1, "Fixed."), ended(result="Fixed."))
    assert words(session) == [("assistant", "Fixed.")]


def test_a_run_that_went_on_has_not_ended() -> None:
    (session,) = sessions_of(INIT, said(1, "One."), ended(), said(2, "Two."))
    assert (session.ending, session.recorded_status) == (None, None)


def test_the_cost_grows_within_a_process_and_starts_again_in_the_next() -> None:
    costs = (0.25, 0.5, 0.125)
    (session,) = sessions_of(INIT, *(ended(total_cost_usd=cost) for cost in costs))
    assert session.cost_usd == 0.625


def test_several_session_ids_are_several_sessions() -> None:
    other = {**INIT, "session_id": "run-b"}
    first, second = sessions_of(INIT, said(1, "A."), ended(), other, said(1, "B.", "run-b"), ended(session="run-b"))
    assert (first.id, second.id, words(second)) == ("run-a", "run-b", [("assistant", "B.")])


def test_a_result_alone_is_a_session() -> None:
    document = Document("x.json", json.dumps(ended(result="Fixed.", usage={"input_tokens": 3, "output_tokens": 4})))
    assert FORMAT.sniff(document)
    (session,) = FORMAT.read(document)
    assert (words(session), session.tokens) == ([("assistant", "Fixed.")], Tokens(3, 4))


def test_one_json_list_is_the_same() -> None:
    document = Document("claude_code_stream.json", json.dumps(SAMPLE))
    assert FORMAT.sniff(document)
    assert list(FORMAT.read(document)) == [load_sample("claude_code_stream.jsonl", "claude-code-stream")]


def test_compactions_prompts_and_noise() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "session_id": "run-a"}
    prompt = {
        "type": "user",
        "session_id": "run-a",
        "parent_tool_use_id": None,
        "message": {"role": "user", "content": "Go."},
    }
    (session,) = sessions_of(
        INIT,
        prompt,
        {**prompt, "isSynthetic": True},
        {**boundary, "compact_metadata": {"trigger": "auto", "pre_tokens": 9}},
        {"type": "stream_event", "session_id": "run-a"},
        {"type": "moon", "session_id": "run-a"},
        {"type": "moon", "session_id": "run-a"},
    )
    assert [event for event in session.events if isinstance(event, Compaction)] == [
        Compaction(trigger="auto", tokens_before=9)
    ]
    assert (words(session), session.task) == ([("user", "Go."), ("harness", "Go.")], "Go.")
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 6", "unknown message type 'moon'; skipped (2 times, first here)")
    ]
