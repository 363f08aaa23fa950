"""What editors put before the words of their users."""

from __future__ import annotations

import pytest

from analyzer.formats.record.prompts import parted

LINKS = "<external_links>\nA page.\n</external_links>"
FILES = '<attached_files path="tide.py">\n<x>1</x>\n</attached_files>'


@pytest.mark.parametrize(
    ("text", "blocks", "words"),
    [
        pytest.param(f"{LINKS}\n\nReview it.", LINKS, "Review it.", id="one block"),
        pytest.param(f"{LINKS}\n{FILES}\nReview it.", f"{LINKS}\n{FILES}", "Review it.", id="two blocks"),
        pytest.param(f"Review it.\n{LINKS}", "", f"Review it.\n{LINKS}", id="behind the words"),
        pytest.param(LINKS, "", LINKS, id="no words"),
        pytest.param("<external_links>\nReview it.", "", "<external_links>\nReview it.", id="never closed"),
        pytest.param("<div>\n1</div>\nWhy?", "", "<div>\n1</div>\nWhy?", id="markup of one word"),
        pytest.param("", "", "", id="nothing"),
    ],
)
def test_the_blocks_and_the_words(text: str, blocks: str, words: str) -> None:
    assert parted(text) == (blocks, words)
