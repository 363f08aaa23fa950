"""Records come one after another, with their places."""

from __future__ import annotations

import json

from analyzer.formats.container.document import Document
from analyzer.formats.record.records import records_of, sample_of
from analyzer.model.session import ReadWarning
from tests.tables import table


@table("records_come_with_their_places")
def test_records_come_with_their_places(text: str, expected: list[tuple[int, object]], warned: list[str]) -> None:
    warnings: list[ReadWarning] = []
    assert [(one.line, one.value) for one in records_of(Document("x", text), warnings)] == expected
    assert [one.where for one in warnings] == warned


def test_a_sample_is_short() -> None:
    many = [{"n": number} for number in range(99)]
    assert len(sample_of(Document("x", json.dumps(many)))) == 40
    assert len(sample_of(Document("x", "\n".join(map(json.dumps, many))))) == 40
