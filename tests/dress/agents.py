"""Agents' ways of reading, editing and running: the names of their tools, the forms of their edits, and how they wrap
what a command prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from analyzer.model.session import Event
from tests.build import call

Call = tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent. `edit` takes a path and the texts before and after, `run` a command, its output and its exit code."""

    name: str
    read: Callable[[str, str], Call]
    edit: Callable[[str, str, str], Call]
    run: Callable[[str, str, int], Call]
    root: str = ""
    """The folder under which it names files, where it gives absolute paths."""


def _tabbed(text: str) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.splitlines(), 1))


def _arrowed(text: str) -> str:
    return "\n".join(f"{number:6}→{line}" for number, line in enumerate(text.splitlines(), 1))


def _barred(text: str) -> str:
    return "\n".join(f"{number} | {line}" for number, line in enumerate(text.splitlines(), 1))


def _patch(path: str, before: str, after: str) -> str:
    lines = [*(f"-{line}" for line in before.split("\n")), *(f"+{line}" for line in after.split("\n"))]
    return "\n".join(["*** Begin Patch", f"*** Update File: {path}", "@@", *lines, "*** End Patch"])


def _tagged(output: str, code: int) -> str:
    return f"<returncode>{code}</returncode>\n<output>\n{output}</output>"


def _in_json(output: str, code: int) -> str:
    return json.dumps({"output": output, "metadata": {"exit_code": code, "duration_seconds": 0.4}})


PLAIN = Agent(
    "plain",
    lambda path, text: call("bash", {"command": f"cat -n {path}"}, _tabbed(text), exit_code=0),
    lambda path, old, new: call("edit", {"path": path, "old": old, "new": new}, "Edited."),
    lambda command, output, code: call("bash", {"command": command}, output, exit_code=code),
)
AGENTS = (
    PLAIN,
    Agent(
        "Claude Code",
        lambda path, text: call("Read", {"file_path": f"/srv/app/{path}"}, _arrowed(text)),
        lambda path, old, new: call(
            "Edit",
            {"file_path": f"/srv/app/{path}", "old_string": old, "new_string": new},
            f"The file /srv/app/{path} has been updated.",
        ),
        lambda command, output, code: call(
            "Bash",
            {"command": command, "description": "Run the tests"},
            f"Exit code {code}\n{output}" if code else output,
            is_error=bool(code),
        ),
        "/srv/app",
    ),
    Agent(
        "Codex",
        lambda path, text: call("exec_command", {"cmd": f"cat {path}"}, text, exit_code=0),
        lambda path, old, new: call(
            "apply_patch", {"input": _patch(path, old, new)}, f"Success. Updated the following files:\nM {path}"
        ),
        lambda command, output, code: call(
            "exec_command", {"cmd": command}, f"Process exited with code {code}\nOutput:\n{output}", exit_code=code
        ),
    ),
    Agent(
        "Cline",
        lambda path, text: call("read_file", {"path": path}, _barred(text)),
        lambda path, old, new: call(
            "replace_in_file",
            {"path": path, "diff": f"------- SEARCH\n{old}\n=======\n{new}\n+++++++ REPLACE"},
            f"The content was successfully saved to {path}.",
        ),
        lambda command, output, _: call(
            "execute_command",
            {"command": command, "requires_approval": "false"},
            f"Command executed.\nOutput:\n{output}",
        ),
    ),
    Agent(
        "OpenHands",
        lambda path, text: call(
            "str_replace_editor",
            {"command": "view", "path": f"/workspace/{path}"},
            f"Here's the result of running `cat -n` on /workspace/{path}:\n{_tabbed(text)}",
        ),
        lambda path, old, new: call(
            "str_replace_editor",
            {"command": "str_replace", "path": f"/workspace/{path}", "old_str": old, "new_str": new},
            f"The file /workspace/{path} has been edited.",
        ),
        lambda command, output, code: call(
            "execute_bash", {"command": command}, f"{output}\n[The command completed with exit code {code}.]"
        ),
        "/workspace",
    ),
)
SHELL_ONLY = Agent(
    "an agent whose only tool is the shell",
    lambda path, text: call(
        "bash", {"command": f"cat {path}"}, f"<returncode>0</returncode>\n<output>\n{text}</output>"
    ),
    lambda path, old, new: call(
        "bash",
        {
            "command": "\n".join(
                (
                    "python3 - <<'EOF'",
                    "from pathlib import Path",
                    f"path = Path({path!r})",
                    f"path.write_text(path.read_text().replace({old!r}, {new!r}))",
                    "EOF",
                )
            )
        },
        _tagged("", 0),
    ),
    lambda command, output, code: call("bash", {"command": command}, _tagged(output, code)),
)
IN_JSON = Agent(
    "an agent whose results are JSON",
    lambda path, text: call("shell", {"command": ["bash", "-lc", f"sed -n 1,200p {path}"]}, _in_json(text, 0)),
    AGENTS[2].edit,
    lambda command, output, code: call("shell", {"command": ["bash", "-lc", command]}, _in_json(output, code)),
)
