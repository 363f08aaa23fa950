"""Small counters that look at nothing but the raw file, for frameworks, tracing services and what others write about
agents."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from tests.formats.raw_counts import Counts, Json, json_lines


def whole(path: Path) -> Any:
    """The one JSON value of a file."""
    return json.loads(path.read_text(encoding="utf-8"))


def within(value: Any) -> Iterator[Json]:
    """Every object in a value, however deep."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from within(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from within(inner)


def of_browser_use(path: Path) -> Counts:
    """Actions and results of every entry."""
    counts = Counts(tokens=None)
    for entry in whole(path)["history"]:
        actions, results = ((entry["model_output"] or {}).get("action") or [], entry["result"])
        counts.calls += len(actions) if isinstance(actions, list) else 1
        listed = results if isinstance(results, list) else [results]
        counts.results = (counts.results or 0) + len(listed)
        counts.errors = (counts.errors or 0) + sum(bool(result.get("error")) for result in listed)
    return counts


def of_dsh(path: Path) -> Counts:
    """Calls as they were made, results, and what the model was sent."""
    counts = Counts()
    for record in json_lines(path):
        data = record.get("data") or {}
        counts.calls += record["type"] == "tool/call"
        counts.results = (counts.results or 0) + (record["type"] == "tool/result")
        counts.errors = (counts.errors or 0) + (data.get("isError") is True)
        if record["type"] == "assistant/message":
            used = data.get("usage") or {}
            counts.tokens = (counts.tokens or 0) + used.get("inputTokens", 0) + used.get("cacheReadTokens", 0)
    return counts


def of_entire_compact(path: Path) -> Counts:
    """Blocks of calls, and the results within them."""
    blocks = [part for line in json_lines(path) for part in line["content"] if part.get("type") == "tool_use"]
    results = [block["result"] for block in blocks if block.get("result") is not None]
    return Counts(len(blocks), len(results), sum(result.get("status") == "error" for result in results), None)


def of_google_adk(path: Path) -> Counts:
    """Objects under the keys of calls and of responses; a session's logs of single requests repeat its events."""
    value = whole(path)
    found = list(within(value.get("events", value)))
    uses = sum(len(entry["tool_uses"]) for entry in found if isinstance(entry.get("tool_uses"), list))
    calls = sum(bool(entry.get("function_call")) for entry in found) + uses
    return Counts(calls, sum(bool(entry.get("function_response")) for entry in found), None, None)


def of_langfuse(path: Path) -> Counts | None:
    """Observations of tools; None for a trace that tells of its calls in spans or in messages alone."""
    observations = whole(path)["observations"]
    generations = {entry["id"]: entry for entry in observations if entry["type"] == "GENERATION"}
    tools = sum(entry["type"] == "TOOL" for entry in observations)
    around = any(entry["parentObservationId"] in generations for entry in generations.values())
    used = (entry.get("usageDetails") or {} for entry in generations.values())
    return Counts(tools, None, 0, None if around else sum(entry.get("input", 0) for entry in used)) if tools else None


def of_langgraph(path: Path) -> Counts:
    """Messages of all states, each once by its id."""

    def arguments(_code: int, data: memoryview) -> Any:
        return msgspec.msgpack.decode(bytes(data), ext_hook=arguments)

    messages: dict[str, Json] = {}
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    for (state,) in connection.execute("SELECT checkpoint FROM checkpoints"):
        held = msgspec.msgpack.decode(state, ext_hook=arguments)["channel_values"].get("messages") or []
        messages |= {str(message[2]["id"]): message[2] for message in held}
    connection.close()
    return Counts(
        sum(len(message.get("tool_calls") or []) for message in messages.values()),
        sum(message["type"] == "tool" for message in messages.values()),
        sum(message.get("status") == "error" for message in messages.values()),
        sum((message.get("usage_metadata") or {}).get("input_tokens", 0) for message in messages.values()),
    )


def of_langsmith(path: Path) -> Counts:
    """Calls that the models' answers ask for."""
    calls = 0
    for run in json_lines(path):
        outputs = run.get("outputs") or {}
        for generation in outputs.get("generations") or []:
            calls += len(generation["message"]["kwargs"].get("tool_calls") or [])
    return Counts(calls, None, 0, None)


def of_moatless(path: Path) -> Counts:
    """Actions and observations of the nodes."""
    nodes = whole(path)["nodes"]
    return Counts(sum("action" in node for node in nodes), sum("observation" in node for node in nodes), 0, None)


def of_specstory(path: Path) -> Counts:
    """Blocks of calls, and those that end in a fence, or are a command without any and have the agent speak later."""
    text = path.read_text(encoding="utf-8")
    calls = re.findall(r"^<tool-use data-tool-type=", text, re.MULTILINE)
    results = re.findall(r"^```\n</details></tool-use>$", text, re.MULTILINE)
    shells = re.finditer(r'^<tool-use data-tool-type="shell".*?</tool-use>$', text, re.MULTILINE | re.DOTALL)
    silent = [one for one in shells if "```" not in one.group() and "\n_**Agent" in text[one.end() :]]
    return Counts(len(calls), len(results) + len(silent), 0, None)


FRAMEWORK_COUNTERS: dict[str, Callable[[Path], Counts | None]] = {
    "browser-use": of_browser_use,
    "dsh": of_dsh,
    "entire-compact": of_entire_compact,
    "google-adk": of_google_adk,
    "langfuse": of_langfuse,
    "langgraph-checkpoints": of_langgraph,
    "langsmith": of_langsmith,
    "moatless": of_moatless,
    "specstory": of_specstory,
}
"""The counters by the names of the formats."""
