"""Counts of tokens that can't be are taken for unknown: nothing is priced, and the page says why."""

from __future__ import annotations

import pytest

from analyzer.formats.loading.placeholder_counts import forget_placeholder_counts
from analyzer.model.session import Event, Message, Session, Tokens, ToolCall, ToolResult, Usage
from tests.build import report, session

WORDS = "The harbour is deep enough for both boats, and the tide is high. "


def answer(number: int, used: tuple[int | None, int | None], length: int = 0) -> list[Event]:
    text = f"Look {number}: {WORDS * 9}"[: length or 20 * number + 20]
    usage = Usage(Tokens(*used))
    return [ToolCall(f"c{number}", "look", {"why": text}, usage=usage), ToolResult(f"c{number}", "4 m")]


def read(*answers: list[Event], prompt: str = "How deep is it?", cost: float | None = None) -> Session:
    events = [event for one in answers for event in one]
    used = [event.usage.tokens for event in events if isinstance(event, Message | ToolCall) and event.usage]
    total = Tokens(sum(one.input or 0 for one in used), sum(one.output or 0 for one in used), cached=0)
    made = session(Message("user", prompt), events, tokens=total, model="gpt-4o", cost_usd=cost)
    forget_placeholder_counts(made)
    return made


@pytest.mark.parametrize(
    ("answers", "prompt", "why"),
    [
        pytest.param(
            [answer(n, (100, 20), 500) for n in range(6)],
            "",
            "each of the 6 answers counts 100 in and 20 out",
            id="both",
        ),
        pytest.param(
            [answer(n, (10, 1)) for n in range(4)], "", "each of the 4 answers counts 10 in and 1 out", id="1"
        ),
        pytest.param(
            [answer(n, (900 + 40 * n, 20), (30, 400, 90, 30)[n]) for n in range(4)],
            "",
            "each of the 4 answers counts 20 out, for texts of 34 to 404 characters",
            id="the output alone",
        ),
        pytest.param(
            [answer(1, (1, 1)), answer(2, (1, 0))], WORDS * 12, "2 tokens in for 786 characters", id="one each"
        ),
        pytest.param([answer(1, (0, 1))], WORDS * 12, "0 tokens in for 783 characters", id="none and one"),
    ],
)
def test_placeholders(answers: list[list[Event]], prompt: str, why: str) -> None:
    made = read(*answers, prompt=prompt)
    assert made.tokens_unknown == why
    assert made.tokens == Tokens()
    spending = report(made).sessions[0].spending
    assert spending is not None
    assert (spending.usd, spending.all.usd, spending.all.tokens) == (None, None, None)


@pytest.mark.parametrize(
    ("answers", "prompt"),
    [
        pytest.param([answer(n, (100 + n, 20 + n)) for n in range(6)], "", id="counted"),
        pytest.param([answer(n, (100, 20)) for n in range(6)], "", id="as many as there can be"),
        pytest.param(
            [answer(n, (900 + 40 * n, 50), (30, 400, 90, 30)[n]) for n in range(4)], "", id="enough for the longest"
        ),
        pytest.param([answer(n, (100, 20)) for n in range(3)], "", id="too few answers"),
        pytest.param([answer(1, (100, 20)) for _ in range(6)], "", id="one answer again and again"),
        pytest.param([answer(n, (900 + 40 * n, 50), 60) for n in range(6)], "", id="answers of one length"),
        pytest.param([answer(n, (900 + 40 * n, 1), 60 + 60 * n) for n in range(6)], "", id="the start of each answer"),
        pytest.param([answer(1, (1, 1))], "Hi.", id="a short prompt"),
        pytest.param([answer(n, (3, 40 + n)) for n in range(3)], WORDS * 12, id="what no cache held"),
        pytest.param([answer(1, (None, 12))], WORDS * 12, id="no input recorded"),
    ],
)
def test_counts(answers: list[list[Event]], prompt: str) -> None:
    made = read(*answers, prompt=prompt)
    assert made.tokens_unknown is None
    assert made.tokens.output is not None


def test_what_came_back_is_kept_where_only_the_input_is_one() -> None:
    made = read(answer(1, (0, 40)), answer(2, (1, 52)), prompt=WORDS * 12)
    assert (made.tokens, made.tokens_unknown) == (Tokens(output=92), None)
    assert report(made).sessions[0].spending.usd is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("cost", "words"), [(None, "tokens and cost not known (each of"), (0.5, "tokens not known (each of")]
)
def test_the_page_says_so(cost: float | None, words: str) -> None:
    made = report(read(*(answer(n, (100, 20), 500) for n in range(6)), cost=cost)).sessions[0]
    (line,) = (entry.text for entry in made.diagnosis.lead if entry.part == "cost")
    assert words in line
    assert ("$" in line) is (cost is not None)
