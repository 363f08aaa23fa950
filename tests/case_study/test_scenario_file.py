from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

import analyzer
from analyzer.case_study.scenario import load_scenario, scenario_from_text
from analyzer.case_study.yaml_file import parse_yaml
from analyzer.model.errors import AnalyzerError
from analyzer.model.scenario import AnyOrder, OneOf, PlanStep, TextCheck
from analyzer.report.schema import schema
from tests.growth import assert_in_proportion
from tests.tables import table

STARTER = (Path(analyzer.__file__).parent / "cli/snippets/scenario.yaml").read_text(encoding="utf-8")
HEAD = "title: t\nprompt: p\n"


def complaint(text: str) -> str:
    with pytest.raises(AnalyzerError) as caught:
        scenario_from_text(text, "s.yaml")
    return str(caught.value)


def test_the_scenario_that_init_writes_is_valid_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "scenario.yaml"
    file.write_text(STARTER)
    made = load_scenario(file)
    assert (made.title, len(made.plan), made.success.files[0].path) == ("List all plugins as a table", 5, "plugins.md")


def test_what_is_commented_out_in_it_is_valid_too() -> None:
    _, form = STARTER.split('scenario: "', 1)
    made = scenario_from_text(
        'scenario: "' + re.sub(r"^( *)# (?=  |- |[a-z_]+:(?: |$))", r"\1", form, flags=re.MULTILINE)
    )
    assert [type(entry) for entry in made.plan[-3:]] == [PlanStep, AnyOrder, OneOf]
    assert (made.date, made.author, made.runs) == ("2026-01-31", "The agents team", ["runs/*.json"])
    assert [fix.after_run for fix in made.fixes] == [1, 2]
    assert (made.success.recorded, made.success.no_finding_above) == ("submitted", "medium")
    assert made.success.final_answer == TextCheck(contains=["plugins.md"])
    assert made.phases.planning == ["planner.*"]


def test_the_published_schema_accepts_what_init_writes_and_describes_every_key() -> None:
    made = schema("scenario")
    assert set(parse_yaml(STARTER, "x").value) <= set(made["properties"])
    undescribed = [
        f"{name}.{key}"
        for name, definition in {**made["$defs"], "Scenario": made}.items()
        for key, entry in definition.get("properties", {}).items()
        if not entry.get("description")
    ]
    assert undescribed == []
    assert made["required"] == ["title", "prompt"]


@table("errors_name_the_line_and_what_to_do")
def test_errors_name_the_line_and_what_to_do(text: str, said: str) -> None:
    assert complaint(text) == said


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"a: {'[' * 600}{']' * 600}\n", id="lists"),
        pytest.param(f"a: {'[a, ' * 1000}", id="lists that never end"),
        pytest.param("\n".join(f"{' ' * depth}a:" for depth in range(400)), id="blocks"),
        pytest.param(f"{'- ' * 400}1", id="lists within lists"),
        pytest.param(f"a: {'{a: ' * 1000}1{'}' * 1000}\n", id="mappings"),
    ],
)
def test_what_is_nested_too_deeply_is_refused(text: str) -> None:
    assert complaint(text) == "s.yaml: is nested too deeply."


@pytest.mark.parametrize("bracket", ["[", "{", "[a, ", "{a: "])
def test_open_brackets_take_no_longer_the_more_there_are(bracket: str) -> None:
    assert_in_proportion(complaint, lambda size: f"a: {bracket * size}", 400, 8_000, "open brackets")


def test_all_problems_are_reported_at_once() -> None:
    assert complaint(HEAD + "plan:\n  - tool: a\n    nte: x\nfixs: []\n").count("s.yaml:") == 2


def test_a_file_that_is_not_there_or_no_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError, match="can't be read: No such file"):
        load_scenario(tmp_path / "none.yaml")
    (tmp_path / "a.yaml").write_bytes(b"title: \xff\xfe")
    with pytest.raises(AnalyzerError, match="is not UTF-8 text"):
        load_scenario(tmp_path / "a.yaml")


def test_values_are_what_they_look_like() -> None:
    made = scenario_from_text(
        "scenario: 1.0\ntitle: 12\nprompt: on\ndate: 2026-01-31\nsystem: {name: x, version: 1.10}\nplan:\n  - "
        '{tool: a, arguments: {n: 1.50, y: yes, t: true, z: 007, s: "5"}}\n'
    )
    assert (made.title, made.prompt, made.date) == ("12", "on", "2026-01-31")
    assert made.system is not None
    assert made.system.version == "1.10"
    assert isinstance(made.plan[0], PlanStep)
    assert made.plan[0].arguments == {"n": 1.5, "y": "yes", "t": True, "z": "007", "s": "5"}


def test_a_check_is_distinguished_from_a_value() -> None:
    made = scenario_from_text(
        HEAD + "plan:\n  - tool: a\n    arguments: {c: {contains: x}, v: {line: 5, column: 3}, e: {}}\n"
    )
    assert isinstance(made.plan[0], PlanStep)
    assert made.plan[0].arguments == {"c": TextCheck(contains=["x"]), "v": {"line": 5, "column": 3}, "e": TextCheck()}


def test_a_scenario_survives_being_written_as_json() -> None:
    made = scenario_from_text(STARTER)
    assert type(made).model_validate(json.loads(made.model_dump_json(exclude_none=True, exclude_defaults=True))) == made
    assert isinstance(made, BaseModel)
