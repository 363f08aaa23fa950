"""The GitHub Action and the pre-commit hook: what they run, on sessions of ours."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

PROGRAM = "exec " + shlex.join([sys.executable, "-m", "analyzer"]) + ' "$@"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout with one recorded session, and the program on the path."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "analyze-session"
    program.write_text(f"#!/bin/sh\n{PROGRAM}")
    program.chmod(0o755)
    (tmp_path / "sessions").mkdir()
    shutil.copy(ROOT / "sample_sessions" / "bspline_clamping.json", tmp_path / "sessions" / "a.json")
    return tmp_path


def run(command: list[str], folder: Path, **variables: str) -> int:
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False).returncode


@pytest.mark.parametrize(("fail_on", "code"), [("high", 1), ("", 0)])
def test_the_action_writes_what_was_found_and_fails_where_it_is_asked_to(folder: Path, fail_on: str, code: int) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    step = action["runs"]["steps"][-1]
    assert set(step["env"]) == {"PATHS", "FAIL_ON", "OUTPUT", "ARGUMENTS"}
    named = {value.strip("${ }").removeprefix("inputs.") for value in step["env"].values()}
    assert named == set(action["inputs"])
    given = {"PATHS": "sessions", "FAIL_ON": fail_on, "OUTPUT": "out", "ARGUMENTS": "--pages none"}
    given |= {"PROGRAM": "analyze-session", "GITHUB_STEP_SUMMARY": str(summary := folder / "summary.md")}
    ended = run(["bash", "-eo", "pipefail", "-c", step["run"]], folder, **given)
    assert ended == code
    assert json.loads((folder / "out" / "findings.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert "1 session" in summary.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("sample", "active", "code"),
    [("bspline_clamping", False, 2), ("bspline_clamping", True, 0), ("bspline_solved", False, 0)],
)
@pytest.mark.skipif(shutil.which("jq") is None, reason="the hook needs jq")
def test_the_stop_hook_gives_the_turn_back_once(folder: Path, sample: str, active: bool, code: int) -> None:
    page = (ROOT / "docs" / "guard.md").read_text(encoding="utf-8")
    settings = json.loads(page.partition("```json\n")[2].partition("\n```")[0])
    command = settings["hooks"]["Stop"][0]["hooks"][0]["command"]
    log = str(ROOT / "sample_sessions" / f"{sample}.json")
    given = json.dumps({"transcript_path": log, "stop_hook_active": active})
    ended = run(["sh", "-c", f"printf '%s' '{given}' | {{ {command}\n}}"], folder)
    assert ended == code


def test_the_hook_fails_for_a_session_that_went_wrong(folder: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert re.search(hook["files"], "sessions/a.json")
    assert not re.search(hook["files"], "package.json")
    command = [*shlex.split(hook["entry"]), *hook["args"], "sessions/a.json"]
    assert run(command, folder) == 1
    shutil.copy(ROOT / "sample_sessions" / "bspline_solved.json", folder / "sessions" / "a.json")
    assert run(command, folder) == 0
