"""Which detectors are asked, and in which order findings come."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from itertools import pairwise
from typing import Any

import pytest

from analyzer.detectors import detect, detectors
from analyzer.detectors.engine.interface import Options, retired
from analyzer.detectors.engine.registry import manual_page
from analyzer.model.errors import BadConfiguration
from analyzer.model.session import Tokens, Usage
from analyzer.model.words import Category
from tests.build import call, edit, pytest_report, run, submit, timeline

STUCK = [[edit("shapes.py", f"{n}", f"{n}{n}"), run("pytest", pytest_report(), 1)] for n in range(4)]


def test_every_detector_has_a_name_of_its_own_and_a_manual_page() -> None:
    names = [entry.name for entry in detectors()]
    assert len(names) == len(set(names))
    for entry in detectors():
        page = manual_page(entry)
        assert all(head in page for head in ("What it flags", "Why it matters", "What it does not flag", "Example:"))


def test_the_worst_finding_comes_first() -> None:
    found = detect(timeline(STUCK, submit("All done.")))
    ranks = [(-entry.severity.rank, -entry.confidence, entry.first_step) for entry in found]
    assert ranks == sorted(ranks)
    assert len({entry.detector for entry in found}) > 2


def test_some_detectors_can_be_asked_or_left_out() -> None:
    made = timeline(STUCK)
    assert {entry.detector for entry in detect(made, select=["loops"])} == {"loops"}
    assert "loops" not in {entry.detector for entry in detect(made, ignore=["loops"])}
    assert detect(made, select=["loops"], ignore=["loops"]) == []


@pytest.mark.parametrize("way", ["select", "ignore", "settings"])
def test_a_name_that_no_detector_has_is_refused_with_a_suggestion(way: str) -> None:
    given: dict[str, Any] = {way: {"loop": {}}}
    with pytest.raises(BadConfiguration, match=r"unknown detector 'loop'(?s:.*)Did you mean 'loops'"):
        detect(timeline(), **given)


def test_a_family_means_its_rules_where_they_are_chosen_and_nowhere_else() -> None:
    made = timeline(STUCK, submit("All done."))
    assert "loops" in {entry.detector for entry in detect(made, select=["repetition"])}
    assert "loops" not in {entry.detector for entry in detect(made, ignore=["repetition"])}
    with pytest.raises(BadConfiguration, match=r"'repetition' is a family of detectors"):
        detect(made, settings={"repetition": {"rounds": 4}})


def test_a_detector_that_is_gone_can_be_left_out_and_set_but_not_asked() -> None:
    made = timeline(STUCK)
    assert detect(made, ignore=["asked-size"], settings={"asked-means": {"steps": 9}}) == detect(made)
    with pytest.raises(BadConfiguration, match=r"'asked-size' is no longer there\.\nThe page shows each request"):
        detect(made, select=["asked-size"])


@pytest.mark.parametrize("gone", sorted(retired()))
def test_what_is_said_of_a_detector_that_is_gone_names_detectors_that_are_there(gone: str) -> None:
    names = {entry.name for entry in detectors()}
    assert set(re.findall("`([a-z-]+)`", retired()[gone])) <= names


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"call": 3}, r"no option 'call'.\nDid you mean 'calls'", id="an unknown option"),
        pytest.param({"calls": "many"}, r"option 'calls' .*Expected `int`, got `str`", id="a value of the wrong type"),
        pytest.param({"calls": 0}, r"option 'calls' .*Expected `int` >= 1", id="a value out of range"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadConfiguration, match=message):
        detect(timeline(), settings={"unknown-tool": options})


def test_options_change_what_a_detector_says() -> None:
    made = timeline([call("fly", {}, "Unknown tool: fly", is_error=True) for _ in range(3)])
    assert [entry.detectable_at for entry in detect(made, select=["unknown-tool"])] == [2]
    assert [
        entry.detectable_at for entry in detect(made, select=["unknown-tool"], settings={"unknown-tool": {"calls": 3}})
    ] == [3]


def with_docstrings(options: type) -> list[str]:
    """The fields that the class itself declares with a docstring below them."""
    if not issubclass(options, Options):
        return []
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(options))).body
    assert isinstance(made, ast.ClassDef)
    return [
        field.target.id
        for field, below in pairwise(made.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
        and below.value.value.strip()
    ]


def test_every_option_is_on_its_manual_page() -> None:
    for entry in detectors():
        page = manual_page(entry)
        options = entry.options
        described = {name for made in type(options).__mro__ for name in with_docstrings(made)} if options else set()
        for name in type(options).__struct_fields__ if options is not None else ():
            assert f"    {name}: " in page, f"{entry.name}: {name}"
            assert name in described, f"{entry.name}: {name} has no docstring"


def test_asking_again_gives_the_same_answer() -> None:
    made = timeline(STUCK, submit("All done."))
    assert detect(made) == detect(made)


def test_findings_of_loops_have_the_category_loop() -> None:
    assert {entry.category for entry in detect(timeline(STUCK), select=["loops"])} == {Category.LOOP}


def test_a_finding_costs_what_the_log_records_for_its_steps() -> None:
    used = [Usage(Tokens(100 * number, 10), 0.25) for number in range(1, 7)]
    made = timeline(run("ls", "a", used=used[0]), [run("pwd", "b", used=usage) for usage in used[1:]])
    (loop,) = detect(made, select=["loops"])
    assert (loop.first_step, loop.last_step, loop.cost.actions) == (2, 6, 5)
    assert (loop.cost.tokens, loop.cost.usd) == (2050, 1.25)


def test_what_the_log_records_for_some_steps_only_is_unknown() -> None:
    made = timeline([run("pwd", "b", used=Usage(Tokens(100, 10))) for _ in range(4)], run("pwd", "b"))
    (loop,) = detect(made, select=["loops"])
    assert (loop.cost.tokens, loop.cost.usd) == (None, None)
