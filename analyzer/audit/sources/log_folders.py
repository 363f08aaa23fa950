"""Where agents keep their sessions: `--from claude-code` instead of a path.

A variable that the agent itself obeys goes before its usual folders. Each entry names where the fact was published.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from glob import escape, glob

from analyzer.model.errors import AnalyzerError, BadConfiguration
from analyzer.text.english import did_you_mean

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")


@dataclass(frozen=True, slots=True)
class LogFolder:
    """Where one agent keeps its sessions.

    `variables` are environment variables with what is appended to their value to get the root, `roots` the usual roots
    without one; of the first variable that is set, or else of all roots that exist, the patterns `inside` are searched.
    `{home}`, `{config}` and `{data}` are the folders that the operating system has for them.
    """

    agent: str
    variables: tuple[tuple[str, str], ...]
    roots: tuple[str, ...]
    inside: tuple[str, ...]
    fact: str
    direct: str | None = None
    """The variable that names the folder of the sessions itself, so that all of it is searched."""


_TABLE = """\
claude-code: CLAUDE_CONFIG_DIR; {home}/.claude, {home}/.config/claude; projects
    https://code.claude.com/docs/en/claude-directory
codex: CODEX_HOME; {home}/.codex; sessions, archived_sessions
    https://developers.openai.com/docs/config-file/environment-variables
gemini-cli: GEMINI_CLI_HOME/.gemini; {home}/.gemini; tmp/*/chats
    https://geminicli.com/docs/cli/session-management
copilot-cli: COPILOT_HOME; {home}/.copilot; session-state, history-session-state
    https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference
opencode: OPENCODE_DATA_DIR, XDG_DATA_HOME/opencode; {data}/opencode, {home}/.local/share/opencode; opencode*.db,
    storage
    https://opencode.ai/docs/cli
cline: =CLINE_SESSION_DATA_DIR, CLINE_DATA_DIR, CLINE_DIR/data; {home}/.cline/data,
    {editors}/User/globalStorage/saoudrizwan.claude-dev; tasks, sessions
    https://docs.cline.bot/cli/configuration
roo-code: ; {editors}/User/globalStorage/rooveterinaryinc.roo-cline; tasks
    https://docs.roocode.com
kilo-code: ; {editors}/User/globalStorage/kilocode.kilo-code; tasks
    https://github.com/Kilo-Org/kilocode
openhands: OPENHANDS_CONVERSATIONS_DIR, OPENHANDS_PERSISTENCE_DIR/conversations; {home}/.openhands/conversations;
    https://docs.openhands.dev/openhands/usage/cli/resume
mini-swe-agent: MSWEA_GLOBAL_CONFIG_DIR; {config}/mini-swe-agent, {home}/.config/mini-swe-agent,
    {data}/mini-swe-agent/mini-swe-agent; *.traj.json
    https://mini-swe-agent.com/latest/advanced/global_configuration
cursor: ; {home}/.cursor, {config}/Cursor/User; projects/*/agent-transcripts, chats/*/*/store.db,
    globalStorage/state.vscdb, workspaceStorage/*/state.vscdb
    https://github.com/michaeldhood/chatrxiv/blob/main/docs/cursor/storage-reference.md
vscode-chat: ; {config}/Code/User, {config}/Code - Insiders/User, {config}/VSCodium/User;
    workspaceStorage/*/chatSessions, globalStorage/emptyWindowChatSessions
    https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/chat/common/model/chatSessionStore.ts
goose: GOOSE_PATH_ROOT/data; {data}/goose, {home}/.local/share/goose, {config}/Block/goose/data; sessions/sessions.db,
    sessions/*.jsonl
    https://block.github.io/goose/docs/guides/sessions/session-management
droid: ; {home}/.factory; sessions
    https://github.com/ovachiever/agent-sessions
antigravity: ; {home}/.gemini/antigravity-cli; brain/*/.system_generated/logs
    https://www.skills.sh/jstarfilms/vibecode-protocol-suite/anti-gravity
kiro: KIRO_HOME; {home}/.kiro; sessions/cli
    https://github.com/getagentseal/codeburn/blob/main/docs/providers/kiro.md
