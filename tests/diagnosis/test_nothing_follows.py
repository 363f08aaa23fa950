"""Sessions whose last words are no delivery: an announcement, or an answer of the model that is empty."""

from __future__ import annotations

import pytest

from analyzer.model.postmortem import PostMortem
from analyzer.model.session import EMPTY_ANSWER, Message
from tests.build import Part, diagnosed, edit, read, says, submit

EMPTY = Message("harness", EMPTY_ANSWER, failed=True)
AHEAD = says("Let me try another gauge:")


def end_of(*parts: Part) -> tuple[str | None, str]:
    page: PostMortem = diagnosed(read("gauge.md", "depth 3"), *parts, task="How deep is the harbour?")
    left = page.outcome.deliverable
    said = [entry.text for entry in page.diagnosis.lead if entry.part == "delivered"]
    return (str(left.kind) if left is not None else None, said[-1] if said else "")


@pytest.mark.parametrize(
    ("parts", "kind", "text"),
    [
        pytest.param(
            [],
            "nothing",
            "Nothing: 1 action, no file changed and no closing words; the recording ends with the result of step 1.",
            id="silent",
        ),
        pytest.param(
            [Message("user", "Well?")],
            "nothing",
            "Nothing: 1 action, no file changed and no closing words.",
            id="the user spoke last",
        ),
        pytest.param([says("It is 3 m deep.")], "answer", 'The answer: "It is 3 m deep."', id="answered"),
        pytest.param([EMPTY, says("It is 3 m deep.")], "answer", 'The answer: "It is 3 m deep."', id="answered again"),
        pytest.param(
            [edit("gauge.py", "3", "4"), AHEAD, submit()],
            "change",
            'The agent\'s closing words: "Let me try another gauge:"',
            id="handed in without a word",
        ),
    ],
)
def test_what_a_session_ends_with(parts: list[Part], kind: str, text: str) -> None:
    assert end_of(*parts) == (kind, text)


def test_a_recording_that_breaks_off_is_said_to() -> None:
    broken, answered = (
        diagnosed(read("gauge.md", "depth 3"), *more, task="How deep is it?")
        for more in ([], [says("It is 3 m deep.")])
    )

    assert broken.outcome.reason == "The recording ends with the result of step 1, and no answer of the agent follows."
    assert "The recording ends" not in answered.outcome.reason


def test_the_end_of_a_long_answer_is_its_end() -> None:
    answer = f"It is 3 m deep. {'The gauge was read again. ' * 800}In all, keep 2 m below the keel."
    (_, said) = end_of(says(answer))

    assert said.startswith('The answer: "It is 3 m deep.')
    assert said.endswith('keep 2 m below the keel."')
