"""Definitions of tools, in the forms in which records hold them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.export.chat import document as chat_of
from analyzer.export.own import records
from analyzer.formats.loading.load import load_bytes
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.model.definition import Parameter
from tests.tables import table

SCHEMA = {
    "type": "object",
    "properties": {"zone": {"type": "string"}, "minutes": {"type": ["integer", "null"], "enum": [5, 10]}},
    "required": ["zone"],
}
GEMINI = {
    "type": "OBJECT",
    "properties": {"zone": {"type": "STRING"}, "minutes": {"type": "INTEGER", "nullable": True, "enum": [5, 10]}},
    "required": ["zone"],
}
PARAMETERS = (Parameter("zone", ("string",), True), Parameter("minutes", ("integer", "null"), False, (5, 10)))
AS_TEXT = json.dumps([{"name": "water", "parameters": SCHEMA}])
LISTED = [
    {"name": "zone", "type": "str", "required": True},
    {"name": "minutes", "type": ["int", "null"], "required": False, "enum": [5, 10]},
]
FORMS: list[tuple[str, Any, str]] = [
    (
        "chat completions",
        {"tools": [{"type": "function", "function": {"name": "water", "parameters": SCHEMA}}]},
        "tools[0].function",
    ),
    ("responses", {"tools": [{"type": "function", "name": "water", "parameters": SCHEMA}]}, "tools[0]"),
    ("messages", {"request": {"tools": [{"name": "water", "input_schema": SCHEMA}]}}, "request.tools[0]"),
    (
        "function declarations",
        {"tools": [{"functionDeclarations": [{"name": "water", "parameters": GEMINI}]}]},
        "tools[0].functionDeclarations[0]",
    ),
    ("MCP", {"result": {"tools": [{"name": "water", "inputSchema": SCHEMA}]}}, "result.tools[0]"),
    ("as text", {"input": json.dumps({"tools": [{"name": "water", "parameters": SCHEMA}]})}, "input.tools[0]"),
    (
        "attribute of a span",
        {"attributes": [{"key": "gen_ai.tool.definitions", "value": {"stringValue": AS_TEXT}}]},
        "attributes[0][0]",
    ),
    ("list of arguments", {"functions": [{"name": "water", "args": LISTED}]}, "functions[0]"),
]


@pytest.mark.parametrize(("value", "place"), [form[1:] for form in FORMS], ids=[form[0] for form in FORMS])
def test_a_definition_is_known_by_its_shape(value: Any, place: str) -> None:
    (found,) = definitions_in(value)
    assert (found.name, found.parameters, found.place) == ("water", PARAMETERS, place)


@table("calls_names_and_descriptions_are_none")
def test_calls_names_and_descriptions_are_none(value: Any) -> None:
    assert definitions_in(value) == []


def test_of_a_name_that_is_defined_in_two_ways_nothing_is_known() -> None:
    one, other = {"name": "water", "parameters": SCHEMA}, {"name": "water", "parameters": {"type": "object"}}
    assert agreed(definitions_in([one, {"tools": [one]}]))[0].parameters == PARAMETERS
    assert agreed(definitions_in([one, other])) == ()


def test_a_chat_has_its_own_definitions() -> None:
    messages = [{"role": "user", "content": "Water it."}, {"role": "assistant", "content": "Done."}]
    talks = [{"messages": messages, "tools": [{"name": "water", "input_schema": SCHEMA}]}, {"messages": messages}]
    first, second = load_bytes(json.dumps(talks).encode(), "talks.json").sessions
    assert [entry.name for entry in first.definitions] == ["water"]
    assert second.definitions == ()


def test_definitions_come_back_from_what_is_written() -> None:
    run = {"session": {"tools": [{"name": "water", "parameters": SCHEMA}]}, "actions": [{"tool": "water"}]}
    (read,) = load_bytes(json.dumps(run).encode(), "run.json").sessions
    assert read.warnings == []
    assert read.definitions[0].parameters == PARAMETERS
    lines = "\n".join(json.dumps(record) for record in records(read))
    for written in (lines, json.dumps(chat_of(read))):
        (again,) = load_bytes(written.encode(), "run.jsonl").sessions
        assert again.definitions[0].parameters == PARAMETERS
