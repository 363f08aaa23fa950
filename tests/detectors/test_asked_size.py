"""What is delivered has another size than the task asks for, and what hasn't."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, diagnosed, edit, findings, read, run, says, user, write

WORDS = "The tide comes in twice a day. " * 4
ESSAY = user("Write an essay of at least 100 words about the tides into tide.md.")
DONE = says("The essay is written.")


def missed(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="asked-size")


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        pytest.param(
            [ESSAY, write("tide.md", WORDS), DONE],
            "The task asks for at least 100 words, and `tide.md` has 28 words (step 1)",
            id="too few words in a file",
        ),
        pytest.param(
            [user("Write bays.json with exactly 3 items."), write("bays.json", "[1, 2]"), DONE],
            "The task asks for exactly 3 items, and `bays.json` has 2 items (step 1)",
            id="too few items",
        ),
        pytest.param(
            [user("Write a log of at most 2 lines."), write("log.txt", "a\nb\nc\n"), DONE],
            "The task asks for at most 2 lines, and `log.txt` has 3 lines (step 1)",
            id="the only file that was made",
        ),
        pytest.param(
            [user("Explain the tides in at least 100 words."), read("tide.md"), says(WORDS)],
            "The task asks for at least 100 words, and the answer has 28 words",
            id="an answer",
        ),
    ],
)
def test_fires(parts: list[Part], title: str) -> None:
    (found,) = missed(*parts)
    assert (found.title, str(found.severity)) == (title, "high")
    assert str(diagnosed(*parts).outcome.status) == "failed"


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([ESSAY, write("tide.md", WORDS * 4), DONE], id="enough"),
        pytest.param([ESSAY, write("tide.md", WORDS), write("tide.md", WORDS * 4), DONE], id="enough in the end"),
        pytest.param([ESSAY, edit("tide.md", "a", WORDS), DONE], id="a file that isn't shown whole"),
        pytest.param([ESSAY, run("python write_essay.py", "ok"), DONE], id="a script wrote it"),
        pytest.param([ESSAY, write("notes.txt", WORDS), DONE], id="another file"),
        pytest.param(
            [user("Write a log of at most 2 lines."), write("a.txt", "a\nb\nc\n"), write("b.txt", "a\n"), DONE],
            id="which of two files isn't known",
        ),
        pytest.param(
            [user("Explain the tides in at most 10 words."), read("tide.md"), says(WORDS)], id="words around the answer"
        ),
        pytest.param(
            [user("Explain the tides in at least 100 words."), read("tide.md"), says(f"{WORDS}…")], id="a cut answer"
        ),
        pytest.param([ESSAY, write("tide.md", WORDS), user("Shorter, please."), DONE], id="the user said more"),
        pytest.param([user("Write about 100 words into tide.md."), write("tide.md", WORDS), DONE], id="about so many"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert missed(*parts) == []