kiro-ide: ; {config}/Kiro/User/globalStorage/kiro.kiroagent;
    https://github.com/getagentseal/codeburn/blob/main/docs/providers/kiro.md
continue: CONTINUE_GLOBAL_DIR; {home}/.continue; sessions
    https://github.com/continuedev/continue/blob/main/core/util/paths.ts
kimi: KIMI_SHARE_DIR; {home}/.kimi; sessions/*/*/wire.jsonl
    https://moonshotai.github.io/kimi-cli/en/configuration/data-locations.html
kimi-code: KIMI_CODE_HOME; {home}/.kimi-code; sessions
    https://moonshotai.github.io/kimi-code/en/configuration/data-locations.html
qwen-code: ; {home}/.qwen; projects/*/chats
    https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/services/chatRecordingService.ts
pi: PI_CODING_AGENT_DIR; {home}/.pi/agent; sessions
    https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/configuration.md
openclaw: OPENCLAW_STATE_DIR; {home}/.openclaw; agents/*/sessions
    https://docs.openclaw.ai/help/faq/where-things-live-on-disk
inspect: INSPECT_LOG_DIR; logs;
    https://inspect.aisi.org.uk/eval-logs.html
"""
"""The agents whose folders are known: for each its variables, its usual roots and what lies inside of these, as
`LogFolder` has them, and where that was published. `=` marks a variable that names the folder of the sessions itself;
`{editors}` stands for the folder of each of the editors that the same extension runs in."""


def _log_folder(entry: str) -> LogFolder:
    agent, rest = entry.split(":", 1)
    facts, fact = rest.rsplit(None, 1)
    variables, roots, inside = (field.strip().split(", ") for field in facts.split(";"))
    named = [variable.removeprefix("=").partition("/") for variable in variables if variable]
    return LogFolder(
        agent,
        tuple((name, more) for name, _, more in named),
        tuple(path for root in roots for path in _in_editors(root)),
        tuple(inside),
        fact,
        direct=next((variable[1:] for variable in variables if variable.startswith("=")), None),
    )


def _in_editors(root: str) -> Iterator[str]:
    if not root.startswith("{editors}"):
        yield root
        return
    for editor in _EDITORS:
        yield root.replace("{editors}", f"{{config}}/{editor}")
    yield root.replace("{editors}", "{home}/.vscode-server/data")


LOG_FOLDERS = tuple(_log_folder(entry) for entry in _TABLE.replace("\n    ", " ").splitlines())
"""The agents whose folders are known, by name."""
ALL = "all"
"""Stands for all of them."""
_WITHOUT = {
    "aider": "aider keeps its history in each project (.aider.chat.history.md), so name the folder of your projects.",
    "crush": "Crush keeps a database in each project (.crush/crush.db), so name these files.",
}


def log_folders(
    environment: Mapping[str, str] | None = None, system: str = sys.platform
) -> list[tuple[str, str, str, bool]]:
    """Every known agent: its name, the variables that it obeys, its folders on this system, and whether sessions are
    there now."""
    environment = os.environ if environment is None else environment
    found = []
    for home in LOG_FOLDERS:
        roots, variable = _roots(home, environment, system)
        here = any(glob(pattern) for root in roots for pattern in _patterns(home, root, variable))  # noqa: PTH207
        found.append((home.agent, ", ".join(name for name, _ in home.variables), ", ".join(roots), here))
    return found


def folders_of(
    agents: Iterable[str], environment: Mapping[str, str] | None = None, system: str = sys.platform
) -> list[str]:
    """The folders and files in which these agents keep their sessions, as paths for
    `analyzer.audit.sources.discover.discover`. `all` stands for every agent that has sessions on this machine.

    Raises `BadConfiguration` for an agent whose folder isn't known, and `AnalyzerError` where there are no sessions in
    it.
    """
    environment = os.environ if environment is None else environment
    known = {home.agent: home for home in LOG_FOLDERS}
    found: list[str] = []
    for agent in dict.fromkeys(agents):
        if agent == ALL:
            found += _everywhere(environment, system)
            continue
        if agent not in known:
            hint = _WITHOUT.get(agent) or did_you_mean(agent, [ALL, *known])
            raise BadConfiguration(f"no folder is known in which {agent!r} keeps its sessions.", hint=hint)
        found += _places(known[agent], environment, system)
    return found


def _everywhere(environment: Mapping[str, str], system: str) -> list[str]:
    """What every agent keeps in a folder of its own; one below the current folder is meant only where it's named."""
    found: list[str] = []
    for home in LOG_FOLDERS:
        roots, variable = _roots(home, environment, system)
        if variable is None and not any(map(os.path.isabs, roots)):
            continue
        with suppress(AnalyzerError):
            found += _places(home, environment, system)
    if not found:
        raise AnalyzerError(
            "no agent has sessions in its usual folder on this machine.",
            hint="`analyze-session audit folders` lists the folders. Name a folder as a path.",
        )
    return list(dict.fromkeys(found))


