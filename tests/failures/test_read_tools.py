"""Results of agents' own tools: refused edits, shown files, searches that find nothing."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.failures import Reading, read
from analyzer.failures.marked import marked_line
from analyzer.model.session import ToolCall
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status, StatusSource
from analyzer.timeline.calls.classify import operation_of
from tests.failures.recorded import failure_of, tool

EDIT = (
    "str_replace_editor",
    {"command": "str_replace", "path": "/srv/tides/curve.py", "old_str": "low", "new_str": "high"},
)
CREATE = ("create", {"path": "/srv/tides/curve.py", "content": "x = 1\n"})
LINE_EDIT = ("edit", {"path": "/srv/tides/curve.py", "start_line": 3, "end_line": 4, "new_text": "low = (1"})
STRING_EDIT = ("Edit", {"file_path": "/srv/tides/curve.py", "old_string": "low", "new_string": "high"})
PATCH = ("apply_patch", {"input": "*** Begin Patch\n*** Update File: curve.py\n@@\n-low\n+high\n*** End Patch"})
VIEW = ("str_replace_editor", {"command": "view", "path": "/srv/tides/curve.py"})
READ = ("Read", {"file_path": "/srv/tides/curve.py"})
OPEN = ("open", {"path": "curve.py", "line": 1})
SEARCH = ("Grep", {"pattern": "sextant", "path": "src"})
FIND = ("find_file", {"file_name": "sextant.py"})
OTHER = ("fetch_tide_table", {"url": "https://example.org/tides"})

LINT_REFUSAL = """Your proposed edit has introduced new syntax error(s). \
Please read this error message carefully and then retry editing the file.

ERRORS:
- E999 SyntaxError: '(' was never closed

