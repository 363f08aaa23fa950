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
    assert (made.success.exit_status, made.success.recorded, made.success.no_finding_above) == (
        0,
        "submitted",
        "medium",
    )
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "titel: x\nprompt: y\n", "s.yaml:1: unknown key 'titel'.\nDid you mean 'title'?", id="mistyped key"
        ),
        pytest.param("title: x\n", "s.yaml:1: the key 'prompt' is missing.", id="missing key"),
        pytest.param("title: x\nprompt: ' '\n", "s.yaml:2: the prompt is empty.", id="empty prompt"),
        pytest.param(
            HEAD + "plan:\n  - tool: a\n    argumnts: {}\n",
            "s.yaml:5: unknown key 'argumnts' in plan[1].\nDid you mean 'arguments'?",
            id="mistyped key of a step",
        ),
        pytest.param(
            HEAD + "plan:\n  - any_ordr: []\n",
            "s.yaml:4: unknown key 'any_ordr' in plan[1].\nDid you mean 'any_order'?",
            id="mistyped group",
        ),
        pytest.param(
            HEAD + "plan:\n  - any_order:\n    - tol: a\n",
            "s.yaml:5: unknown key 'tol' in plan[1].any_order[1].\nDid you mean 'tool'?",
            id="mistyped key in a group",
        ),
        pytest.param(
            HEAD + "plan:\n  - tool: a\n    arguments:\n      x: {contian: y}\n",
            "s.yaml:6: unknown key 'contian' in a check.\nDid you mean 'contains'?",
            id="mistyped check",
        ),
        pytest.param(
            HEAD + "success:\n  files:\n    - path: a\n      matches: '('\n",
            (
                "s.yaml:6: success.files[1].matches is no regular expression: missing ), unterminated subpattern at "
                "position 0."
            ),
            id="bad pattern",
        ),
        pytest.param(
            HEAD + "success:\n  recorded: solvd\n",
            "s.yaml:4: success.recorded: should be 'solved' or 'submitted', not 'solvd'.",
            id="unknown word",
        ),
        pytest.param(HEAD + "plan: a\n", "s.yaml:3: plan: should be a valid list, not 'a'.", id="wrong type"),
        pytest.param(
            HEAD + "plan:\n  - tool: a\n    arguments: {x: $result.step_2}\n  - tool: b\n",
            "s.yaml:5: step_1 (a) refers to $result.step_2, which comes no earlier than that.\nIt's the first step.",
            id="reference ahead",
        ),
        pytest.param(
            HEAD + "plan:\n  - tool: a\n    id: list\n  - tool: b\n    arguments: {x: $result.lst}\n",
            "s.yaml:7: step_2 (b) refers to $result.lst, which isn't in the plan.\nDid you mean 'list'?",
            id="reference to nothing",
        ),
        pytest.param(
            HEAD + "plan:\n  - tool: a\n    id: q\n  - tool: b\n    id: q\n",
            "s.yaml:6: two steps of the plan are called 'q'.\nThe other one is at line 4. Give one of them another id.",
            id="an id twice",
        ),
        pytest.param(
            "title: x\ntitle: y\n",
            "s.yaml:2: gives the key 'title' twice.\nIt was first given at line 1.",
            id="a key twice",
        ),
        pytest.param(
            "title: a: b\n",
            (
                "s.yaml:1: is not valid YAML: mapping values are not allowed here.\nText with a colon and a space "
                "in it needs quotes."
            ),
            id="a colon",
        ),
        pytest.param(
            HEAD + "plan:\n  - one_of:\n    - tool: a\n    - tol: b\n",
            "s.yaml:6: unknown key 'tol' in plan[1].one_of[2].\nDid you mean 'tool'?",
            id="mistyped key in a way",
        ),
        pytest.param(
            HEAD + "plan:\n  - tool: a\n  - tool: b\n    arguments: {x: {contains: $result.stp_1}}\n",
            "s.yaml:6: step_2 (b) refers to $result.stp_1, which isn't in the plan.\nDid you mean 'step_1'?",
            id="reference to nothing in a check",
        ),
        pytest.param(
            HEAD + "plan:\n  - tool: a\n  - tool: b\n    result: {contains: $result.step_1}\n",
            (
                "s.yaml:6: a check of a result can't refer to the result of another step ($result.step_1).\nOnly "
                "arguments can."
            ),
            id="reference in a result",
        ),
        pytest.param(
            "a: {b: $result.x[1]}\n",
            (
                "s.yaml:1: is not valid YAML: expected ',' or '}', but got '['.\nInside { } and [ ], text with "
                "brackets, braces or commas needs quotes."
            ),
            id="brackets",
        ),
        pytest.param(
            "- a\n", "s.yaml:1: must be a mapping of keys and values.\nIt begins with: scenario: ...", id="a list"
        ),
        pytest.param("# nothing\n", "s.yaml: is empty.", id="nothing"),
        pytest.param(f"a: {'[' * 600}{']' * 600}\n", "s.yaml: is nested too deeply.", id="deep lists"),
        pytest.param(f"a: {'[a, ' * 1000}", "s.yaml: is nested too deeply.", id="lists that never end"),
        pytest.param(
            "\n".join(f"{' ' * depth}a:" for depth in range(400)), "s.yaml: is nested too deeply.", id="deep blocks"
        ),
        pytest.param(f"{'- ' * 400}1", "s.yaml: is nested too deeply.", id="lists within lists"),
        pytest.param(f"a: {'{a: ' * 1000}1{'}' * 1000}\n", "s.yaml: is nested too deeply.", id="deep mappings"),
        pytest.param(
            "scenario: 2\n" + HEAD,
            "s.yaml:1: scenario version '2' isn't supported.\nThe supported version is '1.0'.",
            id="another form",
        ),
        pytest.param(
            "a: &a [*a]\n",
            "s.yaml:1: has too many or too deeply nested values.\nAliases (*name) may refer to themselves endlessly.",
            id="endless",
        ),
    ],
)
def test_errors_name_the_line_and_what_to_do(text: str, said: str) -> None:
    assert complaint(text) == said


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
