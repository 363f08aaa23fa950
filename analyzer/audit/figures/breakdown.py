"""The same figures for parts of the sessions: by agent, model, task family and format, and by version over time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import pandas

from analyzer.audit.figures.counts import by_index, counted, counted_by
from analyzer.audit.figures.metrics import can_show_a_loop, recorded, share, tokens, working_times
from analyzer.model.audit_report import Breakdown, GroupRow
from analyzer.model.words import OutcomeStatus

FEW = 10
"""A group with fewer sessions is too small to say much."""
_MOST = 200
_UNRECORDED = "\U0010ffff"
"""Stands for what the log doesn't say: no character, so no log holds it."""
_Property = Literal["agent", "model", "family", "format"]
_PROPERTIES: tuple[_Property, ...] = ("agent", "model", "family", "format")


def breakdowns(sessions: pandas.DataFrame) -> list[Breakdown]:
    """One breakdown per property with at least two values, then one per agent of which at least two versions are
    recorded."""
    figures = _figures(sessions)
    return [*_by_property(sessions, figures), *_by_version(sessions, figures)]


def _by_property(sessions: pandas.DataFrame, figures: pandas.DataFrame) -> Iterator[Breakdown]:
    for by in _PROPERTIES:
        rows = _rows(figures, sessions[by])
        known = [row for row in rows if row.value is not None]
        if len(known) < 2:
            continue
        kept = known[:_MOST] + [row for row in rows if row.value is None]
        yield Breakdown(by=by, rows=kept, values=len(known))


def _by_version(sessions: pandas.DataFrame, figures: pandas.DataFrame) -> Iterator[Breakdown]:
    versioned = sessions.dropna(subset=["agent", "agent_version"])
    for agent in sorted(entry.value for entry in counted(versioned["agent"])):
        part = versioned[versioned["agent"] == agent]
        rows = _rows(figures.loc[part.index], part["agent_version"])
        if len(rows) < 2:
            continue
        # Versions that no dated session has come last, in their natural order.
        rows.sort(key=lambda row: (row.first is None, row.first or "", _natural(row.value or "")))
        yield Breakdown(by="version", of=agent, rows=rows[:_MOST], values=len(rows))


def _figures(sessions: pandas.DataFrame) -> pandas.DataFrame:
    """What the figures of `analyzer.audit.figures.metrics` need of each session."""
    able, by_the_log = can_show_a_loop(sessions), recorded(sessions)
    good = sessions["outcome"] == OutcomeStatus.SUCCEEDED.value
    return pandas.DataFrame(
        {
            "known": sessions["outcome"] != OutcomeStatus.UNKNOWN.value,
            "good": good,
            "by_log": by_the_log,
            "good_by_log": good & by_the_log,
            "able": able,
            "looping": sessions["loops"] > 0,
            "acts": sessions["actions"].where(able).astype("float64"),
            "circling": sessions["loop_actions"].astype("float64"),
            "seconds": working_times(sessions),
            "tokens": tokens(sessions),
            "first": sessions["started_at"],
            "about": sessions["about"],
        }
    )


def _rows(figures: pandas.DataFrame, values: pandas.Series) -> list[GroupRow]:
    """The figures for each of the values that the sessions have, all groups at once."""
    figures = figures.assign(value=values.fillna(_UNRECORDED))
    groups = figures.groupby("value", sort=True)
    sums = groups[["known", "good", "by_log", "good_by_log", "able", "looping", "acts", "circling"]].sum()
    medians = by_index(groups[["acts", "seconds", "tokens"]].median())
    sizes, about = groups.size(), counted_by(figures, "value", "about", 1)
    dated = figures.dropna(subset=["first"]).groupby("value")["first"].agg(["min", "max"])
    seen = {value: (first, last) for value, first, last in dated.itertuples(name=None)}
    rows = []
    for value, known, good, by_log, good_by_log, able, looping, acts, circling in sums.itertuples(name=None):
        first, last = seen.get(value, (None, None))
        middle = medians[value]
        findings = about.get(value, [])
        rows.append(
            GroupRow(
                value=None if value == _UNRECORDED else str(value),
                sessions=int(sizes[value]),
                few=int(sizes[value]) < FEW,
                success=share(int(good), int(known)),
                success_recorded=share(int(good_by_log), int(by_log)),
                success_judged=share(int(good - good_by_log), int(known - by_log)),
                loop_rate=share(int(looping), int(able)),
                actions=_known(middle["acts"]),
                seconds=_known(middle["seconds"]),
                tokens=_known(middle["tokens"]),
                loop_share=round(min(1.0, circling / acts), 4) if acts else None,
                first=first,
                last=last,
                finding=findings[0].value if findings else None,
                finding_sessions=findings[0].sessions if findings else 0,
            )
        )
    return sorted(rows, key=lambda row: (row.value is None, -row.sessions, row.value or ""))


def _known(value: float) -> float | None:
    return None if pandas.isna(value) else round(float(value), 3)


def _natural(version: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", version) if part]
