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


@pytest.mark.parametrize(
    ("task", "asked"),
    [
        ('Add a new line to "sea/tide.md" that says "Low at noon"', AskedText("sea/tide.md", "Low at noon", line=True)),
        ('Now add another line that says "Low at noon"', AskedText(None, "Low at noon", line=True)),
        ("Append the line `Low at noon` to tide.md", AskedText("tide.md", "Low at noon", line=True, last=True)),
        ('Add "Low at noon" as a new line at the end of tide.md', AskedText("tide.md", "Low at noon", True, True)),
        ("Create an empty file called tide.md", AskedText("tide.md", "")),
        ('Update tide.md to say "Low at noon"', AskedText("tide.md", "Low at noon")),
        ('Ok now change it to "Low at noon"', AskedText(None, "Low at noon")),
    ],
)
def test_a_line_or_nothing_at_all(task: str, asked: AskedText) -> None:
    assert asked_text(task) == asked


@pytest.mark.parametrize(
    "task",
    [
        'Add a new line above the last one in tide.md that says "Low at noon"',
        'Add another line like "Low at noon" for each port',
        'Add "Low at noon" at the end of it',
        'Add "Low at noon" to it',
        'Update the first line of tide.md to say "Low at noon"',
        'Update the docs to say "Low at noon"',
        'Create an empty file called tide.md with "Low at noon"',
        "Add a line that says when it is low to tide.md",
    ],
)
def test_other_lines_are_other_wishes(task: str) -> None:
    assert asked_text(task) is None
