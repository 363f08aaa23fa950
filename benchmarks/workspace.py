"""What following the files costs against the rest of the timeline: per action, over a long session and over a folder.

    python -m benchmarks.workspace [FOLDER]

The long session repeats reads, edits, shell lines and test runs over many files; its cost per action at 1,000 and at
10,000 actions shows whether it grows with the length.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from analyzer.formats import load
from analyzer.model.errors import AnalyzerError
from analyzer.model.session import Event, Session, ToolCall, ToolResult
from analyzer.timeline import build_timeline
from analyzer.workspace import history_of

_FILES = 40
_LINES = 300
_ROUND = 10
_LENGTHS = (1_000, 10_000)


def long_session(actions: int) -> Session:
    """A session of so many actions: in each round a file is read, searched, edited in several forms, and tested."""
    events: list[Event] = []

    def add(tool: str, arguments: dict[str, object], result: str) -> None:
        name = f"c{len(events)}"
        events.extend((ToolCall(name, tool, arguments), ToolResult(name, result)))

    for number in range(actions // _ROUND):
        path = f"src/module_{number % _FILES}.py"
        value, old = number // _FILES + 1, number // _FILES
        lines = [f"value_{line} = {old if line == 7 else line}" for line in range(_LINES)]
        listing = "\n".join(f"{place:6}\t{line}" for place, line in enumerate(lines, 1))
        add("bash", {"command": f"cd /repo && grep -rn value_7 {path} | head"}, f"{path}:8:value_7 = {old}")
        add("read", {"path": f"/repo/{path}"}, listing)
        add("edit", {"path": f"/repo/{path}", "old": f"value_7 = {old}", "new": f"value_7 = {value} "}, "Edited.")
        add("bash", {"command": f"sed -i 's/^value_7 = {value} $/value_7 = {value}/' {path}"}, "")
        add("bash", {"command": f"cat > /tmp/try_{number}.py <<'EOF'\nimport module\nprint({number})\nEOF"}, "")
        add("bash", {"command": f"python /tmp/try_{number}.py"}, str(number))
        add("bash", {"command": "python -m pytest -q 2>&1 | tail -5"}, f"{number} passed in 0.1s")
        add("bash", {"command": "git stash && python -m pytest -q; git stash pop"}, "2 failed")
        add("bash", {"command": f"sed -n '1,40p' {path}"}, "\n".join(lines[:7]))
        add("bash", {"command": "git status --short && git diff --stat"}, f" M {path}")
    return Session("long", events=events)


def timed(work: Callable[[], object]) -> float:
    """Seconds of this process that the work took."""
    start = time.process_time()
    work()
    return time.process_time() - start


def costs(sessions: list[Session]) -> tuple[float, float, int]:
    """Seconds for the timeline without the workspace, seconds for the workspace, and the number of actions."""
    whole = workspace = 0.0
    actions = 0
    for session in sessions:
        start = time.process_time()
        timeline = build_timeline(session)
        whole += time.process_time() - start
        workspace += timed(lambda timeline=timeline: history_of(timeline.session, timeline.actions))  # type: ignore[misc]
        actions += len(timeline.actions)
    return whole - workspace, workspace, actions


def report(name: str, sessions: list[Session]) -> None:
    """Print one line."""
    rest, workspace, actions = costs(sessions)
    if actions:
        print(
            f"{name:30} {actions:7,} actions  timeline without it {rest / actions * 1e6:7.0f} us  "
            f"workspace {workspace / actions * 1e6:7.0f} us per action  ratio {workspace / rest:.2f}"
        )


def main(arguments: list[str]) -> None:
    """Print the cost of long sessions, and of all transcripts below the folders that are named."""
    build_timeline(long_session(100))
    for length in _LENGTHS:
        report(f"long session, {length:,}", [long_session(length)])
    for folder in arguments:
        sessions: list[Session] = []
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                try:
                    sessions.extend(load(path).sessions)
                except (AnalyzerError, OSError):
                    continue
        report(folder, sessions)


if __name__ == "__main__":
    main(sys.argv[1:])
