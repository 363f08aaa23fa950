"""Failures or findings in parts (one kind, one message, one rule): how many sessions each part hit, and which."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from analyzer.audit.figures.counts import counted
from analyzer.audit.links import Links
from analyzer.audit.store.tables import Row, Tables
from analyzer.model.audit_figures import Count, Place

SESSIONS = "count(DISTINCT session)"
STEPS = "count(*)"
_BY_WORK = f"{SESSIONS} DESC, {STEPS} DESC, part"


class Parts:
    """The rows that an SQL query gives, as the temporary table `parts` until others are made.

    The query names the columns `part`, `session`, `lane` and `step`, and may name more. All figures are SQL expressions
    over its rows, each joined with its session.
    """

    def __init__(self, tables: Tables, members: str, values: Sequence[object] = ()) -> None:
        self._tables = tables
        tables.keep("parts", members, values)
        tables.rows("CREATE INDEX temp.parts_by_session ON parts (part, session)")

    def most_frequent(self, most: int, fewest: int = 2, order: str = _BY_WORK) -> tuple[list[str], int]:
        """The parts with at least `fewest` sessions, those of most sessions first, at most `most`; and how many there
        are. The rows of the others are dropped."""
        query = f"SELECT part FROM parts GROUP BY part HAVING {SESSIONS} >= ? ORDER BY {order}"
        found = [part for (part,) in self._tables.rows(query, (fewest,))]
        self._tables.rows(
            "DELETE FROM parts WHERE part NOT IN (SELECT value FROM json_each(?))", (json.dumps(found[:most]),)
        )
        return found[:most], len(found)

    def figures(self, expressions: str, values: Sequence[object] = ()) -> dict[str, Row]:
        """What SQL expressions come to for each part."""
        query = f"SELECT part, {expressions} FROM parts LEFT JOIN sessions USING (session) GROUP BY part"
        return {part: tuple(row) for part, *row in self._tables.rows(query, values)}

    def counts(
        self, expression: str, most: int | None = None, of: str = SESSIONS, more: str = ""
    ) -> Mapping[str, list[Count]]:
        """How often each value of an SQL expression occurs in each part, the most frequent first; `more` joins another
        table."""
        found: dict[str, dict[str | None, int]] = defaultdict(dict)
        query = f"SELECT part, {expression}, {of} FROM parts LEFT JOIN sessions USING (session) {more} GROUP BY 1, 2"
        for part, value, count in self._tables.rows(query):
            found[part][value] = count
        return defaultdict(list, {part: counted(counts, most) for part, counts in found.items()})

    def weeks(self) -> Mapping[str, dict[str | None, int]]:
        """How many sessions of each part began in each week."""
        found: dict[str, dict[str | None, int]] = defaultdict(dict)
        query = f"SELECT part, week(started_at), {SESSIONS} FROM parts LEFT JOIN sessions USING (session) GROUP BY 1, 2"
        for part, week, count in self._tables.rows(query):
            found[part][week] = count
        return found

    def examples(self, links: Links, order: str = "here DESC, session, lane, step") -> dict[str, Place]:
        """The first row of each part in an order; `here` is how many rows of the part its session has."""
        query = f"""SELECT part, session, lane, step FROM (
          SELECT part, session, lane, step, row_number() OVER (PARTITION BY part ORDER BY {order}) AS place
          FROM (SELECT *, count(*) OVER (PARTITION BY part, session) AS here FROM parts)) WHERE place = 1"""
        return {part: links.place(*place) for part, *place in list(self._tables.rows(query))}
