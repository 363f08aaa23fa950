"""Hooks in Claude Code's session logs."""

from __future__ import annotations

import pytest

from analyzer.model.session import HookRuns
from tests.formats.claude_code_builders import Json, result, said, session_of, use


def attached(number: int, kind: str, **more: object) -> Json:
    about = {"type": kind, "hookName": "PreToolUse:Bash", "hookEvent": "PreToolUse", **more}
    return {**said("attachment", number, ""), "attachment": about}


def stopped(number: int, *errors: str, count: int = 1) -> Json:
    about = {"subtype": "stop_hook_summary", "hookCount": count, "hookErrors": list(errors)}
    return {**said("system", number, ""), **about}


START = [said("user", 1, "List the files."), said("assistant", 2, [use("c1", command="ls")])]


@pytest.mark.parametrize(
    ("records", "hooks"),
    [
        pytest.param([attached(3, "hook_success", stdout="{}")], (HookRuns("PreToolUse:Bash", 1),), id="went well"),
        pytest.param(
            [attached(3, "hook_non_blocking_error", stderr="checking\nno such file\nexit status 1\n")],
            (HookRuns("PreToolUse:Bash", 1, 1, "no such file", 1),),
            id="failed",
        ),
        pytest.param(
            [attached(3, "hook_non_blocking_error", stderr="slow", exitCode=0)],
            (HookRuns("PreToolUse:Bash", 1),),
            id="said something, and went well",
        ),
        pytest.param([attached(3, "hook_blocking_error", stderr="Not in this folder.")], (), id="blocked a call"),
        pytest.param(
            [stopped(3, "saving\ndisk full", count=2)], (HookRuns("Stop", 2, 1, "disk full", 1),), id="at the end"
        ),
        pytest.param([stopped(3), stopped(4)], (HookRuns("Stop", 2),), id="at the end, well"),
        pytest.param([stopped(3, count=0)], (), id="none"),
    ],
)
def test_how_hooks_ended(records: list[Json], hooks: tuple[HookRuns, ...]) -> None:
    session = session_of(*START, *records, said("user", 9, [result("c1", "a")]))

    assert session.hooks == hooks
    assert session.warnings == []
