"""The line that an error is quoted by: with the value that it opens, and of a failure that no reader knows the one that
says most about it."""

from __future__ import annotations

import pytest

from analyzer.failures.evidence import first_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(
            'bad arguments: [\n  {\n    "path": "tide"\n  }\n]\nTry again.',
            'bad arguments: [ { "path": "tide" } ]',
            id="list",
        ),
        pytest.param('\n answer: {\n"code": 4}', 'answer: { "code": 4}', id="object"),
        pytest.param("if tide {\n  rise()\n}", "if tide {", id="code"),
        pytest.param("tides: [", "tides: [", id="nothing follows"),
        pytest.param('tides: [\n  "low",', "tides: [", id="cut off"),
        pytest.param("low tide\nhigh tide", "low tide", id="a line"),
        pytest.param("tides: [" + "\n1," * 2_000 + "\n1]", "tides: [", id="a long list"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_the_line(text: str, line: str) -> None:
    assert first_line(text) == line
