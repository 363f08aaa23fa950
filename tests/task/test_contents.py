"""Tasks that are a file and its text."""

from __future__ import annotations

import pytest

from analyzer.task.contents import AskedText, asked_text


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


@pytest.mark.parametrize(
    "task",
    [
        'Create tide.txt with "High at six" and run the tests.',
        'Create tide.txt with "High at six" as the first of ten lines.',
        'Create tide.txt with "High at six", but not if it exists.',
        'Create tide.txt and ebb.txt with "High at six".',
        'Create tide.txt with "High at six" or "Low at noon".',
        "Create tide.txt with the times of high water.",
        'Why does tide.txt contain "High at six"?',
        'tide.txt: "High at six"',
        "Create `tide.txt`",
    ],
)
def test_every_further_word_is_a_further_wish(task: str) -> None:
    assert asked_text(task) is None
