"""What Cline writes, and short views of what was read, for the tests of the format."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.cline.format import FORMAT
from analyzer.formats.loading.thoughts import split_thoughts
from analyzer.model.session import Session
from tests.formats.corpus_files import SAMPLES
from tests.formats.reading import taken_by

Json = dict[str, Any]

SAMPLE: list[Json] = json.loads((SAMPLES / "cline.json").read_text(encoding="utf-8"))

CONTEXT = "<environment_details>\n# Current Mode\nACT MODE\n</environment_details>"


def text(words: str) -> Json:
    return {"type": "text", "text": words}


HISTORY: list[Json] = [
    {"role": "user", "content": [text("<task>\nFix the far zone.\n</task>"), text(CONTEXT)]},
    {
        "role": "assistant",
        "content": [
            text(
                "<thinking>Tests first.</thinking>\n\nI look.\n\n<read_file>\n<path>zones.py</path>\n</read_file>\n"
                "<execute_command>\n<command>pytest "
                "-q</command>\n<requires_approval>false</requires_approval>\n</execute_command>"
            )
        ],
    },
    {
        "role": "user",
        "content": [
            text("[read_file for 'zones.py'] Result:"),
            text("FAR = 1.0  # `<feedback>${text}</feedback>`"),
            text("[execute_command for 'pytest -q'] Result:"),
            text("The user denied this operation."),
            text(CONTEXT),
        ],
    },
    {"role": "assistant", "content": [text("Done?")]},
    {"role": "user", "content": [text("[ERROR] You did not use a tool in your previous response!"), text(CONTEXT)]},
    {
        "role": "assistant",
        "content": [
            text(
                "<replace_in_file>\n<path>zones.py</path>\n<diff>\n------- SEARCH\nFAR = 1.0\n=======\nFAR = 1.5\n"
                "+++++++ REPLACE\n</diff>\n</replace_in_file>"
            )
        ],
    },
    {
        "role": "user",
        "content": [
            text("[replace_in_file for 'zones.py'] Result:\nThe content was successfully saved."),
            text(CONTEXT),
        ],
    },
    {
        "role": "assistant",
        "content": [text("<attempt_completion>\n<result>\nFixed.\n</result>\n</attempt_completion>")],
    },
    {"role": "user", "content": [text("[attempt_completion] Result:\n\n<feedback>\nAnd the near one?\n</feedback>")]},
]

MANIFEST: Json = {
    "version": 1,
    "session_id": "1760000000000_ab12c",
    "source": "cli",
    "pid": 7,
    "started_at": "2026-01-01T00:00:00Z",
    "ended_at": "2026-01-01T00:01:00Z",
    "exit_code": 1,
    "status": "failed",
    "provider": "some",
    "model": "test-model-1",
    "cwd": "/rates",
    "workspace_root": "/rates",
    "prompt": "Fix it.",
    "metadata": {"title": "Far zone"},
}

MESSAGES: Json = {
    "version": 1,
    "updated_at": "2026-01-01T00:01:00Z",
    "agent": "lead",
    "sessionId": "1760000000000_ab12c",
    "system_prompt": "You are an agent.",
    "messages": [
        {"id": "a", "role": "user", "content": "Fix it.", "ts": 1767225600000},
        {
            "id": "b",
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm."},
                {"type": "tool_use", "id": "t1", "name": "run_commands", "input": {"commands": ["pytest"]}},
            ],
            "modelInfo": {"id": "test-model-1", "provider": "some"},
            "metrics": {"inputTokens": 5, "outputTokens": 3, "cacheReadTokens": 10, "cacheWriteTokens": 2, "cost": 0.5},
            "ts": 1767225610000,
        },
        {
            "id": "c",
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "name": "run_commands",
                    "content": "1 failed",
                    "is_error": True,
                }
            ],
            "ts": 1767225620000,
        },
    ],
}


def session_of(value: object) -> Session:
    (session,) = taken_by(FORMAT, value, "x.json")
    split_thoughts(session)
    return session
