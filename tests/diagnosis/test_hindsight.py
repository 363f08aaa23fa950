"""What a page says of a failure that came back is true at the step of which it's said."""

from __future__ import annotations

from analyzer.model.postmortem import PostMortem
from tests.build import Part, diagnosed, edit, pytest_report, read, run

WORDS = "ValueError: no berth for the ferry"
FAILS = run("pytest", pytest_report(WORDS), 1)


def prompt_of(made: PostMortem) -> str:
    sketches = (idea.sketch or "" for idea in made.diagnosis.improvements if idea.where == "prompt")
    return next(sketch for sketch in sketches if WORDS in sketch)


def edited(number: int) -> Part:
    return edit("quay.py", f"berth = {number}", f"berth = {number + 1}", said=f"Try berth {number + 1}.")


def test_the_message_for_the_second_round_counts_what_was_known_then() -> None:
    made = diagnosed(*([edited(number), FAILS] for number in range(5)))
    assert f"{WORDS}: twice, despite edits of quay.py." in prompt_of(made)
    assert "5 times" in made.diagnosis.headline


def test_a_headline_counts_the_failure_as_the_picture_does() -> None:
    looks = [read(f"pier{number}.py", f"berth = {number}") for number in range(25)]
    made = diagnosed(FAILS, looks, *([edited(number), FAILS] for number in range(5)))
    (group,) = made.failure_groups
    loop = next(finding for finding in made.findings if finding.detector == "loops")
    assert (group.count, len(loop.steps)) == (6, 5)
    assert (
        f"6 times, 5 of them in steps {loop.first_step}-{loop.last_step}, without affecting" in made.diagnosis.headline
    )


def test_nothing_is_said_to_lie_between_runs_in_a_row() -> None:
    made = diagnosed(*[FAILS] * 5)
    assert "occurred 5 times in a row, with nothing done in between." in (made.diagnosis.root_cause or "")


def test_words_that_come_in_some_rounds_are_counted() -> None:
    said = ["I look at the stack.", *["Let me run the tests once more to see it."] * 4]
    made = diagnosed(
        *([edited(number), run("pytest", pytest_report(WORDS), 1, said=words)] for number, words in enumerate(said))
    )
    text = " ".join(reason.text for reason in made.diagnosis.reasons)
    assert "nearly the same thing each time" not in text
