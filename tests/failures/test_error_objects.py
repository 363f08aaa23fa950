"""Answers that are JSON objects with an error: whole, cut, and of tools that show files."""

from __future__ import annotations

import json

import pytest

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.build import call, timeline

MISSING = {"status": "error", "tool": "read", "error": "ENOENT: no such file or directory, access '/srv/quay.json'"}
FETCH = {
    "status": "error",
    "tool": "fetch",
    "error": "Fetch failed (404): SECURITY NOTICE: read this first.\n" + "x" * 300,
}


@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "many lines"])
@pytest.mark.parametrize("path", ["/srv/quay.json", "/srv/quay.log", "/srv/quay"])
def test_a_file_that_could_not_be_read(path: str, indent: int | None) -> None:
    (action,) = timeline(call("read", {"path": path}, json.dumps(MISSING, indent=indent), is_error=True)).actions
    assert action.failure is not None
    assert action.failure.kind is K.NOT_FOUND
    assert action.failure.message == MISSING["error"]


@pytest.mark.parametrize("flag", [True, None])
@pytest.mark.parametrize("length", [120, 200, None], ids=str)
@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "many lines"])
def test_an_object_whose_end_is_missing(indent: int | None, length: int | None, flag: bool | None) -> None:
    result = json.dumps(FETCH, indent=indent)[:length]
    (action,) = timeline(call("fetch", {"url": "https://quay.example/x"}, result, is_error=flag)).actions
    assert action.failure is not None
    assert (action.failure.kind, action.failure.type) == (K.NOT_FOUND, "HTTP 404")
    assert action.failure.message.startswith("Fetch failed (404): SECURITY NOTICE")


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(json.dumps({"tides": [1, 2], "error": ""}), id="an empty error"),
        pytest.param(json.dumps({"tides": [1, 2], "status": "high water"})[:30], id="a cut answer without an error"),
        pytest.param('{"level": "error", "text": "gate"}\n{"level": "info", "text": "open"}', id="lines of a log"),
        pytest.param('{"success": fal', id="cut within a word"),
        pytest.param('{"id": "J-7", "state": "failed", "error": "no disk", "ended_at": "9:00"}', id="an old failure"),
        pytest.param('{"id": "J-7", "status": "failed", "error": "no disk", "seen": true}', id="asked for by name"),
        pytest.param('{"success": true, "data": {"id": "J-7", "status": "failed", "error": "no disk"}}', id="found"),
        pytest.param(json.dumps({"code": 200, "msg": "done"}), id="a code that is none of an error"),
        pytest.param(json.dumps({"data": {"tide": 3}, "errors": [{"message": "no wind"}]}), id="a part is there"),
    ],
)
def test_other_objects_show_no_failure(result: str) -> None:
    (action,) = timeline(call("tide_table", {"id": "J-7"}, result)).actions
    assert action.status is not Status.ERROR


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"data": {"rename": None}, "errors": [{"message": "needs a pilot"}]}, "needs a pilot"),
        ({"id": "J-9", "status": "failed", "error": "no disk"}, "no disk"),
        ({"success": "false", "message": "the lock is shut"}, "the lock is shut"),
        ({"code": 40013, "msg": "the quay is full"}, "the quay is full"),
        (
            {"error": "Request failed", "details": {"reason": "the berth is taken"}},
            "Request failed: the berth is taken",
        ),
        ({"status": 403, "body": '{"detail": "no pass"}'}, "no pass"),
    ],
)
def test_an_answer_that_says_why(answer: dict[str, object], message: str) -> None:
    (action,) = timeline(call("moor", {"berth": 3}, json.dumps(answer), is_error=False)).actions
    assert action.failure is not None
    assert action.failure.message == message


def test_a_file_that_holds_such_an_object_was_read() -> None:
    (action,) = timeline(call("read", {"path": "/srv/quay.json"}, json.dumps(MISSING))).actions
    assert action.status is Status.OK


@pytest.mark.parametrize(("word", "failed"), [("Error", True), ("error", True), ("Ok", False), ("errors: 0", False)])
def test_the_status_of_a_response_may_say_so(word: str, failed: bool) -> None:
    answer = json.dumps({"response_status": word, "message": "No data found for the quay."})
    (action,) = timeline(call("tide_table", {"day": 1}, answer)).actions

    assert (action.failure is not None) == failed


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(json.dumps(FETCH), "Fetch failed (404): SECURITY NOTICE: read this first. xxx", id="its status"),
        pytest.param("{'success': False, 'message': 'no such berth'}", "no such berth", id="written by Python"),
        pytest.param(
            """{"error": "", "response": "{'status': 400, 'message': 'bad tide'}"}""", "bad tide", id="within"
        ),
        pytest.param(r'{"result": "{\"ok\": false, \"error\": \"no tide\"}", "took": 3}', "no tide", id="beside"),
        pytest.param('Tool result: {"error": "no tide", "berth": 4}', "no tide", id="behind a heading"),
        pytest.param('{"statusCode": 404, "body": "no quay"}', "status 404", id="a status and a body"),
        pytest.param('{"state": "failed", "message": "no tide"}', "no tide", id="a state"),
        pytest.param('{"result": {"ok": false, "error": "no tide"}, "took": 3}', "no tide", id="an object beside"),
    ],
)
def test_its_own_words_outrank_a_flag_of_success(answer: str, message: str) -> None:
    (action,) = timeline(call("moor", {"berth": 2}, answer, is_error=False)).actions
    assert action.failure is not None
    assert action.failure.message.startswith(message)


@pytest.mark.parametrize(
    "answer",
    [
        '{"status": "ok", "errors": [], "error": null}',
        '{"status": "error_rate", "value": 0.2}',
        '{"ships": [{"status": "failed", "error": "no berth"}], "count": 1}',
        """{"error": "", "response": "{'status': 200, 'message': 'moored'}"}""",
        '{"result": "{\\"error\\": null, \\"depth\\": 3}", "took": 3}',
        '{"statusCode": 200, "body": "moored"}',
        '{"state": "moored", "message": "no tide"}',
        "Error: False\nmoored",
    ],
)
def test_what_only_speaks_of_errors_succeeded(answer: str) -> None:
    (action,) = timeline(call("moor", {"berth": 2}, answer, is_error=False)).actions
    assert action.failure is None
