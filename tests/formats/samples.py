"""The small samples of all formats, with what each of them holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analyzer.model.session import Tokens
from tests.formats.databases import database_of

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {
    "claude-code-folder": "is no folder of Claude Code sessions.",
    "openhands-folder": "holds no event of an OpenHands conversation.",
}
"""Formats that are folders, with what they say of a file: their samples are written by their own tests."""


@dataclass(frozen=True)
class Sample:
    """One sample. `calls` and `tokens` have one entry per session; `nothing` is what the format's reader says of
    other files, as a regular expression."""

    file: str
    format: str
    nothing: str
    calls: tuple[dict[str, int], ...]
    tokens: tuple[Tokens, ...] = (Tokens(),)
    cost: float | None = None
    last_resort: bool = False
    """Whether the format that accepts nearly anything would take it as well."""

    @property
    def path(self) -> Path:
        """Where it is; the samples of databases are written as SQL."""
        place = ROOT / (self.file if "/" in self.file else f"tests/data/formats/{self.file}")
        return database_of(place) if place.suffix == ".sql" else place


def _main(*counts: int) -> tuple[dict[str, int], ...]:
    return tuple({"main": count} if count else {} for count in counts)


ALL_SAMPLES = (
    Sample("acp.jsonl", "acp", "holds no message of the Agent Client Protocol.", _main(3), cost=0.02),
    Sample("action_list.json", "action-list", "holds no list of actions.", _main(3)),
    Sample("aider.md", "aider", "holds no aider chat.", _main(3, 1), (Tokens(5100, 138), Tokens(1000, 50)), 0.5142),
    Sample("application_log.jsonl", "application-log", "holds no sentence about the call of a tool.", _main(2)),
    Sample("antigravity.jsonl", "antigravity", "holds no step of Antigravity.", _main(3)),
    Sample("autogen_spans.txt", "autogen-spans", "holds no message of AutoGen.", _main(2), (Tokens(320, 55),)),
    Sample(
        "bfcl_results.jsonl",
        "bfcl-results",
        "holds no result of a task of the leaderboard.",
        _main(1, 2),
        (Tokens(410, 22), Tokens(1030, 35)),
    ),
    Sample("toolbench.json", "toolbench", "holds no answer of ToolBench.", ({"main": 3, "branch 1": 2},)),
    Sample("atif.json", "atif", "holds no ATIF trajectory.", _main(6), (Tokens(5000, 500, 3000),), 0.01),
    Sample("chat_anthropic.json", "chat", "holds no message.", _main(4)),
    Sample("chat_openai.json", "chat", "holds no message.", _main(4)),
    Sample(
        "claude_code.jsonl", "claude-code", "holds no Claude Code record.", _main(6), (Tokens(52680, 477, 44580, 8070),)
    ),
    Sample(
        "claude_code_stream.jsonl",
        "claude-code-stream",
        "holds no message of Claude Code's print mode.",
        ({"main": 2, "agent-t2aabbcc": 1},),
        (Tokens(62, 35, 50),),
        0.75,
    ),
    Sample(
        "claude_managed_agents.jsonl",
        "claude-managed-agents",
        "holds no event of a managed agent.",
        _main(2),
        (Tokens(112, 40, 100, 10),),
        1.25,
    ),
    Sample("cline.json", "cline", "holds no Cline task.", _main(6), (Tokens(560, 25, 500),), 1.25),
    Sample("codex.jsonl", "codex", "holds no record of a Codex rollout.", _main(5), (Tokens(3000, 150, 1700),)),
    Sample(
        "codex_exec_json.jsonl",
        "codex-exec-json",
        "holds no event of codex exec.",
        _main(3),
        (Tokens(3000, 150, 1700),),
    ),
    Sample("codex_legacy.jsonl", "codex-legacy", "holds no item of a Codex session.", _main(3)),
    Sample("copilot_cli.jsonl", "copilot-cli", "holds no event of Copilot CLI.", _main(4), (Tokens(3000, 150, 1700),)),
    Sample("droid.jsonl", "droid", "holds no session of droid.", _main(2)),
    Sample(
        "browser_use.json", "browser-use", "holds no history of browser-use.", _main(4), (Tokens(3000, 300, 500),), 0.02
    ),
    Sample("dsh.jsonl", "dsh", "holds no turn of the DeepSeek harness.", _main(2), (Tokens(230, 30, 100),)),
    Sample("google_adk.json", "google-adk", "holds no event of a session of Google ADK.", _main(2), (Tokens(240, 30),)),
    Sample(
        "entire_compact.jsonl", "entire-compact", "holds no turn of an Entire transcript.", _main(4), (Tokens(600, 90),)
    ),
    Sample("gemini_cli.json", "gemini-cli", "holds no Gemini CLI chat.", _main(5), (Tokens(4000, 250, 1500),)),
    Sample("goose.jsonl", "goose", "holds no session of Goose.", _main(1), (Tokens(600, 60),)),
    Sample("goose.sql", "goose", "holds no session of Goose.", _main(2), (Tokens(600, 60),)),
    Sample("inspect.json", "inspect", "holds no sample of an Inspect log.", _main(6), (Tokens(5000, 500),)),
    Sample("intercode.json", "intercode", "holds no InterCode episode.", _main(2, 2, 2), (Tokens(),) * 3),
    Sample("magentic_one.json", "magentic-one", "holds no message of a Magentic-One team.", _main(4), last_resort=True),
    Sample("kimi_code.jsonl", "kimi", "holds no session of Kimi.", _main(1), (Tokens(100, 9, 10, 0),)),
    Sample("kimi_context.jsonl", "kimi", "holds no session of Kimi.", _main(2)),
    Sample(
        "kimi_wire.jsonl",
        "kimi",
        "holds no session of Kimi.",
        ({"main": 2, "agent-a7": 1},),
        (Tokens(550, 28, 400, 0),),
    ),
    Sample("bfcl.jsonl", "bfcl", "holds no task of the leaderboard.", _main(1, 3), (Tokens(),) * 2),
    Sample("continue.json", "continue", "holds no session of Continue.", _main(2)),
    Sample(
        "gemini_cli_stream.jsonl",
        "gemini-cli-stream",
        "holds no event of Gemini CLI.",
        _main(2),
        (Tokens(1000, 50, 300),),
    ),
    Sample("kiro_ide.json", "kiro-ide", "holds no session of Kiro's editor.", _main(3)),
    Sample("kiro.jsonl", "kiro", "holds no session of Kiro.", _main(3)),
    Sample(
        "langfuse.json",
        "langfuse",
        "holds no observation of a Langfuse trace.",
        _main(2),
        (Tokens(200, 20, 80),),
        0.002,
    ),
    Sample(
        "langgraph_checkpoints.sql",
        "langgraph-checkpoints",
        "holds no message in a checkpoint of LangGraph.",
        _main(2),
        (Tokens(240, 30),),
    ),
    Sample("langsmith.jsonl", "langsmith", "holds no run of LangSmith.", _main(2), (Tokens(200, 20),), 0.002),
    Sample(
        "mini_swe_agent.traj.json",
        "mini-swe-agent",
        "holds no messages of mini-swe-agent.",
        _main(4),
        (Tokens(7100, 250, 1536),),
        0.0084,
    ),
    Sample(
        "moatless.json",
        "moatless",
        "holds no node of a Moatless trajectory.",
        ({"main": 3, "branch 1": 1},),
        (Tokens(600, 80, 200),),
        0.04,
    ),
    Sample("phoenix.sql", "phoenix", "holds no table of Phoenix's spans.", _main(2), (Tokens(240, 30),)),
    Sample("smolagents.json", "smolagents", "holds no step of a smolagents run.", _main(3), (Tokens(350, 65),)),
    Sample(
        "openclaw_telemetry.jsonl",
        "openclaw-telemetry",
        "holds no telemetry of OpenClaw.",
        ({"main": 1, "agent-12345678": 1},),
        (Tokens(26, 25, 15, 7),),
        0.75,
    ),
    Sample(
        "openclaw_trajectory.jsonl",
        "openclaw-trajectory",
        "holds no trajectory of OpenClaw.",
        _main(1),
        (Tokens(100, 20, 0, 0),),
        0.01,
    ),
    Sample("opencode.json", "opencode", "holds no opencode session.", _main(5), (Tokens(4000, 200, 1500, 0),), 0.05),
    Sample(
        "opencode.sql",
        "opencode",
        "holds no opencode session.",
        _main(2, 1),
        (Tokens(300, 20, 40, 0), Tokens(80, 9, 0, 0)),
    ),
    Sample("opencode_events.jsonl", "opencode", "holds no opencode session.", _main(1), (Tokens(160, 12, 40, 0),)),
    Sample(
        "openhands_llm_log.json",
        "openhands-llm-log",
        "holds no request to a model.",
        _main(2),
        cost=0.1,
        last_resort=True,
    ),
    Sample("openhands_parsed_text.txt", "openhands-parsed-text", "holds no iteration of a run.", _main(3)),
    Sample(
        "openhands_sdk.json",
        "openhands-sdk",
        "holds no events of the OpenHands SDK.",
        _main(5),
        (Tokens(14210, 512, 9830),),
        0.0187,
    ),
    Sample(
        "openhands_v0.json", "openhands", "holds no events of OpenHands.", _main(6), (Tokens(18800, 540, 0),), 0.0186
    ),
    Sample("otlp.jsonl", "otlp", "holds no span of an agent, a model or a tool.", _main(5), (Tokens(5000, 500),)),
    Sample("crush.sql", "crush", "holds no (session|message) of Crush.", _main(3, 0), (Tokens(), Tokens()), 0.75),
    Sample("cursor.jsonl", "cursor", "holds no conversation of Cursor.", _main(2)),
    Sample("cursor_store.sql", "cursor", "holds no conversation of Cursor.", _main(2)),
    Sample("cursor.sql", "cursor", "holds no conversation of Cursor.", _main(3, 0), (Tokens(900, 60), Tokens())),
    Sample(
        "pi.jsonl", "pi", "holds no session of pi.", ({"main": 4, "branch 1": 1},), (Tokens(2130, 73, 950, 70),), 0.94
    ),
    Sample(
        "qwen_code.jsonl",
        "qwen-code",
        "holds no session of Qwen Code.",
        ({"main": 2, "branch 1": 1},),
        (Tokens(1500, 40, 100),),
    ),
    Sample(
        "reflexion_logs.txt",
        "reflexion-logs",
        "holds no question of a Reflexion trial.",
        _main(0, 2, 1),
        (Tokens(),) * 3,
    ),
    Sample("specstory.md", "specstory", "holds no message of a SpecStory history.", ({"main": 3, "sidechain": 1},)),
    Sample(
        "swe_agent.traj",
        "swe-agent",
        "holds no trajectory and no history of SWE-agent.",
        _main(5),
        (Tokens(8127, 310),),
        0.0612,
    ),
    Sample(
        "tau2_bench.json",
        "tau2-bench",
        "holds no simulation of tau2-bench.",
        ({"main": 4, "agent-user": 1},),
        (Tokens(600, 60),),
        0.01,
    ),
    Sample("tau_bench.json", "tau-bench", "holds no run of tau-bench.", _main(3, 2), (Tokens(),) * 2),
    Sample("terminal_bench.json", "terminal-bench", "(holds no|is no recording of a) Terminal-Bench trial.", _main(0)),
    Sample("vscode_chat.jsonl", "vscode-chat", "holds no chat session of VS Code.", _main(3), (Tokens(None, 120),)),
    Sample(
        "trae_agent.json", "trae-agent", "holds no trajectory of Trae Agent.", _main(3), (Tokens(1900, 120, 600, 100),)
    ),
    Sample("who_and_when.json", "who-and-when", "holds no history of a Who&When run.", _main(2)),
    Sample(
        "sample_sessions/bspline_solved.json",
        "actions",
        "holds no action.",
        _main(12),
        (Tokens(61240, 5812, 41976),),
        0.1382,
    ),
)
