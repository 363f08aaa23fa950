"""The same figures for parts of the sessions: by agent, model, task family and format, and by version over time."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.metrics import ABLE, GOOD, KNOWN, RECORDED, TOKENS, WORKING_TIME, median, share
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_report import Breakdown, GroupRow

FEW = 10
"""A group with fewer sessions is too small to say much."""
_MOST = 200
_Property = Literal["agent", "model", "family", "format"]
_PROPERTIES: tuple[_Property, ...] = ("agent", "model", "family", "format")
_FIGURES = f"""SELECT agent, agent_version, {", ".join(_PROPERTIES)},
  CASE WHEN {ABLE} THEN actions END, loop_actions, {WORKING_TIME}, {TOKENS}, started_at, about,
  {KNOWN}, {GOOD}, {RECORDED} AND {KNOWN}, {RECORDED} AND {GOOD}, {ABLE}, loops > 0 FROM sessions"""


def breakdowns(tables: Tables) -> list[Breakdown]:
    """One breakdown per property with at least two values, then one per agent of which at least two versions are
    recorded."""
    groups: dict[str, dict[str | None, _Group]] = {by: {} for by in _PROPERTIES}
    versions: dict[str, dict[str | None, _Group]] = {}
    for agent, version, *values in tables.rows(_FIGURES):
        properties, facts = values[: len(_PROPERTIES)], values[len(_PROPERTIES) :]
        kinds = [(groups[by], value) for by, value in zip(_PROPERTIES, properties, strict=True)]
        if agent is not None and version is not None:
            kinds.append((versions.setdefault(agent, {}), version))
        for kind, value in kinds:
            if value not in kind:
                kind[value] = _Group()
            kind[value].add(*facts)
    return [*_by_property(groups), *_by_version(versions)]


def _by_property(groups: Mapping[str, Mapping[str | None, _Group]]) -> Iterator[Breakdown]:
    for by in _PROPERTIES:
        rows = _rows(groups[by])
        known = [row for row in rows if row.value is not None]
        if len(known) < 2:
            continue
        kept = known[:_MOST] + [row for row in rows if row.value is None]
        yield Breakdown(by=by, rows=kept, values=len(known))


def _by_version(versions: Mapping[str, Mapping[str | None, _Group]]) -> Iterator[Breakdown]:
    for agent in sorted(versions):
        rows = _rows(versions[agent])
        if len(rows) < 2:
            continue
        # Versions that no dated session has come last, in their natural order.
        rows.sort(key=lambda row: (row.first is None, row.first or "", _natural(row.value or "")))
        yield Breakdown(by="version", of=agent, rows=rows[:_MOST], values=len(rows))


class _Group:
    """The figures of the sessions that have one value in common."""

    __slots__ = ("about", "acts", "circling", "counts", "first", "last", "seconds", "sessions", "tokens")

    def __init__(self) -> None:
        self.sessions = self.circling = 0
        self.counts = [0] * 6
        """With a known outcome, of these successes, with a recorded one, of these successes, that can show a loop, with
        a loop."""
        self.acts, self.seconds, self.tokens = array("d"), array("d"), array("d")
        self.first: str | None = None
        self.last: str | None = None
        self.about: Counter[str] = Counter()

    def add(
        self,
        acts: int | None,
        circling: int,
        seconds: float | None,
        tokens: float | None,
        started: str | None,
        about: str | None,
        *counts: int,
    ) -> None:
        """Count a session."""
        self.sessions += 1
        self.circling += circling
        self.counts = [count + more for count, more in zip(self.counts, counts, strict=True)]
        for values, value in ((self.acts, acts), (self.seconds, seconds), (self.tokens, tokens)):
            if value is not None:
                values.append(value)
        if started is not None:
            self.first = started if self.first is None else min(self.first, started)
            self.last = started if self.last is None else max(self.last, started)
        if about is not None:
            self.about[about] += 1

    def row(self, value: str | None) -> GroupRow:
        """The figures."""
        known, good, by_log, good_by_log, able, looping = self.counts
        findings, acts = counted(self.about, 1), sum(self.acts)
        return GroupRow(
            value=value,
            sessions=self.sessions,
            few=self.sessions < FEW,
            success=share(good, known),
            success_recorded=share(good_by_log, by_log),
            success_judged=share(good - good_by_log, known - by_log),
            loop_rate=share(looping, able),
            actions=_middle(self.acts),
            seconds=_middle(self.seconds),
            tokens=_middle(self.tokens),
            loop_share=round(min(1.0, self.circling / acts), 4) if acts else None,
            first=self.first,
            last=self.last,
            finding=findings[0].value if findings else None,
            finding_sessions=findings[0].sessions if findings else 0,
        )


def _middle(values: Iterable[float]) -> float | None:
    """The median, to three digits; None where nothing is known."""
    ordered = sorted(values)
    return round(median(ordered), 3) if ordered else None


def _rows(groups: Mapping[str | None, _Group]) -> list[GroupRow]:
    """The figures of each group."""
    rows = [group.row(value) for value, group in groups.items()]
    return sorted(rows, key=lambda row: (row.value is None, -row.sessions, row.value or ""))


def _natural(version: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", version) if part]
