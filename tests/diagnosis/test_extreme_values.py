"""Values in what tools print and in what calls are given that are far too large: a page says less, and says it."""

from __future__ import annotations

import json

import pytest

from analyzer.formats import load_bytes
from analyzer.model.session import Session
from tests.build import Part, call, diagnosed, run, says, session, timeline, user
from tests.growth import assert_in_proportion

HUGE = "9" * 5_000
"""More digits than Python turns into a number."""


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("git status", f"Your branch is ahead of 'origin/main' by {HUGE} commits.")], id="ahead"),
        pytest.param([run("git status -sb", f"## main...origin/main [ahead {HUGE}]")], id="ahead, in short"),
        pytest.param(
            [
                run(
                    "git status",
                    "Your branch and 'o/main' have diverged,\nand have " + HUGE + " and 2 different commits",
                ),
                run("git log", HUGE),
            ],
            id="diverged",
        ),
        pytest.param([run(f"git reset --hard HEAD~{HUGE}", "HEAD is now at 1a2b3c4 x")], id="reset"),
        pytest.param([run(f"git checkout HEAD~{HUGE} -- gauge.py", "")], id="checkout"),
    ],
)
def test_numbers_that_are_too_long_to_be_counts(parts: list[Part]) -> None:
    assert diagnosed(user("Mend the gauge."), *parts, says("Done.")).session.actions == len(parts)


def test_a_file_of_deeply_nested_lists_has_no_known_number_of_items() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    written = call("write_file", {"path": "depths.json", "content": deep}, "ok")
    asked = user("Write a list of exactly 3 items to depths.json.")
    assert diagnosed(asked, written, says("Done.")).session.actions == 1


def test_a_row_of_numbers_takes_time_in_proportion() -> None:
    def work(given: Session) -> object:
        return diagnosed(*given.events)

    def make(size: int) -> Session:
        return session(
            user("How many ships?"), run("cat log", "1," * size + "x"), says("It counted 53,871 ships and 7,312 boats.")
        )

    assert_in_proportion(work, make, 1_000, 4_000, "a row of numbers")


@pytest.mark.parametrize("depth", [300, 600, 900])
def test_deep_arguments_are_text_from_some_level_on(depth: int) -> None:
    given = '{"a": ' * depth + '"kept"' + "}" * depth
    message = (
        '{"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "make", "input": {"x": '
        + given
        + ', "y": [1, {"z": "as it is"}]}}]}'
    )
    lines = f'{{"role": "user", "content": "Make it."}}\n{message}\n'
    (found,) = load_bytes(lines.encode(), "x.jsonl").sessions
    (made,) = found.calls()
    assert isinstance(made.arguments, dict)
    assert made.arguments["y"] == [1, {"z": "as it is"}]
    assert "kept" in json.dumps(made.arguments)
    assert len(timeline(*found.events).actions) == 1
    assert diagnosed(*found.events).session.actions == 1
