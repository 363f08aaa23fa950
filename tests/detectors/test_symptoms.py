"""A loop and the finding that explains its failure are one item: which findings explain a loop, and which don't."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.detectors.engine.aspects import joined
from analyzer.model.finding import Cost, Finding
from analyzer.model.words import MAIN_LANE, Category, Severity
from tests.build import Part, edit, run, says, timeline, traceback


def found(*parts: Part) -> list[Finding]:
    return detect(timeline(*parts))


def made(
    detector: str,
    steps: list[int],
    *,
    category: Category = Category.TOOL,
    severity: Severity = Severity.MEDIUM,
    group: str | None = None,
    lane: str = MAIN_LANE,
    advice: str = "",
) -> Finding:
    return Finding(
        detector=detector,
        category=category,
        kind=detector,
        severity=severity,
        confidence=0.9,
        title=f"What {detector} says.",
        lane=lane,
        first_step=steps[0],
        last_step=steps[-1],
        steps=steps,
        detectable_at=steps[0],
        group=group,
        advice=[advice] if advice else [],
        cost=Cost(actions=len(steps)),
    )


def loop(steps: list[int], severity: Severity = Severity.HIGH, group: str | None = "F1") -> Finding:
    return made("loop", steps, category=Category.LOOP, severity=severity, group=group, advice="Look elsewhere.")


RANKS = {"cause": 6, "deeper": 9, "result": 0}


def together(*findings: Finding) -> list[Finding]:
    return joined(findings, lambda finding: RANKS.get(finding.detector, 0))


@pytest.mark.parametrize(
    "cause",
    [
        pytest.param(made("cause", [3, 4, 5, 6, 7]), id="the same steps"),
        pytest.param(made("cause", [1, 3, 4, 5, 6, 7, 9]), id="more steps"),
        pytest.param(made("cause", [3, 4, 5, 6]), id="all but one"),
        pytest.param(made("cause", [3, 4, 5, 6, 7], severity=Severity.LOW), id="little weight by itself"),
    ],
)
def test_explains(cause: Finding) -> None:
    repeated, found = together(loop([3, 4, 5, 6, 7]), cause)
    assert found.severity is Severity.HIGH
    assert found.explains(repeated)
    assert repeated.explained_by is not None
    assert (repeated.explained_by.detector, repeated.advice) == ("cause", ["Look elsewhere."])


@pytest.mark.parametrize(
    ("loop", "other"),
    [
        pytest.param(loop([3, 4, 5, 6, 7]), made("cause", [3, 4, 5]), id="some of the steps"),
        pytest.param(loop([3, 4, 5]), made("cause", [8, 9, 10]), id="other steps"),
        pytest.param(loop([3, 4, 5]), made("cause", [3, 4, 5], lane="helper"), id="another lane"),
        pytest.param(loop([3, 4, 5]), made("result", [3, 4, 5]), id="about the result"),
        pytest.param(loop([3, 4, 5]), made("cause", [3, 4, 5], severity=Severity.INFO), id="a note only"),
        pytest.param(loop([3, 4, 5], group=None), made("cause", [3, 4, 5]), id="calls that don't fail"),
        pytest.param(loop([3, 4, 5], Severity.INFO), made("cause", [3, 4, 5]), id="a loop worth a note only"),
        pytest.param(loop([3, 4, 5]), made("cause", [3, 4, 5], category=Category.LOOP, group="F1"), id="another loop"),
    ],
)
def test_does_not_explain(loop: Finding, other: Finding) -> None:
    assert together(loop, other) == [loop, other]


def test_the_deepest_explanation_and_its_advice() -> None:
    told = together(
        loop([3, 4, 5]), made("cause", [3, 4, 5], advice="Wait."), made("deeper", [3, 4, 5], advice="Give a name.")
    )
    assert [finding.detector for finding in told] == ["loop", "cause", "deeper"]
    assert told[0].advice == ["Give a name."]
    assert [finding.severity.value for finding in told] == ["high", "medium", "high"], "only what explains it"


def test_two_loops_with_one_cause() -> None:
    told = together(loop([3, 4, 5], Severity.MEDIUM), loop([8, 9, 10]), made("cause", [3, 4, 5, 8, 9, 10]))
    assert [(finding.detector, finding.severity.value) for finding in told] == [
        ("loop", "medium"),
        ("loop", "high"),
        ("cause", "high"),
    ]


def test_a_program_asking_a_question_that_nobody_answers() -> None:
    asks = "Do you want to continue? [Y/n] \nEXECUTION TIMED OUT"
    parts = [part for number in range(6) for part in (says(f"Try {number}."), run("pkg install lib", asks, 124))]
    told = found(*parts)
    loops = [finding for finding in told if finding.detector == "loops"]
    assert [finding.explained_by.detector for finding in loops if finding.explained_by] == ["hang-and-timeouts"]


def test_an_ordinary_loop_stands_alone() -> None:
    fails = traceback("KeyError: 'depth'", ("a.py", 7, "f", "d[k]"))
    told = found(*(part for n in range(5) for part in (edit("a.py", f"x{n}", "y"), run("python a.py", fails, 1))))
    assert [finding.explained_by for finding in told if finding.detector == "loops"] == [None]
