"""`-f sarif`, `junit` and `github` of the post-mortem."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Program


@pytest.fixture
def log(samples: Path, elsewhere: Path) -> str:
    (elsewhere / "runs").mkdir()
    (elsewhere / "runs" / "stuck.json").write_bytes((samples / "bspline_clamping.json").read_bytes())
    return "runs/stuck.json"


def test_sarif_names_the_file_from_the_current_folder_on(program: Program, log: str) -> None:
    ran = program(log, "-f", "sarif")
    made = json.loads(ran.out)["runs"][0]
    assert (ran.code, made["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) == (
        0,
        "runs/stuck.json",
    )
    rules = {rule["id"]: rule["help"]["text"] for rule in made["tool"]["driver"]["rules"]}
    assert "Why it matters" in rules["loops"]


def test_the_suffix_sarif_is_enough(program: Program, log: str, elsewhere: Path) -> None:
    assert program(log, "-o", "out.sarif", "-q").code == 0
    assert json.loads((elsewhere / "out.sarif").read_text())["version"] == "2.1.0"


def test_junit_has_the_detectors_that_were_asked_and_the_level_of_the_gate(program: Program, log: str) -> None:
    ran = program(log, "-f", "junit", "--select", "loops,gave-up", "--fail-on", "high", "-q")
    cases = ElementTree.fromstring(ran.out).findall("testsuite/testcase")
    assert (ran.code, [(case.get("name"), len(case)) for case in cases]) == (1, [("loops", 1), ("gave-up", 0)])


def test_annotations_are_lines_of_standard_output(program: Program, log: str) -> None:
    ran = program(log, "-f", "github", "--select", "loops")
    assert ran.out.startswith("::error file=runs/stuck.json,line=1,title=loops%3A alternating::")
    assert ran.out.count("\n") == 1


def test_a_session_with_nothing_to_say_has_no_annotation(program: Program, samples: Path) -> None:
    ran = program(samples / "polling_a_build.json", "-f", "github", "--select", "loops", "--fail-on", "low")
    assert (ran.code, ran.out) == (0, "")


@pytest.mark.slow
def test_an_audit_tells_of_every_session_and_of_files_that_could_not_be_read(
    program: Program, log: str, elsewhere: Path
) -> None:
    (elsewhere / "runs" / "half.json").write_text('{"session": {"id": "x"')
    ran = program("audit", "runs", "-o", "out", "-f", "junit", "--select", "loops", "-j", "1", "-q")
    suites = ElementTree.fromstring(ran.out).findall("testsuite")
    assert (ran.code, [(suite.get("failures"), suite.get("errors")) for suite in suites]) == (
        0,
        [("1", "0"), ("0", "1")],
    )
    github = program("audit", "runs", "-o", "out", "-f", "github", "--select", "loops", "-q").out
    assert [line.split(",")[0] for line in github.splitlines()] == [
        "::error file=runs/stuck.json",
        "::warning file=runs/half.json",
    ]
    sarif = json.loads(program("audit", "runs", "-o", "out", "-f", "sarif", "--select", "loops", "-q").out)["runs"][0]
    assert (len(sarif["results"]), sarif["properties"]["sessions"]) == (1, 1)
    assert sarif["invocations"][0]["toolExecutionNotifications"][0]["level"] == "error"


def test_an_audit_exports_and_filters(program: Program, log: str, elsewhere: Path) -> None:
    ran = program("audit", "runs", "-o", "out", "--export", "jsonl", "--source-format", "codex", "-j", "1")
    assert ran.code == 0
    assert "1 session left out by the filters: 1 of another format." in ran.err
    assert (elsewhere / "out" / "tables" / "sessions.jsonl").read_bytes() == b""
    assert program("audit", "runs", "-o", "out", "--export", "jsonl", "-q").code == 0
    assert (elsewhere / "out" / "tables" / "sessions.jsonl").read_bytes().count(b"\n") == 1
    unknown = program("audit", "runs", "-o", "out", "--since", "soon")
    assert (unknown.code, "--since 'soon' is no time." in unknown.err) == (2, True)


def test_an_audit_of_an_agents_own_folder(
    program: Program, elsewhere: Path, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = elsewhere / "codex" / "sessions"
    sessions.mkdir(parents=True)
    (sessions / "one.json").write_bytes((samples / "polling_a_build.json").read_bytes())
    monkeypatch.setenv("CODEX_HOME", str(elsewhere / "codex"))
    ran = program("audit", "--from", "codex", "-o", "out", "-j", "1")
    assert (ran.code, "1 session in 1 file" in ran.err) == (0, True)
    listed = program("audit", "folders").out
    assert "codex - sessions found" in listed.splitlines()
    assert program("audit", "homes").out == listed
    monkeypatch.setenv("CODEX_HOME", str(elsewhere / "gone"))
    missing = program("audit", "--from", "codex", "-o", "out")
    assert (missing.code, "$CODEX_HOME names this folder" in missing.err) == (2, True)
