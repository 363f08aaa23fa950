"""Very many findings are put together in proportion, and each where it belonged before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from analyzer.detectors.engine.aspects import folded, reported_once
from analyzer.model.finding import Aspect, Cost, Finding, Taxonomy
from analyzer.model.words import Category, Severity
from tests.growth import assert_in_proportion


def finding(steps: Sequence[int], detector: str = "a", category: Category = Category.LOOP, **more: object) -> Finding:
    given: dict[str, object] = {
        "detector": detector,
        "kind": "",
        "category": category,
        "severity": Severity.HIGH,
        "confidence": 0.9,
        "title": "It comes back",
        "steps": list(steps),
        "first_step": steps[0],
        "last_step": steps[-1],
        "detectable_at": steps[-1],
        "cost": Cost(actions=len(steps)),
        "evidence": [],
        "advice": [],
        "taxonomy": Taxonomy(),
    }
    return Finding.model_validate({**given, **more})


def many(count: int) -> list[Finding]:
    """Loops one after the other, each with the error of another detector in it."""
    found = []
    for number in range(count):
        steps = range(6 * number + 1, 6 * number + 6)
        found += [finding(steps), finding(steps, "b", Category.ERROR), finding(steps, "c", Category.ERROR)]
    return found


def is_error(found: Finding) -> bool:
    return found.category is Category.ERROR


def test_aspects_are_found_in_proportion() -> None:
    assert len(folded(many(3), is_error)) == 3
    assert_in_proportion(lambda found: folded(found, is_error), many, 100, 400, "findings")


def test_what_is_told_twice_is_found_in_proportion() -> None:
    assert [(one.detector, len(one.aspects)) for one in reported_once(many(2), lambda _: False)] == [
        ("a", 0),
        ("b", 1),
    ] * 2
    assert_in_proportion(lambda found: reported_once(found, lambda _: False), many, 100, 400, "findings")


@pytest.mark.parametrize(
    ("loops", "steps", "home"),
    [
        ([(1, 20), (5, 6), (30, 40)], [7, 8, 9], 0),
        ([(1, 20), (5, 6), (30, 40)], [31, 33], 2),
        ([(1, 2), (5, 6), (30, 40)], [8, 9], None),
        ([(1, 50), (5, 6), (30, 31)], [45, 46], 0),
        ([(30, 40), (1, 20)], [2, 3], 1),
        ([(1, 4), (5, 9)], [3, 4, 5, 6], 1),
        ([(1, 4)], [4, 5, 6, 7], None),
    ],
)
def test_the_loop_in_which_a_finding_lies(loops: list[tuple[int, int]], steps: list[int], home: int | None) -> None:
    made = [finding(range(first, last + 1)) for first, last in loops]
    told = folded([*made, finding(steps, "b", Category.ERROR)], is_error)
    assert [place for place, one in enumerate(told) if one.aspects] == ([] if home is None else [home])
    assert len(told) == len(made) + (home is None)


@pytest.mark.parametrize(
    ("change", "explains"),
    [({}, True), ({"lane": "helper"}, False), ({"detector": "c"}, False), ({"steps": [1, 3]}, False)],
)
def test_a_loop_names_the_finding_that_explains_it(change: dict[str, object], explains: bool) -> None:
    named = Aspect(detector="b", kind="", title="Why", steps=[1, 2])
    cause = finding([1, 2], "b", Category.ERROR).model_copy(update=change)
    assert cause.explains(finding([1, 2, 3]).model_copy(update={"explained_by": named})) is explains
    assert not cause.explains(finding([1, 2, 3]))
