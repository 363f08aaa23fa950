"""How a page says that the agent ended its work: by what its words claim, and no more."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, run, says, submit

CHANGE = edit("shapes.py", "sides", "edges")


@pytest.mark.parametrize(
    ("end", "said"),
    [
        pytest.param(says("I've renamed the parameter."), "The agent reports that it is done; ", id="claimed"),
        pytest.param(submit(), "The work was handed in; ", id="without-a-word"),
        pytest.param(submit("I'll hand in what there is."), "The work was handed in; ", id="no-claim"),
        pytest.param(
            says("The parser takes a list of edges."), "The agent ended its work with a message; ", id="other-words"
        ),
    ],
)
def test_how_the_work_ended(end: Part, said: str) -> None:
    assert diagnosed(CHANGE, run("python draw.py", "3"), end).outcome.reason.startswith(said)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        pytest.param(submit("All done."), "Success is claimed, but", id="claimed"),
        pytest.param(submit(), "The work is handed in, but", id="without-a-word"),
    ],
)
def test_success_is_claimed_by_words_only(end: Part, said: str) -> None:
    assert diagnosed(CHANGE, end).outcome.reason == f"{said} no check ran after the last change of code (step 1)."
