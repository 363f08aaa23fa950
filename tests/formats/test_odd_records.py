"""A record of an unknown kind, without what it always has, or with another type of value is remarked on by its reader;
the like of it that is sound isn't."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.formats.record.warnings import WarningLog, forms
from analyzer.model.session import Message, ToolResult
from tests.formats.corpus_files import SAMPLES
from tests.tables import table

Path = tuple[str | int, ...]
GONE = object()
"""In place of a value: the key has another name."""


def sample(file: str) -> Any:
    """The value of a sample, or the values of its lines."""
    text = (SAMPLES / file).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if file.endswith("l") else json.loads(text)


def remarks(file: str, value: Any) -> list[str]:
    """What is said of a sample with this value."""
    whole = "\n".join(map(json.dumps, value)) if file.endswith("l") else json.dumps(value)
    transcript = load_bytes(whole.encode(), file)
    return [warning.what for session in transcript.sessions for warning in session.warnings]


GROUP: Path = (0, "resourceSpans", 0)
SPAN: Path = (*GROUP, "scopeSpans", 0, "spans", 0)
ATTRIBUTE: Path = (*SPAN, "attributes", 5)
CALL: Path = ("messages", 1, "toolCalls", 0)
RESPONSE: Path = (*CALL, "result", 0, "functionResponse")
PART: Path = ("messages", 2, "parts", 1)
RESULT: Path = (5, "v", "metadata")
SHOWN: Path = (4, "v", 0)
CASES: list[tuple[str, Path, object, str]] = [
    ("otlp.jsonl", (*GROUP, "scopeSpans"), GONE, "a group of spans without 'scopeSpans'"),
    ("otlp.jsonl", (*GROUP, "scopeSpans"), {"spans": []}, "'scopeSpans' of a group of spans is a JSON dict"),
    ("otlp.jsonl", (*GROUP, "scopeSpans", 0, "spans"), GONE, "a scope without 'spans'"),
    ("otlp.jsonl", (*GROUP, "scopeSpans", 0, "spans"), "[]", "'spans' of a scope is a JSON str"),
    ("otlp.jsonl", (*SPAN, "attributes"), GONE, "a span with attributes under"),
    ("otlp.jsonl", (*SPAN, "attributes"), "[]", "'attributes' of a span is a JSON str"),
    ("otlp.jsonl", ATTRIBUTE, "x", "a JSON str where an attribute was expected"),
    ("otlp.jsonl", (*ATTRIBUTE, "key"), GONE, "an attribute without 'key'"),
    ("otlp.jsonl", (*ATTRIBUTE, "key"), ["x"], "'key' of an attribute is a JSON list"),
    ("otlp.jsonl", (*ATTRIBUTE, "value"), GONE, "an attribute without 'value'"),
    ("otlp.jsonl", (*ATTRIBUTE, "value"), "x", "'value' of an attribute is a JSON str"),
    ("otlp.jsonl", (*ATTRIBUTE, "value", "stringValue"), GONE, "unknown key 'zz' of a value"),
    ("otlp.jsonl", (*ATTRIBUTE, "value", "stringValue"), {"x": 1}, "'stringValue' of a value is a JSON dict"),
    ("gemini_cli.json", ("messages", 0, "type"), "gardener", "unknown message type 'gardener'"),
    ("gemini_cli.json", ("messages", 1, "content"), GONE, "a message without 'content'"),
    ("gemini_cli.json", ("messages", 1, "toolCalls"), GONE, "unknown key 'zz' of a message"),
    ("gemini_cli.json", ("messages", 1, "toolCalls"), {"x": 1}, "'toolCalls' of a message is a JSON dict"),
    ("gemini_cli.json", (*CALL, "status"), GONE, "a tool call without 'status'"),
    ("gemini_cli.json", (*CALL, "status"), "puzzled", "unknown status of a tool call 'puzzled'"),
    ("gemini_cli.json", (*CALL, "status"), ["success"], "'status' of a tool call is a JSON list"),
    ("gemini_cli.json", (*CALL, "args"), GONE, "a tool call without 'args'"),
    ("gemini_cli.json", ("messages", 1, "toolCalls", 0, "result"), GONE, "a tool call that succeeded without 'result'"),
    ("gemini_cli.json", (*RESPONSE, "response"), GONE, "a function's response without 'response'"),
    ("opencode.json", ("messages", 1, "info", "role"), "gardener", "message of neither the user nor the agent"),
    ("opencode.json", ("messages", 1, "parts"), GONE, "a message without 'parts'"),
    ("opencode.json", ("messages", 1, "parts"), {"x": 1}, "'parts' of a message is a JSON dict"),
    ("opencode.json", ("messages", 1, "parts", 2, "text"), GONE, "a part without 'text'"),
    ("opencode.json", ("messages", 1, "parts", 2, "type"), "song", "unknown part type 'song'"),
    ("opencode.json", (*PART, "state"), GONE, "a tool's part without 'state'"),
    ("opencode.json", (*PART, "state"), "x", "'state' of a tool's part is a JSON str"),
    ("opencode.json", (*PART, "state", "status"), GONE, "a tool's state without 'status'"),
    ("opencode.json", (*PART, "state", "status"), "puzzled", "unknown state of a tool 'puzzled'"),
    ("opencode.json", (*PART, "state", "error"), GONE, "a tool's state 'error' without 'error'"),
    ("opencode.json", (*PART, "state", "input"), GONE, "a tool's state without 'input'"),
    ("kiro.jsonl", (1, "kind"), "Song", "unknown kind of record 'Song'"),
    ("kiro.jsonl", (1, "data"), GONE, "a record without 'data'"),
    ("kiro.jsonl", (1, "data"), "x", "'data' of a record is a JSON str"),
    ("kiro.jsonl", (0, "data", "content"), GONE, "what was said without 'content'"),
    ("kiro.jsonl", (0, "data", "content", 0, "kind"), "song", "unknown content block 'song'"),
    ("kiro.jsonl", (1, "data", "content", 0, "kind"), GONE, "a content block without 'kind'"),
    ("kiro.jsonl", (1, "data", "content", 1, "data"), GONE, "a content block without 'data'"),
    ("kiro.jsonl", (1, "data", "content", 0, "data", "text"), GONE, "a thought without 'text'"),
    ("kiro.jsonl", (1, "data", "content", 2, "data", "input"), GONE, "a tool call without 'input'"),
    ("kiro.jsonl", (2, "data", "content", 0, "data", "content"), GONE, "a result without 'content'"),
    ("kiro.jsonl", (4, "data", "content", 0, "data", "content", 0, "data"), GONE, "a part of a result without 'data'"),
    ("kimi_context.jsonl", (2, "role"), "gardener", "unknown role 'gardener'"),
    ("kimi_context.jsonl", (2, "content"), GONE, "a message without 'content'"),
    ("kimi_context.jsonl", (8, "content"), {"x": 1}, "no part; skipped"),
    ("kimi_context.jsonl", (5, "content", 0, "text"), GONE, "a part without 'text'"),
    ("kimi_context.jsonl", (5, "content", 0, "type"), "song", "unknown part 'song'"),
    ("kimi_context.jsonl", (5, "tool_calls", 0, "function"), GONE, "a tool call without 'function'"),
    ("kimi_context.jsonl", (5, "tool_calls", 0, "function", "arguments"), GONE, "a tool call's function without"),
    ("kimi_wire.jsonl", (3, "message"), "x", "no record of Kimi; skipped"),
    ("kimi_wire.jsonl", (3, "message", "type"), "Song", "unknown event 'Song'"),
    ("kimi_wire.jsonl", (1, "message", "payload"), GONE, "no record of Kimi; skipped"),
    ("kimi_wire.jsonl", (1, "message", "payload", "user_input"), GONE, "a turn without 'user_input'"),
    ("kimi_wire.jsonl", (3, "message", "payload", "think"), GONE, "a thought without 'think'"),
    ("kimi_wire.jsonl", (5, "message", "payload", "function"), GONE, "a tool call without 'function'"),
    ("kimi_wire.jsonl", (8, "message", "payload", "return_value"), GONE, "a result without 'return_value'"),
    ("kimi_wire.jsonl", (9, "message", "payload", "event"), GONE, "a sub-agent's event without 'event'"),
    ("kimi_code.jsonl", (5, "type"), "song.sung", "unknown type of record 'song.sung'"),
    ("kimi_code.jsonl", (5, "event"), GONE, "a record without 'event'"),
    ("kimi_code.jsonl", (3, "message", "content"), GONE, "a message without 'content'"),
    ("kimi_code.jsonl", (3, "message", "content", 0, "text"), GONE, "a part without 'text'"),
    ("kimi_code.jsonl", (6, "event", "args"), GONE, "a tool call without 'args'"),
    ("kimi_code.jsonl", (7, "event", "result"), GONE, "a result without 'result'"),
    ("kimi_code.jsonl", (7, "event", "result"), "x", "'result' of a result is a JSON str"),
    ("vscode_chat.jsonl", (3, "v"), GONE, "unknown key 'zz' of a change"),
    ("vscode_chat.jsonl", (3, "v"), {"x": 1}, "a JSON dict where a list to append was expected"),
    ("vscode_chat.jsonl", (2, "v", 0, "message"), GONE, "a request without 'message'"),
    ("vscode_chat.jsonl", (2, "v", 0, "message", "text"), GONE, "the user's message without 'text'"),
    ("vscode_chat.jsonl", (3, "v", 0, "kind"), "song", "unknown part of an answer 'song'"),
    ("vscode_chat.jsonl", (3, "v", 1, "value"), GONE, "a part of an answer without 'value'"),
    ("vscode_chat.jsonl", (*SHOWN, "toolSpecificData"), "x", "'toolSpecificData' of a shown tool call is a JSON str"),
    ("vscode_chat.jsonl", (*SHOWN, "toolSpecificData", "kind"), GONE, "what is particular to a tool without 'kind'"),
    ("vscode_chat.jsonl", (*SHOWN, "toolSpecificData", "terminalCommandOutput", "text"), GONE, "a terminal's output"),
    ("vscode_chat.jsonl", RESULT, "x", "'metadata' of a result is a JSON str"),
    ("vscode_chat.jsonl", (*RESULT, "toolCallRounds"), {"x": 1}, "'toolCallRounds' of a result's metadata is"),
    ("vscode_chat.jsonl", (*RESULT, "toolCallRounds", 0, "toolCalls"), GONE, "a round without 'toolCalls'"),
    ("vscode_chat.jsonl", (*RESULT, "toolCallRounds", 0, "toolCalls", 0, "name"), GONE, "a tool call without 'name'"),
    ("vscode_chat.jsonl", (*RESULT, "toolCallResults", "call_2"), "x", "a JSON str where a tool's result was expected"),
    ("vscode_chat.jsonl", (*RESULT, "toolCallResults", "call_2", "content"), GONE, "a tool's result without 'content'"),
]


@pytest.mark.parametrize(
    ("file", "path", "to", "what"), CASES, ids=lambda value: str(value) if value != GONE else "gone"
)
def test_an_odd_record_is_remarked_on(file: str, path: Path, to: object, what: str) -> None:
    value = sample(file)
    node = value
    for step in path[:-1]:
        node = node[step]
    if to is GONE:
        node["zz"] = node.pop(path[-1])
    else:
        node[path[-1]] = to
    assert any(what in remark for remark in remarks(file, value)), remarks(file, value)


@pytest.mark.parametrize("file", sorted({file for file, *_ in CASES}))
def test_a_sound_sample_is_not(file: str) -> None:
    assert remarks(file, sample(file)) == []


@table("other_values_that_are_read_are_not")
def test_other_values_that_are_read_are_not(file: str, path: list[str | int], to: object) -> None:
    value = sample(file)
    node = value
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = to
    expected = ("without '", "was expected", "unknown key", "unknown st", "unknown content")
    assert not [remark for remark in remarks(file, value) if any(word in remark for word in expected)]


@table("odd_blocks_are_counted_and_kept")
def test_odd_blocks_are_counted_and_kept(
    file: str, path: list[str | int], to: object, remarked: list[str], kept: str
) -> None:
    value = sample(file)
    node = value
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = to
    whole = "\n".join(map(json.dumps, value)) if file.endswith("l") else json.dumps(value)
    (session,) = load_bytes(whole.encode(), file).sessions
    said = [event.text for event in session.events if isinstance(event, Message | ToolResult)]
    assert any(kept in text for text in said), said
    blocks = [warning for warning in session.warnings if "content block" in warning.what]
    assert [warning.what for warning in blocks] == remarked
    assert [warning.hides_actions for warning in blocks] == ["like a call" in what for what in remarked]


def test_a_form() -> None:
    may = {"tags": "words", "about": "object", "given": "given"}
    form = forms({"note": {"what": "a note", "needs": {"text": "text"}, "may": may, "others": ["id"]}})["note"]

    def said(**record: object) -> list[str]:
        log = WarningLog()
        form.check("line 1", record, log)
        return [warning.what for warning in log.warnings()]

    assert said(text="x", tags=["y"], id="a long text that is known", version=2) == []
    assert said(text=None, tags=None) == []
    assert said(tags="y") == ["a note without 'text'"]
    assert said(text=5, given=[1]) == [
        "'text' of a note is a JSON int; a text was expected",
        "'given' of a note is a JSON list; an object or a text was expected",
    ]
    assert said(text="x", body=[{"inner": "something that was said"}]) == ["unknown key 'body' of a note; ignored"]
    assert said(text="x", digest="0b7f6a1e34d54f2a", flag=True) == []
