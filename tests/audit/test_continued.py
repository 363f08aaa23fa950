"""Backups, resets and forks of one session are one session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analyzer.audit.run import run
from analyzer.audit.settings import Settings
from tests.audit.runs import at_once, tables
from tests.audit.trees import write


def told(actions: int, name: str = "s-1", start: int = 0, tool: str = "bash", clock: bool = True) -> dict[str, Any]:
    """A session with so many actions, one a minute."""

    def action(number: int) -> dict[str, Any]:
        time = {"started_at": f"2026-01-02T10:{start + number:02}:00Z"} if clock else {}
        return {"tool": tool, "arguments": {"command": f"make part-{number}"}, "result": "done", **time}

    session = {"id": name, "task": "Build it.", "started_at": f"2026-01-02T10:{start:02}:00Z"}
    return {"session": session, "actions": [action(number) for number in range(actions)]}


def counted(root: Path, files: dict[str, object]) -> tuple[list[str], dict[str, str]]:
    """The files whose sessions count, and of the others where they're counted."""
    runs = write(root / "runs", files)
    run([str(runs)], root / "out", Settings(), at_once)
    found = tables(root / "out")
    copies = {row[0]: row[6] for row in found["files"] if row[6]}
    return (
        sorted({Path(row[1]).name for row in found["sessions"]}),
        {Path(path).name: Path(home).name for path, home in copies.items()},
    )


def test_a_backup_is_counted_in_the_session_that_goes_on(tmp_path: Path) -> None:
    files: dict[str, object] = {"a.bak.json": told(2), "b.reset.json": told(3), "c.json": told(5)}
    assert counted(tmp_path, files) == (["c.json"], {"a.bak.json": "c.json", "b.reset.json": "c.json"})


def test_a_fork_that_tells_all_of_its_parent_counts_for_both(tmp_path: Path) -> None:
    files: dict[str, object] = {"fork.json": told(5, "s-2"), "parent.json": told(3, "s-1")}
    assert counted(tmp_path, files) == (["fork.json"], {"parent.json": "fork.json"})


def test_a_parent_that_went_on_by_itself_is_a_session_of_its_own(tmp_path: Path) -> None:
    parent = told(4, "s-1")
    parent["actions"][3]["arguments"] = {"command": "make clean"}
    assert counted(tmp_path, {"fork.json": told(5, "s-2"), "parent.json": parent}) == (["fork.json", "parent.json"], {})


def test_runs_of_the_same_task_at_other_times_are_sessions_of_their_own(tmp_path: Path) -> None:
    files: dict[str, object] = {"one.json": told(3), "two.json": told(5, start=7)}
    assert counted(tmp_path, files) == (["one.json", "two.json"], {})


def test_without_times_of_actions_the_names_must_be_the_same(tmp_path: Path) -> None:
    shorter, longer = told(2, "s-1", clock=False), told(4, "s-2", clock=False)
    assert counted(tmp_path / "unlike", {"a.json": shorter, "b.json": longer}) == (["a.json", "b.json"], {})
    longer["session"]["id"] = "s-1"
    assert counted(tmp_path / "alike", {"a.json": shorter, "b.json": longer}) == (["b.json"], {"a.json": "b.json"})


def test_the_same_session_in_unlike_bytes_is_counted_once(tmp_path: Path) -> None:
    again = told(3) | {"format": "analyze-session/1"}
    assert counted(tmp_path, {"a.json": told(3), "b.json": again}) == (["a.json"], {"b.json": "a.json"})


def test_a_file_with_one_session_of_its_own_is_counted_whole(tmp_path: Path) -> None:
    both = [told(2), told(2, "s-9", start=30)]
    assert counted(tmp_path, {"both.jsonl": both, "c.json": told(5)}) == (["both.jsonl", "c.json"], {})
