"""Settings: the command line counts before the environment, the environment before the file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.tables import table


def settings(folder: Path, text: str, name: str = "pyproject.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def is_json(text: str) -> bool:
    return text.startswith("{")


def test_the_nearest_pyproject_counts(
    program: Program, elsewhere: Path, stuck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(elsewhere, '[tool.analyze-session]\nformat = "json"\n')
    (elsewhere / "a/b").mkdir(parents=True)
    monkeypatch.chdir(elsewhere / "a/b")
    assert is_json(program(stuck).out)
    settings(elsewhere / "a", "[project]\nname = 'other'\n")
    assert not is_json(program(stuck).out)


def test_command_line_before_environment_before_file(
    program: Program, elsewhere: Path, stuck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(elsewhere, '[tool.analyze-session]\nfail_on = "high"\nformat = "json"\n')
    ran = program(stuck)
    assert (ran.code, is_json(ran.out)) == (1, True)
    monkeypatch.setenv("ANALYZE_SESSION_FORMAT", "markdown")
    assert not is_json(program(stuck).out)
    assert is_json(program(stuck, "-f", "json").out)


def test_lists_of_detectors(program: Program, elsewhere: Path, stuck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> set[str]:
        return {
            finding["detector"] for finding in json.loads(program(stuck, "-f", "json").out)["sessions"][0]["findings"]
        }

    settings(elsewhere, '[tool.analyze-session]\nselect = ["loops", "wrong-file"]\nignore = ["loops"]\n')
    assert "loops" not in found()
    monkeypatch.setenv("ANALYZE_SESSION_IGNORE", "wrong-file,identical-error")
    assert found() == {"loops"}


@table("a_named_file")
@pytest.mark.parametrize("how", ["option", "variable"])
def test_a_named_file(
    program: Program, tmp_path: Path, stuck: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, how: str
) -> None:
    file = settings(tmp_path, text, name)
    if how == "variable":
        monkeypatch.setenv("ANALYZE_SESSION_CONFIG", str(file))
        assert is_json(program(stuck).out)
    else:
        assert is_json(program(stuck, "--config", file).out)


def test_a_named_file_replaces_the_nearest_one(program: Program, elsewhere: Path, stuck: Path) -> None:
    settings(elsewhere, "[tool.analyze-session]\nfail_on = 'high'\n")
    assert program(stuck).code == 1
    assert program(stuck, "--config", os.devnull).code == 0


@table("a_wrong_setting")
def test_a_wrong_setting(program: Program, elsewhere: Path, stuck: Path, text: str, says: str) -> None:
    settings(elsewhere, f"[tool.analyze-session]\n{text}\n")
    ran = program(stuck)
    assert (ran.code, ran.out) == (2, "")
    assert f"{elsewhere / 'pyproject.toml'}: [tool.analyze-session]: " in ran.err
    assert says in ran.err


@table("a_named_file_that_is_of_no_use")
def test_a_named_file_that_is_of_no_use(
    program: Program, tmp_path: Path, stuck: Path, name: str, text: str | None, says: str
) -> None:
    file = settings(tmp_path, text, name) if text is not None else tmp_path / name
    ran = program(stuck, "--config", file)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"Error: {file}: ")
    assert says in ran.err


def test_an_unknown_detector_in_a_file(program: Program, elsewhere: Path, stuck: Path) -> None:
    settings(elsewhere, "[tool.analyze-session]\nselect = ['lopps']\n")
    ran = program(stuck)
    assert ran.code == 2
    assert "Did you mean 'loops'?" in ran.err


def test_settings_concern_the_post_mortem_only(program: Program, elsewhere: Path) -> None:
    settings(elsewhere, "[tool.analyze-session]\nnonsense = 1\n")
    assert program("detectors").code == 0
    assert program("--help").code == 0


def test_masks_from_the_file_and_the_command_line(program: Program, elsewhere: Path, stuck: Path) -> None:
    def versions(*options: str) -> set[str]:
        failures = json.loads(program(stuck, "-f", "json", *options).out)["sessions"][0]["failures"]
        return {failure["fingerprint"].split("-")[0] for failure in failures}

    standard = versions()
    settings(elsewhere, '[tool.analyze-session.masks]\nberth = "berth-[0-9]+"\n')
    from_file = versions()
    assert from_file != standard
    assert versions("--config", os.devnull, "--mask", "berth=berth-[0-9]+") == from_file


@pytest.mark.parametrize(
    ("mask", "says"),
    [("berth", "isn't NAME=REGEX"), ("berth=(", "is no regular expression"), ("line=x", "exists already")],
)
def test_a_mask_that_cannot_be_used(program: Program, stuck: Path, mask: str, says: str) -> None:
    ran = program(stuck, "--mask", mask)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_options_of_detectors(program: Program, elsewhere: Path, stuck: Path) -> None:
    def loops(*arguments: str) -> list[int]:
        findings = json.loads(program(stuck, "-f", "json", "--select", "loops", *arguments).out)["sessions"][0][
            "findings"
        ]
        return [finding["detectable_at"] for finding in findings]

    assert loops() == [20]
    assert loops("--set", "loops.rounds=5") == [24]
    settings(elsewhere, "[tool.analyze-session.detectors.loops]\nrounds = 4\n")
    assert loops() == [22]
    assert loops("--set", "loops.rounds=9") == []


@table("options_that_cannot_be_used")
def test_options_that_cannot_be_used(program: Program, elsewhere: Path, stuck: Path, given: str, says: str) -> None:
    ran = program(stuck, "--set", given)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
