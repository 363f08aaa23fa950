"""Loops of content and of talk: files that go to and fro, content that is read again, an agent that only speaks."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding
from analyzer.model.session import Message
from analyzer.model.words import OutcomeStatus
from tests.build import Part, call, diagnosed, edit, findings, pytest_report, read, run, says, together, user, write

PAGE = "\n".join(f"line {number} of the atlas" for number in range(20))
OTHER = "\n".join(f"row {number} of the index" for number in range(20))
PROMISE = "I will now open the atlas and look for the harbour on its third page."
THERE, BACK = edit("tide.py", "depth = 3", "depth = 5"), edit("tide.py", "depth = 5", "depth = 3")


def loops(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="loops", **header)


def at(message: Message, time: float) -> Message:
    """The message, said at a known time."""
    message.time = time
    return message


@pytest.mark.parametrize(
    ("parts", "kind", "steps", "detectable_at"),
    [
        pytest.param([THERE, BACK, THERE], "oscillation", [1, 2, 3], 3, id="an edit and its inverse in turn"),
        pytest.param(
            [THERE, run("pytest", "2 passed"), BACK, run("pytest", "3 passed"), THERE, read("a.py", PAGE), BACK],
            "oscillation",
            [1, 3, 5, 7],
            5,
            id="with checks in between",
        ),
        pytest.param(
            [write("a.py", word) for word in ("one", "two", "one", "two")],
            "oscillation",
            [2, 3, 4],
            4,
            id="a file written in two versions by turns",
        ),
        pytest.param(
            [THERE, run("git checkout -- tide.py", ""), read("a.py", PAGE), THERE, run("git checkout -- tide.py", "")],
            "oscillation",
            [1, 2, 4, 5],
            4,
            id="an edit that is reverted and made again",
        ),
        pytest.param(
            [THERE, run("git stash", "Saved"), THERE, run("git reset --hard", "HEAD is now at 1")],
            "oscillation",
            [1, 2, 3, 4],
            3,
            id="everything put aside",
        ),
        pytest.param(
            [
                call(
                    "edit",
                    {"path": "a.py", "old": "class Tide:", "new": "class Tide:\n    depth: int"},
                    f"Edited. The file has {90 + n} lines:\n{n} class Tide:",
                )
                for n in range(4)
            ],
            "repeated-call",
            [1, 2, 3, 4],
            3,
            id="a file that grows by the same line",
        ),
        pytest.param(
            [
                [
                    call(
                        "insert",
                        {"path": "a.py", "insert_line": 9, "new_str": "    self.check_depth(tide)"},
                        f"Edited: {n} lines",
                    ),
                    run("python a.py", f"result {n * 7}"),
                ]
                for n in range(3)
            ],
            "repeated-call",
            [1, 3, 5],
            5,
            id="the same text inserted again between runs",
        ),
        pytest.param([read("atlas.md", PAGE) for _ in range(3)], "re-read", [1, 2, 3], 3, id="the same file in a row"),
        pytest.param(
            [[read("atlas.md", PAGE), read(f"{name}.md", f"{name} {OTHER}")] for name in "abcd"],
            "re-read",
            [1, 3, 5, 7],
            7,
            id="the same file between others",
        ),
        pytest.param(
            [read("a.md", PAGE), [says(PROMISE) for _ in range(3)]], "monologue", [1], 1, id="the same promise"
        ),
        pytest.param(
            [read("a.md", PAGE), [[says(PROMISE), user("Please go on.")] for _ in range(4)]],
            "monologue",
            [1],
            1,
            id="the same promise, answered by an automatic word",
        ),
        pytest.param([[says(PROMISE) for _ in range(3)]], "monologue", [0], 0, id="before anything was done"),
        pytest.param(
            [user("When the tide is normal, reply TIDE_IS_NORMAL."), [says("TIDE_IS_NORMAL") for _ in range(5)]],
            "monologue",
            [0],
            0,
            id="a dictated answer that nobody asked for again",
        ),
        pytest.param(
            [says(PROMISE), [[user('Go on; say "ready" when you are.'), says(PROMISE)] for _ in range(4)]],
            "monologue",
            [0],
            0,
            id="another answer than the dictated one",
        ),
        pytest.param(
            [user("Look at the harbours."), [says(PROMISE) for _ in range(3)]],
            "monologue",
            [0],
            0,
            id="three times on one request",
        ),
        pytest.param(
            [[at(says(PROMISE), 100.0 * n), at(user("Please go on."), 100.0 * n + 2)] for n in range(4)],
            "monologue",
            [0],
            0,
            id="answered at once each time",
        ),
        pytest.param(
            [user("Say what you do next."), [[says(PROMISE), user("Please go on.")] for _ in range(4)]],
            "monologue",
            [0],
            0,
            id="a request that doesn't say what to answer",
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = loops(*parts)
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [
                call(
                    "insert",
                    {"path": "a.py", "insert_line": line, "new_str": "    self.check_depth(tide)"},
                    f"Edited: {line} lines",
                )
                for line in (9, 30, 60, 90)
            ],
            id="the same text at four places",
        ),
        pytest.param(
            [
                call(
                    "edit",
                    {"path": "a.py", "old": "tide.depth()", "new": "tide.level()"},
                    f"Replaced the first of {n}.",
                )
                for n in (4, 3, 2, 1)
            ],
            id="one occurrence replaced after the other",
        ),
        pytest.param([THERE, BACK, read("a.py", PAGE)], id="undone once"),
        pytest.param(
            [THERE, BACK, edit("tide.py", "depth = 3", "depth = 4"), edit("tide.py", "depth = 4", "depth = 3")],
            id="two faults planted and taken out",
        ),
        pytest.param([THERE, edit("ebb.py", "depth = 5", "depth = 3"), THERE], id="two files"),
        pytest.param(
            [THERE, [run(f"python {name}.py", name) for name in "abcdefghijklmnopqrstuvwxyzxyz"[:27]], BACK, THERE],
            id="long after",
        ),
        pytest.param(
            [
                THERE,
                edit("tide.py", "depth = 5", "depth = 3", "String to replace not found in file.", is_error=True),
                THERE,
            ],
            id="a refused edit changes nothing",
        ),
        pytest.param([THERE, user("Undo it."), BACK, user("No, do it."), THERE], id="the user can't decide"),
        pytest.param(
            [[read("atlas.md", PAGE), edit("tide.py", f"a{n}", f"b{n}")] for n in range(5)],
            id="read again after an edit",
        ),
        pytest.param(
            [[read("atlas.md", f"{PAGE}\n{n}"), read(f"{n}.md", f"{n} {OTHER}")] for n in range(5)],
            id="another content each time",
        ),
        pytest.param(
            [[read("atlas.md", PAGE), read(f"{n}.md", f"{n} {OTHER}")] for n in "abc"],
            id="three times, with others between",
        ),
        pytest.param(
            [[read("atlas.md", PAGE), [run(f"python {n}{m}.py", n + m) for m in "abcdefgh"]] for n in "abcd"],
            id="from time to time",
        ),
        pytest.param(
            [says("I open the atlas first."), says("Then I count the harbours."), says("The answer is nine of them.")],
            id="different words",
        ),
        pytest.param([[says(PROMISE), read(f"{n}.md", f"{n} {OTHER}")] for n in "abcd"], id="words and deeds"),
        pytest.param([[says(PROMISE), user(f"And on page {n}?")] for n in "abcd"], id="an answer to other questions"),
        pytest.param([[says("Done.")] for _ in range(5)], id="a word"),
        pytest.param(
            [[user("Tide poll. If nothing is wrong, reply TIDE_IS_NORMAL."), says("TIDE_IS_NORMAL")] for _ in range(5)],
            id="a dictated answer to each poll",
        ),
        pytest.param(
            [
                [Message("harness", "If all is well, answer with TIDE_IS_NORMAL."), says("TIDE_IS_NORMAL")]
                for _ in range(6)
            ],
            id="a dictated answer to each reminder",
        ),
        pytest.param(
            [[user("[hourly look at the tide]"), says("The tide is as it should be.")] for _ in range(7)],
            id="a timer's request, answered each time",
        ),
        pytest.param(
            [
                [user("[look]"), Message("harness", "Look at the tide and the wind."), says("Nothing has changed yet.")]
                for _ in range(7)
            ],
            id="with what the program around the agent adds to it",
        ),
        pytest.param(
            [
                says("The tide has turned."),
                [[at(user("And now?"), 1800.0 * n), at(says(PROMISE), 1800.0 * n + 9)] for n in range(1, 6)],
            ],
            id="after a pause each time",
        ),
        pytest.param(
            [
                Message("system", "If nothing needs attention, reply exactly:\nNOTHING_TO_DO"),
                says("The tide has turned."),
                [[user("Please go on."), says("NOTHING_TO_DO")] for _ in range(5)],
            ],
            id="an answer that the instructions dictate",
        ),
        pytest.param(
            [call("todo", {"items": ["a"]}, "Saved.") for _ in range(4)], id="a list of tasks that stays as it is"
        ),
        pytest.param([run("date", "noon") for _ in range(5)], id="what the task asks for"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert [found.title for found in loops(*parts, task="Call date five times and say what changes.")] == []


def test_a_session_of_a_timers_requests_is_not_stuck() -> None:
    made = diagnosed([[user("[look at the tide]"), says("The tide is as it should be.")] for _ in range(7)])
    assert made.outcome.status is OutcomeStatus.UNKNOWN


def test_questions_in_nearly_the_same_words_are_the_same_question() -> None:
    words = (
        "which harbours lie on the river of the old town today",
        "which harbours lie on the river of the old town as of today",
    )
    asked = [call("web_search", {"query": words[number % 2]}, "No matches found.") for number in range(4)]
    (found,) = loops(asked)
    assert (found.kind, found.rounds, found.detectable_at) == ("repeated-call", 4, 3)


def test_other_kinds_are_named() -> None:
    report = run("pytest", pytest_report(), 1)
    (found,) = loops([THERE, report, BACK, report, THERE, report, BACK, report])
    assert found.kind == "alternating"
    assert "oscillation" in found.also


def test_a_later_and_longer_loop_is_reported_besides_a_short_one() -> None:
    found = loops(
        [run("ls", "a.py") for _ in range(3)],
        [[edit("a.py", f"x{n}", f"y{n}"), run("pytest", pytest_report(), 1)] for n in range(5)],
    )
    assert sorted((entry.first_step, entry.last_step) for entry in found) == [(1, 3), (4, 13)]


def test_a_thought_that_is_handed_to_a_tool_again_and_again_is_quoted() -> None:
    thought = "Ask for the name of the harbour once more."
    (found,) = findings(*(call("think", {"thought": thought}, "") for _ in range(8)), detector="loops")
    assert (found.kind, [entry.quote for entry in found.evidence]) == ("monologue", [thought])


def pairs(first: str, second: str, count: int = 4) -> list[Part]:
    """Two calls by turns, of tools that fit no kind."""
    return [(call(first, {"text": "oar"}, "typed"), call(second, {}, "the same page")) for _ in range(count)]


def test_a_loop_of_calls_without_a_kind_names_the_calls() -> None:
    (found,) = loops(pairs("page_type", "page_state"))
    assert found.title == "`page_type oar` and `page_state` by turns: 4 rounds with the same result (steps 1-8)"
    assert found.pattern == "alternating calls"


def test_a_loop_of_calls_with_a_kind_is_called_by_their_kinds() -> None:
    (found,) = loops([(edit("a.py", f"x{n}", "y"), run("pytest", pytest_report(), 1)) for n in range(4)])
    assert found.title.startswith("Edit-test loop: 4 rounds")


NOT_THERE = call("page_click", {"index": 7}, "Element with index 7 not found", is_error=True)


@pytest.mark.parametrize(
    ("before", "title"),
    [
        pytest.param(
            [call("page_back", {}, "back"), call("page_state", {}, "an older page")],
            "The same error 4 times, every 3 steps (steps 3-12)",
            id="other calls come first",
        ),
        pytest.param(
            [call("page_click", {"index": 9}, "clicked"), call("page_state", {}, "an older page")],
            "The same 3 steps 4 times with the same error (steps 1-12)",
            id="the calls of a round come first",
        ),
    ],
)
def test_the_first_round_of_a_cycle_has_the_steps_of_the_others(before: list[Part], title: str) -> None:
    rounds = [
        (call("page_click", {"index": 9}, f"clicked {n}"), call("page_state", {}, f"page {n * n} now"), NOT_THERE)
        for n in range(3)
    ]
    (found,) = loops(before, NOT_THERE, rounds)
    assert found.title == title


@pytest.mark.parametrize(
    ("numbers", "title"),
    [
        pytest.param((1, 3, 1, 2), "The same error 6 times in 4 turns while the calls vary (steps 1-6)", id="several"),
        pytest.param((1, 1, 1, 1), "The same error 4 times while the calls vary (steps 1-4)", id="one each"),
    ],
)
def test_calls_that_were_sent_together_are_counted_one_by_one(numbers: tuple[int, ...], title: str) -> None:
    turns = [
        together(
            f"turn-{turn}",
            *(call("fetch", {"url": f"/{turn}-{n}"}, "HTTP 404: no such page", is_error=True) for n in range(number)),
        )
        for turn, number in enumerate(numbers)
    ]
    (found,) = loops(turns)
    assert found.title == title
