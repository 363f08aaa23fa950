"""Where agents keep their sessions: `--from claude-code` instead of a path.

A variable that the agent itself obeys goes before its usual folders. Each entry names where the fact was published.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from glob import escape, glob

from analyzer.model.errors import AnalyzerError, BadConfiguration
from analyzer.model.struct import Struct
from analyzer.text.english import did_you_mean

_EDITORS = (
    *(f"{{config}}/{name}" for name in ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")),
    "{home}/.vscode-server/data",
)


class LogFolder(Struct, frozen=True):
    """Where one agent keeps its sessions on this machine: below the `roots` at the patterns `inside`. The roots are
    those that `variable` names, one of the `variables` of the environment that the agent obeys, or its usual ones."""

    agent: str
    variables: tuple[str, ...]
    variable: str | None
    roots: tuple[str, ...]
    inside: tuple[str, ...]

    def places(self, roots: Iterable[str]) -> list[str]:
        """What is there below these of the roots."""
        return [
            place
            for root in roots
            for pattern in self.inside
            for place in sorted(glob(os.path.join(escape(root), *pattern.split("/")) if pattern else escape(root)))  # noqa: PTH118, PTH207
        ]


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


def known_folders(environment: Mapping[str, str] | None, system: str) -> dict[str, LogFolder]:
    """The agents whose folders are known, by name."""
    environment = os.environ if environment is None else environment
    folders = _folders(environment, system)
    found = (_log_folder(entry, environment, folders) for entry in _TABLE.replace("\n    ", " ").splitlines())
    return {folder.agent: folder for folder in found}


def _log_folder(entry: str, environment: Mapping[str, str], folders: Mapping[str, str]) -> LogFolder:
    agent, rest = entry.split(":", 1)
    variables, usual, inside = (field.strip().split(", ") for field in rest.rsplit(None, 1)[0].split(";"))
    named = [variable.removeprefix("=").partition("/") for variable in variables if variable]
    variable, more = next(((name, more) for name, _, more in named if environment.get(name, "").strip()), (None, ""))
    if variable is None:
        every = [root.replace("{editors}", editor) for root in usual for editor in _EDITORS]
        roots = [root.format(**folders) for root in every]
    else:
        value = environment[variable].strip()
        # Tools that read the same variables take a list, separated by commas.
        listed = [value] if os.path.isdir(value) else [part.strip() for part in value.split(",") if part.strip()]  # noqa: PTH112
        home = folders["home"]
        whole = (home + part[1:] if part == "~" or part.startswith(("~/", "~\\")) else part for part in listed)
        roots = [os.path.join(part, more) for part in whole]  # noqa: PTH118
        inside = [""] if f"={variable}" in variables else inside
    names = tuple(name for name, *_ in named)
    return LogFolder(agent, names, variable, tuple(dict.fromkeys(map(os.path.normpath, roots))), tuple(inside))


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
    return [
        (home.agent, ", ".join(home.variables), ", ".join(home.roots), bool(home.places(home.roots)))
        for home in known_folders(environment, system).values()
    ]


def folders_of(agents: Iterable[str], environment: Mapping[str, str] | None = None) -> list[str]:
    """The folders and files in which these agents keep their sessions, as paths for
    `analyzer.audit.sources.discover.discover`. `all` stands for every agent that has sessions on this machine.

    Raises `BadConfiguration` for an agent whose folder isn't known, and `AnalyzerError` where there are no sessions in
    it.
    """
    known = known_folders(environment, sys.platform)
    found: list[str] = []
    for agent in dict.fromkeys(agents):
        if agent == ALL:
            found += _everywhere(known.values())
            continue
        if agent not in known:
            hint = _WITHOUT.get(agent) or did_you_mean(agent, [ALL, *known])
            raise BadConfiguration(f"no folder is known in which {agent!r} keeps its sessions.", hint=hint)
        found += _places(known[agent])
    return found


def _everywhere(known: Iterable[LogFolder]) -> list[str]:
    """What every agent keeps in a folder of its own; one below the current folder is meant only where it's named."""
    found: list[str] = []
    for home in known:
        if home.variable is not None or any(map(os.path.isabs, home.roots)):
            with suppress(AnalyzerError):
                found += _places(home)
    if not found:
        hint = "`analyze-session audit folders` lists the folders. Name a folder as a path."
        raise AnalyzerError("no agent has sessions in its usual folder on this machine.", hint=hint)
    return list(dict.fromkeys(found))


def _places(home: LogFolder) -> list[str]:
    variable = home.variable
    there = [root for root in home.roots if os.path.isdir(root)]  # noqa: PTH112
    found = [os.path.abspath(place) for place in home.places(there)]  # noqa: PTH100
    if found:
        return found
    others = " or ".join(f"${name}" for name in home.variables if name != "XDG_DATA_HOME")
    hint = "Name the folder of its sessions as a path."
    if variable:
        hint = f"${variable} names this folder. {hint}"
    elif others:
        hint = f"Set {others} where it's elsewhere, or name its folder as a path."
    what = "keeps its sessions there, and no such folder exists"
    if there:
        what = f"has no sessions there ({' or '.join(filter(None, home.inside)) or 'it is empty'})"
    raise AnalyzerError(f"{home.agent} {what}.", where=" or ".join(there or home.roots), hint=hint)


_PERSONAL: dict[str, tuple[str, tuple[str, str], tuple[str, str]]] = {
    "win32": ("USERPROFILE", ("APPDATA", "AppData/Roaming"), ("LOCALAPPDATA", "AppData/Local")),
    "darwin": ("HOME", ("", "Library/Application Support"), ("", "Library/Application Support")),
    "": ("HOME", ("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share")),
}
"""By system: the variable that names the person's own folder, and those that name the folders for configuration and
data, with where these are otherwise."""


def _folders(environment: Mapping[str, str], system: str) -> dict[str, str]:
    """The person's own folder, and those for configuration and data."""
    own, *others = _PERSONAL.get(system, _PERSONAL[""])
    home = environment.get(own) or os.path.expanduser("~")  # noqa: PTH111
    config, data = (environment.get(variable) or f"{home}/{usual}" for variable, usual in others)
    return {"home": home, "config": config, "data": data}
