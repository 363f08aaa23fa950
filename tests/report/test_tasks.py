"""Several turns of the user on a page: a line for each, the task once, and no quoted word cut in two."""

from __future__ import annotations

import re

import pytest

from analyzer.model.session import Message
from analyzer.model.words import Ending
from analyzer.report.markdown import render
from analyzer.text.clip import clip_words
from tests.build import Part, edit, pytest_report, read, report, run, says, session, user
from tests.report.html.pages import written as drawn
from tests.tables import table

TASK = "Repair the tide table in tide.py, which counts the low tide of the new moon twice."
LONG = f"{TASK} {'It is wrong for every harbour of the bay, and has been so for years. ' * 8}"
TURNS: list[Part] = [
    user(TASK),
    edit("/p/tide.py", "1", "2"),
    says("The table counts it once."),
    user("Which harbour is the deepest?"),
    says("The one of the Bay of Foxes."),
    user("I said the deepest of the north, not of all."),
    read("/p/bays.md"),
    says("Seal Harbour."),
]


def test_each_turn_is_a_line_with_what_was_delivered() -> None:
    page = render(report(session(*TURNS)))
    assert f'1. "{TASK}" (step 1): Changed `/p/tide.py`. Answer: "The table counts it once."' in page
    assert '2. "Which harbour is the deepest?" (no step): Answer: "The one of the Bay of Foxes." The user corr' in page
    assert '3. "I said the deepest of the north, not of all." (correction, step 2):' in page
    assert page.count("Seal Harbour.") == 1


def test_a_turn_says_what_it_did_to_each_file() -> None:
    page = render(
        report(
            session(
                user("Repair tide.py."),
                read("/p/tide.py", "x = 1\n"),
                read("/p/bays.md", "old\n"),
                edit("/p/tide.py", "x = 1", "x = 2"),
                edit("/p/bays.md", "old", "new"),
                says("Done."),
                user("Leave out bays.md, and count from zero."),
                run("rm /p/bays.md"),
                edit("/p/tide.py", "x = 2", "x = 0"),
                says("Done."),
            )
        )
    )
    assert "(steps 1-4): Changed `/p/tide.py` and `/p/bays.md`." in page
    assert "(steps 5-6): Changed `/p/tide.py`, and deleted `/p/bays.md`." in page


def test_requests_of_a_calm_session_are_folded_together() -> None:
    turns: list[Part] = [part for n in range(9) for part in (user(f"How deep is bay {n}?"), says(f"{n} fathoms."))]
    page = render(report(session(*turns, read("/p/bays.md"))))
    assert "<summary>The 9 requests, one by one</summary>" in page
    assert "## Request by request" not in page
    assert [page.count(f"How deep is bay {n}?") for n in range(9)] == [1] * 8 + [2]  # the last is on the first screen


def test_of_a_session_in_trouble_the_last_requests_that_went_wrong_are_shown() -> None:
    loop = [[edit("/p/tide.py", f"{n}", f"{n}{n}"), run("pytest", pytest_report(), 1)] for n in range(4)]
    words = ["No, draw bay 1.", "Which bay is it?", "No, not that one.", "No, wrong again.", "Now the chart."]
    turns: list[Part] = [part for n, text in enumerate(words) for part in (user(text), read(f"/p/{n}.md"), says("Ok."))]
    page = render(report(session(user(TASK), loop, says("It fails."), *turns)))
    shown, folded = page.split("## Request by request\n")[1].split("<summary>3 other requests</summary>")
    assert re.findall(r"(?m)^\d", shown) == ["3", "4", "6"]
    assert re.findall(r"(?m)^\d", folded.split("</details>")[0]) == ["1", "2", "5"]


def test_a_request_without_words_is_a_sentence() -> None:
    silent = Message("user", "", unrecorded=True)
    page = render(report(session(silent, says("Three fathoms deep."), user("And the next bay?"), says("Four."))))

    assert '1. A request whose words aren\'t recorded: Answer: "Three fathoms deep."' in page


@pytest.mark.parametrize("parts", [[user(TASK), read("/p/tide.py")], TURNS], ids=["one turn", "several"])
def test_the_task_stands_once_on_a_page(parts: list[Part]) -> None:
    made = session(*parts, task=TASK)
    assert render(report(made)).count("Repair the tide table") == 1
    assert drawn(made).split("</head>")[1].count("Repair the tide table") == 1


def test_a_title_of_its_own_leaves_the_task_to_the_lead() -> None:
    made = session(user(TASK), read("/p/tide.py"), task=TASK, title="Tides")
    assert drawn(made).count("Repair the tide table") == 1


def test_quotes_end_behind_a_word() -> None:
    made = session(user(LONG), read("/p/tide.py"), says(LONG.replace("Repair", "Repaired")), task=LONG)
    page = render(report(made))
    cut = [part.split('"')[0].split("</")[0].rstrip("\n") for part in page.split('"Repair')[1:]]
    assert cut
    pieces = [(part.replace("(…)", "|").partition("|")) for part in cut if "…" in part]
    assert len(pieces) == len(cut)
    assert all(f" {head.strip(' …').split()[-1]} " in f" {LONG} " for head, _, _ in pieces)
    tails = [tail.strip(" …") for _, mark, tail in pieces if mark]
    assert tails
    assert all(tail and f" {tail}" in LONG for tail in tails)


@table("a_text_is_cut_behind_a_word")
def test_a_text_is_cut_behind_a_word(text: str, limit: int, shown: str) -> None:
    assert clip_words(text, limit) == shown


def test_a_row_of_several_sessions_says_why_each_of_them_ended_so() -> None:
    judged = {"ending": Ending.SOLVED, "recorded_status": "tides: 1", "ending_detail": "tides: 1; the answer is right"}
    page = render(report(session(user(TASK), says("4 m."), **judged), session(user(TASK), says("4 m."))))

    assert "| solved (recorded verdict) | tides: 1; the answer is right |" in page
    assert "| solved (recorded verdict) |  |" not in page
