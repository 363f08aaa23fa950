"""How the hooks of Claude Code ended, which it notes in records of two kinds."""

from __future__ import annotations

import re
from typing import Any

from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of

_EXIT = re.compile(r"exit (?:status|code):? \d{1,3}")


def ended_hooks(record: dict[str, Any]) -> tuple[str, list[str], int] | None:
    """The name of a hook or of its event, the errors of its runs that failed, and how many runs there were; None for a
    record that says nothing of it. A hook that blocks a call does what it's for."""
    if record.get("subtype") == "stop_hook_summary":
        errors = [_line(text_of(error)) for error in list_of(record.get("hookErrors"))]
        runs = int_or_none(record.get("hookCount")) or len(errors)
        return ("Stop", errors, runs) if runs > 0 else None
    attached = dict_of(record.get("attachment"))
    kind = attached.get("type")
    if kind not in ("hook_success", "hook_non_blocking_error"):
        return None
    failed = kind == "hook_non_blocking_error" and attached.get("exitCode") != 0
    name = str_or_none(attached.get("hookName")) or str_or_none(attached.get("hookEvent")) or "hook"
    said = text_of(attached.get("stderr")).strip() or text_of(attached.get("stdout"))
    return name, [_line(said)] if failed else [], 1


def _line(said: str) -> str:
    """The line that says why: the last one that is more than an exit code."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if _EXIT.fullmatch(line) is None]
    return (telling or lines or ["no message"])[-1]
