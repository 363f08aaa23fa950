"""What repeats words is no repeated call, and what repeats a question has changed nothing that could be looked at."""

from __future__ import annotations

from analyzer.model.postmortem import PostMortem
from analyzer.model.session import Message
from analyzer.report.markdown import render
from tests.build import call, diagnosed, read, report, says, session, user

ASKED = "Please send me the number of the berth as soon as you have found it in your papers."
WAITS = [says(ASKED), user("One moment, I will look for it.")] * 7
LOOKED = call("find_boat", {"name": "Alma"}, "boat_17")
AGAIN = [read("atlas.md", "Bay of Foxes\nBay of Herons")] * 5


def everything(made: PostMortem) -> str:
    diagnosis = made.diagnosis
    parts = [
        diagnosis.headline,
        *diagnosis.story,
        diagnosis.root_cause or "",
        made.outcome.reason,
        *diagnosis.step_back,
    ]
    parts += [f"{approach.title}: {approach.text}" for approach in diagnosis.approaches]
    parts += [f"{item.impact} {item.why} {item.change} {item.sketch}" for item in diagnosis.improvements]
    return "\n".join([*parts, *(f"{reason.title}: {reason.text}" for reason in diagnosis.reasons), *diagnosis.lessons])


def test_words_that_come_back_are_counted_as_words() -> None:
    text = everything(diagnosed(LOOKED, *WAITS))
    assert "the same call" not in text
    assert "this result 1 times" not in text
    assert "the third round was the last" not in text
    assert "steps 1-1" not in text
    assert "After step 1 the agent said the same thing 6 times (pattern: **monologue**)" in text


def test_what_the_program_reports_again_and_again_is_not_said_by_the_agent() -> None:
    report_of_program = Message("harness", "The service gave no answer to the request of the harbour.", failed=True)
    made = diagnosed(*[report_of_program] * 6, task="Find the berth.")
    text = everything(made)
    assert [finding.pattern for finding in made.findings if finding.detector == "loops"] == ["the same report again"]
    assert "the harness reported the same thing 6 times" in text
    assert "(before the first step). `The service gave no answer" in text
    for word in ("the agent said", "announce", "Step 0", "You have said"):
        assert word not in text


def test_words_have_no_table_of_saved_actions() -> None:
    page = render(report(session(LOOKED, *WAITS)))
    assert "of 1 action" not in page


def test_a_read_that_comes_back_was_not_meant_to_change_anything() -> None:
    text = everything(diagnosed(*AGAIN))
    assert "was meant to change" not in text
    assert "nothing was read or searched" not in text
    assert "Use what step 1 returned for `read atlas.md`: `Bay of Foxes" in text
    assert "the same result\n" not in text


def test_a_read_of_some_lines_is_named_with_them() -> None:
    made = diagnosed(*[call("read", {"path": "atlas.md", "offset": 40, "limit": 21}, "Bay of Foxes")] * 5)
    assert "atlas.md:40-60" in made.diagnosis.headline


def test_half_a_second_is_not_counted() -> None:
    made = diagnosed(*[call("bash", {"command": "ls"}, "bay.md", at=100 + n / 10, took=0.02) for n in range(5)])
    text = everything(made)
    assert "0 s" not in text
    assert "0 seconds" not in text


def test_an_answer_that_says_no_was_not_taken_for_acceptance() -> None:
    text = everything(
        diagnosed(call("hand_in", {"berth": 4}, "That is not the berth. Please try again.") for _ in range(5))
    )
    assert "accept" not in text.lower()
    assert "returned the same result each time: `That is not the berth. Please try again.`" in text
    assert "Use what step 1 returned for `hand_in`: `That is not the berth. Please try again.`" in text


def test_a_search_that_brings_nothing_has_no_lines_to_quote() -> None:
    text = everything(diagnosed(call("bash", {"command": "find bays -name fox.md"}, "") for _ in range(5)))
    assert "Quote the lines" not in text
