"""Which tasks ask for a program, and what is called by what they ask for."""

from __future__ import annotations

import pytest

from analyzer.task.names import asked_for, spoken_of

TASKS = [
    ("Write a Python script that prints the tides.", True),
    ("make me an ai agent in python", True),
    ("Please create a simple 2048 game.", True),
    ("Can you build a small command-line tool for that?", True),
    ("Generate unit tests for the harbour.", True),
    ("Implement a parser for the log.", True),
    ("Fix the parser so that it reads empty lines.", False),
    ("Make the minimal changes to the files in src.", False),
    ("Create a script to reproduce the error and execute it.", False),
    ("Write a test script that confirms the fix.", False),
    ("Make sure that the tests pass.", False),
    ("Why does the script write an empty file?", False),
    ("Do not create new files.", False),
    ("", False),
]


@pytest.mark.parametrize(("task", "asks"), TASKS)
def test_which_tasks_ask_for_a_program(task: str, asks: bool) -> None:
    assert bool(asked_for(task)) == asks


def test_a_file_is_what_was_asked_for_if_all_words_of_its_name_were_said() -> None:
    asked = asked_for("Create a demo script for the tide table.")
    assert spoken_of(asked, "tide_demo.py")
    assert spoken_of(asked, "/w/demo.py")
    assert not spoken_of(asked, "demo_moon.py")
    assert not spoken_of(asked, "1.py")
    assert not spoken_of("", "demo.py")
