"""True outputs of tools (tests/data/outputs) and verdicts on them, as a session would hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from analyzer.failures import Reading, Verdict, read
from analyzer.model.failure import Failure
from analyzer.model.session import ToolCall
from analyzer.model.words import Mark
from analyzer.timeline.calls.classify import operation_of

OUTPUTS = Path(__file__).resolve().parent.parent / "data" / "outputs"
_ROW = re.compile(
    r"^\| (?P<file>\S+\.txt) \| (?P<ticks>`+) ?(?P<command>.*?) ?(?P=ticks) \| (?P<code>\d+) \|$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Output:
    """What a command printed, and its exit code."""

    command: str
    exit_code: int
    text: str


@cache
def outputs() -> dict[str, Output]:
    """Every recorded output by its path without `.txt`."""
    rows = _ROW.finditer((OUTPUTS / "COMMANDS.md").read_text(encoding="utf-8"))
    return {
        row["file"].removesuffix(".txt"): Output(
            row["command"].replace("\\|", "|"), int(row["code"]), (OUTPUTS / row["file"]).read_bytes().decode("utf-8")
        )
        for row in rows
    }


def shell(
    command: str, text: str | None, exit_code: int | None = None, is_error: bool | None = None, mark: Mark | None = None
) -> Verdict:
    """The verdict on a shell command that printed `text`."""
    operation = operation_of(ToolCall("1", "bash", {"command": command}))
    return read(Reading(text, operation, "bash", exit_code, is_error, mark))


def tool(
    name: str, arguments: dict[str, Any], text: str | None, is_error: bool | None = None, mark: Mark | None = None
) -> Verdict:
    """The verdict on a call of an agent's own tool that gave `text`."""
    operation = operation_of(ToolCall("1", name, arguments))
    return read(Reading(text, operation, name, None, is_error, mark))


def failure_of(verdict: Verdict) -> Failure:
    """The failure of a verdict that must have one."""
    assert verdict.failure is not None, "a failure was expected"
    return verdict.failure
