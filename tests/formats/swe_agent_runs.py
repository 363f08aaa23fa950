"""Trajectories of SWE-agent."""

from __future__ import annotations

from typing import Any

from analyzer.formats.swe_agent import FORMAT
from analyzer.model.session import Session
from tests.formats.reading import taken_by

PROMPT = "We're solving an issue.\nISSUE:\nThe lamp\r\nstays dark.\n\nINSTRUCTIONS:\nUse the shell."


OLD: dict[str, Any] = {
    "environment": "swe_main",
    "trajectory": [
        {
            "action": "open src/lamp.py\n",
            "observation": "[File: src/lamp.py]\r\n1:x = 1\r\n",
            "response": "DISCUSSION\nLook.\n```\nopen src/lamp.py\n```",
            "state": '{"open_file": "n/a", "working_dir": "/lamp"}\n',
            "thought": "DISCUSSION\nLook.\n",
        },
        {
            "action": "edit 1:2\nx = 2\ny = 3\nend_of_edit\n",
            "observation": "[File: /lamp/src/lamp.py]",
            "response": "Change it.\n```\nedit 1:2\nx = 2\ny = 3\nend_of_edit\n```",
            "state": '{"open_file": "/lamp/src/lamp.py", "working_dir": "/lamp"}\n',
            "thought": "",
        },
        {
            "action": "exit_cost",
            "observation": "Exited (autosubmitted)",
            "thought": "Exit due to cost limit",
            "state": None,
        },
    ],
    "history": [
        {"role": "system", "content": "You are an engineer.", "agent": "primary"},
        {"role": "user", "content": "a demonstration", "is_demo": True, "agent": "primary"},
        {"role": "user", "content": PROMPT, "agent": "primary"},
    ],
    "info": {
        "exit_status": "submitted (exit_cost)",
        "model_stats": {"total_cost": 99.0, "instance_cost": 1.5, "tokens_sent": 1200, "tokens_received": 34},
    },
}


NEW: dict[str, Any] = {
    "environment": "owner__lamp-7",
    "trajectory": [
        {
            "action": "python lamp.py",
            "observation": "lit",
            "response": "Run it.<function=bash>python lamp.py</function>",
            "thought": "",
            "execution_time": 0.25,
            "state": {"working_dir": "/lamp"},
        },
        {"action": "submit", "observation": "diff --git a/lamp.py b/lamp.py", "thought": "Done.", "state": {}},
    ],
    "history": [
        {"role": "user", "content": [{"type": "text", "text": "<pr_description>\nDark lamp\n</pr_description>"}]}
    ],
    "info": {"exit_status": "submitted", "swe_agent_version": "1.0.1"},
    "replay_config": '{"agent": {"model": {"name": "some-model"}}, "env": {"deployment": {"image": "lamp:1"}}}',
}


HISTORY: dict[str, Any] = {
    "history": [
        {"role": "system", "content": "You are an engineer.", "agent": "main", "message_type": "system_prompt"},
        {"role": "user", "content": "Fix the lamp.", "agent": "main", "message_type": "observation"},
        {
            "role": "assistant",
            "content": "Two at once.",
            "agent": "main",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}},
                {"id": "c2", "type": "function", "function": {"name": "submit", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "content": [{"type": "text", "text": "lamp.py"}], "tool_call_ids": ["c1"], "agent": "main"},
    ]
}


def read(value: object, name: str = "runs/owner__lamp-1.traj") -> Session:
    (session,) = taken_by(FORMAT, value, name)
    return session
