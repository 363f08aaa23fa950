"""Who said what in a Claude Code session, and what it is called."""

from __future__ import annotations

import pytest

from analyzer.model.session import Compaction, Message
from analyzer.model.words import Ending
from tests.formats.claude_code_builders import SAMPLE, Json, result, said, session_of, text, use, words


def test_thoughts_are_kept_apart_from_what_was_said() -> None:
    thoughts = [event.text for event in session_of(*SAMPLE).events if isinstance(event, Message) and event.thought]
    assert thoughts == ["Tests first."]


@pytest.mark.parametrize(
    ("record", "expected", "prompts"),
    [
        pytest.param(said("user", 9, "Now the docs."), [("user", "Now the docs.")], 1, id="text"),
        pytest.param(said("user", 9, [text("Now"), text("the docs.")]), [("user", "Now\nthe docs.")], 1, id="blocks"),
        pytest.param(said("user", 9, "Expanded skill.", isMeta=True), [("harness", "Expanded skill.")], 0, id="meta"),
        pytest.param(
            said("user", 9, "Stop hook feedback:\nTests are missing."),
            [("harness", "Stop hook feedback:\nTests are missing.")],
            0,
            id="hook",
        ),
        pytest.param(
            said("user", 9, "<local-command-stdout>ok</local-command-stdout>"),
            [("harness", "<local-command-stdout>ok</local-command-stdout>")],
            0,
            id="local command",
        ),
        pytest.param(
            said("user", 9, "<command-name>/clear</command-name><command-args></command-args>"),
            [("harness", "<command-name>/clear</command-name><command-args></command-args>")],
            0,
            id="command for the program",
        ),
        pytest.param(
            said(
                "user",
                9,
                (
                    "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>issue "
                    "7</command-args>"
                ),
            ),
            [("user", "/fix issue 7")],
            1,
            id="command with arguments is a prompt",
        ),
        pytest.param(
            said("user", 9, [text("<ide_opened_file>a.py</ide_opened_file>"), text("Explain it.")]),
            [("harness", "<ide_opened_file>a.py</ide_opened_file>"), ("user", "Explain it.")],
            1,
            id="editor context",
        ),
        pytest.param(
            said("user", 9, [text("[Request interrupted by user]")]),
            [("user", "[Request interrupted by user]")],
            0,
            id="interruption is no prompt",
        ),
        pytest.param(
            said("user", 9, [result("call-9", "ok"), text("but keep the old name")]),
            [("user", "but keep the old name")],
            0,
            id="words beside a result",
        ),
        pytest.param(
            {
                "type": "attachment",
                "uuid": "uuid-9",
                "sessionId": "session-a",
                "attachment": {"type": "queued_command", "prompt": "Also the docs."},
            },
            [("user", "Also the docs.")],
            1,
            id="queued prompt",
        ),
        pytest.param(
            {
                "type": "attachment",
                "uuid": "uuid-9",
                "sessionId": "session-a",
                "attachment": {
                    "type": "queued_command",
                    "prompt": "Task 1 is done.",
                    "commandMode": "task-notification",
                },
            },
            [("harness", "Task 1 is done.")],
            0,
            id="queued notification",
        ),
        pytest.param(
            {"type": "attachment", "uuid": "uuid-9", "attachment": {"type": "todo_reminder", "content": []}},
            [],
            0,
            id="reminder",
        ),
    ],
)
def test_who_said_it(record: Json, expected: list[tuple[str, str]], prompts: int) -> None:
    session = session_of(said("assistant", 1, [use("call-9")]), record)
    assert words(session) == expected
    assert session.user_messages == prompts


def test_a_slash_command_is_the_task_when_no_other_prompt_is() -> None:
    session = session_of(said("user", 1, "<command-name>/release</command-name><command-args></command-args>"))
    assert session.task == "/release"


@pytest.mark.parametrize(
    ("records", "ending", "detail"),
    [
        pytest.param([said("assistant", 8, [text("Done.")])], None, None, id="nothing recorded"),
        pytest.param(
            [said("assistant", 8, [text("API Error: 529 overloaded")], isApiErrorMessage=True)],
            Ending.CRASHED,
            "API Error: 529 overloaded",
            id="service error",
        ),
        pytest.param(
            [
                {
                    "type": "system",
                    "subtype": "api_error",
                    "uuid": "uuid-8",
                    "retryAttempt": 10,
                    "maxRetries": 10,
                    "error": {"message": "Overloaded"},
                }
            ],
            Ending.CRASHED,
            "Overloaded (attempt 10 of 10)",
            id="retries ran out",
        ),
        pytest.param(
            [
                {"type": "system", "subtype": "api_error", "uuid": "uuid-8", "error": {"message": "Overloaded"}},
                said("assistant", 9, [text("Back.")]),
            ],
            None,
            None,
            id="retry that worked",
        ),
        pytest.param(
            [said("assistant", 8, [text("Prompt is too long")], isApiErrorMessage=True)],
            Ending.LIMIT,
            "Prompt is too long",
            id="context limit",
        ),
        pytest.param(
            [
                said("user", 8, [text("[Request interrupted by user]")]),
                said("user", 9, "<command-name>/exit</command-name>"),
            ],
            Ending.CANCELLED,
            "The user interrupted the agent.",
            id="interrupted, then left",
        ),
        pytest.param(
            [said("user", 8, [text("[Request interrupted by user]")]), said("user", 9, "Use the other file.")],
            None,
            None,
            id="interrupted, then went on",
        ),
    ],
)
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


@pytest.mark.parametrize(
    ("extra", "title"),
    [
        pytest.param(
            [{"type": "summary", "summary": "Another session", "leafUuid": "elsewhere"}], None, id="of another session"
        ),
        pytest.param([{"type": "ai-title", "aiTitle": "By the model"}], "By the model", id="by the model"),
        pytest.param(
            [{"type": "custom-title", "customTitle": "By the user"}, {"type": "ai-title", "aiTitle": "By the model"}],
            "By the user",
            id="the user's own comes first",
        ),
    ],
)
def test_titles(extra: list[Json], title: str | None) -> None:
    assert session_of(said("user", 1, "Go."), *extra).title == title
