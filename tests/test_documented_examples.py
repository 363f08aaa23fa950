"""The examples in docs/ are complete: they run as they stand there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli.main import main
from tests.build import pytest_report

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = """
import json, sys
from analyzer.cli.main import main

for number, arguments in enumerate(json.load(sys.stdin)):
    print(end="\\0" if number else "", flush=True)
    assert main(arguments) == 0, arguments
"""


def example(page: str) -> str:
    return examples(page)[0]


def examples(page: str) -> list[str]:
    found: list[str] = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found


def test_the_report_of_an_audit_is_made_again_from_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sample = ROOT / "sample_sessions" / "bspline_clamping.json"
    assert main(["audit", str(sample), "-o", "audit/", "-j", "1", "-q"]) == 0
    names: dict[str, Any] = {}
    for part in examples("audit-report.md"):
        exec(part, names)
    assert capsys.readouterr().out.startswith("# ")
    assert names["report"].metrics.loop_rate.count == 1
    assert names["html"].startswith("<!doctype html>")


def test_an_agent_loop_with_a_guard_is_asked_to_step_back() -> None:
    names: dict[str, Any] = {}
    exec(example("guard.md"), names)
    turns = iter(range(1, 100))
    report = pytest_report(
        "ValueError: Need at least 4 corners for a quad", test_line=21, test_code="shape = Quad(corners=[0, 1, 2])"
    )

    def ask_model(messages: list[dict[str, Any]]) -> tuple[str, dict[str, Any] | None]:
        if "Stop." in messages[-1]["content"]:
            return "The test passes three corners.", None
        number = next(turns)
        if number % 2:
            return "Another try.", {
                "name": "edit",
                "arguments": {"path": "shapes.py", "old": f"a{number}", "new": f"b{number}"},
            }
        return "Does it help?", {"name": "bash", "arguments": {"command": "pytest"}}

    def run_tool(call: dict[str, Any]) -> tuple[str, int | None]:
        return ("Edited.", None) if call["name"] == "edit" else (report, 1)

    messages = names["run_agent"]("Make the tests pass.", ask_model, run_tool)
    assert messages[-1]["content"] == "The test passes three corners."
    assert sum(message["role"] == "tool" for message in messages) == 6
    assert any("tests/test_shapes.py:21" in message["content"] for message in messages if message["role"] == "user")


def test_the_documented_detector_is_the_one_that_the_type_checker_reads() -> None:
    assert example("adding-a-detector.md") == (ROOT / "tests" / "examples" / "untested_deploy.py").read_text("utf-8")


@pytest.mark.slow
def test_a_documented_detector_is_found_through_its_entry_point(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "adding-a-detector.md").read_text(encoding="utf-8")
    group = re.search(r'\[project\.entry-points\."(.+)"\]\n(.+)\n', page)
    assert group is not None
    site = tmp_path / "site"
    metadata = site / "night_work-1.dist-info"
    metadata.mkdir(parents=True)
    (site / "night_work.py").write_text(example("adding-a-detector.md"), encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: night-work\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[{group[1]}]\n{group[2].replace(chr(34), '')}\n", encoding="utf-8")
    log = tmp_path / "run.json"
    steps = [
        {"tool": "bash", "arguments": {"command": command}, "result": "ok"}
        for command in ("deploy now", "pytest", "deploy again")
    ]
    log.write_text(
        json.dumps({"format": "analyze-session/1", "session": {"id": "s1"}, "actions": steps}), encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}

    judged = [str(log), "-f", "json", "-q", "--select", "untested-deploy"]
    # What is installed is seen by a process of its own; one is enough for all commands.
    printed = subprocess.run(
        [sys.executable, "-c", COMMANDS],
        input=json.dumps(
            [
                judged,
                [*judged, "--set", "untested-deploy.command=ship"],
                ["detectors"],
                ["explain", "untested-deploy"],
                ["watch", str(log), "--until-idle", "0", "-q", "--select", "untested-deploy"],
            ]
        ),
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    ).stdout
    found, unfound, listed, explained, watched = printed.split("\0")

    def flagged(report: str) -> list[tuple[str, int]]:
        (session,) = json.loads(report)["sessions"]
        return [(finding["title"], finding["detectable_at"]) for finding in session["findings"]]

    assert flagged(found) == [("Step 1 deploys, and no test had passed before", 1)]
    assert flagged(unfound) == []
    assert "untested-deploy" in listed
    assert "What was deployed was never tried." in explained
    assert watched.startswith("step 1  HIGH")
