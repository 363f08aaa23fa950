"""What is said of edits that their tool refuses fits the reason of the refusal."""

from __future__ import annotations

import pytest

from analyzer.model.postmortem import PostMortem
from tests.build import Part, diagnosed, edit, run, traceback, write

SYNTAX = "Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent"


def advice(made: PostMortem) -> str:
    parts = [*made.diagnosis.step_back, *(f"{way.title}: {way.text}" for way in made.diagnosis.approaches)]
    return " ".join(parts)


def test_of_a_whole_text_that_a_checker_refuses_nothing_is_said_about_ranges() -> None:
    said = advice(diagnosed(*(write("tides.py", f"x = {n}\n  y", SYNTAX, is_error=True) for n in range(4))))
    assert "unexpected indent" in said
    assert "range" not in said
    assert "larger" not in said
    assert "to be replaced" not in said


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("File has not been read yet. Read it first before writing to it.", "right before the edit"),
        ("File has been modified since read", "again right before the edit"),
    ],
)
def test_a_file_that_must_be_read_first_is_to_be_read(answer: str, words: str) -> None:
    said = advice(diagnosed(*(edit("tides.py", f"x{n}", "y", answer, is_error=True) for n in range(4))))
    assert words in said
    assert "larger" not in said


def test_the_message_to_the_agent_names_no_file_whose_edits_were_refused() -> None:
    failing = traceback("KeyError: 'heron'", ("tides.py", 7, "level", "return levels[name]"))
    refused = edit("piers.py", "c", "d", "String to replace not found in file.", is_error=True)
    rounds: list[Part] = [
        [
            edit("tides.py", f"a{n}", "b"),
            *([refused] if n == 1 else []),
            run("python tides.py", failing, 1),
        ]
        for n in range(4)
    ]
    sketches = [idea.sketch or "" for idea in diagnosed(*rounds).diagnosis.improvements]
    (prompt,) = (text for text in sketches if "In between you edited only" in text)
    assert "In between you edited only: tides.py." in prompt
