"""The commands that tell what the program knows."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from analyzer.cli.commands.reference import CONTRACTS
from analyzer.detectors.engine.registry import detectors
from analyzer.formats.loading.registry import formats
from analyzer.report.schema import CONTRACTS as SCHEMAS
from tests.cli.conftest import Program
from tests.tables import table


def test_formats_lists_each_with_what_it_never_records(program: Program) -> None:
    lines = program("formats").out.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert heads == [f"{entry.name} - {entry.title}" for entry in formats()]
    text = " ".join(" ".join(lines).split())
    assert all(f"never recorded: {', '.join(entry.not_recorded) or 'nothing'}" in text for entry in formats())


@pytest.mark.parametrize("arguments", [["formats"], ["detectors"], ["check", "."], ["audit", "folders"]])
def test_lists_fit_a_terminal_of_80_columns(
    program: Program, elsewhere: Path, samples: Path, arguments: list[str]
) -> None:
    (elsewhere / "run.json").write_bytes((samples / "bspline_clamping.json").read_bytes())
    (elsewhere / "torn.json").write_text('{"format": "analyze-session/1", "session": {"id": "x"}, "actions": [1, 2')
    # A folder's path is never broken, since it's there to be copied.
    printed = [line for line in program(*arguments).out.splitlines() if "/" not in line]
    assert printed
    assert [line for line in printed if len(line) > 80] == []


def test_detectors_lists_each_with_the_first_line_of_its_manual_page(program: Program) -> None:
    names, _, families = program("detectors").out.partition("\nFAMILY")
    assert "wrong-place" in families
    rows = [row for row in names.splitlines()[1:] if not row.startswith(" ")]
    assert [row.split()[0] for row in rows] == [entry.name for entry in detectors()]
    assert "The agent repeats itself without progress." in rows[0]


@pytest.mark.parametrize("name", [entry.name for entry in detectors()])
def test_explain_shows_a_manual_page_for_every_detector(program: Program, name: str) -> None:
    ran = program("explain", name)
    assert ran.code == 0
    assert "What it flags" in ran.out


def test_explain_suggests_the_nearest_detector(program: Program) -> None:
    ran = program("explain", "identical_eror")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "Error: unknown detector 'identical_eror'.\nDid you mean 'identical-error'?\n"


def test_explain_lists_all_detectors_where_none_is_near(program: Program) -> None:
    ran = program("explain", "xyzzy")
    assert ran.code == 2
    assert "Known are: loops," in ran.err


@table("schema_with_every_field_described")
def test_schema_with_every_field_described(program: Program, of: str, holds: set[str]) -> None:
    schema = json.loads(program("schema", of).out)
    assert holds <= set(schema["properties"])
    undescribed = [
        f"{name}.{key}"
        for name, made in schema["$defs"].items()
        for key, entry in made.get("properties", {}).items()
        if "description" not in entry
    ]
    assert undescribed == []


def test_schema_of_scenario_files_says_what_may_be_written(program: Program) -> None:
    schema = json.loads(program("schema", "scenario").out)
    assert (schema["title"], schema["required"]) == ("Scenario", ["title", "prompt"])
    assert {"type": "string"} in schema["$defs"]["TextCheck"]["properties"]["contains"]["anyOf"]


def test_every_contract_has_a_schema(program: Program) -> None:
    assert set(CONTRACTS) == set(SCHEMAS)
    assert all(json.loads(program("schema", contract).out)["properties"] for contract in CONTRACTS)


def test_schema_of_something_else(program: Program) -> None:
    ran = program("schema", "audits")
    assert ran.code == 2
    assert "audit" in ran.err


def test_schema_can_be_written_into_a_file(program: Program, elsewhere: Path) -> None:
    ran = program("schema", "-o", "report.schema.json")
    assert (ran.code, ran.out) == (0, "")
    assert json.loads((elsewhere / "report.schema.json").read_text())["properties"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(program: Program, shell: str) -> None:
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("bash is not installed")
    ran = program("completion", shell)
    assert ran.code == 0
    assert "_ANALYZE_SESSION_COMPLETE" in ran.out


@pytest.mark.slow
@table("completion_offers")
def test_completion_offers(words: str, offered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setenv("_ANALYZE_SESSION_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    done = subprocess.run([sys.executable, "-m", "analyzer"], capture_output=True, text=True, check=False)
    assert f"plain,{offered}" in done.stdout.splitlines()