def _places(home: LogFolder, environment: Mapping[str, str], system: str) -> list[str]:
    roots, variable = _roots(home, environment, system)
    there = [root for root in roots if os.path.isdir(root)]  # noqa: PTH112
    found = [
        os.path.abspath(place)  # noqa: PTH100
        for root in there
        for pattern in _patterns(home, root, variable)
        for place in sorted(glob(pattern))  # noqa: PTH207
    ]
    if found:
        return found
    reason = f"${variable} names this folder. " if variable else ""
    others = " or ".join(f"${name}" for name, _ in home.variables if name != "XDG_DATA_HOME")
    hint = (
        f"{reason}Set {others} where it's elsewhere, or name its folder as a path."
        if others and not variable
        else f"{reason}Name the folder of its sessions as a path."
    )
    if not there:
        raise AnalyzerError(
            f"{home.agent} keeps its sessions there, and no such folder exists.", where=" or ".join(roots), hint=hint
        )
    raise AnalyzerError(
        f"{home.agent} has no sessions there ({' or '.join(filter(None, home.inside)) or 'it is empty'}).",
        where=" or ".join(there),
        hint=hint,
    )


def _roots(home: LogFolder, environment: Mapping[str, str], system: str) -> tuple[list[str], str | None]:
    """The folders to look at, and the variable that named them."""
    folders = _folders(environment, system)
    for name, more in home.variables:
        value = environment.get(name, "").strip()
        if value:
            # Tools that read the same variables take a list, separated by commas.
            listed = [value] if os.path.isdir(value) else [part.strip() for part in value.split(",") if part.strip()]  # noqa: PTH112
            return [os.path.normpath(os.path.join(_expanded(part, folders["home"]), more)) for part in listed], name  # noqa: PTH118
    return list(dict.fromkeys(os.path.normpath(root.format(**folders)) for root in home.roots)), None


def _patterns(home: LogFolder, root: str, variable: str | None) -> list[str]:
    if variable is not None and variable == home.direct:
        return [escape(root)]
    return [os.path.join(escape(root), *pattern.split("/")) if pattern else escape(root) for pattern in home.inside]  # noqa: PTH118


def _expanded(path: str, home: str) -> str:
    return home + path[1:] if path == "~" or path.startswith(("~/", "~\\")) else path


def _folders(environment: Mapping[str, str], system: str) -> dict[str, str]:
    """The person's own folder, and those for configuration and data."""
    if system == "win32":
        home = environment.get("USERPROFILE") or os.path.expanduser("~")  # noqa: PTH111
        return {
            "home": home,
            "config": environment.get("APPDATA") or os.path.join(home, "AppData", "Roaming"),  # noqa: PTH118
            "data": environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"),  # noqa: PTH118
        }
    home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111
    if system == "darwin":
        support = f"{home}/Library/Application Support"
        return {"home": home, "config": support, "data": support}
    return {
        "home": home,
        "config": environment.get("XDG_CONFIG_HOME") or f"{home}/.config",
        "data": environment.get("XDG_DATA_HOME") or f"{home}/.local/share",
    }
