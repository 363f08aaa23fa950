"""What the results of a Claude Code session say beyond their text."""

from __future__ import annotations

import pytest

from analyzer.model.words import Mark
from tests.formats.claude_code_builders import result, results, said, session_of, text, use


def test_a_repeated_result_is_read_once() -> None:
    again = said("user", 4, [result("call-1", "done")])
    session = session_of(said("assistant", 2, [use("call-1")]), said("user", 3, [result("call-1", "done")]), again)
    assert len(results(session)) == 1


@pytest.mark.parametrize(
    ("content", "is_error", "detail", "expected"),
    [
        pytest.param(
            "Exit code 2\nno such option",
            True,
            "Error",
            ("Exit code 2\nno such option", 2, None),
            id="exit code prefix",
        ),
        pytest.param("Exit code 1", True, "Error", ("Exit code 1", 1, None), id="exit code alone"),
        pytest.param(
            "Exit code 1\nquoted", False, None, ("Exit code 1\nquoted", None, None), id="no prefix without an error"
        ),
        pytest.param("out", False, {"stdout": "out", "stderr": ""}, ("out", 0, None), id="command that ended well"),
        pytest.param("out", None, {"stdout": "out", "stderr": ""}, ("out", 0, None), id="absent flag is no error"),
        pytest.param(
            "part",
            False,
            {"stdout": "part", "stderr": "", "interrupted": True},
            ("part", None, Mark.INTERRUPTED),
            id="interrupted command",
        ),
        pytest.param(
            "",
            False,
            {"stdout": "", "stderr": "", "returnCodeInterpretation": "No matches found"},
            ("", None, None),
            id="return code with a meaning of its own",
        ),
        pytest.param(
            "bg",
            False,
            {"stdout": "", "stderr": "", "backgroundTaskId": "b1"},
            ("bg", None, None),
            id="in the background",
        ),
        pytest.param("1 line", False, {"type": "text", "file": {}}, ("1 line", None, None), id="no command"),
        pytest.param(
            "The user doesn't want to proceed with this tool use. The tool use was rejected.",
            True,
            "User rejected tool use",
            ("The user doesn't want to proceed with this tool use. The tool use was rejected.", None, Mark.DENIED),
            id="denied",
        ),
        pytest.param(
            "Permission to use Bash with command rm has been denied.",
            True,
            "Error",
            ("Permission to use Bash with command rm has been denied.", None, Mark.DENIED),
            id="denied by a rule",
        ),
        pytest.param(
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            True,
            "Error",
            ("Sibling tool call errored", None, Mark.CASCADE),
            id="cascade",
        ),
        pytest.param(
            "<tool_use_error>InputValidationError: Read failed: file_path is missing</tool_use_error>",
            True,
            "Error",
            ("InputValidationError: Read failed: file_path is missing", None, Mark.REJECTED),
            id="invalid arguments",
        ),
        pytest.param(
            "<tool_use_error>Error: No such tool available: Fetch</tool_use_error>",
            True,
            "Error",
            ("Error: No such tool available: Fetch", None, Mark.REJECTED),
            id="unknown tool",
        ),
        pytest.param(
            "<tool_use_error>String to replace not found in file.</tool_use_error>",
            True,
            "Error",
            ("String to replace not found in file.", None, None),
            id="refused by the tool itself",
        ),
        pytest.param(
            "[Request interrupted by user for tool use]",
            True,
            None,
            ("[Request interrupted by user for tool use]", None, Mark.INTERRUPTED),
            id="interrupted by the user",
        ),
        pytest.param(
            "Exit code 143\nCommand timed out after 2m 0s",
            True,
            "Error",
            ("Exit code 143\nCommand timed out after 2m 0s", 143, Mark.TIMEOUT),
            id="timeout",
        ),
        pytest.param(
            "The user doesn't want to proceed with this tool use",
            False,
            None,
            ("The user doesn't want to proceed with this tool use", None, None),
            id="the words in ordinary output mean nothing",
        ),
        pytest.param(
            [text("one"), {"type": "image", "source": {}}, text("two")],
            None,
            [],
            ("one\n[image]\ntwo", None, None),
            id="blocks",
        ),
        pytest.param(
            "1\tx = 1\n\n<system-reminder>\nCheck the file.\n</system-reminder>\n",
            None,
            None,
            ("1\tx = 1", None, None),
            id="appended reminder is cut off",
        ),
        pytest.param(
            "<system-reminder>The file is empty.</system-reminder>",
            None,
            None,
            ("<system-reminder>The file is empty.</system-reminder>", None, None),
            id="reminder alone is the result",
        ),
    ],
)
def test_results(
    content: object, is_error: bool | None, detail: object, expected: tuple[str, int | None, Mark | None]
) -> None:
    session = session_of(
        said("assistant", 2, [use("call-1")]),
        said("user", 3, [result("call-1", content, is_error)], toolUseResult=detail),
    )
    (found,) = results(session)
    assert (found.text, found.exit_code, found.mark) == expected
    assert found.is_error is bool(is_error)  # Claude Code leaves the flag out where nothing failed


def test_detail_of_a_record_with_two_results_belongs_to_neither() -> None:
    both = said("user", 3, [result("call-1", "a"), result("call-2", "b")], toolUseResult={"stdout": "a", "stderr": ""})
    session = session_of(said("assistant", 2, [use("call-1"), use("call-2")]), both)
    assert [r.exit_code for r in results(session)] == [None, None]


def test_duration_is_read_where_the_tool_measured_it() -> None:
    session = session_of(
        said("assistant", 2, [use("call-1", "Glob")]),
        said("user", 3, [result("call-1", "a")], toolUseResult={"durationMs": 1500}),
    )
    assert results(session)[0].duration == 1.5
