"""Runs that end before their task is done."""

from __future__ import annotations

from typing import Any

from analyzer.model.session import Event
from tests.build import call, edit

TASK = "Fix the bug in shapes.py: make_shape(4) raises ValueError."


FIX = edit("shapes.py", "sides", "edges")


REFUSED = edit("shapes.py", "sides", "edges", "String to replace not found in file.", is_error=True)


def finish(text: str, **more: Any) -> tuple[Event, ...]:
    return call("finish", {"message": text, **more}, None, task_done=True)
