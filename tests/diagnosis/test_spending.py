"""Where the actions, the time, the tokens and the money of a session went."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Tokens, Usage
from analyzer.model.spending import LaneStep, Spending
from analyzer.report.spending import view_of
from tests.build import Part, call, diagnosed, edit, pytest_report, read, run, says
from tests.sessions import Written, parts_of
from tests.tables import table

MODEL = "claude-sonnet-4-5"


def spending(*parts: Part, **facts: Any) -> Spending:
    found = diagnosed(*parts, **facts).spending
    assert found is not None
    return found


def waste(found: Spending) -> dict[str, list[int]]:
    return {row.kind.value: row.steps for row in found.waste}


@table("what_brought_nothing")
def test_what_brought_nothing(parts: Written, expected: dict[str, list[int]]) -> None:
    found = spending(*parts_of(parts))
    assert waste(found) == expected
    counted = sum(len(steps) for kind, steps in expected.items() if kind != "oversized result")
    assert (found.wasted.actions if found.wasted is not None else 0) == counted


def test_rounds_after_a_loop_was_detectable() -> None:
    rounds = [run("pytest -q", "E   ValueError: dry\n1 failed in 0.1s", 1) for _ in range(6)]
    found = spending(*rounds)
    (row, *_) = found.waste
    assert (row.kind.value, row.steps[-1]) == ("loop", 6)
    assert 1 not in row.steps
    assert found.wasted is not None
    assert found.wasted.actions < 6


def test_a_success_within_the_rounds_of_a_loop_is_no_waste() -> None:
    def rounds(first: int, last: int) -> list[Part]:
        return [[edit("tide.py", f"{n}", f"{n}{n}"), run("pytest", pytest_report(), 1)] for n in range(first, last)]

    found = spending(rounds(0, 4), read("quay.py", "dry = 0\n"), rounds(4, 6))
    assert waste(found) == {"loop": [7, 8, 10, 11, 12, 13]}


USED = Usage(Tokens(1_000_000, 100_000, 400_000, 100_000))
COST = 0.5 * 3 + 0.4 * 0.3 + 0.1 * 3.75 + 0.1 * 15


def test_tokens_are_priced_by_the_table_where_no_cost_is_recorded() -> None:
    found = spending(run("ls", "a", used=USED), model=MODEL, tokens=USED.tokens)
    assert found.usd == pytest.approx(COST)
    assert (found.basis, found.bound, found.unpriced) == ("list prices", None, [])
    assert found.prices_as_of
    assert found.tools[0].usd == found.all.usd == pytest.approx(COST)


def test_a_recorded_cost_counts_for_more_than_a_price() -> None:
    used = Usage(USED.tokens, 0.25)
    found = spending(run("ls", "a", used=used), model=MODEL, tokens=USED.tokens, cost_usd=0.25)
    assert (found.usd, found.basis, found.prices_as_of, found.all.usd) == (0.25, "recorded", None, 0.25)


def test_what_was_copied_is_told_apart_from_what_the_session_cost_by_itself() -> None:
    twice = Tokens(2_000_000, 200_000, 800_000, 200_000)
    facts = {"copied_from": "lamp-1", "copied_calls": 1, "copied_tokens": USED.tokens}
    made = diagnosed(run("ls", "a", used=USED), run("pwd", "b", used=USED), model=MODEL, tokens=twice, **facts)
    assert made.spending is not None
    assert made.spending.copied is not None
    assert (made.spending.copied.origin, made.spending.copied.actions) == ("lamp-1", 1)
    assert made.spending.copied.own_usd == pytest.approx(COST)
    (cost,) = (one.text for one in made.diagnosis.lead if "copied" in one.text)
    told = "the first action with 1 000 000 tokens in was copied from session `lamp-1`, 1 is its own, which cost $3.50"
    assert told in cost.replace("\u202f", " ").replace("\xa0", " ")


def test_an_unknown_model_is_named_and_costs_nothing_that_is_known() -> None:
    found = spending(run("ls", "a", used=USED), model="tern-1", tokens=USED.tokens)
    assert (found.usd, found.basis, found.unpriced, found.all.usd) == (None, None, ["tern-1"], None)


def test_each_model_has_its_own_price() -> None:
    parts = {MODEL: Tokens(1_000_000, 0, 0, 0), "claude-haiku-4-5": Tokens(1_000_000, 0, 0, 0)}
    found = spending(run("ls", "a"), model=MODEL, tokens=Tokens(2_000_000, 0, 0, 0), by_model=parts)
    assert found.usd == 4.0
    without = spending(run("ls", "a"), model=MODEL, tokens=Tokens(3_000_000, 0, 0, 0), by_model=parts)
    assert without.usd == 9.0


@pytest.mark.parametrize(
    ("tokens", "said", "bound"),
    [
        pytest.param(Tokens(1_000, 100, 10), "ok", None, id="all known"),
        pytest.param(Tokens(1_000, 100), "ok", "at most", id="nothing about a cache"),
        pytest.param(Tokens(1_000, 1, 10), "word " * 100, "at least", id="too little output"),
    ],
)
def test_what_the_log_leaves_out_makes_the_amount_a_bound(tokens: Tokens, said: str, bound: str | None) -> None:
    found = spending(says(said), run("ls", "a"), model=MODEL, tokens=tokens)
    assert (found.basis, found.bound) == ("list prices", bound)


def test_an_amount_that_may_be_wrong_either_way_is_not_said() -> None:
    found = spending(says("word " * 100), run("ls", "a"), model=MODEL, tokens=Tokens(1_000, 1))
    assert (found.usd, found.basis) == (None, None)


def test_tools_and_phases() -> None:
    found = spending(
        run("ls", "a" * 2_000, took=0.5),
        read("tide.py", "level = 1\n", took=0.1),
        edit("tide.py", "level = 1", "level = 2", took=0.1),
        run("make", "broken", 2, took=3.0),
        edit("tide.py", "level = 2", "level = 3", took=0.1),
        run("make", "built", took=2.0),
    )
    shell = found.tools[0]
    assert (shell.tool, shell.actions, shell.failed, shell.seconds) == ("bash", 3, 1, 5.5)
    assert (shell.slowest, shell.slowest_seconds, shell.largest, shell.largest_characters) == (4, 3.0, 1, 2_000)
    assert [(row.phase, row.first_step, row.last_step, row.actions) for row in found.phases] == [
        ("before the first change", 1, 2, 2),
        ("first to last change", 3, 5, 3),
        ("after the last change", 6, 6, 1),
    ]


def test_a_file_that_others_wrote_to_between_two_looks_is_no_change() -> None:
    assert spending(read("tide.log", "low\n"), run("ls", "tide.log"), read("tide.log", "high\n")).phases == []


def test_the_largest_and_the_slowest_are_of_all_lanes_that_are_counted() -> None:
    found = spending(
        run("ls", "a" * 2_000, took=2.0),
        *(call("bash", {"command": f"cat {n}"}, "b" * 1_000 * n, lane="agent-tide", took=float(n)) for n in (1, 3, 2)),
        read("tide.py", "c" * 1_500),
        call("read", {"path": "quay.py"}, "c" * 1_200, lane="agent-tide"),
    )
    shell, reads = found.tools
    assert (shell.actions, shell.largest, shell.largest_characters, shell.slowest) == (4, None, 3_000, None)
    assert shell.largest_elsewhere == shell.slowest_elsewhere == LaneStep(lane="agent-tide", step=2)
    assert (reads.largest, reads.largest_characters, reads.largest_elsewhere) == (2, 1_500, None)
    view = view_of(found)
    assert view is not None
    cells = [cell.text for table in view.tables for row in table.rows for cell in row]
    assert {"3 000 characters (step 2 of agent-tide)", "3 s (step 2 of agent-tide)", "1 500 characters"} <= set(cells)


COUNTED = "It is in quay.py.\n<usage>total_tokens: 1200\ntool_uses: 3\nduration_ms: 900</usage>"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param([call("dispatch", {"prompt": "look"}, COUNTED)], [(1, 1200)], id="at the end of the answer"),
        pytest.param(
            [call("dispatch", {"prompt": "look"}, COUNTED), call("bash", {"command": "ls"}, "a", lane="agent-tide")],
            [(1, 1200)],
            id="with steps whose use isn't recorded",
        ),
        pytest.param(
            [
                call("dispatch", {"prompt": "look"}, COUNTED),
                call("bash", {"command": "ls"}, "a", lane="agent-tide", used=Usage(Tokens(900, 300))),
            ],
            [],
            id="with steps whose use is recorded",
        ),
        pytest.param([read("log.txt", COUNTED)], [], id="in a file that is read"),
        pytest.param([run("cat log.txt", COUNTED)], [], id="in a file that a command shows"),
        pytest.param([call("dispatch", {"prompt": "look"}, COUNTED + "\nMore.")], [], id="in the middle of an answer"),
        pytest.param([call("dispatch", {"prompt": "look"}, "It took 1200 tokens.")], [], id="in prose"),
    ],
)
def test_what_sub_agents_used_by_their_own_count(parts: list[Part], expected: list[tuple[int, int]]) -> None:
    found = spending(*parts, *(run(f"echo {n}", str(n)) for n in range(5)))
    assert [(row.step, row.tokens) for row in found.sub_agents] == expected
    view = view_of(found)
    said = "Sub-agents used 1 200 tokens by their own count (step 1); no other figure includes them."
    assert view is not None
    assert (said in view.sentences) is bool(expected)


def test_time_that_is_recorded_for_some_actions_only_has_no_sum() -> None:
    found = spending(run("ls", "a", took=0.5), run("pwd", "b"))
    assert found.all.seconds is None


def test_calls_sent_together_share_one_use_of_the_model() -> None:
    first = call("look", {"at": "a"}, "a", used=USED, batch="m1")
    second = call("peer", {"at": "b"}, "b", batch="m1")
    alone = call("peer", {"at": "c"}, "c", used=USED)
    found = spending(first, second, alone, model=MODEL, tokens=USED.tokens)
    assert found.all.tokens == 2_200_000
    assert {row.tool: row.tokens for row in found.tools} == {"look": 550_000, "peer": 1_650_000}


def test_a_recorded_cost_counts_without_actions() -> None:
    found = spending(says("Nothing to do."), cost_usd=0.25)
    assert (found.usd, found.basis, found.tools) == (0.25, "recorded", [])


def test_without_actions_and_tokens_there_is_nothing_to_say() -> None:
    assert diagnosed(says("Nothing to do.")).spending is None


def timed(name: str, at: float | None, took: float | None, batch: str | None = None) -> Part:
    return run(f"cat {name}", "a", at=at, took=took, batch=batch)


@pytest.mark.parametrize(
    ("parts", "seconds"),
    [
        pytest.param([timed("a", 0, 40, "m"), timed("b", 0, 40, "m"), timed("c", 0, 39, "m")], 40, id="a batch"),
        pytest.param([timed("a", 0, 40), timed("b", 10, 40)], 50, id="calls that overlap"),
        pytest.param([timed("a", 0, 40), timed("b", 5, 10)], 40, id="a call within another"),
        pytest.param([timed("a", None, 40, "m"), timed("b", None, 40, "m")], None, id="a batch without a start"),
        pytest.param([timed("a", 0, 40), timed("b", 50, None)], None, id="a call of unknown length"),
        pytest.param([timed("a", 0, 40), timed("b", None, 5)], None, id="more than the session took"),
        # Twins of which every second counts.
        pytest.param([timed("a", 0, 40), timed("b", 40, 40)], 80, id="one after another"),
        pytest.param([timed("a", 0, 40), timed("b", 90, 40)], 80, id="with a pause"),
        pytest.param([timed("a", None, 40), timed("b", None, 40)], 80, id="without a start"),
        pytest.param([timed("a", None, 40, "m"), timed("b", None, 40, "n")], 80, id="messages without a start"),
        pytest.param([timed("a", 0, 40)], 40, id="one call"),
    ],
)
def test_what_ran_at_the_same_time_counts_once(parts: list[Part], seconds: float | None) -> None:
    found = spending(*parts)
    assert found.all.seconds == seconds
    assert found.tools[0].seconds == seconds


def test_tools_never_take_longer_than_the_session() -> None:
    parts = [timed(name, None, 40) for name in "abc"]
    assert spending(*parts, started_at=0.0, ended_at=60.0).all.seconds is None
    assert spending(*parts, started_at=0.0, ended_at=120.0).all.seconds == 120


def test_answers_without_a_call_have_a_row_of_their_own() -> None:
    greeting = says("Good morning, the tide is in.")
    greeting.usage = Usage(Tokens(900_000, 0, 0, 0))
    calls = [run(f"cat {name}", "a", used=Usage(Tokens(100_000, 0, 0, 0))) for name in "abcdef"]
    found = spending(greeting, *calls, model=MODEL, tokens=Tokens(1_500_000, 0, 0, 0))
    assert found.answers is not None
    assert (found.answers.actions, found.answers.tokens, found.tools[0].tokens) == (1, 900_000, 600_000)
    assert found.answers.usd == pytest.approx(2.7)
    assert found.tools[0].usd == pytest.approx(1.8)
    view = view_of(found)
    assert view is not None
    rows = next(table for table in view.tables if table.title == "By tool").rows
    assert [[cell.text for cell in row[:4]] for row in rows] == [
        ["bash", "6", "at least 600 000", "at least $1.80"],
        ["(1 answer without a call)", "", "at least 900 000", "at least $2.70"],
    ]


def test_a_session_without_such_answers_has_no_row_for_them() -> None:
    calls = [run(f"cat {name}", "a", used=Usage(Tokens(100_000, 0, 0, 0))) for name in "abcdef"]
    found = spending(says("I look."), *calls, model=MODEL, tokens=Tokens(600_000, 0, 0, 0))
    assert found.answers is None
    view = view_of(found)
    assert view is not None
    assert [len(table.rows) for table in view.tables if table.title == "By tool"] == [1]


@pytest.mark.parametrize(
    ("helper", "total"),
    [
        pytest.param([], ["3", "3", ""], id="the-main-lane-alone"),
        pytest.param([run("ls", "a", lane="helper")], ["3", "3"], id="whose-answers-is-not-known"),
    ],
)
def test_the_phases_are_the_whole_with_the_answers_of_the_main_lane(helper: list[Part], total: list[str]) -> None:
    greeting = says("The tide is in.")
    greeting.usage = Usage(Tokens(900, 0, 0, 0))
    used = Usage(Tokens(100, 0, 0, 0))
    looks = [run(f"cat {name}", "a", used=used) for name in "abc"]
    edits = [edit("a.py", f"{n}", f"{n + 1}", used=used) for n in range(3)]
    view = view_of(spending(*helper, *looks, *edits, greeting, model=MODEL, tokens=Tokens(1_500, 0, 0, 0)))
    assert view is not None
    rows = next(table for table in view.tables if table.title == "By phase of the main lane").rows
    assert [row[1].text for row in rows] == total
    assert [row[2].text for row in rows] == ["at least 300", "at least 300", "at least 900"][: len(total)]


def test_a_large_result_is_a_fact_and_no_waste() -> None:
    view = view_of(spending(run("cat log", "line\n" * 10_000), run("grep tide log", "tide")))
    assert view is not None
    assert view.title == "Cost"
    (large, *_) = view.tables
    assert (large.title, large.rows[0][0].text) == ("Large results", "more than 30 000 characters")
    assert not any("repeated" in table.title for table in view.tables)


def test_a_large_result_that_comes_again_is_both() -> None:
    again = call("harbour__view_tree", {"root": "pier"}, "line\n" * 10_000)
    view = view_of(spending(again, again, run("pwd", "/w")))
    assert view is not None
    repeated, large = view.tables[:2]
    assert (repeated.title, repeated.rows[0][-1].steps) == ("What was repeated, discarded or waiting", (2,))
    assert (large.title, large.rows[0][-1].steps) == ("Large results", (1, 2))


@pytest.mark.parametrize(
    ("tokens", "cells"),
    [
        pytest.param(Tokens(100_000, 100, 10), {"Tokens": "100 100", "Cost": "$0.30"}, id="all known"),
        pytest.param(Tokens(100_000, 1, 10), {"Tokens": "at least 100 001", "Cost": "at least $0.30"}, id="too few"),
        pytest.param(Tokens(100_000, 100), {"Tokens": "100 100", "Cost": "at most $0.30"}, id="nothing about a cache"),
        pytest.param(Tokens(100, 1, 10), {"Tokens": "at least 101", "Cost": "at least $0.0003"}, id="a small amount"),
    ],
)
def test_a_row_is_as_sure_as_the_sum(tokens: Tokens, cells: dict[str, str]) -> None:
    asked = call("look", {"why": "word " * 60}, "4 m", used=Usage(tokens))
    found = spending(
        asked, *(run("ls", "a", used=Usage(Tokens(0, 0, 0))) for _ in range(4)), model=MODEL, tokens=tokens
    )
    view = view_of(found)
    assert view is not None
    (table,) = (table for table in view.tables if table.title == "By tool")
    names = [name for name, _ in table.columns]
    (row,) = (row for row in table.rows if row[0].text == "look")
    assert {name: row[names.index(name)].text for name in cells} == cells


def test_the_largest_result_is_as_long_as_its_row_says() -> None:
    page = diagnosed(run("cat log", "\n" + "x" * 2_000 + "\n\n"))
    assert page.spending is not None
    assert page.spending.tools[0].largest_characters == page.timeline[0].result_characters == 2_000
