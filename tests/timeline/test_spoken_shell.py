"""Texts that can only be shell lines, and those that may be anything."""

from __future__ import annotations

import pytest

from analyzer.model.session import ToolCall
from analyzer.model.words import Kind
from analyzer.timeline.calls.classify import operation_of
from analyzer.timeline.calls.spoken_shell import is_shell_line

LINES = (
    "pytest -q",
    "cargo build",
    "./verify.sh",
    "go build ./...",
    "make verify | tail -2",
    "PYTHONPATH=. python scripts/reports.py",
    "cd one && git grep -n nowhere",
    "find nowhere -name '*.py'",
    "lantern --angle 7 2>&1 | head -5",
    "cat notes.txt",
    "git status",
)
TEXTS = (
    "",
    "find a hotel near the station",
    "make sure a/b works",
    "cat or dog?",
    "test the login page",
    "Which tables are there",
    "go to the next page",
    "time in Oslo",
    "python tutorial for beginners",
    "git is a tool that keeps track of changes",
    "select name from ships where length > 7",
    "https://example.org/a/b",
    "lantern",
)


@pytest.mark.parametrize("line", LINES)
def test_a_known_program_with_what_only_shell_lines_have_is_one(line: str) -> None:
    assert is_shell_line(line)
    assert operation_of(ToolCall("1", "quartz_relay", {"payload": line, "lane": 3})).command == line


@pytest.mark.parametrize("text", TEXTS)
def test_what_may_be_a_sentence_is_none(text: str) -> None:
    assert not is_shell_line(text)
    assert operation_of(ToolCall("1", "quartz_relay", {"payload": text})).kind is Kind.OTHER
