"""Where Codex hides exit codes and errors."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.codex.output import output_of
from analyzer.model.words import Mark
from tests.formats.mutations import ANY_JSON
from tests.tables import table

SCRIPT = "Script completed\nWall time 0.4 seconds\nOutput:\n"


@table("every_shape_is_read")
def test_every_shape_is_read(value: object, expected: dict[str, object]) -> None:
    assert {part: getattr(output_of(value), part) for part in expected} == expected


@table("what_codex_says_in_a_tools_place_is_an_error")
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
