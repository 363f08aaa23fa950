"""Sessions of very many failures, lanes and groups take time in proportion."""

from __future__ import annotations

import pytest

from analyzer.diagnosis import post_mortem
from analyzer.model.session import Event, Session, ToolCall, ToolResult
from analyzer.text.similarity import first_near
from analyzer.timeline import build_timeline
from tests.growth import assert_in_proportion

NAMES = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "jetty")


def words(number: int) -> str:
    """Ten words that say of which number they are."""
    return " ".join(NAMES[int(digit)] * (1 + place % 3) for place, digit in enumerate(f"{number * 7919:010d}"))


@pytest.mark.slow
def test_failures_that_are_all_different_are_grouped_in_proportion() -> None:
    def known(count: int) -> list[str]:
        return [words(number) for number in range(count)]

    def group(texts: list[str]) -> None:
        seen: list[str] = []
        for text in texts:
            first_near(seen, text)
            seen.append(text)

    assert_in_proportion(group, known, 1_500, 6_000, "different messages", leeway=3)


def session(count: int, lanes: int = 1) -> Session:
    """As many failing calls, spread over lanes."""
    events: list[Event] = []
    for number in range(count):
        name, lane = f"c{number}", "main" if lanes == 1 else f"agent-{number % lanes}"
        trace = f'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: {words(number)}'
        events += [ToolCall(name, "bash", {"command": f"make step{number}"}, lane=lane)]
        events += [ToolResult(name, trace, exit_code=1, lane=lane)]
    return Session(id="s", task="Build it.", events=events)


@pytest.mark.slow
def test_the_causes_of_many_failures() -> None:
    assert_in_proportion(
        lambda many: post_mortem(many, []), lambda count: build_timeline(session(count)), 100, 400, "failures", leeway=3
    )


def test_the_actions_of_a_lane_are_those_of_later_ones_too() -> None:
    timeline = build_timeline(session(6, lanes=3))
    assert [len(timeline.lane(name)) for name in timeline.lanes()] == [0, 2, 2, 2]
    assert timeline.lane("nobody") == []
    timeline.actions.append(timeline.actions[0])
    assert len(timeline.lane("agent-0")) == 3


def test_of_two_near_messages_the_first_is_taken() -> None:
    base = "the amber gate of the birch hall was found closed by the cedar guard at night"
    near = [base.replace("found ", ""), base.replace("at night", "by night then"), base]
    assert first_near(["something else entirely", *near], base) == 1
    assert first_near(["something else entirely"], base) is None
