"""The opening of a document: as many characters as are asked for, whatever they take in bytes."""

from __future__ import annotations

import pytest

from analyzer.formats.container.document import Document


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("tide", id="shorter than what is asked for"),
        pytest.param("a" * 40, id="one byte each"),
        pytest.param("é" * 40, id="two bytes each"),
        pytest.param("潮" * 40, id="three bytes each"),
        pytest.param("🌊" * 40, id="four bytes each"),
        pytest.param("a🌊" * 20, id="in turns"),
    ],
)
@pytest.mark.parametrize("size", [0, 1, 9, 10, 40])
def test_it_is_the_beginning_of_the_text(text: str, size: int) -> None:
    assert Document("run.log", text).opening(size) == text[:size]


def test_bytes_that_are_no_text_are_replaced_as_in_the_text() -> None:
    document = Document("run.log", b"tide\xff\xf0\x9f out")
    assert document.opening(6) == document.text[:6]
