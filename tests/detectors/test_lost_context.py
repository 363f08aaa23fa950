"""Things that an earlier step had produced and that are missing later: when that shows, and when it only sounds so."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event, Message
from tests.build import Part, call, edit, findings, read, run, says, user

Call = tuple[Event, ...]

KNOTS = "def tie(rope):\n    return rope.loop()\n" * 20
LONG = "bowline: 3 turns, holds; clove hitch: 2 turns, slips\n" * 10


def ask(prompt: str, answer: str, tool: str = "reviewer_agent") -> Call:
    return call(tool, {"prompt": prompt}, answer)


@pytest.mark.parametrize(
    ("parts", "kind", "steps", "detectable_at"),
    [
        pytest.param(
            [
                read("src/knots.py", KNOTS),
                run("ls"),
                says("I don't have the contents of `src/knots.py`, so I'll guess."),
            ],
            "says-missing",
            [1, 2],
            2,
            id="a file that was read",
        ),
        pytest.param(
            [run("pytest -q", "3 passed in 0.10s, all in tests"), run("ls"), says("I no longer have the test output.")],
            "says-missing",
            [1, 2],
            2,
            id="a test run",
        ),
        pytest.param(
            [run("sh survey.sh", LONG), run("ls"), says("I see no previous results in this conversation.")],
            "says-missing",
            [1, 2],
            2,
            id="results of before",
        ),
        pytest.param(
            [
                read("knots.py", KNOTS),
                ask("Review knots.py for me, please.", "I don't see any file attached. Which file is knots.py?"),
            ],
            "not-passed-on",
            [1, 2],
            2,
            id="a file that a sub-agent wasn't given",
        ),
        pytest.param(
            [
                run("sh survey.sh", LONG),
                ask(
                    "Rank the knots by the results above.",
                    "Could you please provide the results? None came with the message.",
                ),
            ],
            "not-passed-on",
            [1, 2],
            2,
            id="results that were never passed on",
        ),
        pytest.param(
            [
                run("sh survey.sh", LONG),
                ask(
                    f"Rank these knots:\n{LONG}",
                    "I don't have the list of knots. Please provide the results.",
                    "tool_llm.execute",
                ),
            ],
            "not-received",
            [1, 2],
            2,
            id="a text that a model was given and doesn't have",
        ),
        pytest.param(
            [
                read("knots.py", KNOTS),
                ask(f"Review this:\n{KNOTS}", "No code was provided, so there's nothing that I could review."),
            ],
            "not-received",
            [1, 2],
            2,
            id="code that a reviewer was given and doesn't have",
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts, detector="lost-context")
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("ls"), says("I don't have the contents of `knots.py` yet. I'll read it.")], id="never read"),
        pytest.param([read("other.py", KNOTS), says("I don't have the contents of `knots.py`.")], id="another file"),
        pytest.param(
            [read("knots.py", KNOTS), says("I don't have the rest of the file knots.py.")],
            id="a part that wasn't shown",
        ),
        pytest.param(
            [
                read("knots.py", KNOTS),
                edit("knots.py", "loop", "tie"),
                says("I don't have the contents of knots.py as it is now."),
            ],
            id="changed since",
        ),
        pytest.param(
            [
                call("read", {"path": "knots.py", "offset": 1, "limit": 5}, KNOTS),
                says("I don't have the source of knots.py below line 5."),
            ],
            id="only some lines were read",
        ),
        pytest.param(
            [read("knots.py", KNOTS), says("I don't see the debug output of knots.py.")], id="output that didn't come"
        ),
        pytest.param(
            [read("knots.py", KNOTS), says("If the results were not provided, knots.py falls back to a default.")],
            id="about the program",
        ),
        pytest.param(
            [read("knots.py", KNOTS), says('The user wrote "I don\'t have the contents of knots.py".')], id="a quote"
        ),
        pytest.param([read("knots.py", KNOTS), user("I don't have the contents of knots.py.")], id="said by the user"),
        pytest.param(
            [read("knots.py", KNOTS), Message("assistant", "I don't have the contents of knots.py.", thought=True)],
            id="a thought",
        ),
        pytest.param(
            [ask("Review knots.py for me, please.", "I don't see any file attached.")],
            id="a sub-agent asks for what nobody had",
        ),
        pytest.param(
            [read("knots.py", KNOTS), ask(f"Review this: {KNOTS}", "It ties the rope well. No issues.")],
            id="a sub-agent that is content",
        ),
        pytest.param(
            [read("knots.py", KNOTS), ask(f"Review knots.py:\n{KNOTS}", "I don't see any file attached.")],
            id="passed on all the same",
        ),
        pytest.param(
            [
                run("sh survey.sh", LONG),
                ask(
                    f"Rank these knots:\n{LONG}",
                    "Bowline first, clove hitch last. " * 30 + "No data on splices was provided.",
                ),
            ],
            id="an answer that misses something besides",
        ),
        pytest.param(
            [run("sh survey.sh", LONG), ask(f"Rank these knots:\n{LONG}", "Bowline first, clove hitch last.")],
            id="a model that answers",
        ),
        pytest.param(
            [run("sh survey.sh", "bowline"), ask("Rank the knots: bowline", "I don't have the list of knots.")],
            id="a word that stands in the question by chance",
        ),
        pytest.param(
            [
                run("sh survey.sh", LONG),
                call("search_docs", {"query": "knots above 3 turns, results"}, "Please provide the results page."),
            ],
            id="a tool that is no agent",
        ),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="lost-context") == []
