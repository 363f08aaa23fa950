"""Which failures are the same failure again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.groups import group_failures
from analyzer.model.failure import Failure, FailureGroup, Frame
from analyzer.model.words import FailureKind, FrameRole
from tests.tables import table


def failure(
    message: str = "need at least 4 stations, got 3",
    kind: FailureKind = FailureKind.EXCEPTION,
    error: str | None = "ValueError",
    function: str | None = "__init__",
    line: int = 8,
    tests: tuple[str, ...] = (),
    subject: str | None = None,
    file: str = "tides/curve.py",
) -> Failure:
    frames = (Frame(file, line, function, FrameRole.PROJECT),) if function else ()
    return Failure(kind, error, message, frames=frames, failing_tests=tests, subject=subject)


def grouped(*failures: Failure) -> list[FailureGroup]:
    return group_failures((step, "main", entry) for step, entry in enumerate(failures, 1))


def test_equal_failures_are_identical() -> None:
    one, other = failure(), failure()
    [group] = grouped(one, other)
    assert (group.id, group.match, group.steps, group.varied) == ("F1", "identical", [1, 2], ())
    assert group.template == "ValueError: need at least 4 stations, got 3"
    assert one.group == other.group == "F1"


@table("same")
def test_what_varies_by_itself_makes_them_near_identical(one: Failure, other: Failure, varied: tuple[str, ...]) -> None:
    [group] = grouped(one, other)
    assert (group.match, group.steps, group.varied) == ("near-identical", [1, 2], varied)


def test_another_line_of_the_same_function_is_the_same_failure_at_another_place() -> None:
    [group] = grouped(failure(line=8), failure(line=11))
    assert (group.match, group.varied) == ("near-identical", ("line 8 -> 11",))


def test_the_same_words_from_another_file_are_not_identical() -> None:
    [group] = grouped(failure(), failure(file="tides/chart.py"))
    assert (group.match, group.varied) == ("near-identical", ("file tides/curve.py -> tides/chart.py",))


SAME_PLACE = [
    pytest.param(failure(), failure(file="/srv/harbour/tides/curve.py"), id="another-spelling-of-the-path"),
    pytest.param(failure(), failure(file="./tides/curve.py"), id="from-the-folder"),
    pytest.param(failure(function=None), failure(function=None), id="no-trace"),
]


@pytest.mark.parametrize(("one", "other"), SAME_PLACE)
def test_the_same_place_in_other_words_is_identical(one: Failure, other: Failure) -> None:
    [group] = grouped(one, other)
    assert (group.match, group.varied) == ("identical", ())


DIFFERENT = [
    pytest.param(failure("got 3"), failure("got 2"), id="number"),
    pytest.param(failure("no berth 'north'"), failure("no berth 'south'"), id="quoted-name"),
    pytest.param(failure(error="ValueError"), failure(error="TypeError"), id="type"),
    pytest.param(failure(kind=FailureKind.EXCEPTION), failure(kind=FailureKind.TEST), id="kind"),
    pytest.param(failure(function="__init__"), failure(function="height"), id="function-that-raised"),
    pytest.param(failure(function="__init__"), failure(function=None), id="no-frames"),
    pytest.param(failure(tests=("a::b",)), failure(tests=("a::b", "a::c")), id="failing-tests"),
    pytest.param(failure(subject="make all"), failure(subject="python pilot.py"), id="subject"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_failures(one: Failure, other: Failure) -> None:
    assert [group.steps for group in grouped(one, other)] == [[1], [2]]


def test_the_order_of_failing_tests_does_not_matter() -> None:
    [group] = grouped(failure(tests=("a::b", "a::c")), failure(tests=("a::c", "a::b")))
    assert group.steps == [1, 2]


def test_lanes_are_apart() -> None:
    groups = group_failures([(1, "main", failure()), (1, "diver", failure()), (2, "main", failure())])
    assert [(group.lane, group.steps) for group in groups] == [("main", [1, 2]), ("diver", [1])]


def test_a_group_is_compared_by_its_first_member() -> None:
    drift = [
        "the harbour is closed until noon",
        "the harbour is closed until noon!",
        "the harbour is closed until noon!!!!!!!!!!",
    ]
    assert [group.steps for group in grouped(*map(failure, drift))] == [[1, 2], [3]]


def test_how_many_commands_a_malformed_call_held_says_nothing_new() -> None:
    calls = [
        failure(f"Please give one action, found {count} actions.", FailureKind.INVALID_CALL, "FormatError", None)
        for count in (0, 3)
    ]
    assert [group.steps for group in grouped(*calls)] == [[1, 2]]


def test_nothing_to_group() -> None:
    assert group_failures([]) == []


FAILURES = st.builds(
    failure,
    message=st.sampled_from(
        [
            "got 3",
            "got 2",
            "no answer after 12 ms",
            "no answer after 15 ms",
            "the harbour is closed now",
            "the harbour is closed now.",
            "",
        ]
    ),
    error=st.sampled_from(["ValueError", "TypeError", None]),
    function=st.sampled_from(["sail", None]),
    line=st.integers(1, 3),
)
STEPS = st.lists(st.tuples(st.sampled_from(["main", "diver"]), FAILURES), max_size=12)


@given(STEPS, st.data())
def test_later_steps_never_change_earlier_groups(steps: list[tuple[str, Failure]], data: st.DataObject) -> None:
    numbered = [(number, lane, entry) for number, (lane, entry) in enumerate(steps, 1)]
    cut = data.draw(st.integers(0, len(numbered)))
    whole = [
        (group.id, group.lane, [step for step in group.steps if step <= cut]) for group in group_failures(numbered)
    ]
    part = [(group.id, group.lane, group.steps) for group in group_failures(numbered[:cut])]
    assert [entry for entry in whole if entry[2]] == part


@given(STEPS)
def test_every_failure_is_in_one_group(steps: list[tuple[str, Failure]]) -> None:
    groups = group_failures((number, lane, entry) for number, (lane, entry) in enumerate(steps, 1))
    assert sorted(step for group in groups for step in group.steps) == list(range(1, len(steps) + 1))
    assert len({group.id for group in groups}) == len(groups)
