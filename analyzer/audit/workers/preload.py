"""What workers load before they are forked, so that each starts with the program loaded and expressions compiled."""

from __future__ import annotations

import gc
from importlib import import_module

from analyzer.detectors import detect
from analyzer.detectors.engine.registry import detectors
from analyzer.diagnosis import post_mortem
from analyzer.diagnosis.step_texts import recording_of
from analyzer.formats.loading.registry import formats
from analyzer.model.postmortem import Report, Source
from analyzer.model.session import Event, Message, Session, ToolCall, ToolResult
from analyzer.redaction import redact_session
from analyzer.report.html.session import render as html
from analyzer.report.markdown import render as markdown
from analyzer.report.picture.thumbnail import code_of
from analyzer.text.expressions import KEPT
from analyzer.timeline import build_timeline

_FAILED = """Traceback (most recent call last):
  File "area.py", line 4, in <module>
    print(area([]))
  File "area.py", line 2, in area
    return corners[0]
IndexError: list index out of range
"""
_STEPS: tuple[tuple[str, dict[str, str], str, int | None], ...] = (
    ("read", {"path": "area.py"}, "1\tdef area(corners):\n2\t    return corners[0]\n", None),
    ("edit", {"path": "area.py", "old": "return corners[0]", "new": "return corners[-1]"}, "Edited.", None),
    ("shell", {"command": "cat notes.md"}, "cat: notes.md: No such file or directory", 1),
    ("shell", {"command": "python area.py"}, _FAILED, 1),
    ("shell", {"command": "pytest -q"}, "FAILED test_area.py::test_area - IndexError\n1 failed in 0.10s\n", 1),
    ("shell", {"command": "pytest -q"}, "1 passed in 0.10s\n", 0),
)


def rehearse() -> None:
    """Judge a session of a few steps of different kinds and make its pages as workers do with theirs, with our own
    detectors: what others registered may do anything."""
    events: list[Event] = [Message("user", "Fix area.py. Don't touch the tests.")]
    for number, (tool, arguments, result, code) in enumerate(_STEPS):
        events += [
            Message("assistant", "I'll look at the next step."),
            ToolCall(str(number), tool, arguments),
            ToolResult(str(number), result, exit_code=code),
        ]
    session = Session("rehearsal", task="Fix area.py.", events=[*events, Message("assistant", "All tests pass.")])
    redact_session(session)
    timeline = build_timeline(session)
    own = [detector.name for detector in detectors() if type(detector).__module__.startswith("analyzer.")]
    judged = post_mortem(timeline, detect(timeline, select=own))
    code_of(judged.timeline, judged.findings)
    report = Report(source=Source(path="", format="", size_bytes=0, sha256=""), sessions=[judged])
    markdown(report)
    html(report, [recording_of(timeline)])


import_module("analyzer.audit.workers.examine")
formats()
rehearse()
KEPT.write()
# What is loaded stays. Python needn't look for cycles in it again and again, nor copy its pages for that.
gc.collect()
gc.freeze()
