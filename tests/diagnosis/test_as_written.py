"""Files that hold the text that the task asks for."""

from __future__ import annotations

import pytest

from analyzer.model.words import Basis, OutcomeStatus
from tests.build import Part, diagnosed, edit, read, run, says, user, write

ASKED = user('Create a file called tide.txt with "High at six" as the content.')
DONE = says("Created tide.txt.")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        pytest.param(
            [run("printf 'High at six\\n' > tide.txt && cat tide.txt", "High at six\n")],
            "`tide.txt` holds the text that the task asks for.",
            id="written and shown by one command",
        ),
        pytest.param(
            [write("tide.txt", "High at six"), read("tide.txt", "High at six")],
            "`tide.txt` holds the text that the task asks for.",
            id="read back",
        ),
        pytest.param(
            [write("/srv/tide.txt", "High at six\n")],
            "`/srv/tide.txt` holds the text that the task asks for.",
            id="written",
        ),
        pytest.param(
            [write("tide.txt", "High at ten"), edit("tide.txt", "ten", "six")],
            "`tide.txt` holds the text that the task asks for.",
            id="mended",
        ),
    ],
)
def test_the_text_is_there(parts: list[Part], reason: str) -> None:
    outcome = diagnosed(ASKED, *parts, DONE).outcome
    assert (outcome.status, outcome.basis, outcome.reason) == (OutcomeStatus.SUCCEEDED, Basis.DELIVERABLE, reason)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([write("tide.txt", "High at seven"), DONE], id="another text"),
        pytest.param([write("tides.txt", "High at six"), DONE], id="another file"),
        pytest.param([write("tide.txt", "High at six"), write("ebb.py", "x = 1"), DONE], id="more than was asked for"),
        pytest.param([write("tide.txt", "High at six", "Error: read-only file system"), DONE], id="not written"),
        pytest.param([write("tide.txt", "High at six"), DONE, user("And the low?"), DONE], id="asked for more later"),
    ],
)
def test_the_text_is_not_known_to_be_there(parts: list[Part]) -> None:
    assert diagnosed(ASKED, *parts).outcome.status is not OutcomeStatus.SUCCEEDED


LINE = user('Add a new line to "tide.md" that says "Low at noon".')
MORE = user('Now add another line that says "High at six".')
WAS = read("tide.md", "# Tides\nHigh at one")
LOW = edit("tide.md", "High at one", "High at one\nLow at noon")
HIGH = edit("tide.md", "Low at noon", "Low at noon\nHigh at six")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        pytest.param([LINE, WAS, LOW, DONE], "`tide.md` holds the line that the task asks for.", id="a line"),
        pytest.param(
            [LINE, WAS, LOW, DONE, MORE, HIGH, DONE],
            "`tide.md` holds the lines that the task asks for.",
            id="two lines",
        ),
        pytest.param(
            [LINE, run("cat tide.md", "# Tides\n"), run("echo 'Low at noon' >> tide.md"), DONE],
            "`tide.md` holds the line that the task asks for.",
            id="by a command",
        ),
        pytest.param(
            [user('Create tide.md with "High at one".'), write("tide.md", "High at one"), DONE, LINE, LOW, DONE],
            "`tide.md` holds the lines that the task asks for.",
            id="a new file, and a line more",
        ),
        pytest.param(
            [
                *(user('Create tide.md with "High at one".'), write("tide.md", "High at one"), DONE),
                *(user('Now update it to say "Low at noon".'), write("tide.md", "Low at noon"), DONE),
            ],
            "`tide.md` holds the text that the task asks for.",
            id="another text in its place",
        ),
        pytest.param(
            [user("Create an empty file called tide.md"), write("tide.md", ""), DONE],
            "`tide.md` is empty, as the task asks.",
            id="an empty file",
        ),
    ],
)
def test_the_lines_are_there(parts: list[Part], reason: str) -> None:
    outcome = diagnosed(*parts).outcome
    assert (outcome.status, outcome.basis, outcome.reason) == (OutcomeStatus.SUCCEEDED, Basis.DELIVERABLE, reason)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([LINE, WAS, edit("tide.md", "High at one", "High at one\nLow at ten"), DONE], id="another text"),
        pytest.param(
            [LINE, WAS, edit("tide.md", "High at one", "Low at noon"), DONE], id="in the place of another line"
        ),
        pytest.param([LINE, WAS, edit("tide.md", "High at one", "High at one, Low at noon"), DONE], id="within a line"),
        pytest.param([LINE, LOW, DONE], id="the rest isn't known"),
        pytest.param(
            [user('Update tide.md to say "Low at noon".'), WAS, LOW, DONE], id="added to what was to be replaced"
        ),
        pytest.param([LINE, WAS, LOW, DONE, MORE, DONE], id="one of two"),
        pytest.param([LINE, WAS, LOW, DONE, user("Thanks. Now count the lines in ebb.md."), DONE], id="something else"),
        pytest.param(
            [
                user('Append the line "Low at noon" to tide.md.'),
                WAS,
                edit("tide.md", "# Tides", "# Tides\nLow at noon"),
            ],
            id="not at the end",
        ),
    ],
)
def test_the_lines_are_not_known_to_be_there(parts: list[Part]) -> None:
    assert diagnosed(*parts).outcome.status is not OutcomeStatus.SUCCEEDED
