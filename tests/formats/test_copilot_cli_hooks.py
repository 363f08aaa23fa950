"""Hooks in the event logs of Copilot CLI."""

from __future__ import annotations

from analyzer.model.session import HookRuns
from tests.formats.copilot_cli_builders import event, request, said, session_of, started


def test_hooks_that_end_are_counted_by_what_they_are_for() -> None:
    wrong = {"message": "Error: no shell is named\n    at run", "stack": "Error: no shell is named"}
    session = session_of(
        event(1, "user.message", content="Hello."),
        event(2, "hook.end", hookType="sessionStart", success=True),
        said(3, "", request("c1")),
        started(4, "c1"),
        event(5, "hook.end", hookType="preToolUse", success=False, error=wrong),
        event(6, "hook.end", hookType="preToolUse", success=False),
        event(7, "hook.end", hookType="preToolUse"),
    )

    assert session.hooks == (
        HookRuns("sessionStart", 1),
        HookRuns("preToolUse", 3, 2, "Error: no shell is named", after=1),
    )
