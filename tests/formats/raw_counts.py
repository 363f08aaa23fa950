"""Small counters that look at nothing but the raw file: calls, results, errors and tokens, per format."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]


@dataclass
class Counts:
    """What a file holds; `None` where the counter doesn't look."""

    calls: int = 0
    results: int | None = 0
    errors: int | None = 0
    tokens: int | None = 0
    sessions: int | None = None


def json_lines(path: Path) -> Iterator[Json]:
    """The objects of a file of JSON lines, whatever else stands there."""
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def printed(path: Path) -> Iterator[Json]:
    """The objects that a program's log holds over several lines, each from the beginning of one."""
    text, decoder, place = path.read_text(encoding="utf-8", errors="replace"), json.JSONDecoder(), 0
    while found := re.compile(r"\n[ \t]*(?=\{)").search(text, place):
        place = found.end()
        with contextlib.suppress(ValueError):
            value, place = decoder.raw_decode(text, place)
            yield value


def of_pi(path: Path) -> Counts:
    """Entries of every branch."""
    counts = Counts()
    for entry in json_lines(path):
        message = entry.get("message") or {}
        content = message.get("content")
        counts.calls += sum(block.get("type") == "toolCall" for block in content) if isinstance(content, list) else 0
        if message.get("role") == "toolResult":
            counts.results = (counts.results or 0) + 1
            counts.errors = (counts.errors or 0) + (message["isError"] is True)
        usage = message.get("usage") or {}
        counts.tokens = (counts.tokens or 0) + sum(usage.get(key, 0) for key in ("input", "cacheRead", "cacheWrite"))
    return counts


def of_cursor(path: Path) -> Counts:
    """Bubbles of every conversation that a database lists in one place."""
    counts = Counts(results=None, errors=None, tokens=None)
    if path.suffix != ".vscdb":
        return Counts(
            sum(len(re.findall(r'"type": ?"tool_use"', line)) for line in path.read_text().splitlines()),
            None,
            None,
            None,
        )
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    for table in ("ItemTable", "cursorDiskKV"):
        with contextlib.suppress(sqlite3.OperationalError):
            for (value,) in connection.execute(f"SELECT value FROM {table}"):
                counts.calls += str(value).count('"toolFormerData":{')
    connection.close()
    return counts


def of_antigravity(path: Path) -> Counts:
    """Steps of tools, which the one file at hand has of calls and without."""
    steps = [one for one in json_lines(path) if one["source"] == "MODEL" and one["type"] != "PLANNER_RESPONSE"]
    return Counts(len(steps), len(steps), sum(one["status"] == "ERROR" for one in steps), 0)


def of_droid(path: Path) -> Counts:
    """Blocks of every message."""
    contents = [record["message"]["content"] for record in json_lines(path) if record["type"] == "message"]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    made = sum(block["type"] == "tool_use" for block in blocks)
    results = [block for block in blocks if block["type"] == "tool_result"]
    return Counts(made, len(results), sum(block.get("is_error") is True for block in results), 0)


def of_crush(path: Path) -> Counts:
    """Parts of every message of every session."""
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    found = [part for (parts,) in connection.execute("SELECT parts FROM messages") for part in json.loads(parts)]
    connection.close()
    results = [part["data"] for part in found if part["type"] == "tool_result"]
    errors = sum(one["is_error"] for one in results)
    return Counts(sum(part["type"] == "tool_call" for part in found), len(results), errors, 0)


def of_kimi(path: Path) -> Counts:
    """Messages of a context, which the real files at hand are."""
    messages = list(json_lines(path))
    answers = [json.dumps(one["content"]) for one in messages if one["role"] == "tool"]
    made = sum(len(one.get("tool_calls", [])) for one in messages)
    return Counts(made, len(answers), sum("<system>ERROR" in text for text in answers), 0)


def of_kiro(path: Path) -> Counts:
    """Blocks of every record."""
    blocks = [block for record in json_lines(path) for block in record["data"].get("content", [])]
    results = [block["data"]["status"] for block in blocks if block["kind"] == "toolResult"]
    made = sum(block["kind"] == "toolUse" for block in blocks)
    return Counts(made, len(results), results.count("error"), None)


def of_qwen_code(path: Path) -> Counts:
    """Parts of every record; the real file at hand has no branches."""
    counts = Counts(errors=0, tokens=0)
    for record in json_lines(path):
        counts.calls += sum("functionCall" in part for part in record.get("message", {}).get("parts", []))
        counts.results = (counts.results or 0) + (record["type"] == "tool_result")
        counts.errors = (counts.errors or 0) + (record.get("toolCallResult", {}).get("status") == "error")
        counts.tokens = (counts.tokens or 0) + record.get("usageMetadata", {}).get("promptTokenCount", 0)
    return counts


def of_opencode(path: Path) -> Counts:
    """The last state of every part, of an export or of a stream of events."""
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("{"):
        parts = [part for message in json.loads(text)["messages"] for part in message["parts"]]
    else:
        events = (value[1]["event"] for value in map(json.loads, text.splitlines()) if value[0] == "event")
        last = {
            event["properties"]["part"]["id"]: event["properties"]["part"]
            for event in events
            if event["type"] == "message.part.updated"
        }
        parts = list(last.values())
    ended = [part["state"]["status"] for part in parts if part["type"] == "tool"]
    used = [part["tokens"] for part in parts if part["type"] == "step-finish"]
    return Counts(
        len(ended),
        ended.count("completed") + ended.count("error"),
        ended.count("error"),
        sum(one["input"] + one["cache"]["read"] + one["cache"]["write"] for one in used),
    )


def of_openclaw_trajectory(path: Path) -> Counts:
    """The different calls and results in the snapshots of all runs. A snapshot may be cut: each run also counts its
    calls by their tools, and the larger number is right."""
    calls: dict[str, str] = {}
    counted: dict[str, int] = {}
    results: dict[tuple[str, int], bool] = {}
    for record in json_lines(path):
        run, data = str(record.get("runId")), record["data"]
        counted[run] = max(counted.get(run, 0), len(data.get("toolMetas") or []))
        for message in data.get("messagesSnapshot") or []:
            content = message.get("content")
            blocks = content if isinstance(content, list) else []
            for block in blocks:
                if block["type"] == "toolCall":
                    calls.setdefault(block["id"], run)
            if message.get("role") == "toolResult":
                results[message["toolCallId"], message["timestamp"]] = message["isError"]
    shown = list(calls.values())
    made = sum(max(shown.count(run), count) for run, count in counted.items())
    return Counts(made, len(results), sum(results.values()), 0)


def of_vscode_chat(path: Path) -> Counts:
    """The calls that the model made, none of which are shown in the real files at hand; these hold no input tokens."""
    text = path.read_text(encoding="utf-8")
    made = re.findall(r'"toolCalls": ?\[([^\]]*)\]', text)
    return Counts(sum(calls.count('"name"') for calls in made), None, None, 0)


COUNTERS: dict[str, Callable[[Path], Counts]] = {
    "antigravity": of_antigravity,
    "crush": of_crush,
    "cursor": of_cursor,
    "droid": of_droid,
    "kimi": of_kimi,
    "kiro": of_kiro,
    "openclaw-trajectory": of_openclaw_trajectory,
    "opencode": of_opencode,
    "pi": of_pi,
    "qwen-code": of_qwen_code,
    "vscode-chat": of_vscode_chat,
}
"""The counter of each format."""
