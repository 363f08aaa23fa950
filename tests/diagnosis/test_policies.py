"""Guard rules of the field on recorded sessions: would they have fired, and when."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.early_stop import replay
from tests.build import Part, call, diagnosed, edit, pytest_report, read, run, says, think, timeline

FAILS = run("pytest", pytest_report(), 1)
LS = run("ls", "a.py")
PWD = run("pwd", "/w")


def edits(count: int) -> list[Part]:
    return [[edit("shapes.py", f"{n}", f"{n}{n}"), FAILS] for n in range(count)]


def moving(count: int) -> list[Part]:
    return [run("pytest", pytest_report(f"ValueError: bad token at line {n}"), 1) for n in range(count)]


def distinct(count: int) -> list[Part]:
    return [read(f"{name}.py", name) for name in "abcdefghij"[:count]]


TOOL = "same tool 5 times in a row"
CALL = "identical call 3 times in a row"
RESULT = "identical call and result 4 times in a row (as in OpenHands)"
TURNS = "two calls alternating 3 times with equal results (as in OpenHands)"
CYCLE = "exact cycle of 1-5 calls, 5 rounds (as in gemini-cli)"
ERROR = "identical error 3 times"
MASKED = "same error 3 times, masked"
TURNS_ERROR = "two tools alternating 3 times with the same error"


@pytest.mark.parametrize(
    ("policy", "parts", "step"),
    [
        pytest.param(TOOL, [LS, distinct(5)], 6, id="tool: five reads"),
        pytest.param(TOOL, distinct(5), None, id="tool: an agent with one tool only"),
        pytest.param(CALL, [PWD, LS, LS, run("ls", "b.py")], 4, id="call: whatever the result"),
        pytest.param(CALL, [LS, LS, PWD, LS], None, id="call: another one in between"),
        pytest.param(RESULT, [LS, LS, LS, LS], 4, id="result: four times"),
        pytest.param(RESULT, [run("ls", name) for name in "abcd"], None, id="result: other results"),
        pytest.param(TURNS, [PWD, [LS, PWD] * 3], 6, id="turns: as soon as six steps have alternated"),
        pytest.param(TURNS, [LS] * 8, None, id="turns: one call only"),
        pytest.param(CYCLE, [LS, PWD, FAILS] * 5, 15, id="cycle: three calls"),
        pytest.param(CYCLE, [LS, PWD] * 4, None, id="cycle: four rounds"),
        pytest.param(ERROR, [FAILS, distinct(9), FAILS, distinct(9), FAILS], 21, id="error: far apart"),
        pytest.param(ERROR, moving(3), None, id="error: its numbers move"),
        pytest.param(MASKED, moving(3), 3, id="masked error: its numbers move"),
        pytest.param(MASKED, moving(2), None, id="masked error: twice"),
        pytest.param(TURNS_ERROR, edits(3), 6, id="turns with an error: three rounds"),
        pytest.param(TURNS_ERROR, [LS, FAILS] * 3, None, id="turns with an error: one tool"),
    ],
)
def test_replay(policy: str, parts: list[Part], step: int | None) -> None:
    (result,) = [entry for entry in replay(timeline(*parts).actions) if entry.policy == policy]
    assert (result.fires, result.at_step) == (step is not None, step)
    assert result.why


def test_every_rule_answers_on_any_session() -> None:
    for parts in ([], [LS], [think("x")] * 9, [call("x", {}, "y", harness=True)] * 9):
        names = [entry.policy for entry in replay(timeline(*parts).actions)]
        assert {TOOL, CALL, RESULT, TURNS, CYCLE, ERROR, TURNS_ERROR} <= set(names)
        assert len(names) == len(set(names))


def test_entries_of_the_harness_are_left_out() -> None:
    made = timeline(*[call("exit_cost", {}, "x", harness=True)] * 9)
    assert [entry.policy for entry in replay(made.actions) if entry.fires] == []


OWN = "this program's guard"


def verdicts(*parts: Part) -> dict[str, tuple[int | None, int | None, bool | None]]:
    return {row.policy: (row.at_step, row.saves, row.false_alarm) for row in diagnosed(*parts).early_stop.policies}


def test_what_a_rule_would_have_saved_is_counted_inside_the_loop() -> None:
    found = verdicts(distinct(2), edits(5))
    assert found[OWN] == (8, 4, False)
    assert found[TURNS_ERROR] == (8, 4, False)
    assert found[TURNS] == (None, None, None)


def test_a_rule_that_fires_on_harmless_steps_raises_a_false_alarm() -> None:
    found = verdicts([read(f"{name}.py", name) for name in "abcdefg"], run("ls", "a"))
    assert found[TOOL] == (5, None, True)
    assert found[OWN] == (None, None, None)


def test_why_a_rule_stays_silent_where_nothing_was_called() -> None:
    why = {entry.policy: entry.why for entry in diagnosed(says("It is 3 m deep.")).early_stop.policies}
    assert [why[TOOL], why[CALL], why[RESULT]] == ["nothing was called"] * 3
    assert not [text for text in why.values() if "never" in text]
