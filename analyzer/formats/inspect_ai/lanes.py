"""Which lane an event of an Inspect log belongs to.

Spans nest: solvers, agents, tools, subtasks, branches. The agent that a solver runs is the main one; an agent below
another agent or inside a tool has a lane of its own, as have a tool's own model calls, subtasks and branches.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.formats.record.fields import str_or_none, unused_name
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE

_ASIDE = frozenset({"tool", "subtask", "fork", "branch"})
_OUTER = _ASIDE | {"agent"}
"""Kinds of spans within which an agent isn't the main one."""
_SCORING = frozenset({"scorers", "scorer"})


class SpanInfo(Struct):
    """One span: what it's of, and where its own content begins (a branch first replays what came before it)."""

    id: str
    parent: str | None
    type: str
    name: str
    apart: bool = False
    begins: int = 0


class Lanes:
    """The spans of one sample and the lanes that follow from them."""

    def __init__(self, events: Iterable[tuple[int, dict[str, Any]]]) -> None:
        self.spans: dict[str, SpanInfo] = {}
        self._lanes: dict[str, str] = {}
        self._names: set[str] = {MAIN_LANE}
        running: str | None = None
        for index, event in events:
            kind, span_id = event.get("event"), str_or_none(event.get("id"))
            if kind == "span_begin" and span_id and span_id not in self.spans:
                parent, sort, name = (str_or_none(event.get(key)) for key in ("parent_id", "type", "name"))
                span = SpanInfo(span_id, parent, sort or "", name or "")
                if span.type == "agent" and not any(above.type in _OUTER for above in self._around(parent)):
                    # Agents that a solver runs one after the other are the main one; beside it there's no second.
                    span.apart = running is not None
                    running = running or span_id
                self.spans[span_id] = span
            elif kind == "span_end" and span_id and span_id == running:
                running = None
            elif kind == "branch" and (around := self.spans.get(str_or_none(event.get("span_id")) or "")):
                around.begins = index

    def of(self, index: int, event: dict[str, Any]) -> str | None:
        """Return the lane of an event; None for what isn't the agent's doing: scoring, and replays at the start of a
        branch."""
        around = self._around(str_or_none(event.get("span_id")))
        if any(index < span.begins or span.type in _SCORING for span in around):
            return None
        for number, span in enumerate(around):
            nested = span.type == "agent" and any(above.type in _OUTER for above in around[number + 1 :])
            if nested or span.apart or span.type in _ASIDE:
                if span.id not in self._lanes:
                    self._lanes[span.id] = unused_name(f"agent-{span.id[:8]}", self._names)
                return self._lanes[span.id]
        return MAIN_LANE

    def scores(self, event: dict[str, Any]) -> bool:
        """Whether an event belongs to the scoring."""
        return any(span.type in _SCORING for span in self._around(str_or_none(event.get("span_id"))))

    def aside(self, name: str) -> str:
        """Return a lane for events that a tool's or subtask's event holds itself."""
        return unused_name(f"agent-{name[-8:]}", self._names)

    def _around(self, span_id: str | None) -> list[SpanInfo]:
        found: dict[str, SpanInfo] = {}
        while span_id and span_id in self.spans and span_id not in found:
            found[span_id] = self.spans[span_id]
            span_id = found[span_id].parent
        return list(found.values())
