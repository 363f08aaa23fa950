"""What is said of calls that brought the same answer: how often each was sent is counted."""

from __future__ import annotations

import pytest

from tests.build import Part, call, diagnosed, run, says, user

ASKED = user("What did the harbour charge in May?")


def browse(request: str) -> Part:
    shown = (
        "I clicked 'Write to the office'.\n\nHere is a screenshot of [Harbour office](https://harbour.test/office). "
        "The viewport shows 40% of the webpage, and is positioned at the top of the page.\nThe following text was read "
        "from it:\n\nThe office is open on weekdays. Dues are listed by the month and the length of the ship."
    )
    return call("WebSurfer", {"request": request}, shown)


REQUESTS = [browse(f"Please {verb} the harbour office.") for verb in ("write to", "call", "ask", "search for")]


def test_a_browser_that_does_the_same_is_not_a_call_sent_again() -> None:
    made = diagnosed(ASKED, *REQUESTS)
    said = f"{made.diagnosis.headline} {made.diagnosis.root_cause}"
    assert "The browser clicked 'Write to the office' 4 times" in said
    assert "sent 4 times" not in said
    assert "The agent called" not in said


@pytest.mark.parametrize("count", [4, 6])
def test_one_call_is_said_to_be_sent_so_often(count: int) -> None:
    made = diagnosed(ASKED, *[run("tides --port May", "none\n") for _ in range(count)], says("There is none."))
    assert f"The agent called `tides --port May` {count} times" in made.diagnosis.headline


def test_nothing_is_said_of_what_the_agent_compared() -> None:
    made = diagnosed(ASKED, *[run("tides --port May", "none\n") for _ in range(4)])
    assert not any("compared" in reason.text for reason in made.diagnosis.reasons)
