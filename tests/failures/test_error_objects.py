"""Answers that are JSON objects with an error: whole, cut, and of tools that show files."""

from __future__ import annotations

import json

import pytest

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.build import call, timeline
from tests.tables import table

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


@pytest.mark.parametrize("flag", [None, False])
@table("fine")
def test_other_objects_show_no_failure(tool: str, answer: str, flag: bool | None) -> None:
    (action,) = timeline(call(tool, {"id": "J-7"}, answer, is_error=flag)).actions
    assert action.failure is None


@table("fails")
def test_its_own_words_outrank_a_flag_of_success(tool: str, answer: str, message: str) -> None:
    (action,) = timeline(call(tool, {"berth": 2}, answer, is_error=False)).actions
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
