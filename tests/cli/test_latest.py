"""`latest` in place of LOG, and the list of what agents recorded last, to pick one."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Program, command

SAMPLES = ROOT / "tests" / "data" / "formats"
FILES = {".claude/projects/-srv-mill/a.jsonl": "claude_code.jsonl", ".codex/sessions/b.jsonl": "codex.jsonl"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of somebody who used Claude Code, and Codex an hour later."""
    for age, (name, sample) in enumerate(FILES.items()):
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        text = (SAMPLES / sample).read_text(encoding="utf-8")
        file.write_text(text if age else text.replace("/parcel-rates", "/mill"), encoding="utf-8")
        os.utime(file, (1_800_000_000 + 3_600 * age,) * 2)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "agent"),
    [
        (["latest"], "Codex"),
        (["latest", "2"], "Claude Code"),
        (["latest", "--agent", "claude-code"], "Claude Code"),
        (["diff", "latest"], "Codex"),
    ],
)
def test_latest_is_the_file_that_changed_last(program: Program, words: list[str], agent: str) -> None:
    ran = program(*words)
    assert ran.code == 0
    assert ran.err.startswith(f"{agent}: ")
    assert ran.out


def test_a_project_is_the_name_of_the_working_directory(program: Program, home: Path) -> None:
    (home / "mill").mkdir()
    os.chdir(home / "mill")
    for project in ("Mill", "."):
        assert program("latest", "--project", project).err.startswith("Claude Code: ")
        assert "Codex" not in program("recent", "--project", project, "-j", "1").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["latest", "3"], "there are 2 sessions"),
        (["latest", "--project", "nowhere"], "there are 0 sessions of the project 'nowhere'"),
        (["latest", "--agent", "gemini-cli"], "gemini-cli keeps its sessions there"),
    ],
)
def test_what_is_not_there_is_said(program: Program, words: list[str], said: str) -> None:
    ran = program(*words)
    assert ran.code == 2
    assert said in ran.err


def test_a_file_of_that_name_goes_first(program: Program, stuck: Path) -> None:
    shutil.copy(stuck, "latest")
    assert "Need at least 8 knots" in program("latest").out


def test_recent_lists_all_agents_the_latest_first(program: Program) -> None:
    lines = program("recent", "-j", "1").out.splitlines()
    assert [line.split()[0] for line in lines] == ["began", "1", "2"]
    assert ("Codex" in lines[1], "Claude Code" in lines[2]) == (True, True)
    assert program("recent", "-j", "1", "-n", "1", "--agent", "codex").out.split()[7:] == lines[1].split()


def test_without_a_word_at_a_terminal_one_is_picked_and_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "cat")
    ours, theirs = pty.openpty()
    with subprocess.Popen(command(), stdin=theirs, stdout=theirs, stderr=theirs) as started:
        os.close(theirs)
        os.write(ours, b"2\n")
        shown = b""
        with suppress(OSError):
            while part := os.read(ours, 4_096):
                shown += part
    os.close(ours)
    assert started.returncode == 0
    assert b"what happened" in shown
    assert b"Post-mortem" in shown.partition(b"Open")[2]
