"""What a call does, for the tools of the agents whose logs are read, and for tools that nobody has heard of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.model.action import Edit, Operation
from analyzer.model.session import ToolCall
from analyzer.timeline.calls.classify import operation_of
from tests.formats.mutations import ANY_JSON

PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
SWAP = {"old_string": "x", "new_string": "y"}


def classify(tool: str, arguments: Mapping[str, Any] | str, **more: Any) -> Operation:
    return operation_of(ToolCall(None, tool, arguments, **more))


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "target", "path"),
    [
        # Claude Code
        pytest.param("Read", {"file_path": "/w/a.py"}, "read", "/w/a.py", "/w/a.py", id="Claude Code: Read"),
        pytest.param("Edit", {"file_path": "a.py", **SWAP}, "edit", "a.py", "a.py", id="Claude Code: Edit"),
        pytest.param(
            "MultiEdit", {"file_path": "a.py", "edits": [SWAP]}, "edit", "a.py", "a.py", id="Claude Code: MultiEdit"
        ),
        pytest.param("Write", {"file_path": "a.py", "content": "x"}, "edit", "a.py", "a.py", id="Claude Code: Write"),
        pytest.param(
            "NotebookEdit",
            {"notebook_path": "n.ipynb", "new_source": "x"},
            "edit",
            "n.ipynb",
            "n.ipynb",
            id="Claude Code: NotebookEdit",
        ),
        pytest.param(
            "Bash", {"command": "ls  -la", "description": "List"}, "search", "ls -la", None, id="Claude Code: Bash"
        ),
        pytest.param("Glob", {"pattern": "**/*.py"}, "search", "**/*.py", None, id="Claude Code: Glob"),
        pytest.param("Grep", {"pattern": "foo", "path": "src"}, "search", "foo in src", "src", id="Claude Code: Grep"),
        pytest.param("TodoWrite", {"todos": []}, "plan", "TodoWrite", None, id="Claude Code: TodoWrite"),
        pytest.param("ExitPlanMode", {"plan": "p"}, "plan", "ExitPlanMode", None, id="Claude Code: ExitPlanMode"),
        pytest.param("BashOutput", {"bash_id": "b1"}, "wait", "b1", None, id="Claude Code: BashOutput"),
        pytest.param("WebFetch", {"url": "u", "prompt": "p"}, "read", "u", None, id="Claude Code: WebFetch"),
        pytest.param("Task", {"description": "Look", "prompt": "p"}, "other", "Look", None, id="Claude Code: Task"),
        pytest.param(
            "mcp__files__read_file", {"path": "a.py"}, "read", "a.py", "a.py", id="Claude Code: tool of a server"
        ),
        # Codex
        pytest.param("shell", {"command": ["bash", "-lc", "ls src"]}, "search", "ls src", None, id="Codex: shell"),
        pytest.param("shell", {"command": ["ls", "src"]}, "search", "ls src", None, id="Codex: shell without a shell"),
        pytest.param(
            "shell", {"command": ["apply_patch", PATCH]}, "edit", "a.py", "a.py", id="Codex: patch through the shell"
        ),
        pytest.param(
            "shell",
            {"command": ["bash", "-lc", f"cd w && apply_patch <<'EOF'\n{PATCH}\nEOF"]},
            "edit",
            "a.py",
            "a.py",
            id="Codex: patch as here-document",
        ),
        pytest.param("exec_command", {"cmd": "ls"}, "search", "ls", None, id="Codex: exec_command"),
        pytest.param("write_stdin", {"session_id": 7, "chars": ""}, "wait", "write_stdin", None, id="Codex: polling"),
        pytest.param("write_stdin", {"session_id": 7, "chars": "y\n"}, "run", "y", None, id="Codex: typing"),
        pytest.param("apply_patch", PATCH, "edit", "a.py", "a.py", id="Codex: apply_patch"),
        pytest.param("apply_patch", {"input": PATCH}, "edit", "a.py", "a.py", id="Codex: apply_patch with a name"),
        pytest.param("update_plan", {"plan": []}, "plan", "update_plan", None, id="Codex: update_plan"),
        # SWE-agent
        pytest.param("open", {"path": "a.py", "line_number": 10}, "read", "a.py", "a.py", id="SWE-agent: open"),
        pytest.param("scroll_down", {}, "read", "scroll_down", None, id="SWE-agent: scroll_down"),
        pytest.param(
            "edit",
            {"path": "a.py", "start": 3, "end": 4, "text": "x"},
            "edit",
            "a.py",
            "a.py",
            id="SWE-agent: edit of lines",
        ),
        pytest.param("create", {"filename": "a.py"}, "edit", "a.py", "a.py", id="SWE-agent: create"),
        pytest.param(
            "find_file", {"file_name": "a.py", "dir": "src"}, "search", "a.py", None, id="SWE-agent: find_file"
        ),
        pytest.param("search_dir", {"search_term": "foo"}, "search", "foo", None, id="SWE-agent: search_dir"),
        pytest.param(
            "str_replace_editor",
            {"command": "view", "path": "/w/a.py"},
            "read",
            "/w/a.py",
            "/w/a.py",
            id="SWE-agent: view",
        ),
        pytest.param(
            "str_replace_editor",
            {"command": "str_replace", "path": "a.py", "old_str": "x", "new_str": "y"},
            "edit",
            "a.py",
            "a.py",
            id="SWE-agent: str_replace",
        ),
        pytest.param(
            "str_replace_editor",
            {"command": "create", "path": "a.py", "file_text": "x"},
            "edit",
            "a.py",
            "a.py",
            id="SWE-agent: create with the editor",
        ),
        pytest.param(
            "str_replace_editor",
            {"command": "undo_edit", "path": "a.py"},
            "edit",
            "a.py",
            "a.py",
            id="SWE-agent: undo_edit",
        ),
        pytest.param("submit", {}, "finish", "submit", None, id="SWE-agent: submit"),
        pytest.param("exit_forfeit", {}, "finish", "exit_forfeit", None, id="SWE-agent: exit_forfeit"),
        # OpenHands
        pytest.param("run", {"command": "ls"}, "search", "ls", None, id="OpenHands V0: run"),
        pytest.param("execute_bash", {"command": "ls"}, "search", "ls", None, id="OpenHands V0: execute_bash"),
        pytest.param(
            "execute_ipython_cell",
            {"code": "print(1)"},
            "run",
            "print(1)",
            None,
            id="OpenHands V0: execute_ipython_cell",
        ),
        pytest.param("run_ipython", {"code": "print(1)"}, "run", "print(1)", None, id="OpenHands V0: run_ipython"),
        pytest.param("think", {"thought": "hm"}, "think", "", None, id="OpenHands V0: think"),
        pytest.param("finish", {"message": "done"}, "finish", "finish", None, id="OpenHands V0: finish"),
        pytest.param("recall", {"query": "q"}, "search", "q", None, id="OpenHands V0: recall"),
        pytest.param("terminal", {"command": "ls"}, "search", "ls", None, id="OpenHands V1: terminal"),
        pytest.param(
            "run_command", {"command_line": "ls"}, "search", "ls", None, id="a shell whose argument has its own name"
        ),
        pytest.param(
            "file_editor", {"command": "view", "path": "a.py"}, "read", "a.py", "a.py", id="OpenHands V1: view"
        ),
        pytest.param(
            "file_editor",
            {"command": "insert", "path": "a.py", "insert_line": 3, "new_str": "x"},
            "edit",
            "a.py",
            "a.py",
            id="OpenHands V1: insert",
        ),
        pytest.param(
            "task_tracker", {"command": "plan"}, "plan", "task_tracker", None, id="OpenHands V1: task_tracker"
        ),
        # mini-swe-agent
        pytest.param("bash", "ls -la", "search", "ls -la", None, id="mini: bash"),
        pytest.param(
            "bash",
            {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"},
            "finish",
            "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
            None,
            id="mini: submit",
        ),
        # Gemini CLI
        pytest.param("run_shell_command", {"command": "ls"}, "search", "ls", None, id="Gemini: run_shell_command"),
        pytest.param("read_file", {"absolute_path": "/w/a.ts"}, "read", "/w/a.ts", "/w/a.ts", id="Gemini: read_file"),
        pytest.param(
            "write_file", {"file_path": "a.ts", "content": "x"}, "edit", "a.ts", "a.ts", id="Gemini: write_file"
        ),
        pytest.param("replace", {"file_path": "a.ts", **SWAP}, "edit", "a.ts", "a.ts", id="Gemini: replace"),
        pytest.param("search_file_content", {"pattern": "x"}, "search", "x", None, id="Gemini: search_file_content"),
        pytest.param("list_directory", {"path": "src"}, "search", "src", "src", id="Gemini: list_directory"),
        pytest.param("google_web_search", {"query": "q"}, "search", "q", None, id="Gemini: google_web_search"),
        pytest.param("write_todos", {"todos": []}, "plan", "write_todos", None, id="Gemini: write_todos"),
        # Cline and Roo
        pytest.param(
            "execute_command",
            {"command": "ls", "requires_approval": False},
            "search",
            "ls",
            None,
            id="Cline: execute_command",
        ),
        pytest.param(
            "write_to_file", {"path": "a.py", "content": "x"}, "edit", "a.py", "a.py", id="Cline: write_to_file"
        ),
        pytest.param(
            "replace_in_file", {"path": "a.py", "diff": "- SEARCH"}, "edit", "a.py", "a.py", id="Cline: replace_in_file"
        ),
        pytest.param(
            "search_files", {"path": "src", "regex": "x"}, "search", "x in src", "src", id="Cline: search_files"
        ),
        pytest.param(
            "list_code_definition_names",
            {"path": "src"},
            "search",
            "src",
            "src",
            id="Cline: list_code_definition_names",
        ),
        pytest.param(
            "attempt_completion", {"result": "x"}, "finish", "attempt_completion", None, id="Cline: attempt_completion"
        ),
        # opencode
        pytest.param("read", {"filePath": "a.py"}, "read", "a.py", "a.py", id="opencode: read"),
        pytest.param(
            "edit",
            {"filePath": "a.py", "oldString": "x", "newString": "y"},
            "edit",
            "a.py",
            "a.py",
            id="opencode: edit",
        ),
        pytest.param("patch", {"patchText": PATCH}, "edit", "a.py", "a.py", id="opencode: patch"),
        pytest.param("list", {"path": "src"}, "search", "src", "src", id="opencode: list"),
        pytest.param("todowrite", {"todos": []}, "plan", "todowrite", None, id="opencode: todowrite"),
        # GitHub Copilot
        pytest.param("view", {"path": "a.py"}, "read", "a.py", "a.py", id="Copilot: view"),
        pytest.param("read_bash", {"sessionId": "s", "delay": 5}, "wait", "s", None, id="Copilot: read_bash"),
        pytest.param("run_in_terminal", {"command": "ls"}, "search", "ls", None, id="Copilot: run_in_terminal"),
        pytest.param(
            "replace_string_in_file",
            {"filePath": "a.py", "oldString": "x", "newString": "y"},
            "edit",
            "a.py",
            "a.py",
            id="Copilot: replace_string_in_file",
        ),
        pytest.param("runTests", {"files": ["a"]}, "test", "runTests", None, id="Copilot: runTests"),
        # nobody's
        pytest.param("book_flight", {"flight": "LH1", "seats": 2}, "other", "LH1", None, id="unknown tool"),
        pytest.param("frobnicate", "some\ntext", "other", "some text", None, id="unknown tool with text"),
        pytest.param("frobnicate", {"command": "ls"}, "search", "ls", None, id="unknown tool with a command"),
        pytest.param("frobnicate", {"n": 1}, "other", "", None, id="unknown tool without text"),
        pytest.param("", {}, "other", "", None, id="no name"),
    ],
)
def test_tools(tool: str, arguments: Mapping[str, Any] | str, kind: str, target: str, path: str | None) -> None:
    operation = classify(tool, arguments)
    assert (str(operation.kind), operation.target, operation.path) == (kind, target, path)


@pytest.mark.parametrize(
    ("tool", "arguments", "edits"),
    [
        pytest.param("swap_text", {"path": "a", "edit": {"old": "x", "new": "y"}}, [Edit("a", "x", "y")], id="unknown"),
        pytest.param(
            "swap_texts",
            {"replacements": [{"filePath": name, "oldString": "x", "newString": "y"} for name in "ab"]},
            [Edit("a", "x", "y"), Edit("b", "x", "y")],
            id="unknown, several files",
        ),
        pytest.param("rename_user", {"old": "x", "new": "y"}, [], id="no file"),
        pytest.param("git_log", {"path": "a", "old": "x"}, [], id="nothing in its place"),
        pytest.param("edit", {"path": "a", "old": "x", "new": "y"}, [Edit("a", "x", "y")], id="replacement"),
        pytest.param("edit", {"path": "a", "old": "x", "new": ""}, [Edit("a", "x", "")], id="deletion"),
        pytest.param(
            "edit", {"path": "a", "start": 3, "end": 4, "text": "y"}, [Edit("a", None, "y", (3, 4))], id="lines"
        ),
        pytest.param("write", {"path": "a", "content": "y"}, [Edit("a", None, "y", created=True)], id="whole file"),
        pytest.param("create", {"path": "a"}, [Edit("a", created=True)], id="empty file"),
        pytest.param(
            "MultiEdit",
            {"path": "a", "edits": [SWAP, 7, SWAP]},
            [Edit("a", "x", "y"), Edit("a", "x", "y")],
            id="several, one of them broken",
        ),
        pytest.param("apply_patch", PATCH, [Edit("a.py", "x", "y")], id="patch"),
        pytest.param(
            "bash", {"command": "cat > a <<E\nx\nE"}, [Edit("a", None, "x\n", created=True)], id="here-document"
        ),
        pytest.param(
            "bash", {"command": "sed -i -e s/x/y/ src/a.py b.py"}, [Edit("src/a.py"), Edit("b.py")], id="sed in place"
        ),
        pytest.param(
            "bash", {"command": "sed -i s/x/y/ a.py && pytest"}, [Edit("a.py")], id="edit and test in one line"
        ),
        pytest.param("edit", {"old": "x", "new": "y"}, [], id="no file named"),
        pytest.param("bash", {"command": "echo x > /dev/stderr"}, [], id="device"),
    ],
)
def test_edits(tool: str, arguments: Mapping[str, Any] | str, edits: list[Edit]) -> None:
    assert list(classify(tool, arguments).edits) == edits


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        pytest.param({"path": "a"}, None, id="all"),
        pytest.param({"path": "a", "offset": 10, "limit": 20}, (10, 29), id="offset and limit"),
        pytest.param({"path": "a", "offset": 10}, (10, None), id="offset"),
        pytest.param({"path": "a", "start_line": 3, "end_line": 9}, (3, 9), id="start and end"),
        pytest.param({"path": "a", "view_range": [3, 9]}, (3, 9), id="range"),
        pytest.param({"path": "a", "view_range": [3, -1]}, (3, None), id="range to the end"),
        pytest.param({"path": "a", "view_range": ["3", None]}, None, id="range of other types"),
        pytest.param({"path": "a", "offset": "10"}, None, id="offset of another type"),
    ],
)
def test_lines_that_a_read_shows(arguments: Mapping[str, Any], lines: tuple[int, int | None] | None) -> None:
    assert classify("read", arguments).lines == lines


def test_the_file_that_is_open_counts_where_the_call_names_none() -> None:
    operation = classify("edit", {"search": "x", "replace": "y"}, path="open.py")
    assert operation.edits == (Edit("open.py", "x", "y"),)


def test_entries_of_the_harness_do_nothing() -> None:
    assert str(classify("bash", {"command": "pytest"}, harness=True).kind) == "other"


def test_a_call_that_ends_the_session_is_the_finish_whatever_its_name() -> None:
    assert str(classify("bash", {"command": "pytest"}, task_done=True).kind) == "finish"


@settings(deadline=None)
@given(
    tool=st.one_of(
        st.sampled_from(
            ["Read", "edit", "MultiEdit", "bash", "str_replace_editor", "apply_patch", "grep", "write_stdin"]
        ),
        st.text(),
    ),
    arguments=st.one_of(
        st.text(),
        st.dictionaries(
            st.sampled_from(
                ["path", "command", "edits", "view_range", "old", "new", "patch", "start", "offset", "input"]
            ),
            ANY_JSON,
        ),
    ),
)
def test_arguments_of_any_type_are_classified(tool: str, arguments: dict[str, Any] | str) -> None:
    operation = classify(tool, arguments)
    assert isinstance(operation.target, str)
    assert operation.path is None or isinstance(operation.path, str)
