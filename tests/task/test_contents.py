"""Tasks that are a file and its text."""

from __future__ import annotations

import pytest

from analyzer.task.contents import AskedText, asked_text
from tests.tables import table


@pytest.mark.parametrize(
    "task",
    [
        'Create a file called tide.txt with "High at six" as the content.',
        "Please write 'High at six' to tide.txt",
        "Create a file named `tide.txt` that contains `High at six`.",
        'Create tide.txt in the current directory. Write "High at six" in it.',
        'Could you make a new text file "tide.txt" with the content “High at six”?',
    ],
)
def test_a_file_and_its_text(task: str) -> None:
    assert asked_text(task) == AskedText("tide.txt", "High at six")


@table("every_further_word_is_a_further_wish")
def test_every_further_word_is_a_further_wish(task: str) -> None:
    assert asked_text(task) is None


@table("a_line_or_nothing_at_all")
def test_a_line_or_nothing_at_all(task: str, asked: AskedText) -> None:
    assert asked_text(task) == asked


@table("other_lines_are_other_wishes")
def test_other_lines_are_other_wishes(task: str) -> None:
    assert asked_text(task) is None
