"""Families of failures: what is missing, refused or broken in many sessions, whatever the message's details."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.metrics import MEANT
from analyzer.audit.figures.parts import SESSIONS, STEPS, Links, Parts
from analyzer.audit.figures.themes import Advice
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Count
from analyzer.model.audit_report import FailureTheme
from analyzer.model.words import FailureKind
from analyzer.text.expressions import KEPT
from analyzer.text.late import late
from analyzer.text.similarity import similar

_NAMES = {
    FailureKind.COMMAND_NOT_FOUND.value: (
        late(r"command not found: ([^\s:'\"`()]{1,60})"),
        late(r"(?:^|[\s:'\"`(])([^\s:'\"`()]{1,60})['\"`]?(?:: (?:command )?not found| is not recognized)"),
    ),
    FailureKind.MISSING_DEPENDENCY.value: (
        late(
            r"(?:No module named|Cannot find (?:module|package)|cannot find module providing package|no required "
            r"module provides package)\s+['\"`]?([\w@./-]{1,80})"
        ),
    ),
}
"""How messages name what is missing; the first that finds something counts."""
_CHANGE: dict[str, str] = KEPT.table(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""What to change for types and kinds of failure whose remedy lies with those who run the agent."""
_SHOWN_NAMES = 8
_SHOWN_MESSAGES = 3


_MEMBERS = f"""SELECT kind || '/' || coalesce(type, '') AS part, session, lane, step, kind, type, message, template,
  origin FROM failures WHERE {MEANT}"""
_MESSAGES = f"SELECT DISTINCT part, kind, session, message FROM parts WHERE kind IN {tuple(_NAMES)}"
_TEMPLATES = """SELECT part, template FROM parts WHERE part NOT IN (SELECT value FROM json_each(?))
GROUP BY 1, 2 ORDER BY 1, min(session), 2"""
_FIGURES = f"kind, min(type) AS type, {SESSIONS} AS sessions, count(*) AS steps"
_ADVICE = """SELECT DISTINCT x.kind || '/' || coalesce(x.type, ''), f.session, f.position, f.advice FROM findings f
JOIN failures x ON x.session = f.session AND x.lane = f.lane AND x.failure_group = f.failure_group
WHERE NOT coalesce(x.expected, 0) ORDER BY 1, 2, 3"""


def failure_themes(tables: Tables, links: Links, most: int) -> tuple[list[FailureTheme], int]:
    """One theme per kind and type of failure in at least two sessions, the most frequent first, at most `most`; and how
    many there are. Reproductions that are meant to fail don't count."""
    parts = Parts(tables, _MEMBERS)
    shown, found = parts.most_frequent(most)
    advice = {
        part: Advice(row[3] for row in rows).common()[0]
        for part, rows in groupby(tables.rows(_ADVICE), key=lambda row: row[0])
        if part in shown
    }
    figures, origins = parts.figures(_FIGURES), parts.counts("origin", 1, of=STEPS)
    missing = _missing(tables)
    alike = _alike(tables, parts, list(missing))
    made = []
    for part in shown:
        kind, label = figures[part]["kind"], figures[part]["type"]
        names = missing.get(part, [])
        messages = alike[part]
        theme = FailureTheme(
            **figures[part],
            names=names[:_SHOWN_NAMES],
            messages=messages[:_SHOWN_MESSAGES],
            more=max(0, len(names) - _SHOWN_NAMES) + max(0, len(messages) - _SHOWN_MESSAGES),
            origin=next((entry.value for entry in origins[part]), "unknown"),
            advice=_CHANGE.get(label, _CHANGE.get(kind, advice.get(part))),
            example=parts.example(links, part),
        )
        made.append(theme)
    return made, found


def _missing(tables: Tables) -> dict[str, list[Count]]:
    """What the messages of each part say is missing, with the sessions that miss it."""
    named: set[tuple[str, str, str]] = set()
    for part, kind, session, message in tables.rows(_MESSAGES):
        found = (pattern.search(message) for pattern in _NAMES.get(kind, ()))
        names = [match[1] for match in found if match and match[1] is not None]
        named.update((part, session, name) for name in names[:1])
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for part, _, name in named:
        counts[part][name] += 1
    return {part: counted(of_it) for part, of_it in counts.items()}


def _alike(tables: Tables, parts: Parts, named: list[str]) -> Mapping[str, list[Count]]:
    """The messages of each part but the `named`, those that differ in values only as one, with their sessions."""
    pairs = []
    for part, rows in groupby(tables.rows(_TEMPLATES, (json.dumps(named),)), key=lambda row: row[0]):
        templates = [template for _, template in rows]
        pairs += [(f"{part}/{one}", shown) for one, shown in zip(templates, similar(templates), strict=True)]
    tables.keep_pairs("alike", ("message", "shown"), pairs)
    return parts.counts("shown", more="JOIN alike ON alike.message = part || '/' || template")
