"""Requests that a function of an application carried out, by what its result says."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.words import Basis, OutcomeStatus
from tests.build import Part, call, diagnosed, edit, says, user

DONE = says("Done.")
NOTE = {"list": "harbour", "text": "buoy 4"}


def act(tool: str, result: str, arguments: dict[str, Any] | None = None, **more: Any) -> Part:
    return call(tool, NOTE if arguments is None else arguments, result, **more)


@pytest.mark.parametrize(
    ("asked", "part", "said"),
    [
        pytest.param("Create a ticket.", act("create_ticket", "Created ticket 7."), "Created ticket 7", id="its words"),
        pytest.param(
            "can you save this note to a list?",
            act("add_note_to_list", '{"message": "Added 1 note"}'),
            "Added 1 note",
            id="another verb for it",
        ),
        pytest.param(
            "Please send a message to the harbour",
            act("mcp__mail__send_message", "Message sent."),
            "Message sent",
            id="a server's tool",
        ),
        pytest.param(
            "delete the note", act("deleteNote", '{"success": true}'), '"success": true', id="a flag in the result"
        ),
        pytest.param(
            "Set the limit to 50",
            act("update_limit", "Limit updated to 50", {"limit": 50}),
            "Limit updated to 50",
            id="with the value",
        ),
        pytest.param(
            "Could you cancel my booking?",
            act("cancel_booking", '{"id": 4, "state": "cancelled"}'),
            "cancelled",
            id="the state after it",
        ),
    ],
)
def test_what_a_function_did_as_asked_is_done(asked: str, part: Part, said: str) -> None:
    outcome = diagnosed(user(asked), part, DONE).outcome
    assert (outcome.status, outcome.basis) == (OutcomeStatus.SUCCEEDED, Basis.DELIVERABLE)
    assert outcome.reason.endswith(f"at step 1 answers `{said}`.")


def test_a_second_try_that_worked_counts() -> None:
    tries = [act("add_note_to_list", "Error: unknown list", is_error=True), act("add_note_to_list", "Added 1 note")]
    outcome = diagnosed(user("add this note to the list"), *tries, DONE).outcome
    assert (outcome.status, outcome.evidence_steps) == (OutcomeStatus.SUCCEEDED, [2])


CREATED = act("create_ticket", "Created ticket 7.")
ADDED = act("add_note_to_list", "Added 1 note")


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        pytest.param("Create a ticket and tell Ada.", [CREATED], id="more is asked for"),
        pytest.param("Create a ticket. Then close the old one.", [CREATED], id="in two sentences"),
        pytest.param("Create a ticket if the buoy is lost", [CREATED], id="on a condition"),
        pytest.param("Don't create a ticket", [CREATED], id="forbidden"),
        pytest.param("How do I create a ticket?", [CREATED], id="a question"),
        pytest.param("Did you create a ticket?", [CREATED], id="a question about it"),
        pytest.param("Create a buoy", [CREATED], id="another thing"),
        pytest.param("Update the ticket", [CREATED], id="another verb"),
        pytest.param("Create a ticket for the crane", [CREATED], id="about something else"),
        pytest.param("add this note to the calendar", [ADDED], id="to another place"),
        pytest.param("add all notes to the list", [ADDED], id="all of them"),
        pytest.param("Set the limit to 50", [act("update_limit", "Limit updated", {"limit": 40})], id="another value"),
        pytest.param("save this note to a list", [act("create_list", "Created.", {"name": "x"})], id="only its place"),
        pytest.param("Create a ticket", [act("create_ticket", "Ticket: 7")], id="a result that doesn't say it"),
        pytest.param("Create a ticket", [act("create_ticket", "")], id="an empty result"),
        pytest.param("Create a ticket", [act("create_ticket", "No ticket was created.")], id="denied"),
        pytest.param("add this note to the list", [act("add_note_to_list", "Added 0 notes")], id="none"),
        pytest.param("Create a ticket", [act("create_ticket", "Ticket will be created")], id="later"),
        pytest.param("Create a ticket", [act("create_ticket", '{"created": 1700000000}')], id="a key"),
        pytest.param(
            "Create a ticket", [act("create_ticket", '{"success": true, "mode": "dry-run"}')], id="only tried"
        ),
        pytest.param("Create a ticket", [act("create_ticket", "Error: Created no", is_error=True)], id="failed"),
        pytest.param("Create a ticket", [CREATED, act("create_ticket", "Error: no", is_error=True)], id="failed later"),
        pytest.param("Create a ticket", [CREATED, act("delete_ticket", "Deleted.")], id="deleted again"),
        pytest.param("Create a ticket", [act("list_tickets", "Created ticket 7.")], id="a tool that looks"),
        pytest.param("Create a ticket", [act("ticket", "Created ticket 7.")], id="a name without a verb"),
        pytest.param("Create a ticket", [CREATED, edit("a.py", "x", "y")], id="a file was edited too"),
    ],
)
def test_everything_else_is_not_known_to_be_done(asked: str, parts: list[Part]) -> None:
    assert "What the user asked for last was done" not in diagnosed(user(asked), *parts, DONE).outcome.reason


def test_only_the_last_turn_counts() -> None:
    outcome = diagnosed(user("Create a ticket"), CREATED, DONE, user("And how deep is it?"), says("4 m.")).outcome
    assert "What the user asked for last was done" not in outcome.reason
