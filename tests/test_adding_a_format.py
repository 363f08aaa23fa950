"""The example in docs/adding-a-format.md is complete: installed as a package with its entry point, it reads
transcripts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.formats.container.tree import BundleTree, Claim, Folder, Unit
from analyzer.formats.loading import registry
from analyzer.formats.loading.folders import units
from analyzer.model.errors import BadConfiguration

ROOT = Path(__file__).resolve().parent.parent


def example() -> str:
    page = (ROOT / "docs" / "adding-a-format.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert code is not None
    return code[1]


@pytest.mark.slow
def test_the_documented_format_reads_through_its_entry_point(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "adding-a-format.md").read_text(encoding="utf-8")
    group = re.search(r'\[project\.entry-points\."(.+)"\]\n(.+)\n', page)
    assert group is not None
    site = tmp_path / "site"
    metadata = site / "shelf-1.dist-info"
    metadata.mkdir(parents=True)
    (site / "shelf_format.py").write_text(example(), encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: shelf\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[{group[1]}]\n{group[2].replace(chr(34), '')}\n", encoding="utf-8")
    log = tmp_path / "run.log"
    rows = [
        {"run": "r1", "do": "ls nothere", "got": "ls: cannot access 'nothere': No such file or directory", "code": 2},
        {"run": "r1"},
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}
    command = [sys.executable, "-m", "analyzer", str(log), "-f", "json", "-q"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)

    report = json.loads(run.stdout)
    (session,) = report["sessions"]
    assert report["source"]["format"] == "shelf"
    assert [(row["tool"], row["status"], row["exit_code"]) for row in session["timeline"]] == [("bash", "error", 2)]
    assert [warning["where"] for warning in session["warnings"]] == ["line 2"]


def test_the_documented_format_is_the_one_that_the_type_checker_reads() -> None:
    assert example() == (ROOT / "tests" / "examples" / "shelf.py").read_text("utf-8")


@pytest.mark.slow
def test_the_documented_format_would_pass_as_one_of_ours(tmp_path: Path) -> None:
    module = tmp_path / "shelf.py"  # tests are linted by fewer rules, but typed by the same
    module.write_text(example(), encoding="utf-8")
    ruff = ["ruff", "check", "--no-cache", "--config", str(ROOT / "pyproject.toml"), str(module)]
    run = subprocess.run([sys.executable, "-m", *ruff], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stdout


def test_a_format_that_lacks_a_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Half:
        name, not_recorded = "half", ()

    monkeypatch.setattr(registry, "registered", lambda _: [Half()])
    registry.formats.cache_clear()
    registry._others.cache_clear()
    try:
        with pytest.raises(BadConfiguration, match=r"is not a format: it has no title, sniff and read\."):
            registry.formats()
    finally:
        registry.formats.cache_clear()
        registry._others.cache_clear()


def test_a_format_of_another_package_says_which_files_belong_together(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shelf:
        def claim(self, folder: Folder) -> Claim | None:
            parts = tuple(name for name in folder.files if name.startswith("shelf-"))
            return Claim((Unit(folder.path, folder.path, parts),), frozenset(parts)) if parts else None

    class Files:
        names = ("a/other.json", "a/shelf-1.json", "a/shelf-2.json")

        def read(self, name: str) -> bytes:
            return name.encode()

    monkeypatch.setattr(registry, "registered", lambda _: [Shelf(), object()])
    registry.layouts.cache_clear()
    try:
        found = units(BundleTree(Files()))
    finally:
        registry.layouts.cache_clear()
    assert found == [Unit("a", "a", ("shelf-1.json", "shelf-2.json")), Unit("a/other.json")]