This is how your edit would have looked if applied
-------------------------------------------------
[File: /srv/tides/curve.py (40 lines total)]
3:low = (1
-------------------------------------------------
Your changes have NOT been applied. Please fix your edit command and try again.
"""

REFUSED = [
    pytest.param(LINE_EDIT, LINT_REFUSAL, "EditRefused", "E999 SyntaxError: '(' was never closed", id="lint"),
    pytest.param(
        STRING_EDIT,
        "String to replace not found in file.\nString: low",
        "EditNoMatch",
        "not in the file",
        id="not-found",
    ),
    pytest.param(
        STRING_EDIT,
        "File has not been read yet. Read it first before writing to it.",
        "NotRead",
        "has not been read",
        id="not-read",
    ),
    pytest.param(
        STRING_EDIT,
        "File has been modified since read, either by the user or by a linter.",
        "StaleFile",
        "modified",
        id="stale",
    ),
    pytest.param(
        STRING_EDIT,
        "Found 2 matches of the string to replace, but replace_all is false.",
        "EditAmbiguous",
        "2 matches",
        id="two-matches",
    ),
    pytest.param(
        STRING_EDIT,
        "No changes to make: old_string and new_string are exactly the same.",
        "NoOpEdit",
        "No changes",
        id="no-op",
    ),
    pytest.param(
        EDIT,
        "No replacement was performed, old_str `low` did not appear verbatim in /srv/tides/curve.py.",
        "EditNoMatch",
        "not in the file",
        id="not-verbatim",
    ),
    pytest.param(
        EDIT,
        "No replacement was performed. Multiple occurrences of old_str `low` in lines [3, 9].",
        "EditNoMatch",
        "",
        id="not-unique",
    ),
    pytest.param(
        CREATE,
        "File already exists at: /srv/tides/curve.py. Cannot overwrite files using command `create`.",
        "FileExists",
        "already exists",
        id="exists",
    ),
    pytest.param(CREATE, "Error: File 'curve.py' already exists.", "FileExists", "already exists", id="exists-too"),
    pytest.param(
        PATCH,
        "apply_patch verification failed: Failed to find expected lines in curve.py:\nlow",
        "PatchFailed",
        "verification failed",
        id="patch",
    ),
    pytest.param(
        PATCH,
        "patch rejected: writing outside of the project; rejected by user approval settings",
        "PatchFailed",
        "patch rejected",
        id="patch-rejected",
    ),
]


@pytest.mark.parametrize("is_error", [None, True, False], ids=["unrecorded", "recorded", "recorded-as-fine"])
@pytest.mark.parametrize(("call", "text", "error", "says"), REFUSED)
def test_a_refused_edit_is_a_failure(
    call: tuple[str, dict[str, Any]], text: str, error: str, says: str, is_error: bool | None
) -> None:
    verdict = tool(*call, text, is_error)
    failure = failure_of(verdict)
    assert (verdict.status, failure.kind, failure.type) == (Status.ERROR, K.EDIT_REFUSED, error)
    assert says in failure.message
    assert failure.recorded is (is_error is True)


OTHER_FAILURES = [
    pytest.param(READ, "File does not exist. Did you mean curves.py?", K.NOT_FOUND, "FileNotFound", id="no-file"),
    pytest.param(OPEN, "File curve.py not found", K.NOT_FOUND, "FileNotFound", id="no-file-to-open"),
    pytest.param(
        VIEW,
        "The path /srv/tides/curve.py does not exist. Please provide a valid path.",
        K.NOT_FOUND,
        "FileNotFound",
        id="no-path",
    ),
    pytest.param(SEARCH, "Path does not exist: src", K.NOT_FOUND, "FileNotFound", id="search-in-no-path"),
    pytest.param(
        VIEW,
        "Invalid `view_range` parameter: [90, 80]. It should be within the file.",
        K.INVALID_CALL,
        "InvalidCall",
        id="bad-range",
    ),
    pytest.param(
        EDIT,
        "Parameter `old_str` is required for command: str_replace",
        K.INVALID_CALL,
        "InvalidCall",
        id="missing-parameter",
    ),
    pytest.param(OTHER, "Unknown tool: fetch_tide_table", K.INVALID_CALL, "InvalidCall", id="unknown-tool"),
    pytest.param(OTHER, "Error: the harbour is closed", K.OTHER, "Error", id="error"),
    pytest.param(OTHER, "Error executing tool fetch_tide_table: no answer", K.OTHER, "Error", id="error-executing"),
    pytest.param(
        READ,
        "Invalid `path` parameter: /quay. The path /quay does not exist. Please give a valid path.",
        K.NOT_FOUND,
        "FileNotFound",
        id="a parameter that names a missing file",
    ),
    pytest.param(
        READ,
        "Invalid `path` parameter: quay. The path should be absolute.",
        K.INVALID_CALL,
        "InvalidCall",
        id="a parameter of the wrong form",
    ),
    pytest.param(OTHER, "Request timed out after 30 seconds", K.TIMEOUT, "Timeout", id="timeout"),
    pytest.param(
        READ,
        "File content (31000 tokens) exceeds maximum allowed tokens (25000).",
        K.LIMIT,
        "OutputTooLarge",
        id="too-large",
    ),
]


@pytest.mark.parametrize("is_error", [None, True], ids=["unrecorded", "recorded"])
@pytest.mark.parametrize(("call", "text", "kind", "error"), OTHER_FAILURES)
def test_what_a_tool_says_at_the_start_counts(
    call: tuple[str, dict[str, Any]], text: str, kind: K, error: str, is_error: bool | None
) -> None:
    failure = failure_of(tool(*call, text, is_error))
    assert (failure.kind, failure.type) == (kind, error)


SOURCE = (
    "class TideError(Exception):\n    pass\n\n\ndef check(depth):\n    if depth < 0:\n        raise "
    "ValueError('Error: negative')\n"
)
NUMBERED = "".join(f"{number:6}\t{line}\n" for number, line in enumerate(SOURCE.splitlines(), 1))
LOG = """2025-03-01 INFO start
Traceback (most recent call last):
  File "/srv/tides/pilot.py", line 4, in call
    raise ConnectionError("no answer")
ConnectionError: no answer
Command timed out after 30 seconds
File not found: chart.png
Invalid arguments: none given
String to replace not found in file.
patch failed: curve.py:3
"""

FINE = [
    pytest.param(
        EDIT,
        "The file /srv/tides/curve.py has been edited. Here's the result of running `cat -n` on a snippet:\n"
        + NUMBERED,
        id="edit-shows-errors",
    ),
    pytest.param(
        STRING_EDIT,
        (
            "The file /srv/tides/curve.py has been updated.\n     1→class FatalError(Exception):\n     2→    "
            "'''Traceback'''"
        ),
        id="edit-shows-traceback",
    ),
    pytest.param(
        LINE_EDIT,
        (
            "[File: /srv/tides/curve.py (7 lines total)]\n1:class TideError(Exception):\n7:        raise "
            "ValueError('Error')\nFile updated."
        ),
        id="line-edit",
    ),
    pytest.param(CREATE, "File created successfully at: /srv/tides/errors.py", id="create-a-file-of-errors"),
    pytest.param(PATCH, "Success. Updated the following files:\nM curve.py", id="patch"),
    pytest.param(VIEW, "Here's the result of running `cat -n` on /srv/tides/curve.py:\n" + NUMBERED, id="view"),
    pytest.param(READ, NUMBERED, id="read"),
    pytest.param(READ, SOURCE, id="read-without-numbers"),
    pytest.param(
        OPEN,
        "[File: /srv/tides/curve.py (7 lines total)]\n"
        + "".join(f"{n}:{line}\n" for n, line in enumerate(SOURCE.splitlines(), 1)),
        id="open",
    ),
    pytest.param(READ, LOG, id="read-a-log"),
    pytest.param(
        READ, "Error handling\n==============\n\nErrors are raised where they happen.\n", id="read-a-page-about-errors"
    ),
    pytest.param(READ, "Usage: tides [OPTIONS]\n\nPrints the tides.\n", id="read-a-usage-text"),
    pytest.param(SEARCH, "No matches found", id="search-without-matches"),
    pytest.param(SEARCH, "No match found for 'sextant' in src", id="search-without-a-match"),
    pytest.param(SEARCH, "No files found", id="search-without-files"),
    pytest.param(SEARCH, "Found 2 files\nsrc/errors.py\nsrc/error.log", id="search-finds-files-named-error"),
    pytest.param(SEARCH, "src/curve.py:7:        raise ValueError('Error: negative')", id="search-finds-raise"),
    pytest.param(FIND, 'No matches found for "sextant.py" in /srv', id="find-nothing"),
    pytest.param(OTHER, "Low water at 04:10.\nErrors: none\n", id="other-tool"),
    pytest.param(OTHER, '{"error": null, "errors": [], "tides": 2}', id="other-tool-json"),
]


@pytest.mark.parametrize("is_error", [None, False], ids=["unrecorded", "recorded-as-fine"])
@pytest.mark.parametrize(("call", "text"), FINE)
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
