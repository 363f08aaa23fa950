"""What the findings of all sessions have in common."""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable
from datetime import date
from itertools import groupby
from statistics import median
from typing import NamedTuple

from analyzer.audit.figures.counts import counted, known_total, week_at
from analyzer.audit.figures.metrics import share
from analyzer.audit.figures.over_time import Weeks
from analyzer.audit.links import Links
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_report import FindingTheme
from analyzer.model.words import Severity

_VARIES = re.compile(r"`[^`]*`|\"[^\"]*\"|\([^()]*\)|\d+(?:[.,]\d+)*")
_WEIGHTS = {severity.value: severity.rank for severity in Severity}
_FAMILIES = 3
_DATED = 20
"""Dated sessions from which on their first half can be held against their second."""
_ASKED = 1_000
"""So many of the worst findings of a kind are searched for the best example."""
_RANKS = " ".join(f"WHEN '{name}' THEN {rank}" for name, rank in _WEIGHTS.items())
_FINDINGS = f"""SELECT f.detector, f.kind, CASE f.severity {_RANKS} ELSE 0 END AS weight, f.severity,
  f.session, f.lane, f.first_step, f.last_step, f.detectable_at, f.cost_actions, f.rounds IS NOT NULL,
  f.cost_seconds, f.cost_usd, f.escaped, f.mast, f.category, f.title, f.advice,
  s.family, s.actions, s.spent_usd, s.started_at
FROM findings f LEFT JOIN sessions s USING (session) WHERE f.severity <> '{Severity.INFO}'
ORDER BY f.detector, f.kind, weight DESC, f.cost_actions DESC, f.confidence DESC, f.session, f.position"""
_MIDDLE = "SELECT started_at, session FROM sessions WHERE started_at IS NOT NULL ORDER BY 1, 2 LIMIT 1 OFFSET ?"


class _Finding(NamedTuple):
    """A row of that query."""

    detector: str
    kind: str
    weight: int
    severity: str
    session: str
    lane: str
    first: int
    last: int
    at: int
    actions: int
    repeats: int
    seconds: float | None
    usd: float | None
    escaped: int | None
    mast: str
    category: str
    title: str
    advice: str
    family: str | None
    in_session: int | None
    spent: float | None
    started: str | None


Moment = tuple[str, str]
"""When a session began, and its key."""


def themes(tables: Tables, links: Links, weeks: Weeks) -> list[FindingTheme]:
    """One theme per detector and kind, findings of severity `info` left out, what matters most first.

    What matters is the sum of the findings' severities (low 1, medium 2, high 3).
    """
    sessions = tables.value("SELECT count(*) FROM sessions")
    halves = _Halves(tables)
    made = []
    for _, rows in groupby(tables.rows(_FINDINGS), key=lambda row: row[:2]):
        theme = _Theme(halves)
        for row in rows:
            theme.add(_Finding(*row))
        made.append((theme.weight, theme.shown(sessions, links, weeks)))
    return [
        theme
        for _, theme in sorted(
            made, key=lambda entry: (-entry[0], -entry[1].findings, entry[1].detector, entry[1].kind)
        )
    ]


class Advice:
    """The pieces of advice of many findings, JSON lists of sentences, of which the first counts.

    Sentences that differ in names and numbers only are the same piece.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._counts: dict[str, dict[str, int]] = {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Count a finding's advice."""
        for sentence in json.loads(text)[:1]:
            wordings = self._counts.setdefault(_VARIES.sub("*", sentence), {})
            wordings[sentence] = wordings.get(sentence, 0) + 1

    def common(self) -> tuple[str | None, int, int]:
        """The piece that is given most often, how many findings give it, and how many in these words; shown is the most
        frequent wording, of equally frequent ones the first."""
        if not self._counts:
            return None, 0, 0
        best = max(self._counts.values(), key=lambda wordings: sum(wordings.values()))
        shown = max(best, key=best.__getitem__)
        return shown, sum(best.values()), best[shown]


