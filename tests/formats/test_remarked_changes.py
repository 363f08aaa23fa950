"""A record that holds something else than its format says is remarked on, though all others are as they should be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.corpus_files import SAMPLES
from tests.formats.mutations import read_or_refuse
from tests.together import check_each

Place = tuple[str | int, ...]
NEW = "zz_new"


def parsed(name: str) -> Any:
    text = (SAMPLES / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if name.endswith(".jsonl") else json.loads(text)


def remarks(value: Any, name: str) -> list[str]:
    text = "\n".join(map(json.dumps, value)) if name.endswith(".jsonl") else json.dumps(value)
    return [warning.what for session in read_or_refuse(text.encode(), None) for warning in session.warnings]


CHANGES: dict[str, list[tuple[Place, str]]] = {
    "atif.json": [
        (("steps", 2, "observation"), "renamed"),
        (("steps", 2, "observation"), "as text"),
        (("steps", 2, "tool_calls"), "as text"),
        (("steps", 2, "tool_calls"), "inside"),
        (("steps", 2, "observation", "results"), "renamed"),
        (("steps", 2, "observation", "results"), "as text"),
        (("steps", 2, "observation", "results"), "inside"),
        (("steps", 3, "observation", "results", 0, "content"), "renamed"),
        (("steps", 2, "tool_calls", 0, "arguments"), "renamed"),
    ],
    "qwen_code.jsonl": [
        ((0, "message"), "renamed"),
        ((0, "message"), "as text"),
        ((0, "message", "parts"), "renamed"),
        ((0, "message", "parts"), "as text"),
        ((0, "message", "parts", 0, "text"), "renamed"),
        ((0, "message", "parts", 0, "text"), "inside"),
    ],
    "copilot_cli.jsonl": [
        ((3, "data", "content"), "renamed"),
        ((5, "data", "content"), "renamed"),
        ((8, "data", "result"), "renamed"),
        ((8, "data", "result"), "as text"),
    ],
}


def changed(value: Any, place: Place, how: str) -> Any:
    made = json.loads(json.dumps(value))
    *way, key = place
    node = made
    for step in way:
        node = node[step]
    held = node.pop(key)
    node[f"{key}_{NEW}" if how == "renamed" else key] = (
        held if how == "renamed" else json.dumps(held) if how == "as text" else {NEW: held}
    )
    return made


@pytest.mark.parametrize("name", list(CHANGES))
def test_a_change_is_remarked_on(name: str) -> None:
    whole = parsed(name)
    before = remarks(whole, name)

    def check(change: tuple[Place, str]) -> None:
        assert remarks(changed(whole, *change), name) != before

    check_each(CHANGES[name], check)


@pytest.mark.parametrize("name", list(CHANGES))
def test_nothing_is_remarked_on_what_is_as_it_should_be(name: str) -> None:
    assert not [what for what in remarks(parsed(name), name) if "unknown key" in what or "without" in what]


def test_a_key_of_a_step_that_says_nothing_is_no_matter() -> None:
    value = parsed("atif.json")
    value["steps"][2]["cursor"] = {"line": 3, "name": "gauge"}
    assert remarks(value, "atif.json") == remarks(parsed("atif.json"), "atif.json")
