"""A page about a claim of success says what is wrong with what the claim rests on, and what would have helped against
just that."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.postmortem import PostMortem
from analyzer.model.words import Mark, Severity
from tests.build import Part, call, edit, pytest_report, read, run, submit, timeline, user, write

FAILS = pytest_report("IndexError: list index out of range", raised=("tide.py", 49, "return levels[4]"))
STOPPED = "Command timed out after 60 seconds"
PASSES = "==== 3 passed in 0.1s ===="


def diagnosed(*parts: Part) -> PostMortem:
    """The post-mortem in which each finding is worth a page of its own."""
    made = timeline(*parts)
    serious = [finding.model_copy(update={"severity": Severity.HIGH}) for finding in detect(made)]
    return post_mortem(made, serious)


def words(made: PostMortem) -> str:
    diagnosis = made.diagnosis
    parts = [diagnosis.root_cause or "", *diagnosis.step_back, *(approach.text for approach in diagnosis.approaches)]
    return "\n".join(
        [
            *parts,
            *(f"{item.why} {item.change}" for item in diagnosis.improvements),
            *(f"{reason.title} {reason.text}" for reason in diagnosis.reasons),
        ]
    )


CASES: list[tuple[str, list[Part], list[str], list[str]]] = [
    (
        "the check failed",
        [edit("tide.py", "x", "y"), run("pytest", FAILS, 1), submit("All done.")],
        ["and the agent finished anyway", "`IndexError: list index out of range`"],
        ["no check after the last edit supports", "rests on nothing", "nothing ran it"],
    ),
    (
        "the check was stopped",
        [edit("tide.py", "x", "y"), run("pytest", STOPPED, None, mark=Mark.TIMEOUT), submit("All done.")],
        ["what ran on it (step 2) shows no success"],
        ["nothing ran it"],
    ),
    (
        "something ran that is no check",
        [edit("tide.py", "x", "y"), run("./tide --harbour", "low", None), submit("All done.")],
        [],
        ["nothing ran it"],
    ),
    (
        "nothing ran, something had before",
        [edit("tide.py", "x", "y"), run("pytest tests", PASSES), edit("tide.py", "y", "z"), submit("All done.")],
        ["No check ran after the last code change (step 3)"],
        ["contradict"],
    ),
    (
        "nothing ever ran",
        [edit("tide.py", "x", "y"), submit("All done.")],
        [
            "No check ran after the last code change (step 1)",
            "ask which command checks `tide.py`",
            "Step 1 edited it; nothing ran it.",
        ],
        ["again"],
    ),
    (
        "only trial files",
        [write("try_tide.py", "print('high')"), run("python try_tide.py", "high"), submit("The bug is fixed.")],
        ["`try_tide.py`", "experimental files"],
        ["Run the tests that load `try_tide.py`", "no check after the last edit"],
    ),
    (
        "the check can't tell",
        [
            write("try_tide.py", "print('high')"),
            run("python try_tide.py", "high"),
            read("tide.py", "def tide(): return 1"),
            edit("tide.py", "return 1", "return 2"),
            run("python try_tide.py", "high"),
            submit("The bug is fixed."),
        ],
        ["printed at step 5 what it had printed before the change (step 2)"],
        ["no check after the last edit"],
    ),
]


@pytest.mark.parametrize(("parts", "said", "unsaid"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_each_kind_of_claim_has_words_of_its_own(parts: list[Part], said: list[str], unsaid: list[str]) -> None:
    made = diagnosed(user("Repair the tide table."), *parts)
    text = words(made)
    for entry in said:
        assert entry in text
    for entry in unsaid:
        assert entry not in text


def test_the_outcome_is_not_reported_twice() -> None:
    story = diagnosed(edit("tide.py", "x", "y"), run("pytest", FAILS, 1), submit("All done.")).diagnosis.story
    assert sum("Success is claimed" in sentence.replace("success", "Success") for sentence in story) == 1


def test_a_single_step_is_no_range() -> None:
    story = diagnosed(
        user("Which harbour is the deepest?"),
        read("atlas.md", "bays"),
        call("answer", {"text": "I could not complete the task."}, None, task_done=True),
    ).diagnosis.story
    assert story
    assert not any("2-2" in sentence for sentence in story)


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(FAILS, id="raised at a line"),
        pytest.param("FAILED tests/test_tide.py::test_low\n==== 1 failed, 2 passed in 0.1s ====", id="a test"),
        pytest.param("Result: TIMEOUT", id="a word alone"),
        pytest.param("Error: it doesn't work", id="a sentence"),
    ],
)
def test_what_a_check_reports_is_no_proposal_by_itself(result: str) -> None:
    made = diagnosed(
        user("Repair the tide table."), edit("tide.py", "x", "y"), run("pytest", result, 1), submit("Done.")
    )
    assert [entry.title for entry in made.diagnosis.approaches] == []
