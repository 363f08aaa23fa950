"""The runs of the two recorded systems tell one story, whatever they're recorded in and whoever's words they hold."""

from __future__ import annotations

import shutil
import sys
from itertools import islice
from pathlib import Path

import pytest

from analyzer.model.case_study import CaseStudy
from tests.case_study.systems.make import courier, greenhouse, write
from tests.case_study.variants import RECORDED, SAMPLES, SYSTEMS, as_recorded, story, told, variants
from tests.drawn import depth

STORIES = {
    "greenhouse": (
        (1, "Argument-validation loop at step 3, in planning", "step_3"),
        (2, "A value of the wrong shape passed on at step 2", "step_2"),
        (3, "An argument bound to the wrong parameter at step 3", "step_3"),
        (4, "No result reaches a later step, first step 2", "step_2"),
        (5, "Built on an empty answer of step 1", "step_1"),
    ),
    "courier": (
        (1, "Argument-validation loop at step 3", "step_3"),
        (2, "An argument bound to the wrong parameter at step 4", "step_4"),
        (3, "Two swapped arguments at step 4", "step_4"),
        (4, "The result of step 4 was lost on its way to step 5", "step_5"),
        (5, "A value made up for an empty answer of step 3", "step_3"),
    ),
}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("folder", RECORDED)
def test_every_format_tells_the_story(system: str, folder: str) -> None:
    assert story(as_recorded(system, folder)) == STORIES[system]


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("system", "name"),
    [
        (system, variant.name)
        for first, system in enumerate(SYSTEMS)
        for variant in islice(variants(system), first if depth(2, 1) > 1 else 0, None, depth(2, 1))
    ],
)
def test_every_variant_tells_the_story(system: str, name: str) -> None:
    variant = next(variant for variant in variants(system) if variant.name == name)
    assert story(told(system, variant)) == STORIES[system]


def causes(study: CaseStudy) -> dict[int, str]:
    return {failing.run: failing.root_cause for failing in study.cascade}


@pytest.mark.parametrize("folder", RECORDED)
def test_each_cause_holds_what_shows_it(folder: str) -> None:
    planned, called = causes(as_recorded("greenhouse", folder)), causes(as_recorded("courier", folder))
    assert "`duration_min` is turned into `minutes` before the check of `irrigation.plan_slot`" in planned[1]
    assert "`samples` of step 4 should hold `$result.step_1.samples` (from step 3) but holds its text" in planned[2]
    assert "plan_slot() gets zone twice, by name and by position" in planned[3]
    assert "`return function(self.context, **arguments)`" in planned[3]
    assert "None of the 4 references of the plan arrives" in planned[4]
    assert "returns nothing for `samples`" in planned[5]
    assert "`X24` and `X48` are among the accepted values and were rejected as well" in called[1]
    assert "fails over `note`: something else was bound to it than the call passes" in called[2]
    assert "swaps the values of `deliverTo` and `collectFrom`" in called[3]
    assert "undefined to undefined" in called[4]
    assert "is called with `rateId` = `STANDARD`, which appears nowhere before" in called[5]


def test_a_long_trace_is_quoted_with_its_message() -> None:
    shown = next(failing.symptom for failing in as_recorded("courier").cascade if failing.run == 2)
    assert "TypeError: note.trim is not a function" in shown[0].quote


@pytest.mark.parametrize("folder", RECORDED)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_fix_is_seen_to_help(system: str, folder: str) -> None:
    assert [failing.gone for failing in as_recorded(system, folder).cascade] == [True] * 5


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_lessons_name_the_functions_of_the_system(system: str) -> None:
    study = as_recorded(system)
    tools = {row.tool for run in study.runs if run.conformance is not None for row in run.conformance.rows}
    named = [lesson.text for lesson in study.lessons if any(f"`{tool}`" in lesson.text for tool in tools)]
    assert len(named) >= 5


@pytest.mark.slow
def test_the_recordings_of_the_python_system_are_what_it_does(tmp_path: Path) -> None:
    write(greenhouse(), tmp_path)
    _compare(tmp_path, "greenhouse")


def test_the_recordings_of_the_typescript_system_are_what_it_does(tmp_path: Path) -> None:
    modules = Path(__file__).parent / "systems" / "courier" / "node_modules"
    if shutil.which("node") is None or not modules.is_dir():
        pytest.skip("needs node, and `npm install` in tests/case_study/systems/courier")
    write(courier(modules), tmp_path)
    _compare(tmp_path, "courier")


def _compare(made: Path, system: str) -> None:
    wanted = {path.relative_to(SAMPLES): path for path in (SAMPLES / system).rglob("run*.json")}
    assert {path.relative_to(made) for path in made.rglob("*.json")} == set(wanted)
    if sys.version_info[:2] == (3, 11):
        assert all(
            (made / name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
            for name, path in wanted.items()
        )
