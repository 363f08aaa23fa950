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


def json_lines(path: Path) -> Iterator[Json]:
    """The objects of a file of JSON lines, whatever else stands there."""
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
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


def of_vscode_chat(path: Path) -> Counts:
    """The calls that the model made, none of which are shown in the real files at hand; these hold no input tokens."""
    text = path.read_text(encoding="utf-8")
    made = re.findall(r'"toolCalls": ?\[([^\]]*)\]', text)
    return Counts(sum(calls.count('"name"') for calls in made), None, None, 0)


COUNTERS: dict[str, Callable[[Path], Counts]] = {
    "cursor": of_cursor,
    "opencode": of_opencode,
    "pi": of_pi,
    "vscode-chat": of_vscode_chat,
}
"""The counter of each format."""
