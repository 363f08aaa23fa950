"""Records come one after another, with their places."""

from __future__ import annotations

import json

import pytest

from analyzer.formats.container.document import Document
from analyzer.formats.record.records import records_of, sample_of
from analyzer.model.session import ReadWarning


@pytest.mark.parametrize(
    ("text", "expected", "warned"),
    [
        pytest.param('{"a": 1}\n\nx\n{"a": 2}', [(1, {"a": 1}), (4, {"a": 2})], ["line 3"], id="lines"),
        pytest.param('{"a": 1}', [(1, {"a": 1})], [], id="object"),
        pytest.param('[{"a": 1}, 3]', [(1, {"a": 1})], ["record 2"], id="list"),
        pytest.param("", [], [], id="nothing"),
    ],
)
def test_records_come_with_their_places(text: str, expected: list[tuple[int, object]], warned: list[str]) -> None:
    warnings: list[ReadWarning] = []
    assert [(one.line, one.value) for one in records_of(Document("x", text), warnings)] == expected
    assert [one.where for one in warnings] == warned


def test_a_sample_is_short() -> None:
    many = [{"n": number} for number in range(99)]
    assert len(sample_of(Document("x", json.dumps(many)))) == 40
    assert len(sample_of(Document("x", "\n".join(map(json.dumps, many))))) == 40
