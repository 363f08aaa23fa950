"""What a mapping names that a log doesn't have."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.container.document import Document
from analyzer.formats.loading.mapping.unused import unused
from analyzer.model.mapping import LogMapping

RECORDS = [
    {"event": "begin", "tool": "dig", "with": {"depth": 2}, "at": 1.5},
    {"event": "end:ok", "tool": "dig", "said": '{"found": "roots"}', "steps": [{"cm": 4}]},
]
CALL = {"when": {"event": "begin"}, "name": "tool", "arguments": "with"}
DECLARED = {"name": "garden", "title": "gardens", "versions": "1", "nothing": "digging", "own": [{"event": True}]}


def told(mapping: dict[str, Any]) -> list[str]:
    text = "\n".join(map(json.dumps, RECORDS))
    return list(unused(LogMapping.model_validate(mapping), Document("garden.log", text)))


@pytest.mark.parametrize(
    "tables",
    [
        {"call": CALL, "result": {"when": {"event": ["end:*"]}, "text": "said.found", "failed": ["nowhere"]}},
        {"call": CALL, "log": {"time": ["on", "at"], "agent": "mole", "leaves": ["noise"]}},
        {"call": CALL, "message": [{"text": "said", "when": {"error": False, "said": "@text"}, "role": "assistant"}]},
        {
            "format": DECLARED,
            "rules": {"record": [{"when": {"tool": True}, "each": {"steps[]": "step"}}], "step": [{"time": "^at"}]},
        },
    ],
)
def test_nothing_is_told_of_keys_that_are_there(tables: dict[str, Any]) -> None:
    assert told(tables) == []


def test_keys_and_words_that_are_nowhere_are_told_with_their_places() -> None:
    mapping = {
        "log": {"time": "when"},
        "call": {**CALL, "when": {"event": ["begin", "start"]}, "arguments": "with.width"},
        "result": {"when": {"evnt": "end:ok"}, "text": ["answer", "reply"]},
    }
    assert told(mapping) == [
        "log.time: nothing has the key 'when'",
        "call.when: 'event' is nowhere 'start'",
        "call.arguments: nothing has the key 'with.width'",
        "result.when: nothing has the key 'evnt'",
        "result.text: nothing has any of the keys 'answer', 'reply'",
    ]


def test_the_rules_of_a_format_are_told_by_their_numbers() -> None:
    rules = {"record": [{"when": {"tool": True}}, {"each": {"leaves[]": "leaf"}}], "leaf": [{"session": {"id": "no"}}]}
    assert told({"format": DECLARED, "rules": rules}) == [
        "rules.record 2.each: nothing has the key 'leaves[]'",
        "rules.leaf 1.session.id: nothing has the key 'no'",
    ]
