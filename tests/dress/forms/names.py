"""What an agent calls the tools that a made-up session calls by plain names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from analyzer.export.own import Turn
from analyzer.model.struct import replace

_Arguments = Mapping[str, Any]
_Table = Mapping[str, Callable[[_Arguments], tuple[str, dict[str, Any]]]]


def _patch(given: _Arguments) -> tuple[str, dict[str, Any]]:
    before = "".join(f"-{line}\n" for line in str(given["old"]).splitlines())
    after = "".join(f"+{line}\n" for line in str(given["new"]).splitlines())
    text = f"*** Begin Patch\n*** Update File: {given['path']}\n@@\n{before}{after}*** End Patch"
    return "apply_patch", {"input": text}


def _added(given: _Arguments) -> tuple[str, dict[str, Any]]:
    lines = "".join(f"+{line}\n" for line in str(given["content"]).splitlines())
    return "apply_patch", {"input": f"*** Begin Patch\n*** Add File: {given['path']}\n{lines}*** End Patch"}


CLAUDE_CODE: _Table = {
    "command": lambda given: ("Bash", {"command": given["command"], "description": "Run it"}),
    "old": lambda given: ("Edit", {"file_path": given["path"], "old_string": given["old"], "new_string": given["new"]}),
    "content": lambda given: ("Write", {"file_path": given["path"], "content": given["content"]}),
    "path": lambda given: ("Read", {"file_path": given["path"]}),
}
CODEX: _Table = {
    "command": lambda given: ("exec_command", {"cmd": given["command"], "workdir": "/home/dev/quay"}),
    "old": _patch,
    "content": _added,
    "path": lambda given: ("read_file", {"file_path": given["path"]}),
}
GEMINI_CLI: _Table = {
    "command": lambda given: ("run_shell_command", {"command": given["command"]}),
    "old": lambda given: (
        "replace",
        {"file_path": given["path"], "old_string": given["old"], "new_string": given["new"]},
    ),
    "content": lambda given: ("write_file", {"file_path": given["path"], "content": given["content"]}),
    "path": lambda given: ("read_file", {"absolute_path": given["path"]}),
}
OPENHANDS: _Table = {
    "command": lambda given: ("terminal", {"command": given["command"]}),
    "old": lambda given: (
        "file_editor",
        {"command": "str_replace", "path": given["path"], "old_str": given["old"], "new_str": given["new"]},
    ),
    "content": lambda given: (
        "file_editor",
        {"command": "create", "path": given["path"], "file_text": given["content"]},
    ),
    "path": lambda given: ("file_editor", {"command": "view", "path": given["path"]}),
}
_PLAIN = {
    frozenset({"command"}): "command",
    frozenset({"path", "old", "new"}): "old",
    frozenset({"path", "content"}): "content",
    frozenset({"path"}): "path",
}
_PLAIN_NAMES = frozenset({"bash", "edit", "write", "read", "file_edit", "file_write", "file_read"})


def renamed(turn: Turn, table: _Table) -> Turn:
    """The call as the agent would make it; a call of any other tool stays as it is."""
    arguments = turn.call.arguments
    if isinstance(arguments, str) or turn.call.name not in _PLAIN_NAMES:
        return turn
    form = _PLAIN.get(frozenset(arguments))
    if form is None:
        return turn
    name, given = table[form](arguments)
    return replace(turn, call=replace(turn.call, name=name, arguments=given))
