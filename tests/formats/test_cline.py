"""A Cline task becomes one session: its rows as shown, how it ended, who is recognised, what damage costs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from analyzer.formats.cline.format import FORMAT
from analyzer.formats.loading.load import load
from analyzer.model.session import Session, Tokens
from analyzer.model.words import Ending
from tests.formats.cline_builders import SAMPLE, Json, session_of
from tests.formats.corpus_files import entries, load_sample
from tests.formats.events import answered, calls, order, results, words


def say(kind: str, words: str = "", **more: Any) -> Json:
    return {"ts": 1760000000000, "type": "say", "say": kind, "text": words, **more}


def ask(kind: str, words: str = "", **more: Any) -> Json:
    return {"ts": 1760000000000, "type": "ask", "ask": kind, "text": words, **more}


def request(sent: str, **more: Any) -> Json:
    return say("api_req_started", json.dumps({"request": sent, **more}))


def rows(*more: Json) -> Session:
    return session_of([say("text", "Fix it."), request("<task>\nFix it.\n</task>"), *more])


def test_the_sample_of_rows() -> None:
    session = load_sample("cline.json", "cline")

    assert (session.task, session.model) == ("The far zone is charged too little.", "test-model-1")
    assert calls(session) == [
        ("read_file", {"path": "zones.py"}),
        ("search_files", {"path": ".", "regex": "FAR", "filePattern": "*.py"}),
        ("replace_in_file", {"path": "zones.py", "old_str": "FAR = 1.0\n", "new_str": "FAR = 1.5\n"}),
        ("execute_command", {"command": "pytest -q"}),
        ("mcp__rates__publish", {"zone": "far"}),
        ("attempt_completion", {"result": "Fixed."}),
    ]
    assert results(session) == [
        ("FAR = 1.0", None, None, None),
        ("Found 0 results.", None, None, None),
        ("The content was successfully saved to zones.py.", None, None, None),
        ("Command executed with exit code 1.\nOutput:\nF\n1 failed", None, 1, None),
        ("no such zone", True, None, None),
    ]
    assert [(role, said) for role, said in words(session) if role != "harness"] == [
        ("user", "The far zone is charged too little."),
        ("thought", "Tests first."),
        ("assistant", "I look at both."),
        ("assistant", "I change it."),
    ]
    first, second, *others = [call.batch for call in session.calls()]
    assert first == second
    assert first not in others
    assert order(session) == "mmmmccrrmmcrmcrmxcrmc"
    assert (session.user_messages, session.assistant_messages, session.ending) == (1, 5, Ending.SUBMITTED)
    assert [call.task_done for call in session.calls()] == [False] * 5 + [True]


def test_shown_output_has_to_do_where_no_request_follows() -> None:
    session = rows(
        say("command", "make"), ask("command_output", ""), ask("command_output", "a"), ask("command_output", "b")
    )
    assert answered(session) == [("execute_command", "a\nb")]


def test_the_shown_output_is_not_read_twice() -> None:
    session = rows(
        say("command", "make"), ask("command_output", "a"), request("[execute_command for 'make'] Result:\na")
    )
    assert [text for text, *_ in results(session)] == ["a"]


def test_a_result_may_quote_the_head_of_another() -> None:
    quoted = "[read_file for 'log'] Result:\n[read_file for 'b'] Result:\nB"
    tool = json.dumps({"tool": "readFile", "path": "log"})
    assert answered(rows(say("tool", tool), request(quoted))) == [("read_file", "[read_file for 'b'] Result:\nB")]


@pytest.mark.parametrize(
    ("last", "ending", "detail"),
    [
        pytest.param([ask("completion_result")], Ending.SUBMITTED, None, id="completed"),
        pytest.param([ask("completion_result"), ask("resume_completed_task")], Ending.SUBMITTED, None, id="reopened"),
        pytest.param([ask("resume_task")], None, "the task was left open", id="left"),
        pytest.param([ask("mistake_limit_reached")], Ending.LIMIT, "limit of mistakes in a row", id="mistakes"),
        pytest.param([ask("api_req_failed", "no key")], Ending.CRASHED, "no key", id="service"),
        pytest.param(
            [request("x", cancelReason="user_cancelled")], Ending.CANCELLED, "the user cancelled the request", id="stop"
        ),
        pytest.param(
            [request("x", cancelReason="streaming_failed")], Ending.CRASHED, "the model's reply broke off", id="torn"
        ),
        pytest.param([ask("resume_task"), say("user_feedback", "Go on.")], None, None, id="went-on"),
        pytest.param(
            [request("x", cancelReason="user_cancelled"), say("text", "I look."), ask("resume_task")],
            Ending.CANCELLED,
            "the user cancelled the request",
            id="stop-while-it-spoke",
        ),
    ],
)
def test_how_it_ended(last: list[Json], ending: Ending | None, detail: str | None) -> None:
    session = rows(*last)
    assert (session.ending, session.ending_detail) == (ending, detail)


def test_odd_rows_are_counted() -> None:
    torn = say("tool", '{"tool": "readFile"}', partial=True)
    session = rows(torn, say("moon"), say("moon"), {"type": "say", "ts": 5, "say": None}, {"type": 3})
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("row 3", "unknown kind of row 'moon'; skipped (2 times, first here)"),
        ("row 5", "unknown kind of row 'None'; skipped"),
        ("row 6", "no row that was said or asked; skipped"),
        ("rows", "1 rows were cut off while they were written; left out"),
    ]


def test_every_real_task_has_one_call_per_row_that_announces_one(corpus: Path) -> None:
    announced = ("tool", "command", "use_mcp_server", "load_mcp_documentation", "plan_mode_respond")
    for path in entries(corpus, FORMAT.name):
        transcript = load(path)
        (session,) = transcript.sessions
        kinds = Counter(
            (row["type"], row.get("say") or row.get("ask")) for row in json.loads(path.read_text(encoding="utf-8"))
        )
        expected = (
            sum(count for (_, kind), count in kinds.items() if kind in announced) + kinds[("say", "completion_result")]
        )
        assert (transcript.format, len(calls(session))) == (FORMAT.name, expected)
        unanswered = [name for name, answer in answered(session) if answer is None]
        assert set(unanswered) <= {"attempt_completion"}


def test_the_end_of_a_subtask_is_a_question_to_the_user_and_no_call() -> None:
    row = {"ts": 1_760_000_000_000, "type": "ask", "ask": "tool", "text": json.dumps({"tool": "finishTask"})}
    assert calls(session_of([*SAMPLE, row])) == calls(session_of(SAMPLE))


def test_a_tool_that_only_roo_code_has_gets_its_result() -> None:
    session = rows(
        say("tool", json.dumps({"tool": "updateTodoList", "todos": []})),
        request("[update_todo_list] Result:\n\nTodo list updated."),
        say("tool", json.dumps({"tool": "readFile", "batchFiles": []})),
        request("[read_file for 4 files] Result:\n\n1 | x"),
    )
    assert answered(session) == [("update_todo_list", "Todo list updated."), ("read_file", "1 | x")]


@pytest.mark.parametrize(("protocol", "sent"), [("openai", 100), ("anthropic", 165), (None, 165)])
def test_the_protocol_says_whether_the_input_holds_what_a_cache_served(protocol: str | None, sent: int) -> None:
    about = {"tokensIn": 100, "tokensOut": 2, "cacheWrites": 5, "cacheReads": 60, "apiProtocol": protocol}
    session = rows(say("api_req_started", json.dumps(about)))
    assert session.tokens == Tokens(sent, 2, 60)


@pytest.mark.parametrize(
    ("mode", "agent"),
    [("<slug>code</slug>\n<name>Code</name>", "Roo Code"), ("code", "Roo Code"), ("ACT MODE", "Cline")],
)
def test_how_the_mode_is_stated_names_the_agent(mode: str, agent: str) -> None:
    context = f"<environment_details>\n# Current Mode\n{mode}\n</environment_details>"
    assert rows(request(f"<task>\nGo\n</task>\n{context}")).agent == agent
