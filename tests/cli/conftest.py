"""Running the program as its users do: within this process where that shows the same, as a process of its own
elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli.main import main

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Ran:
    """What one call of the program left behind."""

    code: int
    out: str
    err: str


Program = Callable[..., Ran]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory and an environment that asks for nothing."""
    place = tmp_path / "work"
    place.mkdir()
    monkeypatch.chdir(place)
    for name in list(os.environ):
        if name.startswith("ANALYZE_SESSION_") or name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("TERM", "xterm-256color")
    return place


@pytest.fixture
def program(capfdbinary: pytest.CaptureFixture[bytes]) -> Program:
    """The program, run within this process. Its standard output is no terminal."""

    def run(*arguments: str | Path) -> Ran:
        capfdbinary.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(), err.decode())

    return run


def process(*arguments: str | Path, stdin: bytes = b"", **more: Any) -> Ran:
    """The program as a process of its own, with pipes."""
    done = subprocess.run(command(*arguments), input=stdin, capture_output=True, timeout=60, check=False, **more)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def command(*arguments: str | Path) -> list[str]:
    """The command line of `process`, for tests that need the process itself."""
    return [sys.executable, "-m", "analyzer", *map(str, arguments)]


@pytest.fixture
def stuck(samples: Path) -> Path:
    """A session with findings of high severity."""
    return samples / "bspline_clamping.json"


@pytest.fixture
def healthy(samples: Path) -> Path:
    """A session without findings of high severity."""
    return samples / "polling_a_build.json"


def json_lines(*records: object) -> bytes:
    """Records as JSON lines in UTF-8."""
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


@pytest.fixture
def two_sessions(elsewhere: Path) -> Path:
    """One file with the sessions `first` and `second`, the latter with an odd record."""
    log = elsewhere / "two.jsonl"
    log.write_bytes(
        json_lines(
            {"session": {"id": "first", "task": "Say the first thing."}},
            {"action": {"tool": "shell", "arguments": {"command": "echo one"}, "result": "one", "exit_code": 0}},
            {"session": {"id": "second", "task": "Say the second thing."}},
            {
                "action": {
                    "tool": "shell",
                    "arguments": {"command": "echo two"},
                    "result": "two",
                    "exit_code": 0,
                    "colour": "red",
                }
            },
        )
    )
    return log
