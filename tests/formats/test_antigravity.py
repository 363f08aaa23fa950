"""Transcripts of Antigravity: steps and the calls that they are the results of, and what damage costs."""

from __future__ import annotations

from typing import Any

from analyzer.model.session import Session
from analyzer.model.words import Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import load_sample
from tests.formats.events import answered, results, words
from tests.formats.reading import read_lines

Json = dict[str, Any]


def read(*steps: Json) -> Session:
    numbered = [{"step_index": number, "source": "MODEL", **step} for number, step in enumerate(steps)]
    return read_lines(numbered, "antigravity")


def asks(*names: str) -> Json:
    return {"type": "PLANNER_RESPONSE", "tool_calls": [{"name": name, "args": {}} for name in names]}


def test_the_sample_of_ours() -> None:
    session = load_sample("antigravity.jsonl", "antigravity")
    assert (session.agent, session.task, session.user_messages, session.assistant_messages) == (
        "Antigravity",
        "The pump is loud. Fix it.",
        1,
        2,
    )
    assert words(session)[1] == ("harness", "<ADDITIONAL_METADATA>\nIt is May.\n</ADDITIONAL_METADATA>")
    assert [(one.tool, one.kind, one.exit_code, one.status) for one in build_timeline(session).actions] == [
        ("run_command", Kind.TEST, 1, Status.ERROR),
        ("view_file", Kind.READ, None, Status.ERROR),
        ("list_directory", Kind.SEARCH, None, Status.OK),
    ]


def test_a_step_is_the_result_of_the_first_call_without_one() -> None:
    session = read(
        asks("view_file", "run_command"),
        {"type": "VIEW_FILE", "status": "DONE", "content": "a"},
        {"type": "RUN_COMMAND", "status": "RUNNING", "content": ""},
        asks("view_file"),
        {"type": "VIEW_FILE", "status": "DONE", "content": "b"},
    )
    assert answered(session) == [("view_file", "a"), ("run_command", None), ("view_file", "b")]


def test_what_a_command_says_of_its_end() -> None:
    ended = [
        ("The command completed successfully.\nOutput:\nx", "DONE"),
        ("The command exited with code 3", "DONE"),
        ("x", "DONE"),
        ("x", "ERROR"),
    ]
    session = read(*({"type": "RUN_COMMAND", "status": status, "content": text} for text, status in ended))
    assert [(flag, code) for _, flag, code, _ in results(session)] == [(None, 0), (None, 3), (None, None), (True, None)]


def test_a_command_that_runs_on_has_the_result_that_is_told_later() -> None:
    stamps = "Created At: 2026-06-14T05:04:05Z\nCompleted At: 2026-06-14T05:04:06Z\n"
    runs_on = f"{stamps}Tool is running as a background task with task id: t-9/task-25\nTask Description: make"
    over = 'content=Task id "t-9/task-25" finished with result:\n\nThe command failed with exit code: 1\nno rule'
    asked = asks("run_command", "view_file")
    asked["tool_calls"][0]["args"] = {"CommandLine": '"make"'}
    session = read(
        asked,
        {"type": "RUN_COMMAND", "status": "RUNNING", "content": runs_on},
        {"type": "ERROR_MESSAGE", "source": "SYSTEM", "status": "DONE", "content": f"{stamps}Error: invalid tool call"},
        {"type": "SYSTEM_MESSAGE", "source": "SYSTEM", "status": "DONE", "content": f"<SYSTEM_MESSAGE>\n{over}"},
    )
    run, view = build_timeline(session).actions
    assert (run.status, run.result and "no rule" in run.result) == (Status.ERROR, True)
    assert (view.status, view.result) == (Status.ERROR, "Error: invalid tool call")


def test_unknown_things_are_counted() -> None:
    session = read({"type": "PLANNER_RESPONSE", "tool_calls": [{"args": {}}]}, {"type": 3}, {"type": 4})
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 1", "a step without 'status'"),
        ("line 1", "tool call without a name, kept as 'unknown'"),
        ("line 2", "step without a type; skipped (2 times, first here)"),
    ]
