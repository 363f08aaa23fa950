"""The loop guard that `analyze-session guard` prints works where it's put."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from analyzer.api import load
from analyzer.cli.main import cli
from analyzer.model.words import Kind

DOCS = Path(__file__).resolve().parents[2] / "docs" / "guard.md"


def printed(*arguments: str) -> str:
    ran = CliRunner().invoke(cli, ["guard", *arguments], standalone_mode=False)
    assert ran.exception is None
    return ran.stdout


def loaded(source: str, name: str = "loop_guard") -> ModuleType:
    module = ModuleType(name)
    exec(compile(source, name, "exec"), module.__dict__)
    return module


@pytest.fixture
def guard() -> Any:
    return loaded(printed()).LoopGuard()


def test_the_same_answer_three_times(guard: Any) -> None:
    said = [
        guard.after_call(*call)
        for number in range(4)
        for call in (("ls", {"dir": "src"}, "a.py"), ("cat", {"path": f"{number}.txt"}, f"text {number}"))
    ]
    assert [place for place, advice in enumerate(said) if advice] == [4]
    assert said[4] is not None
    assert said[4].startswith("Stop. You have made this call 3 times")


def test_answers_that_move_and_checks_between_edits_are_none(guard: Any) -> None:
    said = [guard.after_call("status", {"job": 7}, f"{done} of 9 done") for done in range(9)]
    for number in range(5):
        said.append(guard.after_call("edit", {"path": f"{number}.py"}, "Edited.", changes=True))
        said.append(guard.after_call("status", {}, "clean"))
    assert not any(said)


def test_an_error_comes_back_in_spite_of_edits(samples: Path) -> None:
    guard = loaded(printed()).LoopGuard()
    (timeline,) = load(samples / "bspline_clamping.json").sessions
    fired = [
        action.step
        for action in timeline.actions
        if guard.after_call(
            action.tool,
            action.arguments,
            action.failure.headline if action.failure is not None else action.result or "",
            failed=action.failure is not None,
            changes=action.kind is Kind.EDIT,
        )
    ]
    assert fired == [20]


def test_it_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    (tmp_path / "loop_guard.py").write_text(printed(), encoding="utf-8")
    code = "import loop_guard; print(loop_guard.LoopGuard(2).after_call('a', 'b', 'c', failed=True))"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "None\n"), ran.stderr


def test_the_patch_adds_the_file(tmp_path: Path) -> None:
    subprocess.run(["git", "apply"], cwd=tmp_path, input=printed("--patch"), text=True, check=True)
    assert (tmp_path / "loop_guard.py").read_text(encoding="utf-8") == printed()


def test_the_loop_in_the_documentation_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "loop_guard", loaded(printed()))
    (example,) = (
        block for block in re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL) if "LoopGuard" in block
    )
    calls = iter([{"name": "ls", "arguments": {}}] * 3)
    messages = loaded(example, "example").run_agent(
        "List it.", lambda _: ("", next(calls, None)), lambda _: ("a.py", 0), frozenset()
    )
    assert [entry["content"][:5] for entry in messages if entry["role"] == "user"] == ["List ", "Stop."]
