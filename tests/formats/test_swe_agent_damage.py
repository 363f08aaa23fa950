"""What is no trajectory of SWE-agent, or is a damaged one."""

from __future__ import annotations

import pytest

from analyzer.formats.record.prompts import issue_of
from tests.formats.events import calls_in
from tests.formats.swe_agent_runs import read


def test_an_entry_that_is_no_object_is_reported() -> None:
    session = read({"trajectory": [{"action": "ls", "observation": "a"}, "torn"], "history": []})

    assert [warning.where for warning in session.warnings] == ["trajectory[1]"]
    assert len(calls_in(session)) == 1


@pytest.mark.parametrize(
    "prompt",
    [
        "----- TASK -----\n" + "\n" * 200_000,
        "----- TASK -----\n" * 20_000,
        "*** START OF EXAMPLE ***\n" + "***\n" * 50_000,
        "<pr_description>" * 20_000,
        "\nISSUE:\n" * 40_000,
        "x" + "\n" * 200_000,
    ],
    ids=["blank lines", "tasks without end", "examples without end", "descriptions", "issues", "only blank lines"],
)
def test_a_prompt_without_its_end_takes_no_longer_than_another(prompt: str) -> None:
    """What had grown with the cube of the prompt's length would run into the limit that every test has."""
    assert issue_of(prompt) == prompt.strip()
