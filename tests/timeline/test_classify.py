"""What a call does, for the tools of the agents whose logs are read, and for tools that nobody has heard of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.model.action import Edit, Operation
from analyzer.model.session import ToolCall
from analyzer.timeline.classify import operation_of
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
    ("command", "kind", "runner"),
    [
        pytest.param("pytest -q", "test", "pytest", id="pytest"),
        pytest.param("cd src && python -m pytest tests", "test", "pytest", id="python -m pytest"),
        pytest.param("python3.12 -W error -m pytest", "test", "pytest", id="options before -m"),
        pytest.param("coverage run -m pytest", "test", "pytest", id="coverage"),
        pytest.param("pytest --version", "run", None, id="asks for the version"),
        pytest.param("node --test test/", "test", "node --test", id="node --test"),
        pytest.param("bin/rails test test/models", "test", "rails test", id="rails test"),
        pytest.param("php vendor/bin/phpunit --filter oar", "test", "phpunit", id="php phpunit"),
        pytest.param("php artisan test", "test", "artisan test", id="artisan test"),
        pytest.param("npx prettier --check .", "run", "prettier", id="prettier"),
        pytest.param("pytest --collect-only", "run", None, id="only collects"),
        pytest.param("python -m unittest", "test", "unittest", id="unittest"),
        pytest.param("python manage.py test shop", "test", "django", id="Django"),
        pytest.param("cargo test --all", "test", "cargo test", id="cargo"),
        pytest.param("go test ./...", "test", "go test", id="go"),
        pytest.param("npm test", "test", "npm test", id="npm"),
        pytest.param("npm run test:unit", "test", "npm test", id="npm script"),
        pytest.param("pnpm --filter web test", "test", "pnpm test", id="pnpm with a filter"),
        pytest.param("npm install test", "run", None, id="a package called test"),
        pytest.param("make -C build test", "test", "make test", id="make in a directory"),
        pytest.param("npx vitest run", "test", "vitest", id="vitest"),
        pytest.param("./gradlew :app:test", "test", "gradle", id="gradle"),
        pytest.param("bundle exec rspec", "test", "rspec", id="rspec"),
        pytest.param("python tests/test_shapes.py", "test", None, id="test script"),
        pytest.param("bin/test core/tests", "test", "bin/test", id="a project's program named test"),
        pytest.param("git stash && ./run_tests -q", "test", "run_tests", id="a project's program that runs tests"),
        pytest.param("tools/find berths", "run", None, id="a project's program named as one that searches"),
        pytest.param("/usr/bin/test -f a.py", "search", None, id="the installed test"),
        pytest.param("python make_report.py", "run", None, id="script"),
        pytest.param("npm run build", "run", "npm build", id="build"),
        pytest.param("mypy src", "run", "mypy", id="type checker"),
        pytest.param("sleep 30", "wait", None, id="sleep"),
        pytest.param("sleep 30 && gh run view 17", "wait", None, id="sleep and look"),
        pytest.param("gh run view 17", "wait", None, id="look at a run"),
        pytest.param("gh run watch 17 --exit-status", "wait", None, id="watch a run"),
        pytest.param("gh pr checks 12 --watch", "wait", None, id="watch checks"),
        pytest.param("sleep 60; gh pr checks 12", "wait", None, id="sleep and look at checks"),
        pytest.param("gh pr checks 12", "run", None, id="look at checks"),
        pytest.param("gh pr view 12 --json state", "run", None, id="look at a pull request"),
        pytest.param("gh pr list --state open", "run", None, id="list pull requests"),
        pytest.param("gh pr checks 12 --watch=false", "run", None, id="checks that aren't watched"),
        pytest.param("sleep 5 && pytest", "test", "pytest", id="test after a pause"),
        pytest.param("cat a.py", "read", None, id="cat"),
        pytest.param("sed -n 1,20p a.py", "read", None, id="sed that shows"),
        pytest.param("sed -i s/x/y/ a.py", "edit", None, id="sed in place"),
        pytest.param("cat a.py | grep x", "read", None, id="cat and grep"),
        pytest.param("grep -rn x . | head -5", "search", None, id="grep and head"),
        pytest.param(r"find . \( -name a -o -name b \) | head", "search", None, id="find with parentheses"),
        pytest.param(r"find . -name a -exec grep -l x {} \; | sort", "search", None, id="find that searches"),
        pytest.param(r"find . -name a -exec sed -i s/x/y/ {} +", "edit", None, id="find that edits"),
        pytest.param(r"find . -name a -exec rm {} \;", "run", None, id="find that removes"),
        pytest.param("find . -name a -delete", "run", None, id="find that deletes"),
        pytest.param("sleep 5; tail log", "wait", None, id="a pause before a look"),
        pytest.param("sleep 5 && curl -s localhost:1/health", "wait", None, id="a pause before a request"),
        pytest.param("python serve.py & sleep 2; curl localhost:1", "run", None, id="a pause after a start"),
        pytest.param("pkill -f serve; sleep 1", "run", None, id="a pause after an end"),
        pytest.param("git status", "search", None, id="git status"),
        pytest.param("git diff", "read", None, id="git diff"),
        pytest.param("git checkout -- a.py", "edit", None, id="git checkout of a file"),
        pytest.param("git commit -am x", "run", None, id="git commit"),
        pytest.param("cat > a.py <<EOF\nx\nEOF", "edit", None, id="here-document"),
        pytest.param("mkdir -p d && cat > d/a.py <<EOF\nx\nEOF", "edit", None, id="directory and here-document"),
        pytest.param("cat > a.py <<EOF\nx\nEOF\npython a.py", "run", None, id="here-document that is then run"),
        pytest.param("echo hello", "other", None, id="echo"),
        pytest.param("echo x > a.txt", "run", None, id="echo into a file"),
        pytest.param("cd src", "other", None, id="cd"),
        pytest.param("", "other", None, id="nothing"),
    ],
)
def test_command_lines(command: str, kind: str, runner: str | None) -> None:
    operation = classify("bash", {"command": command})
    assert (str(operation.kind), operation.runner) == (kind, runner)


@pytest.mark.parametrize(
    ("tool", "arguments", "edits"),
    [
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
