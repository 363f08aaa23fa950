"""The facts of a session's header: times and tokens."""

from __future__ import annotations

from analyzer.model.session import Message, Tokens
from analyzer.model.words import Mark
from analyzer.report.picture.model import model_of
from tests.build import call, diagnosed, run, says, together, user


def test_a_session_ends_with_the_last_time_that_is_recorded_anywhere() -> None:
    late = Message("assistant", "Done.", time=190.0)
    assert diagnosed(run("ls", "a"), late, started_at=10.0, ended_at=100.0).session.duration_seconds == 180.0
    assert diagnosed(run("ls", "a"), started_at=10.0, ended_at=100.0).session.duration_seconds == 90.0


def test_an_output_too_small_for_what_was_written_is_a_part() -> None:
    text = "The harbour is deep enough for both boats. " * 100
    placeholders = diagnosed(run("ls", "a"), says(text), tokens=Tokens(input=900, output=3)).session.tokens
    assert (placeholders.output, placeholders.output_is_partial) == (3, True)
    counted = diagnosed(run("ls", "a"), says(text), tokens=Tokens(input=900, output=1_000)).session.tokens
    assert not counted.output_is_partial
    assert not diagnosed(run("ls", "a"), says(text), tokens=Tokens(input=900)).session.tokens.output_is_partial


def test_a_call_that_was_not_run_is_not_drawn_as_a_failure() -> None:
    pm = diagnosed(
        together(
            "m1",
            call("read", {"path": "a.py"}, "No such file: a.py", is_error=True),
            call("read", {"path": "b.py"}, "Cancelled: a parallel call failed", mark=Mark.CASCADE),
        )
    )
    cells = model_of(pm).cells
    assert [(cell.shown_kind, cell.status) for cell in cells] == [("read", "error"), ("read", "unknown")]


def test_what_the_user_said_later_is_reported_with_its_step_and_what_it_does() -> None:
    pm = diagnosed(
        user("Sort the charts by depth."),
        run("ls", "a"),
        user("Yes, go ahead."),
        run("ls b", "b"),
        user("I said by depth, not by name."),
        user("Add a test for it."),
        run("ls c", "c"),
        user("Sort the charts by depth."),
        user("Fine weather today."),
    )
    assert [(turn.first_step, str(turn.kind), turn.text) for turn in pm.ledger[1:]] == [
        (2, "approval", "Yes, go ahead."),
        (3, "correction", "I said by depth, not by name. Add a test for it."),
        (None, "other", "Sort the charts by depth. Fine weather today."),
    ]
