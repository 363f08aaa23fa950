"""Failures or findings in parts (one kind, one message, one rule): how many sessions each part hit, and which."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from analyzer.audit.figures.counts import counted
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Count, Place, SessionRef


def file_link(path: str, root: str | None) -> str | None:
    """The relative address of a file from `root`, percent-encoded; None for a URL, without a root, or across drives."""
    if root is None or "://" in path:
        return None
    try:
        shown = os.path.relpath(path, root)
    except ValueError:
        return None
    return quote(shown.replace(os.sep, "/"), safe="/")


class Links:
    """Names sessions. `root` is the audit's folder or None."""

    def __init__(self, tables: Tables, root: str | None) -> None:
        self._tables = tables
        self._root = root

    def ref(self, session: str) -> SessionRef:
        """The session of this key."""
        name, path, has_page = next(
            self._tables.rows("SELECT id, path, findings > 0 FROM sessions WHERE session = ?", (session,))
        )
        return SessionRef(
            session=session, id=name, link=f"sessions/{session}.md" if has_page else file_link(path, self._root)
        )

    def place(self, session: str, lane: str, step: int) -> Place:
        """A step of the session of this key."""
        return Place(**self.ref(session).model_dump(), lane=lane, step=step)


SESSIONS = "count(DISTINCT session)"
STEPS = "count(*)"
_BY_WORK = f"{SESSIONS} DESC, {STEPS} DESC, part"
_WITH_SESSIONS = """SELECT member.*, agent, model, family, format, project, task_key, outcome, started_at,
  start('week', started_at) AS week, actions, spent_usd FROM ({}) AS member LEFT JOIN sessions USING (session)"""
_EXAMPLE = """SELECT session, lane, step FROM parts WHERE part = ?1 AND session = (
  SELECT session FROM parts WHERE part = ?1 GROUP BY session ORDER BY {}, session LIMIT 1) ORDER BY {} LIMIT 1"""


class Parts:
    """The rows that an SQL query gives, with what is counted of their sessions, as the temporary table `parts` until
    others are made.

    The query names the columns `part`, `session`, `lane`, `step`, and maybe more. Figures are SQL expressions over it.
    """

    def __init__(self, tables: Tables, members: str, values: Sequence[object] = ()) -> None:
        self._tables = tables
        tables.keep("parts", _WITH_SESSIONS.format(members), values)
        tables.rows("CREATE INDEX temp.parts_by_session ON parts (part, session)")

    def most_frequent(self, most: int, order: str = _BY_WORK) -> tuple[list[str], int]:
        """The parts with at least two sessions, those of most sessions first, at most `most`; and how many there
        are. The rows of the others are dropped."""
        query = f"SELECT part FROM parts GROUP BY part HAVING {SESSIONS} >= 2 ORDER BY {order}"
        found = [part for (part,) in self._tables.rows(query)]
        shown = json.dumps(found[:most])
        self._tables.rows("DELETE FROM parts WHERE part NOT IN (SELECT value FROM json_each(?))", (shown,))
        return found[:most], len(found)

    def figures(self, expressions: str, values: Sequence[object] = ()) -> dict[str, dict[str, Any]]:
        """What named SQL expressions come to for each part."""
        records = self._tables.records(f"SELECT part, {expressions} FROM parts GROUP BY part", values)
        return {record.pop("part"): record for record in records}

    def by_session(self, *names: str) -> Sequence[Mapping[str, Counter[str | None]]]:
        """For each of these columns how many sessions of each part have each value."""
        found: list[dict[str, Counter[str | None]]] = [defaultdict(Counter) for _ in names]
        rows = self._tables.rows(f"SELECT part, {', '.join(names)} FROM parts GROUP BY part, session")
        for part, *values in rows:
            for counts, value in zip(found, values, strict=True):
                counts[part][value] += 1
        return found

    def counts(
        self, expression: str, most: int | None = None, of: str = SESSIONS, more: str = ""
    ) -> Mapping[str, list[Count]]:
        """How often each value of an SQL expression occurs in each part, the most frequent first, at most `most`;
        `more` joins another table."""
        found: dict[str, dict[str | None, int]] = defaultdict(dict)
        for part, value, count in self._tables.rows(f"SELECT part, {expression}, {of} FROM parts {more} GROUP BY 1, 2"):
            found[part][value] = count
        return defaultdict(list, {part: counted(counts, most) for part, counts in found.items()})

    def example(self, links: Links, part: str, sessions: str = "count(*) DESC", rows: str = "lane, step") -> Place:
        """The first row of a part in an order, in its first session in an order."""
        return links.place(*next(self._tables.rows(_EXAMPLE.format(sessions, rows), (part,))))
