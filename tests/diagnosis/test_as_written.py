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
            "`tide.txt` holds the text that the task asks for, as step 1 shows.",
            id="written and shown by one command",
        ),
        pytest.param(
            [write("tide.txt", "High at six"), read("tide.txt", "High at six")],
            "`tide.txt` holds the text that the task asks for, as step 2 shows.",
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
