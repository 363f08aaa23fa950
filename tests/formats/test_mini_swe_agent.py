"""mini-swe-agent trajectories become sessions: fenced commands, tool calls, refused replies and what was handed in."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.formats.mini_swe_agent import FORMAT
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending, Mark
from tests.formats.events import calls_in, results_in
from tests.formats.reading import taken_by
from tests.tables import table

FORMAT_ERROR = "Please always provide EXACTLY ONE action in triple backticks, found 2 actions."
HANDED_IN = "diff --git a/lamp.py b/lamp.py\n+EXACTLY ONE lamp\n"
FINAL = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff"


def said(text: str, **extra: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, "extra": extra}


def fenced(command: str, thought: str = "THOUGHT: Let me see.") -> dict[str, Any]:
    return said(f"{thought}\n\n```bash\n{command}\n```")


def user(text: str, **rest: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **rest}


V1: dict[str, Any] = {
    "trajectory_format": "mini-swe-agent-1",
    "instance_id": "owner__lamp-3",
    "info": {
        "exit_status": "Submitted",
        "submission": HANDED_IN,
        "model_stats": {"instance_cost": 0.5, "api_calls": 3},
        "mini_version": "1.2.3",
        "config": {"environment": {"cwd": "/testbed", "image": "lamp:1"}, "model": {"model_name": "some/model"}},
    },
    "messages": [
        {"role": "system", "content": "You are helpful."},
        user("<pr_description>\nConsider the following PR description:\nDark lamp\n</pr_description>\n<instructions>x"),
        said(
            "THOUGHT: Look.\n\n```bash\nls\n```",
            response={
                "created": 1700000000,
                "usage": {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
            },
        ),
        user("<returncode>0</returncode>\n<output>\nlamp.py\n</output>"),
        said(
            "Two.\n```bash\na\n```\nthen\n```bash\nb\n```",
            response={"created": 1700000060, "usage": {"prompt_tokens": 20, "completion_tokens": 3}},
        ),
        user(FORMAT_ERROR),
        fenced(FINAL),
        user(HANDED_IN),
    ],
}

V2: dict[str, Any] = {
    "trajectory_format": "mini-swe-agent-1.1",
    "info": {"exit_status": "Submitted", "submission": "patch", "mini_version": "2.0.0"},
    "messages": [
        user("Please solve this issue: Dark lamp\n\nYou can execute bash commands."),
        {
            "role": "assistant",
            "content": "Both at once.",
            "tool_calls": [
                {"id": "t1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}},
                {"id": "t2", "function": {"name": "bash", "arguments": '{"command": "make"}'}},
            ],
            "extra": {"timestamp": 1700000000.5},
        },
        {"role": "tool", "tool_call_id": "t2", "content": "boom\n[exit code 2]", "extra": {"returncode": 2}},
        {"role": "tool", "tool_call_id": "t1", "content": "lamp.py\n[exit code 0]", "extra": {"timestamp": 1700000002}},
        {
            "role": "assistant",
            "tool_calls": [{"id": "t3", "function": {"name": "bash", "arguments": {"command": FINAL}}}],
        },
        {"role": "exit", "content": "patch", "extra": {"exit_status": "Submitted"}},
    ],
}


def read(value: object, name: str = "runs/owner__lamp-9.traj.json") -> Session:
    (session,) = taken_by(FORMAT, value, name)
    return session


def chat(*messages: dict[str, Any], **info: Any) -> dict[str, Any]:
    return {"trajectory_format": "mini-swe-agent-1", "info": info, "messages": [user("Light the lamp."), *messages]}


def messages(session: Session) -> list[tuple[str, str]]:
    return [(event.role, event.text) for event in session.events if isinstance(event, Message)]


def test_a_first_version_run_is_read_message_by_message() -> None:
    session = read(V1)

    assert (session.id, session.model, session.agent_version) == ("owner__lamp-3", "some/model", "1.2.3")
    assert session.task == "Dark lamp"
    assert session.tokens == Tokens(30, 5, 4)
    assert session.cost_usd == 0.5
    assert (session.started_at, session.ended_at) == (1700000000.0, 1700000060.0)
    assert (session.user_messages, session.assistant_messages) == (1, 3)
    assert session.environment == {"working directory": "/testbed", "image": "lamp:1"}
    assert session.ending is Ending.SUBMITTED
    assert [call.arguments for call in session.calls()] == [
        {"command": "ls"},
        {"command": "a\nb"},
        {"command": FINAL},
    ]
    assert [call.task_done for call in session.calls()] == [False, False, True]
    assert [(result.text, result.exit_code, result.is_error, result.mark) for result in results_in(session)] == [
        ("lamp.py", 0, None, None),
        (FORMAT_ERROR, None, True, Mark.REJECTED),
        (HANDED_IN, None, None, None),
    ]
    assert ("assistant", "Look.") in messages(session)


def test_a_second_version_run_pairs_results_by_id() -> None:
    session = read(V2)

    assert session.id == "owner__lamp-9"
    assert session.task == "Dark lamp"
    assert [call.id for call in session.calls()] == ["t1", "t2", "t3"]
    assert calls_in(session)[0].batch == calls_in(session)[1].batch is not None
    assert [(result.call_id, result.text, result.exit_code) for result in results_in(session)] == [
        ("t2", "boom", 2),
        ("t1", "lamp.py", 0),
        ("t3", "patch", None),
    ]
    assert [call.task_done for call in session.calls()] == [False, False, True]
    assert (session.started_at, session.ended_at) == (1700000000.5, 1700000002.0)


def test_calls_of_the_responses_interface_are_read_too() -> None:
    record = {
        "object": "response",
        "output": [
            {"type": "message", "content": [{"type": "output_text", "text": "I look."}]},
            {"type": "function_call", "call_id": "f1", "name": "bash", "arguments": '{"command": "ls"}'},
        ],
    }
    answer = {"type": "function_call_output", "call_id": "f1", "output": "lamp.py\n[exit code 0]"}
    session = read(chat(record, answer))

    assert [(call.id, call.arguments) for call in session.calls()] == [("f1", {"command": "ls"})]
    assert [(result.call_id, result.text, result.exit_code) for result in results_in(session)] == [("f1", "lamp.py", 0)]
    assert messages(session)[-1] == ("assistant", "I look.")


@table("the_reply_to_a_command_is_taken_apart")
def test_the_reply_to_a_command_is_taken_apart(
    reply: str, text: str | None, code: int | None, is_error: bool | None, mark: Mark | None
) -> None:
    (result,) = results_in(read(chat(fenced("make"), user(reply))))

    assert (result.text, result.exit_code, result.is_error, result.mark) == (
        reply if text is None else text,
        code,
        is_error,
        mark,
    )


def test_the_time_out_of_a_tool_call_is_marked() -> None:
    call = {
        "role": "assistant",
        "tool_calls": [{"id": "t", "function": {"name": "bash", "arguments": '{"command": "make"}'}}],
    }
    extra = {"returncode": -1, "exception_info": "An error occurred: Command 'make' timed out after 30 seconds"}
    (result,) = results_in(read(chat(call, {"role": "tool", "tool_call_id": "t", "content": "", "extra": extra})))

    assert (result.mark, result.is_error, result.exit_code) == (Mark.TIMEOUT, True, None)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        pytest.param("```bash\n ls \n```", "ls", id="one"),
        pytest.param("```mswea_bash_command\nls\n```", "ls", id="other-fence"),
        pytest.param("```bash\na\n```\n```bash\nb\n```", "b", id="the-last-of-several"),
    ],
)
def test_the_command_is_the_block_that_ran(text: str, command: str) -> None:
    session = read(chat(said(text), user("<returncode>0</returncode>\n<output>\n</output>")))

    assert [call.arguments for call in session.calls()] == [{"command": command}]


def test_a_reply_without_any_block_is_no_step() -> None:
    session = read(chat(said("I wonder."), user(FORMAT_ERROR)))

    assert calls_in(session) == []
    assert messages(session)[1:] == [("assistant", "I wonder."), ("harness", FORMAT_ERROR)]


def test_a_malformed_tool_call_is_refused() -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "t", "function": {"name": "bash", "arguments": "{torn"}}]}
    refusal = user("Tool call error: torn", extra={"interrupt_type": "FormatError"})
    session = read(chat(call, refusal))

    assert [call.arguments for call in session.calls()] == ["{torn"]
    assert [(result.call_id, result.mark) for result in results_in(session)] == [("t", Mark.REJECTED)]


def test_the_closing_command_that_only_printed_something_did_not_end_the_run() -> None:
    session = read(chat(fenced(FINAL), user("<returncode>1</returncode>\n<output>\nno\n</output>"), fenced("ls")))

    assert [call.task_done for call in session.calls()] == [False, False]


def test_the_user_who_steps_in_is_heard() -> None:
    session = read(
        chat(fenced("ls"), user("Interrupted by user: look left", extra={"interrupt_type": "UserInterruption"}))
    )

    assert messages(session)[-1] == ("user", "Interrupted by user: look left")
    assert session.user_messages == 2


@table("the_exit_status_says_how_it_ended")
def test_the_exit_status_says_how_it_ended(info: dict[str, Any], ending: Ending | None, detail: str | None) -> None:
    session = read(chat(fenced("ls"), **info))

    assert (session.ending, session.ending_detail) == (ending, detail)


def test_a_message_that_is_no_object_is_reported() -> None:
    value = chat(fenced("ls"))
    value["messages"].append(7)

    assert [warning.where for warning in read(value).warnings] == ["messages[2]"]


def test_an_answer_is_there_when_it_was_kept_not_when_the_service_began_it() -> None:
    answer = said("```bash\nls\n```", response={"created": 1700000000})
    answer["extra"]["timestamp"] = 1700000007.25
    session = read({**V1, "messages": [*V1["messages"][:2], answer, user("<returncode>0</returncode>")]})

    assert [call.time for call in session.calls()] == [1700000007.25]
