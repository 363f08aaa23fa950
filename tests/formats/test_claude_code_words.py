"""Who said what in a Claude Code session, and what it is called."""

from __future__ import annotations

import pytest

from analyzer.model.session import Compaction, Message
from analyzer.model.words import Ending
from tests.formats.claude_code_builders import SAMPLE, Json, said, session_of, text, use, words
from tests.tables import table


def test_thoughts_are_kept_apart_from_what_was_said() -> None:
    thoughts = [event.text for event in session_of(*SAMPLE).events if isinstance(event, Message) and event.thought]
    assert thoughts == ["Tests first."]


@table("who_said_it")
def test_who_said_it(record: Json, expected: list[tuple[str, str]], prompts: int) -> None:
    session = session_of(said("assistant", 1, [use("call-9")]), record)
    assert words(session) == expected
    assert session.user_messages == prompts


def test_a_slash_command_is_the_task_when_no_other_prompt_is() -> None:
    session = session_of(said("user", 1, "<command-name>/release</command-name><command-args></command-args>"))
    assert session.task == "/release"


@table("endings")
def test_endings(records: list[Json], ending: Ending | None, detail: str | None) -> None:
    session = session_of(*SAMPLE, *records)
    assert (session.ending, session.ending_detail) == (ending, detail)


def test_what_the_program_says_in_the_models_place_is_no_message_of_the_model() -> None:
    synthetic = said("assistant", 2, [text("No response requested.")], message={"model": "<synthetic>"})
    session = session_of(said("assistant", 1, [text("Hello.")]), synthetic)
    assert words(session) == [("assistant", "Hello."), ("harness", "No response requested.")]
    assert (session.assistant_messages, session.model) == (1, "claude-test-1")


def test_compaction_and_its_summary() -> None:
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "uuid-8",
        "parentUuid": None,
        "timestamp": "2025-03-01T10:01:00Z",
        "compactMetadata": {"trigger": "auto", "preTokens": 150000, "postTokens": 9000},
    }
    summary = said("user", 9, "This session is being continued.", isCompactSummary=True)
    session = session_of(*SAMPLE, boundary, summary)
    assert [event for event in session.events if isinstance(event, Compaction)] == [
        Compaction(1740823260.0, trigger="auto", tokens_before=150000, tokens_after=9000)
    ]
    assert words(session)[-1] == ("harness", "This session is being continued.")
    assert session.user_messages == 1


def test_a_summary_without_a_boundary_is_a_compaction_too() -> None:
    session = session_of(said("user", 1, "Continued from before.", isCompactSummary=True), said("user", 2, "Go on."))
    assert [type(event) for event in session.events] == [Compaction, Message, Message]
    assert session.task == "Go on."


@table("titles")
def test_titles(extra: list[Json], title: str | None) -> None:
    assert session_of(said("user", 1, "Go."), *extra).title == title


def queued(content: str, operation: str = "enqueue") -> Json:
    return {"type": "queue-operation", "operation": operation, "content": content, "sessionId": "s"}


DRY = said("assistant", 3, [text("Dry.")])


@pytest.mark.parametrize(
    ("records", "words"),
    [
        pytest.param([queued("And the keel?"), DRY], ["And the keel?", "Dry."], id="unsaid"),
        pytest.param([queued("And the keel?"), said("user", 3, "And the keel?")], ["And the keel?"], id="said later"),
        pytest.param([queued("And the keel?"), DRY, queued("", "remove")], ["Dry.", "And the keel?"], id="taken up"),
        pytest.param([queued("And the keel?"), queued("And the keel?", "popAll")], [], id="taken back"),
        pytest.param([queued("/exit"), queued('{"task_id": "b7", "status": "completed"}')], [], id="no words"),
    ],
)
def test_what_was_queued_is_said_once_where_it_was_taken_up(records: list[Json], words: list[str]) -> None:
    session = session_of(said("user", 1, "Look."), said("assistant", 2, [text("Wet.")]), *records)
    shown = [event.text for event in session.events if isinstance(event, Message) and event.role != "harness"]
    assert shown == ["Look.", "Wet.", *words]
