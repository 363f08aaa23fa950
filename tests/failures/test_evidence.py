"""What a result says doesn't depend on who brought it: each sort of evidence in several calls, beside harmless "
"twins."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.failures import Reading, Verdict, read
from analyzer.model.session import ToolCall
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from analyzer.timeline.calls.classify import operation_of
from tests.failures.recorded import shell, tool

Call = tuple[str, dict[str, Any]]

FUNCTION: Call = ("harbour.book_berth", {"boat": "heron"})
MCP: Call = ("mcp__harbour__get_pilot", {"id": "7"})
PROGRAM: Call = ("bash", {"command": "python berths.py"})
READER: Call = ("read_file", {"path": "src/berths.py"})
VIEWER: Call = ("bash", {"command": "cat harbour.log"})
LOG: Call = ("read_file", {"path": "logs/harbour.log"})
SEARCH: Call = ("search", {"query": "berth"})

TRACE = (
    'Traceback (most recent call last):\n  File "/srv/harbour/desk.py", line 44, in call\n    ropes[n] = moor(wanted)\n'
    "               ^^^^^^^^^^^^\nKeyError: 'heron'\n"
)
PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


def judged(call: Call, text: str | None, exit_code: int | None = None, is_error: bool | None = None) -> Verdict:
    operation = operation_of(ToolCall("1", *call))
    return read(Reading(text, operation, call[0], exit_code, is_error))


ANSWERS = [
    pytest.param("Error: the berth is taken", K.OTHER, "Error", id="error-colon"),
    pytest.param("Failed to moor heron: connection refused", K.OTHER, "Failed", id="failed-to"),
    pytest.param("Failure: the pilot did not answer", K.OTHER, "Failed", id="failure-colon"),
    pytest.param("get_pilot returned: Error: no such pilot", K.OTHER, "Failed", id="returned-error"),
    pytest.param("Error executing tool book_berth: rope is None", K.OTHER, "Error", id="error-executing"),
    pytest.param("Sorry, an error occurred.", K.OTHER, "ServiceError", id="sorry"),
    pytest.param("KeyError: 'heron'", K.OTHER, "KeyError", id="exception-line"),
    pytest.param("harbour.errors.BerthTakenError: heron", K.OTHER, "harbour.errors.BerthTakenError", id="dotted"),
    pytest.param("ValueError: too long\nSee the manual.\n", K.OTHER, "ValueError", id="exception-and-more"),
    pytest.param(TRACE, K.EXCEPTION, "KeyError", id="traceback"),
    pytest.param('{"error": "the berth is taken"}', K.OTHER, "Error", id="json-error"),
    pytest.param("{'error': 'the berth is taken'}", K.OTHER, "Error", id="dictionary"),
    pytest.param('{"error": {"code": 404, "message": "no berth"}}', K.NOT_FOUND, "HTTP 404", id="json-error-object"),
    pytest.param('{"error": "HTTP 429: Too Many Requests"}', K.NETWORK, "HTTP 429", id="json-error-with-a-status"),
    pytest.param('{"status": 409, "error": "taken meanwhile"}', K.NETWORK, "HTTP 409", id="json-error-beside-a-status"),
    pytest.param('{"success": false, "message": "taken"}', K.OTHER, "Error", id="not-a-success"),
    pytest.param('{"status": "error", "message": "taken"}', K.OTHER, "Error", id="status-error"),
    pytest.param('{"errors": [{"message": "no berth"}]}', K.OTHER, "Error", id="list-of-errors"),
    pytest.param('{"detail": "Not found."}', K.OTHER, "Error", id="detail"),
    pytest.param('[{"type": "text", "text": "Error: taken"}]', K.OTHER, "Error", id="content-parts"),
    pytest.param(
        "HTTPError: 404 Client Error: Not Found for url: https://h.test/7", K.NOT_FOUND, "HttpError", id="404"
    ),
    pytest.param("Request failed with status code 503", K.NETWORK, "HttpError", id="status-code"),
    pytest.param("Tool book_berth not found", K.INVALID_CALL, "InvalidCall", id="no-such-tool"),
    pytest.param("Unknown action book_berth", K.INVALID_CALL, "InvalidCall", id="unknown-action"),
    pytest.param(
        "book_berth() got an unexpected keyword argument 'boats'", K.INVALID_CALL, "InvalidArguments", id="keyword"
    ),
    pytest.param(
        "1 validation error for Berth\nboat\n  Field required", K.INVALID_CALL, "InvalidArguments", id="schema"
    ),
    pytest.param("MCP error -32602: Invalid params", K.INVALID_CALL, "InvalidArguments", id="mcp-code"),
    pytest.param(
        "The tool was not executed because the call before it failed.", K.CASCADE, "NotExecuted", id="not-run"
    ),
    pytest.param("Command timed out after 30 seconds", K.TIMEOUT, "Timeout", id="timeout"),
    pytest.param("Command blocked by policy: no boats", K.PERMISSION, "Blocked", id="blocked"),
    pytest.param("The user doesn't want to proceed with this.", K.DENIED, "UserRejected", id="refused"),
    pytest.param("This command requires approval", K.DENIED, "ApprovalNeeded", id="approval"),
    pytest.param(
        "The agent asked for permission to write a.py, but you haven't granted it yet.",
        K.DENIED,
        "ApprovalNeeded",
        id="not granted yet",
    ),
    pytest.param("Tool call limit reached: 30 of 30", K.LIMIT, "LimitReached", id="limit"),
    pytest.param("Permission denied: /srv/ropes", K.PERMISSION, "PermissionDenied", id="permission"),
    pytest.param("Rate limit exceeded, try again later", K.NETWORK, "RateLimited", id="rate-limit"),
]


@pytest.mark.parametrize(("text", "kind", "error"), ANSWERS)
@pytest.mark.parametrize("call", [FUNCTION, MCP], ids=["function", "mcp"])
def test_an_answer_that_is_an_error(call: Call, text: str, kind: K, error: str) -> None:
    verdict = judged(call, text)
    assert verdict.status is Status.ERROR
    assert verdict.failure is not None
    assert (verdict.failure.kind, verdict.failure.type) == (kind, error)
    assert verdict.decided_by


@pytest.mark.parametrize("text", [each.values[0] for each in ANSWERS], ids=[str(each.id) for each in ANSWERS])
def test_a_file_that_is_shown_may_hold_any_of_them(text: str) -> None:
    assert judged(VIEWER, f"moored\n{text}\nleft the harbour\nmoored again\n").failure is None


HARMLESS = [
    pytest.param('{"error": null, "start": "10:30"}', id="no-error"),
    pytest.param('{"error": false, "berth": 3}', id="error-is-false"),
    pytest.param('{"success": true, "message": "moored"}', id="success"),
    pytest.param('{"errors": []}', id="no-errors"),
    pytest.param('{"status": "failed", "order": 7, "payment": "card"}', id="the-order-failed"),
    pytest.param('{"berths": [{"id": 1, "error": "rope"}]}', id="an-error-in-a-record"),
    pytest.param('{"error_rate": 0.2}', id="another-key"),
    pytest.param('{"code": 200, "message": "fine"}', id="code-200"),
    pytest.param("The error rate fell to 2 %.", id="prose"),
    pytest.param('Changed the message to "Failed to moor"', id="a-quoted-message"),
    pytest.param("Failed logins: 0", id="a-count-of-none"),
    pytest.param("Ticket 404 is closed", id="number-404"),
    pytest.param("HTTP 200 OK", id="http-200"),
    pytest.param("Timeout set to 30 seconds", id="a-setting"),
    pytest.param("EACCES means that permission was denied.", id="an-explanation"),
    pytest.param("2 passed", id="passed"),
    pytest.param("Subject: Error in the bill\n\nDear harbour master,\nplease look at it.\n", id="a-letter"),
    pytest.param(
        "Dear all,\n" + 8 * "we moored well.\n" + "KeyError: nobody knows why\nYours\nHeron\nPS\n", id="inside"
    ),
]


@pytest.mark.parametrize("text", HARMLESS)
@pytest.mark.parametrize("call", [FUNCTION, MCP, READER, SEARCH, LOG], ids=["function", "mcp", "read", "search", "log"])
def test_an_answer_that_is_none(call: Call, text: str) -> None:
    assert judged(call, text).failure is None


@pytest.mark.parametrize(
    "text", ["test_a ok\n2 failed, 1 passed", "FAILED test_a.py::test_b - assert 1 == 2\n1 failed in 0.02s", TRACE]
)
@pytest.mark.parametrize("is_error", [None, False])
def test_any_tool_may_run_tests(text: str, is_error: bool | None) -> None:
    for name in ("run_tests", "verify_harbour", "mcp__ci__run_checks"):
        assert judged((name, {}), text, is_error=is_error).status is Status.ERROR


def test_a_program_named_by_a_path_is_somebodys_own() -> None:
    assert shell("bin/test tests/berths", "E   assert 1 == 2\n== 1 failed in 0.02s ==\n").status is Status.ERROR
    assert shell("/usr/bin/tail harbour.log", "== 1 failed in 0.02s ==\n").failure is None


MASKED = [
    pytest.param('./moor; echo "EXIT=$?"', "mooring\nEXIT=2\n", Status.ERROR, id="echoed"),
    pytest.param('./moor; echo "EXIT=$?"', "mooring\nEXIT=0\n", Status.OK, id="echoed-zero"),
    pytest.param('grep -q heron log; echo "EXIT=$?"', "EXIT=1\n", Status.OK, id="an-answer-is-echoed"),
    pytest.param(
        "make all | tail -2", "cc a.c\nmake: *** [Makefile:9: all] Error 1\n", Status.ERROR, id="behind-a-pipe"
    ),
    pytest.param("pytest -q || true", "F\n1 failed in 0.02s\n", Status.ERROR, id="or-true"),
    pytest.param("pytest -q || true", ".\n1 passed in 0.02s\n", Status.OK, id="or-true-and-fine"),
]


@pytest.mark.parametrize(("command", "text", "status"), MASKED)
def test_masked_ends_are_looked_through(command: str, text: str, status: Status) -> None:
    assert shell(command, text, 0).status is status


HIDDEN = [
    pytest.param('{"output": "mooring\\n", "metadata": {"exit_code": 3}}', id="metadata"),
    pytest.param('{"stdout": "mooring\\n", "stderr": "", "returncode": 3}', id="returncode"),
    pytest.param("<returncode>3</returncode>\n<output>\nmooring\n</output>", id="tags"),
    pytest.param("Exit code: 3\nmooring\n", id="above"),
    pytest.param("mooring\n[Command finished with exit code 3]", id="below"),
    pytest.param("mooring\nProcess exited with code 3\n(Current directory: /srv)\nbash-$", id="below-and-a-prompt"),
    pytest.param('{"output": "{\\"output\\": \\"mooring\\", \\"metadata\\": {\\"exit_code\\": 3}}"}', id="twice"),
]


@pytest.mark.parametrize("text", HIDDEN)
def test_exit_codes_hide_in_the_text(text: str) -> None:
    assert judged(PROGRAM, text).status is Status.ERROR
    assert judged(PROGRAM, text.replace("3", "0")).status is Status.OK


@pytest.mark.parametrize(
    "text",
    [
        '{"stdout": "", "stderr": "bash: line 1: mooring-check: command not found\\n", "success": true}',
        '{"output": "", "stderr": "/bin/sh: 1: mooring-check: not found"}',
        '{"stdout": "", "stderr": "", "success": false}',
    ],
    ids=["bash", "sh", "flag"],
)
def test_what_a_program_wrote_to_its_errors_outranks_a_flag_that_says_fine(text: str) -> None:
    call: Call = ("execute", {"command": "mooring-check --all"})
    assert judged(call, text, is_error=False).status is Status.ERROR


def test_a_warning_in_the_errors_of_a_program_is_no_failure() -> None:
    text = '{"stdout": "moored", "stderr": "note: the tide is low", "success": true}'
    assert judged(("execute", {"command": "moor"}), text, is_error=False).status is Status.OK


DRESSES = [
    pytest.param(lambda line: f"2026-03-01T09:30:00.137Z {line}", id="time-stamps"),
    pytest.param(lambda line: f"pier-1  | {line}", id="service"),
    pytest.param(lambda line: f"    {line}", id="indented"),
    pytest.param(lambda line: f"\x1b[31m{line}\x1b[0m", id="coloured"),
    pytest.param(lambda line: f"{line}\r", id="carriage-returns"),
]


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("call", [FUNCTION, PROGRAM], ids=["function", "shell"])
def test_the_same_trace_in_another_dress(call: Call, dress: Any) -> None:
    verdict = judged(call, "\n".join(dress(line) for line in TRACE.splitlines()))
    assert verdict.failure is not None
    assert (verdict.failure.type, verdict.failure.message) == ("KeyError", "'heron'")
    assert [(frame.file, frame.line) for frame in verdict.failure.frames] == [("/srv/harbour/desk.py", 44)]


PAGES = [
    pytest.param(PAGE, K.NETWORK, "HttpError", id="error-page"),
    pytest.param("Just a moment...\nChecking your browser before accessing h.test", K.PERMISSION, "BotWall", id="wall"),
    pytest.param("Your prompt was blocked by our content policy.", K.OTHER, "ContentFiltered", id="filter"),
]


@pytest.mark.parametrize(("text", "kind", "error"), PAGES)
def test_what_a_request_got_instead_of_an_answer(text: str, kind: K, error: str) -> None:
    verdict = tool("web_fetch", {"url": "https://h.test/7"}, text)
    assert verdict.failure is not None
    assert (verdict.failure.kind, verdict.failure.type) == (kind, error)


@pytest.mark.parametrize("answer", ["404", "HTTP:404", PAGE + "\n502"])
@pytest.mark.parametrize("code", [0, None])
def test_a_status_that_was_asked_for_is_an_answer(answer: str, code: int | None) -> None:
    asked = shell("curl -s -w '\\nHTTP:%{http_code}' https://h.test/7", answer, exit_code=code)
    assert asked.status is Status.OK


def test_an_error_page_that_a_request_prints_is_a_failure() -> None:
    assert shell("curl -s https://h.test/7", PAGE, exit_code=None).status is Status.ERROR


def test_a_page_about_errors_is_a_page() -> None:
    text = "# Errors\n\nA request that fails gets HTTP 404 Not Found or a body like {'error': 'x'}.\n" * 3
    assert tool("web_fetch", {"url": "https://h.test/errors"}, text).failure is None


UNKNOWN = [
    pytest.param(None, "no result is recorded", id="no-result"),
    pytest.param("  \n", "the result is empty", id="empty"),
    pytest.param("Process running with session ID 7", "harness", id="still-running"),
    pytest.param("[Old tool result content cleared]", "harness", id="left-out"),
    pytest.param(
        "=== test session starts ===\ncollected 3 items\n<response clipped>", "test-report", id="a-cut-report"
    ),
]


@pytest.mark.parametrize(("text", "decided"), UNKNOWN)
def test_where_there_is_nothing_to_go_by(text: str | None, decided: str) -> None:
    verdict = judged(("bash", {"command": "pytest -q"}), text)
    assert verdict.status is Status.UNKNOWN
    assert verdict.decided_by is not None
    assert verdict.decided_by.startswith(decided)


def test_a_running_server_that_crashed_has_failed() -> None:
    text = "Command is still running in the terminal.\nHere's the output so far:\n" + TRACE
    assert judged(PROGRAM, text).status is Status.ERROR


@pytest.mark.parametrize(
    ("exit_code", "is_error", "text", "decided", "least"),
    [
        (1, None, "no", "exit code 1", 1.0),
        (0, None, "yes", "exit code 0", 0.9),
        (None, True, "no", "the log's flag", 1.0),
        (None, None, TRACE, "stack-trace: Traceback", 0.7),
        (None, None, "moored", "nothing in the result speaks of a failure", 0.5),
    ],
)
def test_what_decided(exit_code: int | None, is_error: bool | None, text: str, decided: str, least: float) -> None:
    verdict = judged(PROGRAM, text, exit_code, is_error)
    assert verdict.decided_by is not None
    assert verdict.decided_by.startswith(decided)
    assert verdict.confidence >= least
