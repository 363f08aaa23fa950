"""Reading one side from the database of its audit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.compare import load
from analyzer.audit.run import run
from analyzer.audit.settings import Settings
from tests.conftest import ROOT

HERE = "ValueError: Need at least 8 knots"


def one_by_one(function: Callable[[Any], Any], items: Iterable[Any], _lost: object) -> Iterator[Any]:
    """An engine without processes."""
    return map(function, items)


def log(place: Path, name: str, ending: str, commands: Iterable[tuple[str, str, int]]) -> None:
    actions = [
        {"tool": "bash", "arguments": {"command": typed}, "result": result, "exit_code": code}
        for typed, result, code in commands
    ]
    session = {
        "id": name,
        "task": "Fit a curve through the points",
        "ending": ending,
        "tokens": {"input": 900, "output": 100},
        "cost_usd": 0.5,
    }
    (place / f"{name}.json").write_text(
        json.dumps({"format": "analyze-session/1", "session": session, "actions": actions})
    )


def test_a_side_holds_what_the_tables_do(tmp_path: Path, samples: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    log(logs, "a", "solved", [("make", "ok", 0)])
    log(
        logs,
        "b",
        "unsolved",
        [("python fit.py", f'Traceback (most recent call last):\n  File "fit.py", line 3, in <module>\n{HERE}', 1)],
    )
    (logs / "c.json").write_text('{"session": {"id": "x"')
    (logs / "d.json").write_bytes((samples / "bspline_clamping.json").read_bytes())
    run([str(logs)], tmp_path / "audit", Settings(), one_by_one)
    found = load(tmp_path / "audit", "mine")
    a, b, d = found.runs
    assert (found.name, found.problems, sorted(found.versions)) == ("mine", 1, [Settings().version()])
    assert set(found.digests) >= {a.path, b.path, d.path}
    assert (a.id, a.succeeded, a.metrics["tokens"], a.metrics["cost_usd"], a.prints) == ("a", True, 1000, 0.5, {})
    assert (b.id, b.succeeded, b.metrics["failures_per_session"]) == ("b", False, 1)
    assert list(b.prints.values()) == [(None, 1, HERE)]
    assert a.task_key == b.task_key
    assert any(name.startswith("loops/") for name in d.kinds)
    assert any(failed.severity == "high" for failed in d.prints.values())


def test_only_what_the_audit_covers_counts(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    log(logs, "a", "solved", [("make", "ok", 0)])
    log(logs, "b", "solved", [("make all", "ok", 0)])
    run([str(logs)], tmp_path / "audit", Settings(), one_by_one)
    run([str(logs / "a.json")], tmp_path / "audit", Settings(), one_by_one)
    assert [entry.id for entry in load(tmp_path / "audit", "mine").runs] == ["a"]


def test_the_documented_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for month, ending in (("march", "unsolved"), ("april", "solved")):
        (tmp_path / month).mkdir()
        for number in range(8):
            log(tmp_path / month, f"task-{number}", ending, [("make", "ok", 0)])
        run([str(tmp_path / month)], tmp_path / "audits" / month, Settings(), one_by_one)
    example = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    printed = capsys.readouterr().out
    assert printed.startswith("B succeeds more often: A 0%, B 100% (8 tasks), +100 points, 95% interval +")
    assert "Success rate 0.0 1.0 " in printed
