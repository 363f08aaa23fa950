"""Loops planted into random sessions are found where they were planted, and nowhere else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analyzer.detectors.engine.rule_state import is_spread
from analyzer.model.finding import Finding
from analyzer.model.session import Event
from tests.build import edit, findings, read, run, session, traceback
from tests.drawn import examples

Call = tuple[Event, ...]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def name(number: int) -> str:
    """A word for a number: words aren't hidden as line numbers or ids may be."""
    return LETTERS[number % 26] * 2 + (name(number // 26 - 1) if number >= 26 else "")


def step(kind: int, number: int) -> Call:
    """A step of one of six sorts; other numbers make other calls with other results."""
    word = name(number)
    return [
        lambda: run(f"python {word}.py", f"{word} is done"),
        lambda: read(f"{word}.txt", f"about {word}"),
        lambda: edit(f"{word}.py", f"old {word}", f"new {word}", f"Edited {word}."),
        lambda: run(f"grep -rn {word} src", f"src/{word}.py: {word}"),
        lambda: run(f"python {word}.py", traceback(f"KeyError: '{word}'", (f"{word}.py", 7, word, f"d['{word}']")), 1),
        lambda: run(f"cat {word}.cfg", f"cat: {word}.cfg: No such file or directory", 1),
    ][kind]()


FAILING = (4, 5)
KINDS = st.integers(0, 5)


def guesses_nothing(*parts: list[int]) -> bool:
    """Whether too few names are tried whose failure names them to count as guessing at names, a loop of its own."""
    return sum(part.count(kind) for part in parts for kind in FAILING) < 6


@st.composite
def planted(draw: st.DrawFn) -> tuple[list[Call], int, int, int]:
    """A session with one loop: its steps, where the loop starts, its period and its rounds."""
    sizes = ((0, 12), (1, 8), (0, 12))
    parts = [draw(st.lists(KINDS, min_size=least, max_size=most)) for least, most in sizes]
    assume(guesses_nothing(*parts))
    before, cycle, after = (
        [step(kind, 100 * place + number) for number, kind in enumerate(part)] for place, part in enumerate(parts)
    )
    rounds = draw(st.integers(3, 6))
    return [*before, *(cycle * rounds), *after], len(before) + 1, len(cycle), rounds


def loops(calls: list[Call]) -> list[Finding]:
    return findings(*calls, detector="loops")


@pytest.mark.slow
@settings(deadline=None)
@given(planted())
def test_a_planted_loop_is_found_exactly(case: tuple[list[Call], int, int, int]) -> None:
    calls, first, period, rounds = case
    (found,) = loops(calls)
    assert (found.first_step, found.last_step) == (first, first + period * rounds - 1)
    assert (found.period, found.rounds) == (period, rounds)
    assert found.kind in {1: ("repeated-call", "re-read"), 2: ("alternating",)}.get(period, ("cycle",))


@pytest.mark.slow
@settings(deadline=None)
@given(planted())
def test_it_was_detectable_when_it_is_said_to_have_been(case: tuple[list[Call], int, int, int]) -> None:
    calls, *_ = case
    (found,) = loops(calls)
    assert found.first_step <= found.detectable_at <= found.last_step
    (then,) = loops(calls[: found.detectable_at])
    assert then.detectable_at == found.detectable_at
    assert then.last_step == found.detectable_at


@pytest.mark.slow
@settings(deadline=None)
@given(
    before=st.lists(KINDS, max_size=8),
    looks=st.integers(0, 3),
    rounds=st.integers(3, 6),
    after=st.lists(KINDS, max_size=8),
)
def test_edits_that_all_differ_before_one_error_that_stays(
    before: list[int], looks: int, rounds: int, after: list[int]
) -> None:
    assume(guesses_nothing(before, after))
    failing = step(4, 99)
    planted_rounds = [
        [step(2, 100 + number), *(step(1, 200 + 10 * number + look) for look in range(looks)), failing]
        for number in range(rounds)
    ]
    calls = [
        *(step(kind, number) for number, kind in enumerate(before)),
        *(entry for part in planted_rounds for entry in part),
        *(step(kind, 300 + number) for number, kind in enumerate(after)),
    ]
    (found,) = loops(calls)
    period = 2 + looks
    assert (found.first_step, found.last_step) == (len(before) + 1, len(before) + period * rounds)
    assert (found.period, found.rounds) == (period, rounds)
    assert found.detectable_at == len(before) + 3 * period
    assert found.kind == ("alternating" if period == 2 else "cycle")


@settings(deadline=None)
@given(st.lists(KINDS, max_size=40).filter(guesses_nothing))
def test_distinct_steps_are_no_loop(kinds: list[int]) -> None:
    assert loops([step(kind, number) for number, kind in enumerate(kinds)]) == []


STEPS = st.lists(st.tuples(KINDS, st.integers(0, 3)), max_size=30)


@settings(deadline=None)
@given(STEPS)
def test_findings_of_any_session_make_sense(choices: list[tuple[int, int]]) -> None:
    found = sorted(loops([step(*choice) for choice in choices]), key=lambda entry: entry.first_step)
    for entry in found:
        assert 1 <= entry.first_step <= entry.detectable_at <= entry.last_step <= len(choices)
        assert entry.rounds is not None
        assert entry.rounds >= 3
        assert entry.steps == sorted(set(entry.steps))
        assert entry.first_step <= entry.steps[0] <= entry.steps[-1] <= entry.last_step
        whole = entry.last_step - entry.first_step + 1
        assert entry.cost.actions == (len(entry.steps) if is_spread(entry.steps) else whole)
        assert entry.evidence
    for one, other in pairwise(found):
        assert one.last_step < other.first_step


@settings(deadline=None)
@given(STEPS)
def test_every_loop_was_there_when_it_was_detectable(choices: list[tuple[int, int]]) -> None:
    calls = [step(*choice) for choice in choices]
    for entry in loops(calls):
        then = loops(calls[: entry.detectable_at])
        assert any(early.first_step <= entry.last_step and early.last_step >= entry.first_step for early in then)


@pytest.mark.slow
@examples(50)
@given(STEPS, STEPS, st.randoms(use_true_random=False))
def test_another_lane_changes_nothing(
    mine: list[tuple[int, int]], theirs: list[tuple[int, int]], order: object
) -> None:
    alone = session(*(step(*choice) for choice in mine))
    other = session(*(step(*choice) for choice in theirs))
    for event in other.events:
        event.lane = "helper"
    mixed: list[Event] = []
    queues = [list(alone.events), list(other.events)]
    while queues[0] or queues[1]:
        queue = order.choice([entry for entry in queues if entry])  # type: ignore[attr-defined]
        mixed.append(queue.pop(0))
    expected = [
        (entry.kind, entry.steps, entry.detectable_at, entry.escaped)
        for entry in findings(alone.events, detector="loops")
    ]
    found = [entry for entry in findings(mixed, detector="loops") if entry.lane == "main"]
    assert [(entry.kind, entry.steps, entry.detectable_at, entry.escaped) for entry in found] == expected
