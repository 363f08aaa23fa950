"""Which sections a page has, and in which order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer import analyze
from analyzer.model.session import Message, Session, Tokens, Usage
from analyzer.model.words import SIMULATED_USER
from analyzer.report import safe
from analyzer.report.markdown import render
from analyzer.text import english
from tests.build import call, edit, pytest_report, read, report, run, session
from tests.report.rendered import rendered
from tests.tables import table

TROUBLE = ["What happened", "Root cause", "Why the agent failed", "Suggested improvements"]


def test_the_page_of_the_founding_case(samples: Path) -> None:
    text = render(analyze(samples / "bspline_clamping.json"))
    page = rendered(text)
    assert page.headings() == ["Request by request", *TROUBLE]
    details = [re.split(r"[(:]", one.text)[0].strip() for one in page.all("summary")]
    assert [entry for entry in details if entry != "Other findings"] == [
        *("1 other request", "What was tried", "Other ways to go on", "The changes in full", "Cost and waste"),
        *("The recording", "Full timeline", "Failures that came back", "What introduced the failures"),
        "Guard rules replayed",
    ]
    assert text.startswith("# Post-mortem: session `b50375f7-c696-451e-a8bc-78c1a90d0bbf`\n\n> ")


@table("the_founding_case_names")
def test_the_founding_case_names(samples: Path, fact: str) -> None:
    assert fact in render(analyze(samples / "bspline_clamping.json"))


def test_functions_are_shown_by_what_they_do() -> None:
    calls = [call(f"{verb}_berth", {"port": "7"}, f"{verb} 7") for verb in ("get", "list", "book") * 3]
    text = render(report(session(*calls)))
    assert [word in text for word in ("l lookup", "k call", "| 2 | lookup |", "| 3 | call |")] == [True] * 4
    assert "o other" not in text


def test_each_session_of_a_file_has_a_picture_of_its_own(samples: Path) -> None:
    (stuck,), (other,) = (analyze(samples / name).sessions for name in ("bspline_clamping.json", "moving_numbers.json"))
    text = render(analyze(samples / "bspline_clamping.json").model_copy(update={"sessions": [stuck, other]}))
    pages = text.split("# Post-mortem: ")[1:]
    pictures = [page[page.index("```text\n") : page.index("- **")] for page in pages]
    assert ["edit-test loop, 6 rounds" in picture for picture in pictures].count(True) == 1
    assert ["edit-run loop, 7 rounds" in picture for picture in pictures].count(True) == 1


def test_a_session_of_a_few_actions_has_no_picture() -> None:
    text = render(report(session(read("a.py", "a"), edit("a.py", "a", "b"), run("make", "ok"))))
    assert "look " not in text
    assert "```text" not in text


@pytest.mark.parametrize("name", ["bspline_solved", "polling_a_build"])
def test_the_page_of_a_calm_session(samples: Path, name: str) -> None:
    page = rendered(render(analyze(samples / f"{name}.json")))
    assert page.headings() == []
    folded = [re.split(r"[(:]", one.text)[0].strip() for one in page.all("summary")]
    assert folded.pop(0) == "What was done and said"
    assert folded == (
        ["Cost and waste", "The recording", "Full timeline", "Repetition that isn't a loop"]
        if name == "polling_a_build"
        else ["Cost", "The recording", "Full timeline", "What introduced the failures"]
    )


def test_sessions_of_one_file_are_pages_one_after_the_other() -> None:
    stuck = [[edit("a.py", f"{n}", f"{n}{n}"), run("pytest", pytest_report(), 1)] for n in range(4)]
    text = render(report(session(stuck, id="one"), session(run("ls", "a"), id="two"), session(stuck, id="three")))
    assert text.startswith("# `log.json`: 3 sessions\n")
    assert rendered(text).headings() == TROUBLE * 2
    table, first, second = text.split("\n---\n")
    assert [name in table for name in ("`one`", "`two`", "`three`")] == [True] * 3
    assert ("`one`" in first, "`three`" in second) == (True, True)


def test_many_sessions_of_one_file_are_a_table_with_a_line_each() -> None:
    stuck = [[edit("a.py", f"{n}", f"{n}{n}"), run("pytest", pytest_report(), 1)] for n in range(4)]
    made = report(*(session(stuck, id=f"run-{n}") for n in range(12)))
    text, narrow = render(made), render(made, narrow=True)
    assert "# Post-mortem" not in text
    assert "`--session ID`" in text
    listed = [line for line in narrow.splitlines() if line.startswith("run-")]
    assert len(listed) == 12
    assert all(len(line) <= 98 for line in listed)


def test_lanes_are_shown_where_there_are_several() -> None:
    text = render(report(session(run("ls", "a"), run("pwd", "b", lane="helper"))))
    assert "| Lane | Step |" in text
    assert "| helper | 1 |" in text
    assert "| Lane |" not in render(report(session(run("ls", "a"))))


def test_a_paragraph_that_starts_with_backticks_is_no_fence() -> None:
    failing = run("pytest", pytest_report("KeyError: a `` b", raised=("shapes.py", 40, "return sides[4]")), 1)
    text = render(report(session([[edit("a.py", f"{n}", f"{n}{n}"), failing] for n in range(4)])))
    assert "**What went wrong**: ``` KeyError: a `` b ```" in text
    assert "\n\n\n" not in text


@pytest.mark.slow
def test_a_long_timeline_is_cut_and_says_so() -> None:
    text = render(report(session(*(run(f"python job_{n}.py", str(n)) for n in range(2_100)))))
    assert "100 more actions are in the JSON output." in text
    assert "Full timeline (2 100 actions)" in text


def test_a_session_without_actions_is_a_page() -> None:
    assert rendered(render(report(Session("empty")))).headings() == []


def test_a_loop_of_a_sub_agent_shows_the_steps_of_its_lane() -> None:
    rounds = [
        [edit("a.py", f"{n}", f"{n}{n}", lane="helper"), run("pytest", pytest_report(), 1, lane="helper")]
        for n in range(4)
    ]
    text = render(report(session(read("a.py"), rounds)))
    assert "- **Cost**: Steps 1-8 of helper took 8 of the 9 actions." in text


@table("durations_for_people")
def test_durations_for_people(seconds: float, shown: str) -> None:
    assert english.duration(seconds) == shown


@table("clock_times_for_people")
def test_clock_times_for_people(start: str | None, end: str | None, shown: str) -> None:
    assert safe.clock(start, end) == shown


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([], ""),
        ([3], "3"),
        ([3, 4], "3, 4"),
        ([3, 4, 5], "3-5"),
        ([1, 3, 4, 5, 9], "1, 3-5, 9"),
        (list(range(1, 60, 2)), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, ..., 59"),
    ],
)
def test_step_numbers_for_people(values: list[int], shown: str) -> None:
    assert safe.steps(values) == shown


def test_numbers_for_people() -> None:
    assert english.number(12_345_678) == "12 345 678"


def test_an_improvement_says_what_it_saves_of_tokens_and_money_where_the_log_records_it() -> None:
    steps = [run("pwd", "b", used=Usage(Tokens(1000 * number, 10), 0.25)) for number in range(1, 7)]
    page = render(report(session(steps)))
    assert "Saves 3 of 6 actions (steps 4-6), 15 030 tokens, $0.75." in page
    assert "tokens" not in render(report(session([run("pwd", "b") for _ in range(6)])))


def test_what_a_simulated_user_was_told_is_named_as_that() -> None:
    told = "You want the tide table corrected, and you never say why."
    text = render(report(session(read("tide.py"), task="Hello.", environment={SIMULATED_USER: told, "domain": "bays"})))
    assert f"- **Simulated user** (its instruction): {told}\n" in text
    assert "- **Environment**: bays (domain)\n" in text
    assert "Simulated user" not in render(report(session(read("tide.py"), task="Hello.")))


def test_a_request_whose_words_are_not_recorded_is_the_task_and_nothing_later() -> None:
    asked = Message("user", "", unrecorded=True)
    page = render(report(session(asked, read("tide.py", "x = 1"))))
    assert "**Asked**: The words of the request aren't recorded." in page
    assert "The last request" not in page
