"""One step is called alike wherever a page speaks of it: refused, cancelled, rejected for its format, or failed."""

from __future__ import annotations

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.postmortem import PostMortem
from analyzer.model.words import Mark, Status
from analyzer.report.picture.model import model_of
from tests.build import Part, edit, run, says, timeline, user, write

NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."
REFUSED = run("make install", NO, None, mark=Mark.DENIED)
FAILS = run("make", "make: *** [all] Error 2", 2)


def page(*parts: Part) -> PostMortem:
    made = timeline(user("Build it."), *parts)
    return post_mortem(made, detect(made))


def known(made: PostMortem) -> str:
    return " ".join(statement.text for statement in made.diagnosis.lead if statement.part == "steps")


def test_refused_calls_fail_nowhere() -> None:
    told = page(run("ls", "Makefile"), REFUSED, REFUSED, says("Not built."))
    assert [row.shown_as for row in told.timeline] == [Status.OK, Status.UNKNOWN, Status.UNKNOWN]
    assert " -> REFUSED (" in told.timeline[1].summary
    assert told.failure_groups == []
    assert [mark.word for mark in model_of(told).marks] == ["end"]
    assert not any(cell.failed for cell in model_of(told).cells)
    assert told.spending is not None
    assert [tool.failed for tool in told.spending.tools] == [0]
    assert "1 result of 3 actions could be judged; none failed; 2 calls were refused (steps 2 and 3)." in known(told)


def test_a_failure_that_was_to_come_before_the_fix_is_said_to_be_one() -> None:
    fails = run("python repro.py", 'File "repro.py", line 2, in <module>\nValueError: no such day: 31', 1)
    parts = (write("repro.py", "x"), fails, edit("dates.py", "a", "b"), run("python repro.py", "ok"))
    made = timeline(*parts, task="`ValueError: no such day: 31` is raised in February.")
    told = post_mortem(made, detect(made))
    assert "1 of 4 actions failed (step 2, `ValueError: no such day: 31`), expected before the fix." in known(told)


def test_calls_that_a_neighbour_cancelled_fail_nowhere() -> None:
    told = page(FAILS, run("ls", "<tool_use_error>Cancelled</tool_use_error>", None, mark=Mark.CASCADE), says("No."))
    assert [row.shown_as for row in told.timeline] == [Status.ERROR, Status.UNKNOWN]
    assert known(told) == "1 of 2 actions failed (step 1, `make: *** [all] Error 2`); 1 call was cancelled (step 2)."


def test_calls_that_failed_fail_everywhere() -> None:
    told = page(run("ls", "Makefile"), FAILS, FAILS, says("Not built."))
    assert "2 of 3 actions failed (steps 2 and 3" in known(told)
    assert [row.shown_as for row in told.timeline] == [Status.OK, Status.ERROR, Status.ERROR]
    assert len(told.failure_groups) == 1
    assert [mark.word for mark in model_of(told).marks] == ["first failure", "end"]
    assert told.spending is not None
    assert [tool.failed for tool in told.spending.tools] == [2]


def test_a_command_without_output_is_no_lost_result() -> None:
    told = page(run("git diff a..b", "", None), run("git log", None, None), says("They're equal."))
    assert [row.summary.rpartition(" -> ")[2] for row in told.timeline] == ["no output", "no recorded result"]


def test_the_count_of_failures_is_not_given_as_the_reason_of_an_end() -> None:
    told = page(run("python x.py", "ValueError: low tide", 1), edit("quay.py", "a", "b"), FAILS)
    assert told.outcome.status == "failed"
    assert (told.outcome.words, told.diagnosis.headline) == ("not done: a check fails", told.outcome.reason)
    assert "2 of 3 actions failed" not in told.outcome.reason
    assert "2 of 3 actions failed (steps 1 and 3" in known(told)
