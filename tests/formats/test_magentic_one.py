"""Magentic-One dialogues: an instruction and its reply are one call."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.formats.agent_teams.magentic_one_format import FORMAT
from analyzer.model.session import Message, Session
from analyzer.model.words import Ending
from tests.formats.corpus_files import load_sample
from tests.formats.events import answered, calls, words
from tests.formats.reading import taken_by
from tests.tables import table

Json = dict[str, Any]


def said(role: str, content: object) -> Json:
    return {"content": content, "role": role}


ASKED = said("Orchestrator (-> WebSurfer)", "Open it.")
NEXT = said("Orchestrator (thought)", "Next speaker WebSurfer")
LEDGER = said("Orchestrator (thought)", "Updated Ledger:\n{}")
CRASH = (
    "Error processing publish message\nTraceback (most recent call last):\n  File 'a.py'\nValueError: no "
    "page\nRUN.SH COMPLETE"
)


def session_of(*items: object) -> Session:
    (session,) = taken_by(FORMAT, [said("human", "Price?"), said("Orchestrator (thought)", "Plan."), *items])
    return session


def test_the_sample() -> None:
    session = load_sample("magentic_one.json", "magentic-one")

    assert session.task == "What does a 750 g parcel to the far zone cost?"
    assert answered(session) == [
        ("WebSurfer", "I scrolled down one page. The table isn't shown."),
        ("WebSurfer", None),
        ("Assistant", "```python\nprint(4.75)\n```"),
        ("ComputerTerminal", "4.75"),
    ]
    assert calls(session)[0] == ("WebSurfer", {"instruction": "Please open the rate table of parcel-rates."})
    assert calls(session)[3] == ("ComputerTerminal", {"instruction": "Please run it.", "code": "print(4.75)\n"})
    assert (session.ending, session.ending_detail, session.recorded_status) == (
        Ending.SUBMITTED,
        "final answer: 4.75",
        "No agent selected.",
    )
    assert (session.user_messages, session.assistant_messages) == (1, 7)
    assert words(session)[-1] == ("assistant", "FINAL ANSWER: 4.75")


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        pytest.param([ASKED, NEXT, said("WebSurfer", "Opened.")], [("WebSurfer", "Opened.")], id="answered"),
        pytest.param([ASKED, NEXT, LEDGER], [("WebSurfer", None)], id="no-answer"),
        pytest.param(
            [ASKED, said("Orchestrator (thought)", "Next speaker WebSurfer\nTraceback: x"), LEDGER],
            [("WebSurfer", "Traceback: x")],
            id="what-was-printed-meanwhile",
        ),
        pytest.param([ASKED, ASKED], [("WebSurfer", None), ("WebSurfer", None)], id="asked-twice"),
        pytest.param([ASKED, said("FileSurfer", "Hm.")], [("WebSurfer", None)], id="another-agent-speaks"),
        pytest.param([said("WebSurfer", "Hm.")], [], id="unasked"),
    ],
)
def test_replies_belong_to_instructions(items: list[object], expected: list[object]) -> None:
    assert answered(session_of(*items)) == expected


def test_an_agent_that_speaks_unasked_is_named() -> None:
    assert words(session_of(said("WebSurfer", "Hm.")))[-1] == ("assistant", "WebSurfer: Hm.")


@table("the_termination_condition_ends_it")
def test_the_termination_condition_ends_it(last: str, ending: Ending, detail: str | None) -> None:
    session = session_of(ASKED, said("Orchestrator (termination condition)", last))
    assert (session.ending, session.ending_detail) == (ending, detail)


def test_a_crash_ends_it_unless_it_goes_on() -> None:
    crashed = said("Orchestrator (thought)", CRASH)
    assert (session_of(crashed).ending, session_of(crashed).ending_detail) == (Ending.CRASHED, "ValueError: no page")
    assert session_of(ASKED, crashed, ASKED, said("WebSurfer", "Opened.")).ending is None


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        pytest.param("ValueError: no page", False, id="the program's own error"),
        pytest.param("client.BadRequestError: Error code: 400 - {'code': 'filtered'}", True, id="the model's service"),
    ],
)
def test_an_error_that_is_printed_in_a_reply_is_nobodys_words(text: str, failed: bool) -> None:
    printed = CRASH.replace("ValueError: no page", text)
    session = session_of(ASKED, said("WebSurfer", f"I scrolled down.\n{printed}"))
    assert (session.ending, session.ending_detail) == (Ending.CRASHED, text)
    last = session.events[-1]
    assert isinstance(last, Message)
    assert (last.role, last.text, last.failed) == ("harness", text, failed)


SERVICE = "client.BadRequestError: Error code: 400 - {'code': 'filtered'}"
ENDED = "tower.py:9: UserWarning: old\n  response = 1\nFINAL ANSWER: 4.75\nSCENARIO COMPLETE"


@pytest.mark.parametrize(
    "items",
    [
        pytest.param(
            [ASKED, said("Orchestrator (thought)", f"Next speaker WebSurfer\n{CRASH}\n{ENDED}")], id="nobody replied"
        ),
        pytest.param([ASKED, said("WebSurfer", f"I scrolled.\n{CRASH}\n{ENDED}")], id="behind a reply"),
        pytest.param([ASKED, said("WebSurfer", CRASH.replace("ValueError: no page", SERVICE) + ENDED)], id="a service"),
    ],
)
def test_an_answer_that_is_printed_after_a_crash_is_the_answer(items: list[object]) -> None:
    session = session_of(*items)
    assert session.ending is Ending.CRASHED
    assert session.broke == session.ending_detail
    assert words(session)[-1] == ("assistant", "FINAL ANSWER: 4.75")
    assert all("FINAL" not in str(text) for _, text in answered(session))


def test_an_answer_at_the_end_of_the_last_message_is_the_answer() -> None:
    assert words(session_of(ASKED, said("WebSurfer", "Opened.\nFINAL ANSWER: 4.75\nRUN COMPLETE")))[-1] == (
        "assistant",
        "FINAL ANSWER: 4.75",
    )


@pytest.mark.parametrize(
    "items",
    [
        pytest.param([ASKED, said("WebSurfer", "FINAL ANSWER: 3\n" + "line\n" * 9)], id="on a page that is shown"),
        pytest.param([ASKED, said("WebSurfer", "FINAL ANSWER: 3"), LEDGER], id="and the dialogue goes on"),
        pytest.param([ASKED, said("WebSurfer", CRASH)], id="a crash without an answer"),
    ],
)
def test_other_words_are_no_answer_of_the_run(items: list[object]) -> None:
    assert all("FINAL" not in text for role, text in words(session_of(*items)) if role == "assistant")


def test_what_a_member_replied_before_a_crash_is_its_reply() -> None:
    assert answered(session_of(ASKED, said("WebSurfer", f"I scrolled.\n{CRASH}"))) == [("WebSurfer", "I scrolled.")]


def test_a_warning_names_the_model_that_answered() -> None:
    line = "/lib/orchestra.py:4: UserWarning: Resolved model mismatch: moon-2 != moon-1.5. Mapping may be incorrect."
    assert session_of(said("Orchestrator (thought)", f"Next speaker WebSurfer\n{line}")).model == "moon-1.5"
    assert (
        session_of(said("Orchestrator (thought)", "Resolved model mismatch: moon-2 != moon-1.5. It was")).model is None
    )


def test_odd_messages_are_reported() -> None:
    session = session_of(4, {"content": "x"})
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("message 2", "no message with a role; skipped (2 times, first here)")
    ]
