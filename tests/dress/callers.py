"""How twenty agents and their tools call what ran: the name of the tool, and the form of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.dress.fact import Fact

Call = tuple[str, dict[str, Any] | str]


@dataclass(frozen=True, slots=True)
class Caller:
    """One agent's way of calling. `call` gives None where it has no way to bring about the fact; `tells_command` is
    False where the call doesn't show what ran."""

    name: str
    call: Callable[[Fact], Call | None]
    tells_command: bool = True


def _shell(name: str, tool: str, key: str, **more: Any) -> Caller:
    return Caller(name, lambda fact: (tool, {key: fact.command, **more}) if fact.command else None)


SHELLS = (
    _shell("plain shell", "bash", "command"),
    _shell("Claude Code", "Bash", "command", description="Run it"),
    _shell("Codex", "exec_command", "cmd", workdir="/home/dev/quay", yield_time_ms=1000),
    Caller("Codex, argv", lambda fact: ("shell", {"command": ["bash", "-lc", fact.command]}) if fact.command else None),
    _shell("OpenHands", "execute_bash", "command", is_input="false"),
    Caller("SWE-agent", lambda fact: ("bash", fact.command) if fact.command else None),
    _shell("Cline", "execute_command", "command", requires_approval="false"),
    _shell("Gemini CLI", "run_shell_command", "command", description="Run it"),
    _shell("opencode", "bash", "command", description="Run it", timeout=120000),
    _shell("Copilot", "run_in_terminal", "command", explanation="Run it", isBackground=False),
    _shell("Cursor", "run_terminal_cmd", "command", is_background=False),
    _shell("Windsurf", "run_command", "CommandLine", Cwd="/home/dev/quay", Blocking=True),
    _shell("MCP shell", "mcp__shell__run", "command"),
    _shell("MCP process", "mcp__desktop__start_process", "command", timeout_ms=60000),
    _shell("function run_command", "run_command", "command_line"),
    _shell("dotted function", "functions.shell", "script"),
    _shell("unknown tool", "quartz_relay", "payload", lane=3),
)


def _ran(fact: Fact) -> bool:
    return fact.command is not None and fact.shown is None


def _blind(name: str, tool: str, **arguments: Any) -> Caller:
    return Caller(name, lambda fact: (tool, arguments) if _ran(fact) else None, tells_command=False)


BLIND = (
    _blind("run_tests", "run_tests", target="all"),
    _blind("MCP runner", "mcp__ci__run_checks", suite="unit", verbose=True),
    _blind("unknown action", "quartz_fire", slot=7),
    _blind("no arguments", "verify"),
)
"""Callers that don't say which command they run."""


def _function(name: str, called: Callable[[str], str], wrap: str | None = None) -> Caller:
    def call(fact: Fact) -> Call | None:
        if fact.tool is None:
            return None
        arguments = fact.arguments or {}
        return (called(fact.tool), {"name": fact.tool, wrap: arguments} if wrap else arguments)

    return Caller(name, call)


FUNCTIONS = (
    _function("function", lambda tool: tool),
    _function("MCP function", lambda tool: f"mcp__desk__{tool}"),
    _function("namespaced function", lambda tool: f"desk.{tool}"),
    _function("function in a call", lambda _: "call_tool", "arguments"),
    _function("camel function", lambda tool: "".join(part.capitalize() for part in tool.split("_"))),
    Caller("unknown function", lambda fact: ("zx_17", {"q1": [1, 2]}) if fact.tool else None),
)


def _shows(tool: str, where: str, key: str, **more: Any) -> Callable[[Fact], Call | None]:
    return lambda fact: (tool, {key: fact.shown, **more}) if fact.shown and place_of(fact) == where else None


def place_of(fact: Fact) -> str:
    """Where the shown content comes from: `web`, `search`, `history` or `file`."""
    if (fact.shown or "").startswith("http"):
        return "web"
    line = fact.command or ""
    if line.startswith(("grep", "rg ")) or " grep " in line:
        return "search"
    return "history" if "git " in line or line.startswith("ls") else "file"


READERS = (
    Caller("Read", _shows("Read", "file", "file_path")),
    Caller("read_file", _shows("read_file", "file", "path")),
    Caller("view", _shows("view", "file", "path", view_range=[1, 200])),
    Caller("editor view", _shows("str_replace_editor", "file", "path", command="view")),
    Caller("MCP read", _shows("mcp__filesystem__read_text_file", "file", "path")),
    Caller("Grep", _shows("Grep", "search", "pattern", output_mode="content")),
    Caller("search_files", _shows("search_files", "search", "regex", path="src")),
    Caller("MCP search", _shows("mcp__code__search_code", "search", "query")),
    Caller("WebFetch", _shows("WebFetch", "web", "url", prompt="What does it say?")),
    Caller("fetch", _shows("mcp__fetch__fetch", "web", "url")),
    Caller("browser", _shows("browser_navigate", "web", "url")),
    Caller("git_diff", _shows("git_diff", "history", "ref")),
)
CALLERS = (*SHELLS, *BLIND, *FUNCTIONS, *READERS)


def calls(fact: Fact) -> Iterator[tuple[Caller, str, dict[str, Any] | str]]:
    """Every call that can bring about the fact."""
    for caller in CALLERS:
        made = caller.call(fact)
        if made is not None:
            yield caller, *made
