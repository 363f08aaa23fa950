"""Where Codex hides exit codes and errors."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.codex.output import Output, output_of
from analyzer.model.words import Mark
from tests.formats.mutations import ANY_JSON


def texts(*parts: str) -> list[dict[str, str]]:
    return [{"type": "input_text", "text": part} for part in parts]


def result(output: str, code: int | None = None, **more: object) -> str:
    return json.dumps(
        {"chunk_id": "a1", "wall_time_seconds": 0.1, "output": output}
        | ({} if code is None else {"exit_code": code})
        | more
    )


SCRIPT = "Script completed\nWall time 0.4 seconds\nOutput:\n"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(
            json.dumps({"output": "red\n", "metadata": {"exit_code": 2, "duration_seconds": 0.5}}),
            Output("red\n", 2, duration=0.5),
            id="JSON text",
        ),
        pytest.param(
            json.dumps({"output": "aborted by user", "metadata": {"exit_code": 0}}),
            Output("aborted by user", 0),
            id="JSON text: what the program prints is its own",
        ),
        pytest.param(
            "Exit code: 1\nWall time: 0.6 seconds\nOutput:\nred", Output("red", 1, duration=0.6), id="exit code first"
        ),
        pytest.param(
            "Exit code: 0\nWall time: 2 seconds\nTotal output lines: 900\nOutput:\nred",
            Output("red", 0, duration=2.0),
            id="truncated",
        ),
        pytest.param(
            (
                "Chunk ID: f0\nWall time: 0.1 seconds\nProcess exited with code 127\nOriginal token count: "
                "9\nOutput:\nred\n"
            ),
            Output("red\n", 127, duration=0.1),
            id="chunk",
        ),
        pytest.param(
            "Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n",
            Output("Process running with session ID 7", duration=1.0, handle="7"),
            id="still running, silent",
        ),
        pytest.param(
            (
                "Chunk ID: f1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOriginal token count: "
                "1\nOutput:\n50%"
            ),
            Output("50%", duration=1.0, handle="7"),
            id="still running",
        ),
        pytest.param('Wall time: 1.5 seconds\nOutput:\n{"a": 1}', Output('{"a": 1}', duration=1.5), id="other tools"),
        pytest.param("Plan updated", Output("Plan updated"), id="plain"),
        pytest.param("Output:\nx", Output("Output:\nx"), id="no header"),
        pytest.param(texts("one", "two"), Output("one\ntwo"), id="texts"),
        pytest.param(json.dumps([{"type": "text", "text": "one"}]), Output("one"), id="texts as JSON text"),
        pytest.param('[{"a": 1}]', Output('[{"a": 1}]'), id="JSON of a program"),
        pytest.param({"content": "no", "success": False}, Output("no", is_error=True), id="object"),
        pytest.param("a\0b\0", Output("ab"), id="zeroes"),
        pytest.param(None, Output(""), id="nothing"),
        pytest.param(texts(SCRIPT, result("green", 0)), Output("green", 0, duration=0.4), id="script: result"),
        pytest.param(
            texts(SCRIPT, result("green", 0), result("red", 3)),
            Output("green\nred", 3, duration=0.4),
            id="script: the first failure counts",
        ),
        pytest.param(
            texts(SCRIPT, f"[{result('green', 0)}, {result('red', 4)}]"),
            Output("green\nred", 4, duration=0.4),
            id="script: list of results",
        ),
        pytest.param(
            texts(SCRIPT, json.dumps([{"status": "fulfilled", "value": json.loads(result("red", 5))}])),
            Output("red", 5, duration=0.4),
            id="script: settled results",
        ),
        pytest.param(
            texts(SCRIPT, result("50%", None, session_id=4)),
            Output("50%", duration=0.4),
            id="script: result without a code",
        ),
        pytest.param(texts(SCRIPT, "green\n"), Output("green\n", duration=0.4), id="script: text"),
        pytest.param(
            texts(SCRIPT, "Exit code: 6\nWall time: 8.6 seconds\nOutput:\nred"),
            Output("red", 6, duration=0.4),
            id="script: text with header",
        ),
        pytest.param(SCRIPT + "green", Output("green", duration=0.4), id="script: one text"),
        pytest.param(
            texts("Script failed\nWall time 0.0 seconds\nOutput:\n", "Script error:\nTypeError: x"),
            Output("Script error:\nTypeError: x", is_error=True, duration=0.0),
            id="script: failed",
        ),
        pytest.param(
            texts("Script running with cell ID 12\nWall time 30.0 seconds\nOutput:\n"),
            Output("Script running with cell ID 12", duration=30.0, handle="12"),
            id="script: running",
        ),
        pytest.param(
            (
                "failed in sandbox Some with execution error: sandbox denied exec error, exit code: 2, stdout: , "
                "stderr: sh: syntax error"
            ),
            Output("sh: syntax error", 2, is_error=True),
            id="sandbox",
        ),
    ],
)
def test_every_shape_is_read(value: object, expected: Output) -> None:
    assert output_of(value) == expected


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        pytest.param("exec command rejected by user", Mark.DENIED, id="command"),
        pytest.param("patch rejected by user", Mark.DENIED, id="patch"),
        pytest.param("This action was rejected due to unacceptable risk.\nReason: x", Mark.DENIED, id="guardian"),
        pytest.param("`rm -rf x` rejected: blocked by policy", Mark.REJECTED, id="policy"),
        pytest.param("approval policy is Never; reject command", Mark.REJECTED, id="approval"),
        pytest.param("unsupported call: dance", Mark.REJECTED, id="unknown tool"),
        pytest.param("failed to parse function arguments: EOF", Mark.REJECTED, id="arguments"),
        pytest.param(
            'exec_command failed for `x`: CreateProcess { message: "Rejected(\\"no\\")" }',
            Mark.REJECTED,
            id="create process",
        ),
        pytest.param("aborted by user after 3.2s", Mark.INTERRUPTED, id="aborted"),
        pytest.param("Wall time: 3.2 seconds\naborted by user", Mark.INTERRUPTED, id="aborted command"),
        pytest.param("execution error: Io(NotFound)", None, id="error"),
        pytest.param("apply_patch verification failed: no such line", None, id="verification"),
    ],
)
def test_what_codex_says_in_a_tools_place_is_an_error(text: str, mark: Mark | None) -> None:
    output = output_of(text)
    assert (output.text, output.is_error, output.mark, output.exit_code) == (text, True, mark, None)


def test_a_timeout_is_marked() -> None:
    text = "command timed out after 1000 milliseconds\npartly"
    for value in (
        json.dumps({"output": text, "metadata": {"exit_code": 124}}),
        f"Exit code: 124\nWall time: 1 seconds\nOutput:\n{text}",
    ):
        assert (output_of(value).exit_code, output_of(value).mark) == (124, Mark.TIMEOUT)


@given(ANY_JSON)
def test_anything_is_read(value: object) -> None:
    assert isinstance(output_of(value).text, str)
    assert isinstance(output_of([{"type": "input_text", "text": SCRIPT}, value]).text, str)


@given(st.text(alphabet=st.sampled_from("Script completed\nWall time 1.0 seconds Output:0123")))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(output_of(SCRIPT * 3 + text).text, str)
