"""Folders of invented sessions, written for a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import Source
from analyzer.audit.workers.examine import Examined, examine

FIRST, SECOND, THIRD = (f"0a1b2c3d-0000-4000-8000-00000000000{number}" for number in (1, 2, 3))


def write(root: Path, files: dict[str, object]) -> Path:
    """Write files below a folder: bytes and texts as they are, a list as JSON lines, anything else as JSON."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_text(
                "\n".join(map(json.dumps, content)) if isinstance(content, list) else json.dumps(content),
                encoding="utf-8",
            )
    return root


def log(task: str = "Sort the shelf.", started: str | None = None, agent: str | None = None) -> dict[str, Any]:
    """A session in the project's own form."""
    session = {
        key: value
        for key, value in {"id": task, "task": task, "started_at": started, "agent": agent}.items()
        if value is not None
    }
    return {"session": session, "actions": [{"tool": "bash", "arguments": {"command": "ls"}, "result": "a.py"}]}


def claude(
    session: str, task: str | None = "Fix the zone.", tool: str = "Bash", agent: str | None = None, start: int = 0
) -> list[dict[str, Any]]:
    """A session of Claude Code, or what one of its sub-agents (`agent`) did."""

    def record(number: int, kind: str, content: object) -> dict[str, Any]:
        more = {"agentId": agent, "isSidechain": True} if agent else {"isSidechain": False}
        message = {"role": kind, "content": content, "id": f"m-{session}-{agent}-{number}"}
        stamp = f"2025-03-01T10:{start:02}:{number:02}.000Z"
        return {
            "type": kind,
            "uuid": f"{session}-{agent}-{number}",
            "parentUuid": None,
            "sessionId": session,
            "timestamp": stamp,
            "message": message,
            **more,
        }

    call = [{"type": "tool_use", "id": f"t-{session}-{agent}", "name": tool, "input": {"command": "ls"}}]
    result = [{"type": "tool_result", "tool_use_id": f"t-{session}-{agent}", "content": "done"}]
    return [*([record(1, "user", task)] if task else []), record(2, "assistant", call), record(3, "user", result)]


def openhands(task: str = "Fix it.") -> dict[str, object]:
    """The files of an OpenHands conversation."""

    def event(number: int, kind: str, source: str, **more: Any) -> dict[str, Any]:
        return {
            "id": f"e{number}",
            "timestamp": f"2026-01-02T03:04:{number:02}.5",
            "source": source,
            "kind": kind,
            **more,
        }

    said = event(1, "MessageEvent", "user", llm_message={"role": "user", "content": [{"type": "text", "text": task}]})
    acted = event(
        2, "ActionEvent", "agent", tool_name="terminal", tool_call_id="c2", action={"command": "ls"}, thought=[]
    )
    return {
        "base_state.json": {
            "id": "conversation-1",
            "agent": {"llm": {"model": "some/model"}},
            "execution_status": "finished",
        },
        "events/event-00000-e1.json": said,
        "events/event-00001-e2.json": acted,
    }


def trial() -> dict[str, object]:
    """The files of a Terminal-Bench trial."""
    verdict = {
        "task_id": "sort",
        "trial_name": "sort.1-of-1",
        "instruction": "Sort it.",
        "is_resolved": True,
        "failure_mode": "unset",
        "parser_results": {},
    }
    return {
        "results.json": verdict,
        "commands.txt": "['ls', 'Enter']\n",
        "sessions/tests.log": "asciinema rec /logs/tests.cast\n",
    }


def atif(session: str = "trial-1", more: dict[str, Any] | None = None) -> dict[str, Any]:
    """An ATIF trajectory."""
    call = {"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "ls"}}
    steps = [
        {"step_id": 1, "source": "user", "message": "Sort it."},
        {
            "step_id": 2,
            "source": "agent",
            "message": "",
            "tool_calls": [call],
            "observation": {"results": [{"source_call_id": "c1", "content": "a"}]},
        },
    ]
    return {
        "schema_version": "ATIF-v1.5",
        "session_id": session,
        "agent": {"name": "tool", "version": "1"},
        "steps": steps,
        **(more or {}),
    }


def below(root: Path, sources: list[Source]) -> list[str]:
    """The paths of the sources from a folder on."""
    return [Path(source.path).relative_to(root).as_posix() for source in sources]


def looked_at(source: Source) -> Examined:
    """What comes of a source."""
    return examine((source, None), Settings())


def sessions(sources: list[Source]) -> list[tuple[str, int]]:
    """Id and number of actions of every session in the sources."""
    found = [row for source in sources for row in looked_at(source).rows.get("sessions", [])]
    from analyzer.model.tables import columns

    names = columns("sessions")
    return [(row[names.index("id")], row[names.index("actions")]) for row in found]
