"""The logs whose pages and JSON are checked as a whole."""

from __future__ import annotations

from tests.conftest import ROOT

_FORMATS = (
    "chat_anthropic.json",
    "chat_openai.json",
    "claude_code.jsonl",
    "mini_swe_agent.traj.json",
    "openhands_sdk.json",
    "openhands_v0.json",
    "swe_agent.traj",
)
LOGS = [
    *sorted((ROOT / "sample_sessions").glob("*.json")),
    *(ROOT / "tests" / "data" / "formats" / name for name in _FORMATS),
]
