"""Without the row and the file of a rule, and with a detector from outside, everything that is made from findings
changes too."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from analyzer.detectors.engine.table import TABLE, families

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent.parent
SHOW = """
import json, sys
from tests.build import call, diagnosed, edit, pytest_report, read, run, says, submit
from tests.case_study.loaded import study

SESSIONS = {
    "words": [call("open_tab", {"n": n}, "Unknown tool: open_tab", is_error=True) for n in range(5)],
    "loop": [
        read("shapes.py", "class Quad: ..."),
        *(
            part
            for number in range(5)
            for part in (
                edit("shapes.py", f"a{number}", f"b{number}"),
                run("pytest", pytest_report(
                    "ValueError: Need at least 4 corners for a quad",
                    test_code="shape = Quad(corners=[0, 1, 2])",
                    raised=("shapes.py", 49, "raise ValueError('Need at least 4 corners for a quad')"),
                ), 1),
            )
        ),
        says("I give up."),
    ],
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
    "warnings": [(warning.where, warning.what) for warning in made.warnings],
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
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program."""
    place = tmp_path_factory.mktemp("copy")
    for name in ("analyzer", "templates"):
        shutil.copytree(ROOT / name, place / name)  # what is compiled as well: making it again takes seconds
    return place


@contextmanager
def without(copy: Path, *names: str) -> Iterator[Path]:
    """The copy while some rules are deleted: their files, and their rows."""
    kept: dict[Path, str] = {}
    for rule in (rule for rules in families().values() for rule in rules if rule.name in names):
        module, table = (copy / "analyzer" / "detectors" / rule.family / name for name in (f"{rule.file}.py", TABLE))
        for file in (module, table):
            kept.setdefault(file, file.read_text(encoding="utf-8"))
        module.unlink()
        row = re.compile(rf"^\[{rule.name}[.\]].*?(?=^\[(?!{rule.name}[.\]])|\Z)", re.DOTALL | re.MULTILINE)
        table.write_text(row.sub("", table.read_text(encoding="utf-8")), encoding="utf-8")
    try:
        yield copy
    finally:
        for file, content in kept.items():
            file.write_text(content, encoding="utf-8")


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    return {key for key in before if before[key] != after[key]}


def test_without_its_row_and_file_nothing_of_a_rule_is_left(copy: Path) -> None:
    before = shown("words", ROOT)
    with without(copy, "unknown-tool"):
        after = shown("words", copy, ROOT)
    assert before["cause"] == "unknown-tool"
    assert "unknown-tool" not in after["detectors"]
    assert not before.keys() - differing(before, after) - {"details", "warnings", "questions", "lessons"}


def test_the_program_works_without_the_detectors_that_it_leans_on_most(copy: Path) -> None:
    before = shown("loop", ROOT)
    with without(copy, "wrong-file", "unverified-success", "loops", "expected-calls", "gave-up", "lost-context"):
        after = shown("loop", copy, ROOT)
    assert before["cause"] == "wrong-file"
    assert not {"wrong-file", "loops", "gave-up"} & set(after["detectors"])
    assert after["cause"] not in (None, "wrong-file")
    assert {"questions", "improvements"} <= differing(before, after)


def test_a_detector_from_outside_speaks_everywhere(tmp_path: Path) -> None:
    group, point = "analyze_session.detectors", "untested-deploy = night_work:DETECTOR"
    after = shown("deployment", ROOT, site(tmp_path / "site", group, point))
    assert after["cause"] == "untested-deploy"
    assert {"type": "untested-deploy", "failed_tests": 0} in after["details"]
    assert "Which test would have failed before step 2, and why was it not run?" in after["questions"]
    assert "A gate before every deployment" in after["improvements"]
    assert after["lessons"] == ["A deployment is no test."]
    assert after["failures"] == ["Deployment without a test"] * 2
    assert any(text.startswith("What deploys has to know") for text in after["case lessons"])


RAISES = """
class Broken(UntestedDeploy):
    name = "broken"

    def start(self, lane_context):
        raise ValueError("no such lane")


BROKEN = Broken()
"""


def test_a_detector_from_outside_that_raises_costs_its_own_findings_only(tmp_path: Path) -> None:
    place = site(tmp_path / "site", "analyze_session.detectors", "broken = night_work:BROKEN")
    with (place / "night_work.py").open("a", encoding="utf-8") as file:
        file.write(RAISES)
    before, after = shown("words", ROOT), shown("words", ROOT, place)
    assert after.pop("warnings") == [
        [
            "detector broken of night_work",
            "it stopped with an error (ValueError: no such lane), so its findings are missing",
        ]
    ]
    assert before.pop("warnings") == []
    assert after == before


def test_what_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    place = site(tmp_path / "site", "analyze_session.detectors", "broken = night_work:ABSENT")
    ended = subprocess.run(
        [sys.executable, "-m", "analyzer", "detectors"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, place)))},
        cwd=ROOT,
        check=False,
    )
    assert ended.returncode == 2
    assert "what the package night-work registers as 'broken' under analyze_session.detectors can't be loaded" in (
        " ".join(ended.stderr.split())
    )
