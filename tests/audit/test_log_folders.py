"""The agents' own folders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer.audit.sources.discover import discover
from analyzer.audit.sources.log_folders import folders_of, known_folders, log_folders
from analyzer.model.errors import AnalyzerError, BadConfiguration
from tests.audit.trees import FIRST, below, claude, log, openhands, write
from tests.conftest import ROOT
from tests.tables import table


def found(agent: str, root: Path, **variables: str) -> list[str]:
    return below(root, list(discover(folders_of([agent], {"HOME": str(root), **variables}))))


FILES: dict[str, dict[str, object]] = {
    "claude-code": {f".claude/projects/-home-shop/{FIRST}.jsonl": claude(FIRST), ".claude/history.jsonl": []},
    "codex": {
        ".codex/sessions/2026/01/02/rollout-1.jsonl": [],
        ".codex/archived_sessions/rollout-0.jsonl": [],
        ".codex/history.jsonl": [],
    },
    "gemini-cli": {".gemini/tmp/0abc/chats/session-1.json": log(), ".gemini/tmp/0abc/logs.json": []},
    "copilot-cli": {".copilot/session-state/17/events.jsonl": [], ".copilot/config.json": {}},
    "cline": {
        ".cline/data/sessions/17/17.json": {},
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/18/ui_messages.json": [],
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/x.json": {},
    },
    "roo-code": {".vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json": []},
    "kilo-code": {".vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks/1/ui_messages.json": []},
    "openhands": {f".openhands/conversations/c1/{name}": content for name, content in openhands().items()},
    "cursor": {
        ".cursor/chats/0a/1/store.db": [],
        ".cursor/projects/srv/agent-transcripts/1/1.jsonl": [],
        ".cursor/mcp.json": {},
        ".config/Cursor/User/globalStorage/state.vscdb": "",
    },
    "vscode-chat": {
        ".config/Code/User/workspaceStorage/0ab/chatSessions/1.jsonl": [],
        ".config/Code/User/workspaceStorage/0ab/workspace.json": {},
    },
    "opencode": {".local/share/opencode/opencode.db": "", ".local/share/opencode/auth.json": {}},
    "goose": {
        ".local/share/goose/sessions/sessions.db": "",
        ".local/share/goose/sessions/20250101_1.jsonl": [],
        ".local/share/goose/schedule.json": {},
    },
    "droid": {".factory/sessions/-srv/1.jsonl": [], ".factory/settings.json": {}},
    "antigravity": {
        ".gemini/antigravity-cli/brain/1/.system_generated/logs/transcript.jsonl": [],
        ".gemini/antigravity-cli/settings.json": {},
    },
    "kiro": {".kiro/sessions/cli/1.jsonl": [], ".kiro/settings/cli.json": {}},
    "kiro-ide": {
        ".config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions/L3Nydg__/sessions.json": [],
        ".config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions/L3Nydg__/1.json": {},
        ".config/Kiro/User/settings.json": {},
    },
    "continue": {".continue/sessions/1.json": {}, ".continue/config.yaml": ""},
    "kimi": {".kimi/sessions/0a/1/wire.jsonl": [], ".kimi/sessions/0a/1/context.jsonl": []},
    "kimi-code": {".kimi-code/sessions/a/1/agents/main/wire.jsonl": [], ".kimi-code/config.toml": ""},
    "qwen-code": {".qwen/projects/srv/chats/1.jsonl": [], ".qwen/settings.json": {}},
    "pi": {".pi/agent/sessions/--srv--/1.jsonl": [], ".pi/agent/settings.json": {}},
    "openclaw": {".openclaw/agents/main/sessions/1.jsonl": [], ".openclaw/openclaw.json": {}},
    "mini-swe-agent": {".config/mini-swe-agent/last_mini_run.traj.json": {}, ".config/mini-swe-agent/.env": ""},
}
EXPECTED = {
    "claude-code": [f".claude/projects/-home-shop/{FIRST}.jsonl"],
    "codex": [".codex/archived_sessions/rollout-0.jsonl", ".codex/sessions/2026/01/02/rollout-1.jsonl"],
    "gemini-cli": [".gemini/tmp/0abc/chats/session-1.json"],
    "copilot-cli": [".copilot/session-state/17/events.jsonl"],
    "cline": [
        ".cline/data/sessions/17/17.json",
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/18/ui_messages.json",
    ],
    "roo-code": [".vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json"],
    "kilo-code": [".vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks/1/ui_messages.json"],
    "openhands": [".openhands/conversations/c1"],
    "cursor": [
        ".config/Cursor/User/globalStorage/state.vscdb",
        ".cursor/chats/0a/1/store.db",
        ".cursor/projects/srv/agent-transcripts/1/1.jsonl",
    ],
    "vscode-chat": [".config/Code/User/workspaceStorage/0ab/chatSessions/1.jsonl"],
    "opencode": [".local/share/opencode/opencode.db"],
    "goose": [".local/share/goose/sessions/20250101_1.jsonl", ".local/share/goose/sessions/sessions.db"],
    "droid": [".factory/sessions/-srv/1.jsonl"],
    "antigravity": [".gemini/antigravity-cli/brain/1/.system_generated/logs/transcript.jsonl"],
    "kiro": [".kiro/sessions/cli/1.jsonl"],
    "kiro-ide": [".config/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions/L3Nydg__/1.json"],
    "continue": [".continue/sessions/1.json"],
    "kimi": [".kimi/sessions/0a/1/wire.jsonl"],
    "kimi-code": [".kimi-code/sessions/a/1/agents/main/wire.jsonl"],
    "qwen-code": [".qwen/projects/srv/chats/1.jsonl"],
    "pi": [".pi/agent/sessions/--srv--/1.jsonl"],
    "openclaw": [".openclaw/agents/main/sessions/1.jsonl"],
    "mini-swe-agent": [".config/mini-swe-agent/last_mini_run.traj.json"],
}


@pytest.mark.parametrize("agent", FILES)
def test_an_agents_usual_folder_is_searched_for_sessions_only(tmp_path: Path, agent: str) -> None:
    write(tmp_path, FILES[agent])
    assert found(agent, tmp_path) == EXPECTED[agent]


@table("a_variable_that_the_agent_obeys_goes_before_its_usual_folder")
def test_a_variable_that_the_agent_obeys_goes_before_its_usual_folder(
    tmp_path: Path, agent: str, variable: str, value: str, file: str
) -> None:
    write(tmp_path, {**FILES.get(agent, {}), file: log()})
    assert found(agent, tmp_path, **{variable: str(tmp_path / value)}) == [file]
    assert found(agent, tmp_path, **{variable: f"~/{value}"}) == [file]


def test_a_variable_may_name_several_folders(tmp_path: Path) -> None:
    write(tmp_path, {"a/sessions/1.jsonl": [], "b/sessions/2.jsonl": []})
    assert found("codex", tmp_path, CODEX_HOME=f"{tmp_path / 'a'}, {tmp_path / 'b'}") == [
        "a/sessions/1.jsonl",
        "b/sessions/2.jsonl",
    ]


def test_the_folders_are_those_of_the_operating_system() -> None:
    (cline,) = [entry for entry in log_folders({"HOME": "/Users/x"}, "darwin") if entry[0] == "cline"]
    assert "/Users/x/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev" in cline[2].split(", ")
    (cline,) = [
        entry
        for entry in log_folders({"USERPROFILE": "C:/x", "APPDATA": "C:/x/roaming"}, "win32")
        if entry[0] == "cline"
    ]
    assert "C:/x/roaming/Code/User/globalStorage/saoudrizwan.claude-dev" in cline[2].split(", ")
    (cline,) = [
        entry for entry in log_folders({"HOME": "/home/x", "XDG_CONFIG_HOME": "/cfg"}, "linux") if entry[0] == "cline"
    ]
    assert "/cfg/Code/User/globalStorage/saoudrizwan.claude-dev" in cline[2].split(", ")


def test_a_folder_that_is_not_there_is_named_with_the_variables(tmp_path: Path) -> None:
    with pytest.raises(
        AnalyzerError,
        match=re.escape(
            f"{tmp_path}/.codex: codex keeps its sessions there, and no such folder exists.\nSet $CODEX_HOME"
        ),
    ):
        found("codex", tmp_path)
    with pytest.raises(
        AnalyzerError,
        match=re.escape(
            f"{tmp_path}/gone: codex keeps its sessions there, and no such folder exists.\n$CODEX_HOME names this"
        ),
    ):
        found("codex", tmp_path, CODEX_HOME=str(tmp_path / "gone"))


def test_a_folder_without_sessions_says_so(tmp_path: Path) -> None:
    write(tmp_path, {".codex/config.toml": ""})
    with pytest.raises(AnalyzerError, match="codex has no sessions there"):
        found("codex", tmp_path)


def test_an_unknown_agent_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(BadConfiguration, match="Did you mean 'claude-code'"):
        folders_of(["claude-cod"], {})
    with pytest.raises(BadConfiguration, match="aider keeps its history in each project"):
        folders_of(["aider"], {})


def test_the_list_of_folders_says_which_have_sessions(tmp_path: Path) -> None:
    write(tmp_path, FILES["codex"])
    listed = log_folders({"HOME": str(tmp_path)}, "linux")
    assert [entry[0] for entry in listed] == list(known_folders({}, "linux"))
    assert {entry[0] for entry in listed if entry[3]} - {"inspect"} == {"codex"}


def test_the_documented_table_is_that_of_the_code() -> None:
    lines = [
        line for line in (ROOT / "docs" / "audit.md").read_text(encoding="utf-8").splitlines() if line.startswith("| `")
    ]
    by_name = {line.split("`")[1]: line for line in lines}
    for home in known_folders({"HOME": "~"}, "linux").values():
        cells = by_name[home.agent].split("|")[1:]
        assert list(home.variables) == re.findall(r"`([A-Z_]+)`", cells[1]), home.agent
        assert all(f"`{pattern}`" in cells[3] for pattern in home.inside if pattern), home.agent
        linux = [root for root in home.roots if "globalStorage" not in root]
        assert all(f"`{root}`" in cells[2] for root in linux[:2]), home.agent


def test_all_stands_for_every_agent_with_sessions_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {**FILES["codex"], **FILES["claude-code"], "here/logs/1.json": log()})
    monkeypatch.chdir(tmp_path / "here")
    assert found("all", tmp_path) == sorted([*EXPECTED["claude-code"], *EXPECTED["codex"]])
    assert found("all", tmp_path, INSPECT_LOG_DIR=str(tmp_path / "here" / "logs")) == sorted(
        [*EXPECTED["claude-code"], *EXPECTED["codex"], "here/logs/1.json"]
    )


def test_all_without_any_session_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError, match="no agent has sessions in its usual folder on this machine"):
        found("all", tmp_path)
