"""A detector is one file: without it, and with one from outside, everything that is made from findings changes too."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SHOW = """
import json, sys
from tests.build import diagnosed, edit, run, submit
from tests.case_study.loaded import study

SESSIONS = {
    "words": [run("Thank you, that is all I have for you. Goodbye!", "bash: Thank: command not found", 127)] * 5,
    "deployment": [edit("a.py", "1", "2"), run("deploy now", "deployed"), submit("It is deployed.")],
}
parts = [*SESSIONS[sys.argv[1]]]
made = diagnosed(parts)
diagnosis = made.diagnosis
case = study("title: t\\nprompt: p\\nsuccess: {final_answer: {contains: refunded}}\\n", parts, parts)
print(json.dumps({
    "detectors": sorted({finding.detector for finding in made.findings}),
    "cause": made.findings[diagnosis.cause].detector if diagnosis.cause is not None else None,
    "details": [finding.details.model_dump() for finding in made.findings if finding.details is not None],
    "questions": diagnosis.step_back,
    "improvements": [entry.title for entry in diagnosis.improvements],
    "lessons": diagnosis.lessons,
    "failures": [failing.title for failing in case.cascade],
    "case lessons": [lesson.text for lesson in case.lessons],
}))
"""


def shown(session: str, *path: Path) -> dict[str, Any]:
    """What the program that stands in `path` says of one of the sessions."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    command = [sys.executable, "-c", SHOW, session]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=path[0], check=False)
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def site(folder: Path, group: str, point: str) -> Path:
    """A package that registers the documented detector."""
    metadata = folder / "night_work-1.dist-info"
    metadata.mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "examples" / "untested_deploy.py", folder / "night_work.py")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: night-work\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{point}\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def without_unknown_tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program from which a detector's file and its line in the registry were deleted."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("analyzer", "templates"):
        shutil.copytree(ROOT / name, copy / name)  # what is compiled as well: making it again takes seconds
    (copy / "analyzer" / "detectors" / "unknown_tool.py").unlink()
    registry = copy / "analyzer" / "detectors" / "engine" / "registry.py"
    lines = registry.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.strip() != '"unknown_tool",']
    assert len(kept) == len(lines) - 1
    registry.write_text("".join(kept), encoding="utf-8")
    return copy


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    return {key for key in before if before[key] != after[key]}


def test_without_its_file_nothing_of_a_detector_is_left(without_unknown_tool: Path) -> None:
    before, after = shown("words", ROOT), shown("words", without_unknown_tool, ROOT)
    assert before["cause"] == "unknown-tool"
    assert "unknown-tool" not in after["detectors"]
    assert not before.keys() - differing(before, after) - {"details"}


def test_a_detector_from_outside_speaks_everywhere(tmp_path: Path) -> None:
    group, point = "analyze_session.detectors", "night-work = night_work:DETECTOR"
    after = shown("deployment", ROOT, site(tmp_path / "site", group, point))
    assert after["cause"] == "untested-deploy"
    assert {"type": "untested-deploy", "failed_tests": 0} in after["details"]
    assert "Which test would have failed before step 2, and why was it not run?" in after["questions"]
    assert "A gate before every deployment" in after["improvements"]
    assert after["lessons"] == ["A deployment is no test."]
    assert after["failures"] == ["Deployment without a test"] * 2
    assert any(text.startswith("What deploys has to know") for text in after["case lessons"])
