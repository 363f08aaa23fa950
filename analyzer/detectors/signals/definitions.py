"""Definitions of tools held against the calls: what a call and its answer show of an argument, beside what the
definition says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from analyzer.detectors.engine.facts import Facts
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.model.definition import ToolDefinition
from analyzer.model.session import Message
from analyzer.text.expressions import compiled

_SEPARATOR = compiled(r"__|::|[./:]")
_LONGEST = 100_000
_MOST_ACTIONS = 400


class Definitions:
    """The definitions that a lane's record holds, by tool."""

    def __init__(self, facts: Facts, lane: str, told: Sequence[ToolDefinition] | None = None) -> None:
        # Of equal ones those in the session itself come first: their place is the same in every format.
        told = told_by_prompts(facts) if told is None else told
        found = agreed((*told, *_listed(facts, lane), *facts.timeline.session.definitions))
        self._by_name = {entry.name: entry for entry in found}

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def names(self) -> list[str]:
        """The names of the tools that are defined."""
        return list(self._by_name)

    def of(self, tool: str) -> ToolDefinition | None:
        """The definition of a tool; where only the end of the name is the same, the one whose name ends so."""
        exact = self._by_name.get(tool)
        if exact is not None:
            return exact
        alike = [entry for name, entry in self._by_name.items() if _same(name, tool)]
        return alike[0] if len(alike) == 1 else None


def _same(defined: str, tool: str) -> bool:
    wanted, given = _SEPARATOR.split(defined.casefold()), _SEPARATOR.split(tool.casefold())
    count = min(len(wanted), len(given))
    return wanted[-count:] == given[-count:]


def told_by_prompts(facts: Facts) -> list[ToolDefinition]:
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
