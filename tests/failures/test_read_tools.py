"""Results of agents' own tools: refused edits, shown files, searches that find nothing."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.failures import Reading, read
from analyzer.failures.readers.recorded import marked_line
from analyzer.model.session import ToolCall
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status, StatusSource
from analyzer.timeline.calls.classify import operation_of
from tests.failures.recorded import failure_of, tool
from tests.tables import table

READ = ("Read", {"file_path": "/srv/tides/curve.py"})
OTHER = ("fetch_tide_table", {"url": "https://example.org/tides"})


@pytest.mark.parametrize("is_error", [None, True, False], ids=["unrecorded", "recorded", "recorded-as-fine"])
@table("refused")
def test_a_refused_edit_is_a_failure(
    call: tuple[str, dict[str, Any]], text: str, error: str, says: str, is_error: bool | None
) -> None:
    verdict = tool(*call, text, is_error)
    failure = failure_of(verdict)
    assert (verdict.status, failure.kind, failure.type) == (Status.ERROR, K.EDIT_REFUSED, error)
    assert says in failure.message
    assert failure.recorded is (is_error is True)


@pytest.mark.parametrize("is_error", [None, True], ids=["unrecorded", "recorded"])
@table("other_failures")
def test_what_a_tool_says_at_the_start_counts(
    call: tuple[str, dict[str, Any]], text: str, kind: K, error: str, is_error: bool | None
) -> None:
    failure = failure_of(tool(*call, text, is_error))
    assert (failure.kind, failure.type) == (kind, error)


@pytest.mark.parametrize("is_error", [None, False], ids=["unrecorded", "recorded-as-fine"])
@table("fine")
def test_nothing_failed(call: tuple[str, dict[str, Any]], text: str, is_error: bool | None) -> None:
    verdict = tool(*call, text, is_error)
    assert verdict.failure is None
    assert (verdict.status, verdict.source) == (
        Status.OK,
        StatusSource.INFERRED if is_error is None else StatusSource.RECORDED,
    )


@pytest.mark.parametrize(("is_error", "status"), [(None, Status.UNKNOWN), (False, Status.OK), (True, Status.ERROR)])
def test_an_empty_result_says_nothing_by_itself(is_error: bool | None, status: Status) -> None:
    assert tool(*READ, "", is_error).status is status


def test_a_recorded_error_without_a_known_text_keeps_its_sharpest_line() -> None:
    failure = failure_of(tool(*OTHER, "Contacting the harbour\nThe harbour could not be reached\nBye", True))
    assert (failure.kind, failure.type, failure.message) == (K.OTHER, "Error", "The harbour could not be reached")


def test_a_recorded_error_without_text_names_the_tool() -> None:
    assert failure_of(tool(*OTHER, "", True)).message == "fetch_tide_table: failed"


@pytest.mark.parametrize("prefix", ["", "error: ", "Error: ", "ERROR: ", "ERROR:\n"])
def test_what_stands_before_a_refusal_does_not_matter(prefix: str) -> None:
    found = failure_of(
        tool(
            "edit",
            {"path": "quay/boat.py", "old": "a", "new": "b"},
            f"{prefix}Failed to find expected lines in /srv/quay/boat.py:\nsail()",
            True,
        )
    )
    assert (found.kind, found.type) == (K.EDIT_REFUSED, "EditNoMatch")


def test_a_headline_does_not_say_error_twice() -> None:
    assert (
        failure_of(tool("moor", {"berth": 7}, "error: the berth is taken", True)).headline
        == "error: the berth is taken"
    )


def test_a_long_answer_that_begins_with_an_error_and_shows_its_trace() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/srv/tides/pilot.py", line 4, in call\n    raise '
        'ConnectionError("no answer")\nConnectionError: no answer\n'
    )
    found = failure_of(
        tool("ask_pilot", {"question": "depth"}, "Error processing the message\n" + trace + "log line\n" * 400)
    )
    assert found.headline == "ConnectionError: no answer"


def test_the_log_s_own_word_for_an_error() -> None:
    operation = operation_of(ToolCall("1", "moor", {"berth": 7}))
    found = failure_of(read(Reading("You may not.", operation, "moor", None, True, error_type="permission")))
    assert (found.kind, found.type) == (K.PERMISSION, "Permission")


@pytest.mark.parametrize(
    ("word", "type_"), [("not_allowed", "NotAllowed"), ("MooringError", "MooringError"), ("QUAY_CLOSED", "QuayClosed")]
)
def test_a_name_of_the_log_for_an_error_keeps_its_capitals(word: str, type_: str) -> None:
    operation = operation_of(ToolCall("1", "moor", {"berth": 7}))
    found = failure_of(read(Reading("You may not.", operation, "moor", None, True, error_type=word)))
    assert found.type == type_


def test_a_lint_step_quotes_the_marked_line() -> None:
    text = (
        "# Fix any errors below, if possible.\n\n## See relevant line below marked with █.\n\nquay/boat.py:\n 3│def "
        "sail():\n 4█    retrun oars\n"
    )
    found = failure_of(tool("lint", {"path": "quay/boat.py"}, text, True))
    assert (found.kind, found.message) == (K.LINT, "line 4 is marked without a message: retrun oars")
    assert [(frame.file, frame.line, frame.code) for frame in found.frames] == [("quay/boat.py", 4, "retrun oars")]


def test_a_lint_step_with_a_message_quotes_that() -> None:
    text = (
        "quay/boat.py:4:5: F821 undefined name 'oars'\n\n## See relevant line below marked with █.\n\nquay/boat.py:\n"
        " 3│def sail():\n 4█    retrun oars\n"
    )
    found = failure_of(tool("lint", {"path": "quay/boat.py"}, text, True))
    assert found.message == "F821: undefined name 'oars'"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("quay/boat.py:\n 3│def sail():\n 4│    return oars\n", id="nothing is marked"),
        pytest.param("> 4 boats\n> 9 oars\n", id="a quotation"),
        pytest.param("3> def sail():\n", id="a single line"),
    ],
)
def test_no_line_is_marked(text: str) -> None:
    assert marked_line(text) is None


def test_a_label_alone_is_no_message() -> None:
    assert (
        failure_of(tool("view_chart", {"berth": 7}, "ERROR:\nthe chart is under water\n", True)).message
        == "the chart is under water"
    )


def test_a_tool_that_runs_code_shows_what_it_raised() -> None:
    text = "  File \"/tmp/code.py\", line 1\n    print(low\n         ^\nSyntaxError: '(' was never closed\n"
    assert failure_of(tool("python", {"code": "print(low"}, text, True)).type == "SyntaxError"


def test_one_line_of_a_viewer_that_announces_an_error_outranks_its_flag() -> None:
    said = "Error: Path '/srv/tides': path_not_found"
    assert tool("ls", {"path": "/srv/tides"}, said, is_error=False).status is Status.ERROR
    assert tool(*READ, f"{said}\nsecond line\n", is_error=False).status is Status.OK
