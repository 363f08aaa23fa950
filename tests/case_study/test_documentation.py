"""docs/case-studies.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer.case_study.notes import PARTS, Sections, load_notes
from analyzer.case_study.scenario import scenario_from_text
from analyzer.model.scenario import Scenario, Success, TextCheck
from analyzer.report.case_study import DOCUMENT, own_templates, render
from analyzer.report.case_study_context import context_of
from tests.case_study.loaded import study
from tests.case_study.story import PLAN, good_run, run_2
from tests.conftest import ROOT
from tests.together import check_each

PAGE = (ROOT / "docs" / "case-studies.md").read_text(encoding="utf-8")


def examples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_scenario_is_valid() -> None:
    scenario = scenario_from_text(examples("yaml")[0])
    assert len(scenario.plan) == 3
    assert scenario.success.files[0].path == "orders.md"


def test_the_notes_are_valid_and_have_a_place(tmp_path: Path) -> None:
    file = tmp_path / "notes.yaml"
    file.write_text(examples("yaml")[1], encoding="utf-8")
    found = study(PLAN, run_2(), good_run(), notes=load_notes(file))
    assert set(found.notes) == {"author", "overview", "failure-1.root_cause", "failure-1.solution", "result", "lessons"}


def test_the_template_is_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.md.j2"
    file.write_text(examples("jinja")[0], encoding="utf-8")
    assert render(study(PLAN, run_2()), template=file).endswith("1 runs of Plugins as a table.\n")


def test_every_name_that_templates_get_is_described() -> None:
    def check(name: str) -> None:
        assert f"| `{name}` |" in PAGE or f"(`{name}`;" in PAGE

    check_each([*context_of(study(PLAN, run_2())), "index"], check)


@pytest.mark.parametrize("block", re.findall(r"{% block (\w+) %}", own_templates()[DOCUMENT]))
def test_every_block_is_named(block: str) -> None:
    assert f"`{block}`" in PAGE


@pytest.mark.parametrize(
    "key", [*Scenario.model_fields, *Success.model_fields, *TextCheck.model_fields, *Sections.model_fields, *PARTS]
)
def test_every_key_is_described(key: str) -> None:
    assert key == "scenario" or re.search(rf"`[\w.-]*\b{key}\b[\w.: ]*`", PAGE)
