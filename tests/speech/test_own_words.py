"""What an agent says in its own words."""

from __future__ import annotations

import pytest

from analyzer.speech.heard import own_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("It says `moor` here.", f"It says {'·' * 6} here.", id="code"),
        pytest.param('It says "moor" here.', f"It says {'·' * 6} here.", id="a quotation"),
        pytest.param('An "open one\nand "another\nend.', 'An "open one\nand "another\nend.', id="open to the end"),
        pytest.param('An "open one\nand "moor".', f'An "open one\nand {"·" * 6}.', id="open in the line before"),
        pytest.param("```\na `b` c\n```\nDone.", f"   \n{' ' * 7}\n   \nDone.", id="in a fence"),
        pytest.param('> he said "moor"\nYes.', f"{' ' * 16}\nYes.", id="in a quoted line"),
        pytest.param('A ` alone, a "moor".', f"A ` alone, a {'·' * 6}.", id="a mark of another kind before"),
        pytest.param("Nothing quoted; it’s so.", "Nothing quoted; it's so.", id="nothing"),
    ],
)
def test_quoted_text_is_made_dots_line_by_line(text: str, words: str) -> None:
    assert own_words(text) == words
