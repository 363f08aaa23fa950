"""The same failure in many sessions: equal fingerprints, and messages that are nearly identical."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import groupby
from operator import itemgetter

from analyzer.audit.figures.counts import counted, week_at
from analyzer.audit.figures.metrics import share
from analyzer.audit.figures.over_time import Weeks
from analyzer.audit.links import Links
from analyzer.audit.store.tables import Row, Tables
from analyzer.model.audit_report import AcrossGroup
from analyzer.model.words import OutcomeStatus
from analyzer.text.similarity import first_near, identifiers

_RIVALS = 200
"""With so many different messages of one block, the most frequent ones, another message is compared. It keeps the work
linear."""
_SHOWN = 5
_NOT_THERE = re.compile(r": (?:command )?not found|No module named (\S{1,100})")
_LAST_WORD = re.compile(r"[^\s:]+$")
_LONGEST_WORD = 100


_MEANT = "NOT coalesce(f.expected, 0)"
_DIFFERENT = f"""SELECT f.fingerprint, f.kind, f.type, f.failing_tests, f.origin_function, f.template FROM failures f
WHERE {_MEANT} ORDER BY f.session, f.lane, f.step"""
_STEPS = f"""SELECT f.session, f.fingerprint, f.lane, f.step, f.origin, s.family, s.agent, s.model, s.format, s.outcome,
  s.started_at FROM failures f LEFT JOIN sessions s USING (session) WHERE {_MEANT} ORDER BY f.session, f.lane, f.step"""
_BY = ("family", "agent", "model", "format")


class Known:
    """What is kept of all failures with one fingerprint: how many they are, and the first of them."""

    __slots__ = ("count", "function", "kind", "template", "tests", "type")

    def __init__(self, kind: str, name: str | None, tests: str | None, function: str | None, template: str) -> None:
        self.count = 0
        self.kind, self.type, self.tests, self.function, self.template = kind, name, tests, function, template


def across(
    tables: Tables, links: Links, most: int, weeks: Weeks, advice: Mapping[tuple[str, str], str]
) -> tuple[list[AcrossGroup], int]:
    """The failures that hit at least two sessions, those with most sessions first, at most `most`; and how many there
    are. Reproductions that are meant to fail don't count.

    `advice` has what to change for kinds and types of failures.
    """
    different = known(tables)
    named = merged(different)
    hits: dict[str, list[int]] = {}
    for _, rows in groupby(tables.rows(_STEPS), key=itemgetter(0)):
        for group, steps in Counter(named[row[1]] for row in rows).items():
            sizes = hits.setdefault(group, [0, 0])
            sizes[0] += 1
            sizes[1] += steps
    totals = sorted((-sessions, -steps, group) for group, (sessions, steps) in hits.items() if sessions >= 2)
    shown = {group: _Group() for _, _, group in totals[:most]}
    for group in named.values():
        if group in shown:
            shown[group].fingerprints += 1
    for session, rows in groupby(tables.rows(_STEPS), key=itemgetter(0)):
        parts: dict[str, list[Row]] = {}
        for row in rows:
            if named[row[1]] in shown:
                parts.setdefault(named[row[1]], []).append(row)
        for group, part in parts.items():
            shown[group].add(session, part)
    return [group.shown(name, different[name], links, weeks, advice) for name, group in shown.items()], len(totals)


def known(tables: Tables) -> dict[str, Known]:
    """Every fingerprint, with its number of failures and the first of them."""
    found: dict[str, Known] = {}
    for fingerprint, *first in tables.rows(_DIFFERENT):
        if fingerprint not in found:
            found[fingerprint] = Known(*first)
        found[fingerprint].count += 1
    return found


def merged(different: Mapping[str, Known]) -> dict[str, str]:
    """For every fingerprint the one that stands for its group.

    Fingerprints are put together where kind, type, failing tests, the function that is to blame and the names in the
    message are equal and the messages nearly identical (`analyzer.text.similarity`). The most frequent one stands for
    the group. Of a fingerprint with several wordings the first is taken.
    """
    ordered = sorted(different.items(), key=lambda entry: (-entry[1].count, entry[1].template))
    return dict(
        _merge(
            (name, (one.kind, one.type or "", one.tests or "", one.function or ""), one.template)
            for name, one in ordered
        )
    )


def _merge(messages: Iterable[tuple[str, tuple[str, ...], str]]) -> Iterable[tuple[str, str]]:
    names: dict[tuple[object, ...], list[str]] = defaultdict(list)
    texts: dict[tuple[object, ...], list[str]] = defaultdict(list)
    same: dict[tuple[object, ...], str] = {}
    for fingerprint, parts, template in messages:
        equal = (*parts, template)
        if equal in same:
            yield fingerprint, same[equal]
            continue
        block = (*parts, *identifiers(template), *_missing(template))
        position = first_near(texts[block], template)
        if position is None:
            group = fingerprint
            if len(texts[block]) < _RIVALS:
                texts[block].append(template)
                names[block].append(fingerprint)
        else:
            group = names[block][position]
        same[equal] = group
        yield fingerprint, group


def _missing(template: str) -> list[str]:
    """The program or module that a message says isn't there: plain words, which the names in a message don't
    include."""
    found = []
    for match in _NOT_THERE.finditer(template):
        before = _LAST_WORD.search(template[max(0, match.start() - _LONGEST_WORD) : match.start()])
        word = match[1] or (before[0] if before else "")
        if word:
            found.append(word)
    return found


class _Group:
    """The sessions that a failure hit; they come in the order of their keys."""

    def __init__(self) -> None:
        self.fingerprints = 0
        self._sessions = self._steps = self._known = self._good = self._most = 0
        self._by: dict[str, Counter[str | None]] = {name: Counter() for name in _BY}
        self._origins: Counter[str] = Counter()
        self._weeks: Counter[date | None] = Counter()
        self._first: str | None = None
        self._last: str | None = None
        self._at = ("", "", 0)

    def add(self, session: str, rows: list[Row]) -> None:
        """Count a session with its failures, in the order of their lanes and steps."""
        _, _, lane, step, _, *values, outcome, started = rows[0]
        self._sessions += 1
        self._steps += len(rows)
        self._known += outcome != OutcomeStatus.UNKNOWN.value
        self._good += outcome == OutcomeStatus.SUCCEEDED.value
        for counts, value in zip(self._by.values(), values, strict=True):
            counts[value] += 1
        self._origins.update(row[4] for row in rows)
        self._weeks[week_at(started)] += 1
        if started is not None:
            self._first = started if self._first is None else min(self._first, started)
            self._last = started if self._last is None else max(self._last, started)
        if len(rows) > self._most:
            self._most, self._at = len(rows), (session, lane, step)

    def shown(
        self, name: str, head: Known, links: Links, weeks: Weeks, advice: Mapping[tuple[str, str], str]
    ) -> AcrossGroup:
        """The group, of which `head` is the first failure with the fingerprint that stands for it."""
        by = {column: counted(counts, _SHOWN) for column, counts in self._by.items()}
        return AcrossGroup(
            fingerprint=name,
            fingerprints=self.fingerprints,
            kind=head.kind,
            type=head.type,
            template=head.template,
            sessions=self._sessions,
            steps=self._steps,
            families=by["family"],
            agents=by["agent"],
            models=by["model"],
            formats=by["format"],
            origin=next((entry.value for entry in counted(self._origins, 1)), "unknown"),
            success=share(self._good, self._known),
            first_seen=self._first,
            last_seen=self._last,
            weeks=weeks.of(self._weeks),
            advice=advice.get((head.kind, head.type or "")),
            example=links.place(*self._at),
        )
