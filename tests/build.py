"""Small sessions for tests, written as the list of what happened in them.

`session(run("pytest", PYTEST_REPORT, exit_code=1), edit("a.py", "x", "y"))` is a real `Session`; `timeline(...)` the
real timeline of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.finding import Finding
from analyzer.model.postmortem import PostMortem, Report, Source
from analyzer.model.session import Compaction, Event, Message, Session, ToolCall, ToolResult, Usage
from analyzer.model.words import MAIN_LANE, Mark
from analyzer.timeline import Timeline, build_timeline

Part = Event | Iterable["Part"]

_ids = count(1)


def call(
    tool: str,
    arguments: Mapping[str, Any] | str,
    result: str | None = "",
    *,
    exit_code: int | None = None,
    is_error: bool | None = None,
    mark: Mark | None = None,
    said: str = "",
    lane: str = MAIN_LANE,
    batch: str | None = None,
    at: float | None = None,
    took: float | None = None,
    harness: bool = False,
    task_done: bool = False,
    used: Usage | None = None,
) -> tuple[Event, ...]:
    """One tool call with its result; no result where `result` is None. `said` is what the agent says before it."""
    name = f"call-{next(_ids)}"
    made = ToolCall(name, tool, arguments, at, lane, batch, harness, task_done=task_done, usage=used)
    spoken = (Message("assistant", said, at, lane),) if said else ()
    if result is None:
        return (*spoken, made)
    return (*spoken, made, ToolResult(name, result, is_error, exit_code, duration=took, lane=lane, mark=mark))


def run(command: str, result: str | None = "", exit_code: int | None = 0, **more: Any) -> tuple[Event, ...]:
    """A shell command."""
    return call("bash", {"command": command}, result, exit_code=exit_code, **more)


def edit(path: str, before: str, after: str, result: str | None = "Edited.", **more: Any) -> tuple[Event, ...]:
    """An edit that replaces one text by another."""
    return call("edit", {"path": path, "old": before, "new": after}, result, **more)


def write(path: str, content: str, result: str | None = "Written.", **more: Any) -> tuple[Event, ...]:
    """A file written whole."""
    return call("write", {"path": path, "content": content}, result, **more)


def read(path: str, result: str | None = "text", **more: Any) -> tuple[Event, ...]:
    """A file read with a tool."""
    return call("read", {"path": path}, result, **more)


def think(text: str, **more: Any) -> tuple[Event, ...]:
    """A call of a tool that only takes a note."""
    return call("think", {"thought": text}, "Noted.", **more)


def submit(said: str = "") -> tuple[Event, ...]:
    """The call by which the agent hands in its work."""
    return call("submit", {}, None, said=said, task_done=True)


def user(text: str, lane: str = MAIN_LANE) -> Message:
    """Something that the user says."""
    return Message("user", text, lane=lane)


def says(text: str, lane: str = MAIN_LANE) -> Message:
    """Something that the agent says."""
    return Message("assistant", text, lane=lane)


def together(name: str, *calls: tuple[Event, ...]) -> list[Event]:
    """Calls of one message: all calls first, then their results."""
    events = [event for part in calls for event in part]
    for event in events:
        if isinstance(event, ToolCall):
            event.batch = name
    return [
        *(event for event in events if not isinstance(event, ToolResult)),
        *(e for e in events if isinstance(e, ToolResult)),
    ]


def pytest_report(
    error: str = "ValueError: boom",
    *,
    test: str = "tests/test_shapes.py",
    function: str = "test_area",
    test_line: int = 12,
    test_code: str = "shape = make_shape(4)",
    raised: tuple[str, int, str] | None = ("shapes.py", 40, 'raise ValueError("boom")'),
    failed: int = 1,
    passed: int = 3,
    seconds: float = 0.12,
) -> str:
    """What pytest prints when a test fails: in the test itself where `raised` is None, else in the code that it
    calls."""
    name = error.split(":", 1)[0]
    lines = [
        "============================= test session starts ==============================",
        f"collected {failed + passed} items",
        "",
        "=================================== FAILURES ===================================",
        f"__________________________________ {function} __________________________________",
        "",
        f"    def {function}():",
        f">       {test_code}",
    ]
    if raised is not None:
        file, line, code = raised
        lines += [
            "",
            f"{test}:{test_line}: ",
            "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _",
            "",
            "    def make_shape(sides):",
            f">       {code}",
            f"E       {error}",
            "",
            f"{file}:{line}: {name}",
        ]
    else:
        lines += [f"E       {error}", "", f"{test}:{test_line}: {name}"]
    return "\n".join(
        [
            *lines,
            "=========================== short test summary info ============================",
            f"FAILED {test}::{function} - {error}",
            f"========================= {failed} failed, {passed} passed in {seconds:.2f}s =========================",
        ]
    )


def traceback(error: str, *frames: tuple[str, int, str, str]) -> str:
    """A traceback as the interpreter prints it; a frame is a file, a line, a function and the code."""
    shown = [f'  File "{file}", line {line}, in {function}\n    {code}' for file, line, function, code in frames]
    return "\n".join(["Traceback (most recent call last):", *shown, error])


def session(*parts: Part, **header: Any) -> Session:
    """A session in which `parts` happened; `header` sets its other fields."""
    made = Session(header.pop("id", "session-1"), events=list(flat(parts)))
    for name, value in header.items():
        assert hasattr(made, name), name
        setattr(made, name, value)
    return made


def timeline(*parts: Part, **header: Any) -> Timeline:
    """The timeline of such a session."""
    return build_timeline(session(*parts, **header))


def findings(*parts: Part, detector: str, **header: Any) -> list[Finding]:
    """What one detector says about such a session."""
    return detect(timeline(*parts, **header), select=[detector])


def diagnosed(*parts: Part, **header: Any) -> PostMortem:
    """The post-mortem of such a session."""
    made = timeline(*parts, **header)
    return post_mortem(made, detect(made))


def report(*sessions: Session) -> Report:
    """The report on sessions as if they came from one file."""
    made = [build_timeline(entry) for entry in sessions]
    source = Source(path="log.json", format="actions", size_bytes=1, sha256="0" * 64)
    return Report(source=source, sessions=[post_mortem(entry, detect(entry)) for entry in made])


def flat(parts: Iterable[Part]) -> Iterator[Event]:
    for part in parts:
        if isinstance(part, Message | ToolCall | ToolResult | Compaction):
            yield part
        else:
            yield from flat(part)
