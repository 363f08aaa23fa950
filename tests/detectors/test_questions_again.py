"""Loops of questions: the same one again with nothing but looks in between, or in other words with the same answer."""

from __future__ import annotations

from tests.build import read, run
from tests.detectors.rounds import loops
from tests.sessions import Written, parts_of
from tests.tables import table


@table("a_question_in_other_words_fires")
def test_a_question_in_other_words_fires(parts: Written, steps: list[int], detectable_at: int) -> None:
    (found,) = loops(*parts_of(parts))
    assert (found.kind, found.steps, found.detectable_at) == ("repeated-call", steps, detectable_at)
    assert found.pattern == "reworded question"
    assert found.title.startswith(f"{len(steps)} calls in different words with the same answer")


@table("other_questions_do_not_fire")
def test_other_questions_do_not_fire(parts: Written) -> None:
    assert [found.title for found in loops(*parts_of(parts))] == []


ASK = run("git branch --show-current", "harbour")


@table("the_same_question_fires")
def test_the_same_question_fires(parts: Written, steps: list[int], detectable_at: int) -> None:
    (found,) = loops(*parts_of(parts))
    assert (found.kind, found.steps, found.detectable_at) == ("repeated-call", steps, detectable_at)


@table("a_question_that_may_be_asked_again_does_not_fire")
def test_a_question_that_may_be_asked_again_does_not_fire(parts: Written) -> None:
    assert [found.title for found in loops(*parts_of(parts))] == []


def test_a_question_that_the_task_wants_asked_again_is_no_loop() -> None:
    parts = [ASK, read("a.md", "a"), ASK, read("b.md", "b"), ASK]
    assert len(loops(*parts)) == 1
    assert loops(*parts, task="Call git branch --show-current three times while you read the files.") == []
