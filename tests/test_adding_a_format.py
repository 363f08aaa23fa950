"""The example in docs/adding-a-format.md is complete: installed as a package with its entry point, it reads
transcripts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_documented_format_reads_through_its_entry_point(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "adding-a-format.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    group = re.search(r'\[project\.entry-points\."(.+)"\]\n(.+)\n', page)
    assert code is not None
    assert group is not None
    site = tmp_path / "site"
    metadata = site / "shelf-1.dist-info"
    metadata.mkdir(parents=True)
    (site / "shelf_format.py").write_text(code[1], encoding="utf-8")
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
