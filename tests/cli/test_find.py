"""`analyze-session find` as its users call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.audit.run import run
from analyzer.audit.settings import Settings
from tests.audit.test_search import inline
from tests.cli.conftest import Program


@pytest.fixture
def place(elsewhere: Path) -> Path:
    action = {
        "tool": "shell",
        "arguments": {"command": "gauge"},
        "result": "\x1b[31mno gauge\x1b[0m at pier 4",
        "exit_code": 1,
    }
    header = {"id": "ebb", "task": "Drain the lagoon.", "started_at": "2026-02-03T04:00:00Z"}
    (elsewhere / "ebb.json").write_text(
        json.dumps({"format": "analyze-session/1", "session": header, "actions": [action]}), encoding="utf-8"
    )
    run(["ebb.json"], Path("out"), Settings(), inline)
    return Path("out")


def test_hits_are_printed_with_session_step_and_text(program: Program, place: Path) -> None:
    ran = program("find", "gauge pier", place)
    head, empty, session, step, text = ran.out.splitlines()
    assert (ran.code, head, empty) == (0, "1 hit in 1 session of 1", "")
    assert session.startswith("Drain the lagoon. · ebb · 2026-02-03 04:00 · ")
    assert step == "  step 1 (shell, error), returned"
    assert text.endswith("no gauge at pier 4")
    assert "\x1b" not in ran.out


def test_what_was_found_is_marked_where_there_are_colours(program: Program, place: Path) -> None:
    assert "\x1b[31m\x1b[1mpier\x1b[0m 4" in program("find", "pier", place, "--color", "always").out


def test_json(program: Program, place: Path) -> None:
    found = json.loads(program("find", "pier", place, "-f", "json").out)
    assert (found["found"], found["sessions"][0]["hits"][0]["step"]) == (1, 1)


def test_nothing_found(program: Program, place: Path) -> None:
    ran = program("find", "harbour", place)
    assert (ran.code, ran.out, ran.err) == (0, "", "nothing found in 1 session\n")
