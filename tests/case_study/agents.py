"""Small programs that stand for agents: each leaves a transcript, or fails to."""

from __future__ import annotations

import sys
from pathlib import Path

from analyzer.model.scenario import Scenario

SCENARIO = Scenario.model_validate(
    {
        "title": "The log book",
        "prompt": 'Write "{out}" into book.txt; then $HOME.',
        "plan": [{"tool": "write_file", "arguments": {"path": "book.txt"}}],
        "success": {"files": [{"path": "book.txt", "contains": ["moored"]}]},
    }
)

_LEAVE = """
import json, os, pathlib, sys, time

def leave(out, text="moored at noon", name="log.json", actions=1, task=""):
    step = {"tool": "write_file", "arguments": {"path": "book.txt", "content": text}, "result": "Wrote book.txt."}
    log = {"format": "analyze-session/1", "session": {"id": name, "task": task}, "actions": [step] * actions}
    pathlib.Path(out, name).write_text(json.dumps(log), encoding="utf-8")
"""


def agent(folder: Path, code: str, name: str = "agent.py") -> tuple[str, ...]:
    """A command that runs this code, in which `leave(folder)` leaves a transcript, before the arguments that it's
    given."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / name
    script.write_text(_LEAVE + code, encoding="utf-8")
    return (sys.executable, "-P", str(script))
