"""The tools that a record defines: in its header, in prompts, and in listings that calls were given or got."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from analyzer.detectors.engine.facts import Facts
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.model.definition import ToolDefinition
from analyzer.model.session import Message

_LONGEST = 100_000
_MOST_ACTIONS = 400


def defined_tools(facts: Facts, lane: str) -> list[str]:
    """The names of the tools that a lane's record defines."""
    # Of equal ones those in the session itself come first: their place is the same in every format.
    found = agreed((*_told_by_prompts(facts), *_listed(facts, lane), *facts.timeline.session.definitions))
    return list(dict.fromkeys(entry.name for entry in found))


def _told_by_prompts(facts: Facts) -> list[ToolDefinition]:
    """The definitions in the prompts, which are the same for every lane."""
    return [
        definition
        for event in facts.timeline.session.events
        if isinstance(event, Message) and event.role in ("system", "harness") and '"name"' in event.text
        for definition in _told(event.text)
    ]


def _listed(facts: Facts, lane: str) -> Iterator[ToolDefinition]:
    """The definitions in the listings of tools that calls were given or got."""
    for action in list(facts.lane(lane))[:_MOST_ACTIONS]:
        if isinstance(action.arguments, Mapping):
            for key in ("tools", "functions", "tool_definitions"):
                if isinstance(action.arguments.get(key), list | Mapping):
                    yield from definitions_in({key: action.arguments[key]}, f"step {action.step}")
        result = (action.result or "").lstrip()
        if action.failure is None and result[:1] in ("{", "[") and '"tools"' in result and len(result) < _LONGEST:
            listed = _parsed(result)
            if isinstance(listed, Mapping):
                yield from definitions_in(
                    {key: listed[key] for key in ("tools", "result") if key in listed}, f"step {action.step}"
                )


def _told(text: str) -> Iterable[ToolDefinition]:
    """The definitions within a prompt."""
    decoder, place = json.JSONDecoder(), 0
    for _ in range(200):
        found = re.compile(r'[\[{]\s{0,20}(?:\{\s{0,20})?"(?:type|name|function)"').search(text, place)
        if found is None:
            return
        try:
            value, place = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            place = found.start() + 1
            continue
        yield from definitions_in({"tools": value}, "system message")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