class _Halves:
    """The dated sessions in two halves; none where they are too few."""

    def __init__(self, tables: Tables) -> None:
        dated = tables.value("SELECT count(*) FROM sessions WHERE started_at IS NOT NULL")
        self.sizes = (dated // 2, dated - dated // 2) if dated >= _DATED else None
        self._middle: Moment | None = next(tables.rows(_MIDDLE, (dated // 2,)), None) if self.sizes else None

    def of(self, started: str | None, session: str) -> int | None:
        """0 for a session of the earlier half, 1 for one of the later."""
        if started is None or self._middle is None:
            return None
        return int((started, session) >= self._middle)


class _Theme:
    """What the findings of one kind have in common; they come with what matters most first."""

    def __init__(self, halves: _Halves) -> None:
        self.weight = 0
        self._halves = halves
        self._first: list[_Finding] = []
        self._findings = self._actions = self._lost = self._escaped = 0
        self._sessions: set[str] = set()
        self._families: Counter[str] = Counter()
        self._in_half = [0, 0]
        self._in_week: Counter[date | None] = Counter()
        self._severities: Counter[str] = Counter()
        self._modes: Counter[str] = Counter()
        self._detectable = array("d")
        self._seconds, self._usd = array("d"), array("d")
        self._advice = Advice()

    def add(self, row: _Finding) -> None:
        """Count a finding."""
        if len(self._first) < _ASKED:
            self._first.append(row)
        self._findings += 1
        self.weight += row.weight
        self._severities[row.severity] += 1
        self._detectable.append(row.at)
        self._actions += row.actions
        lost = max(0, row.actions - _seen(row))
        self._lost += lost
        # Only of repetition is it known that what came later was for nothing; other findings may hold work that counts.
        part = lost / row.actions if row.repeats and row.actions > 0 else None
        if part is not None and row.seconds is not None:
            self._seconds.append(row.seconds * part)
        if part is not None and row.usd is not None:
            self._usd.append(row.usd * part)
        elif row.repeats and row.in_session and row.spent is not None:
            # What the log doesn't have for these steps is their part of what the whole session cost.
            self._usd.append(row.spent * min(1.0, lost / row.in_session))
        self._escaped += bool(row.escaped)
        self._modes.update(json.loads(row.mast))
        self._advice.add(row.advice)
        if row.session in self._sessions:
            return
        self._sessions.add(row.session)
        self._in_week[week_at(row.started)] += 1
        if row.family is not None:
            self._families[row.family] += 1
        half = self._halves.of(row.started, row.session)
        if half is not None:
            self._in_half[half] += 1

    def shown(self, sessions: int, links: Links, weeks: Weeks) -> FindingTheme:
        """The theme, of so many sessions in all."""
        advice, advised, worded = self._advice.common()
        # The example is the worst of those that were given the advice.
        head = next((row for row in self._first if advice in json.loads(row.advice)), self._first[0])
        halves = self._halves.sizes
        return FindingTheme(
            detector=head.detector,
            kind=head.kind,
            category=head.category,
            severity=self._first[0].severity,
            severities={
                entry.value: entry.sessions
                for entry in sorted(counted(self._severities), key=lambda entry: -_WEIGHTS.get(entry.value, 0))
            },
            findings=self._findings,
            sessions=share(len(self._sessions), sessions),
            detectable_at=float(median(self._detectable)),
            actions=self._actions,
            lost=self._lost,
            lost_seconds=known_total(self._seconds),
            timed=len(self._seconds),
            lost_usd=known_total(self._usd),
            priced=len(self._usd),
            escaped=self._escaped if head.category == "loop" else None,
            mast=sorted(mode for mode, count in self._modes.items() if 2 * count >= self._findings),
            title=head.title,
            advice=advice,
            advised=advised,
            worded=worded,
            families=counted(self._families, _FAMILIES),
            earlier=share(self._in_half[0], halves[0]) if halves else None,
            later=share(self._in_half[1], halves[1]) if halves else None,
            weeks=weeks.of(self._in_week),
            example=links.place(head.session, head.lane, head.first),
        )


def _seen(row: _Finding) -> int:
    """How many of a finding's steps had been taken when it was detectable. Its cost may count fewer actions than its
    stretch has steps."""
    stretch = max(1, row.last - row.first + 1)
    until = max(0, row.at - row.first + 1)
    return round(row.actions * min(1.0, until / stretch))
