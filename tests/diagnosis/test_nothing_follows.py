"""Sessions whose last words are no delivery: an announcement, or an answer of the model that is empty."""

from __future__ import annotations

from analyzer.model.postmortem import PostMortem
from tests.build import Part, diagnosed, read, says
from tests.sessions import Written, parts_of
from tests.tables import table


def end_of(*parts: Part) -> tuple[str | None, str]:
    page: PostMortem = diagnosed(read("gauge.md", "depth 3"), *parts, task="How deep is the harbour?")
    left = page.outcome.deliverable
    said = [entry.text for entry in page.diagnosis.lead if entry.part in ("delivered", "said")]
    return (str(left.kind) if left is not None else None, said[-1] if said else "")


@table("what_a_session_ends_with")
def test_what_a_session_ends_with(parts: Written, kind: str, text: str) -> None:
    assert end_of(*parts_of(parts)) == (kind, text)


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
