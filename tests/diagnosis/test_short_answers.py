"""A short answer to what was asked is an answer, whether or not it's right; a deferral is none."""

from __future__ import annotations

import pytest

from analyzer.model.postmortem import Outcome
from tests.build import diagnosed, run, says, user

ANSWERED = (
    "The agent answered at the end and only looked around and changed nothing; no verdict on the answer is recorded."
)


def outcome(asked: str, said: str) -> Outcome:
    return diagnosed(user(asked), run("ls", "gauge.md"), says(said)).outcome


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How deep is the harbour?", "3 m."),
        ("which file has the depths", "gauge.md"),
        ("Is there a gauge?", "Yes, gauge.md."),
        ("Is there a second gauge?", "No, only gauge.md."),
        ("check the gauge", "It reads 3 m."),
        ("Can you list the files?", "There is one: gauge.md."),
        ("Tell me the depth.", "3 m."),
        ("Please show the newest gauge.", "gauge.md, 3 m"),
        ("Thanks. What is the depth at noon?", "4 m."),
    ],
)
def test_a_short_answer(asked: str, said: str) -> None:
    found = outcome(asked, said)
    assert (str(found.status), found.reason) == ("unknown", ANSWERED)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How deep is the harbour?", "Let me sound it."),
        ("How deep is the harbour?", "I'll look into the gauge."),
        ("How deep is the harbour?", "Which harbour do you mean?"),
        ("How deep is the harbour?", "I couldn't find that."),
        ("How deep is the harbour?", "Unfortunately the gauge is gone."),
        ("How deep is the harbour?", "Done."),
        ("How deep is the harbour?", "Sure!"),
        ("How deep is the harbour?", "I've checked the gauge."),
        ("check the gauge", "The gauge is starting up. It may take a moment."),
        ("check the gauge", "The sounding is still running."),
        ("Sound the harbour.", "3 m."),
        ("Could you repair the gauge?", "The gauge reads 3 m."),
        ("Can we get rid of the gauge?", "The gauge is gone."),
        ("Should I check it? Fix it.", "It reads 3 m."),
        ("check the gauge and fix it", "It reads 3 m."),
        ("npm install", "12 packages."),
        ("Why is it so low? Repair it.", "The tide is out."),
        ("No, that's wrong: the depth is 4 m.", "It is 4 m."),
        ("Yes, go ahead.", "The depth is 3 m."),
        ("Hello", "Ahoy."),
    ],
)
def test_no_answer_or_no_question(asked: str, said: str) -> None:
    assert "The agent answered" not in outcome(asked, said).reason
