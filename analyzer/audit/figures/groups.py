"""The same failure in many sessions: equal fingerprints, and messages that are nearly identical."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from analyzer.audit.figures.breakdown import Weeks
from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.metrics import MEANT
from analyzer.audit.figures.parts import SESSIONS, STEPS, Links, Parts
from analyzer.audit.store.tables import Row, Tables
from analyzer.model.audit_report import AcrossGroup
from analyzer.model.words import OutcomeStatus
from analyzer.text.similarity import first_near, identifiers

_RIVALS = 200
"""Another message is compared with so many different ones of its block, the most frequent. It keeps the work linear."""
_SHOWN = 5
_NOT_THERE = re.compile(r": (?:command )?not found|No module named (\S{1,100})")
_LAST_WORD = re.compile(r"[^\s:]+$")
_LONGEST_WORD = 100


_DIFFERENT = f"""SELECT fingerprint, kind, coalesce(type, ''), coalesce(failing_tests, ''),
  coalesce(origin_function, ''), template, type FROM failures WHERE {MEANT} ORDER BY session, lane, step"""
_MEMBERS = f"""SELECT stands_for AS part, session, lane, step, origin, fingerprint
FROM failures JOIN named USING (fingerprint) WHERE {MEANT}"""
_FIGURES = f"""{SESSIONS} AS sessions, count(*) AS steps, count(DISTINCT fingerprint) AS fingerprints,
  min(started_at) AS first_seen, max(started_at) AS last_seen,
  count(DISTINCT CASE WHEN outcome = '{OutcomeStatus.SUCCEEDED}' THEN session END) AS success,
  count(DISTINCT CASE WHEN outcome <> '{OutcomeStatus.UNKNOWN}' THEN session END) AS success_of"""


def across(
    tables: Tables, links: Links, most: int, weeks: Weeks, advice: Mapping[tuple[str, str], str]
) -> tuple[list[AcrossGroup], int]:
    """The failures that hit at least two sessions, those with most sessions first, at most `most`; and how many there
    are. Reproductions that are meant to fail don't count.

    `advice` has what to change for kinds and types of failures.
    """
    different = known(tables)
    tables.keep_pairs("named", ("fingerprint", "stands_for"), merged(different).items())
    parts = Parts(tables, _MEMBERS)
    shown, found = parts.most_frequent(most)
    figures = parts.figures(_FIGURES)
    families, agents, models, formats, by_week = parts.by_session("family", "agent", "model", "format", "week")
    origins = parts.counts("origin", 1, of=STEPS)
    groups = []
    for group in shown:
        kind, label, _, _, template, name = different[group]
        made = AcrossGroup(
            **figures[group],
            fingerprint=group,
            kind=kind,
            type=name,
            template=template,
            families=counted(families[group], _SHOWN),
            agents=counted(agents[group], _SHOWN),
            models=counted(models[group], _SHOWN),
            formats=counted(formats[group], _SHOWN),
            origin=next((entry.value for entry in origins[group]), "unknown"),
            weeks=weeks.of(by_week[group]),
            advice=advice.get((kind, label)),
            example=parts.example(links, group),
        )
        groups.append(made)
    return groups, found


def known(tables: Tables) -> dict[str, Row]:
    """Of every fingerprint what its first failure says; the most frequent fingerprint first."""
    counts: Counter[str] = Counter()
    found: dict[str, Row] = {}
    for fingerprint, *first in tables.rows(_DIFFERENT):
        counts[fingerprint] += 1
        if fingerprint not in found:
            found[fingerprint] = tuple(first)
    return {name: found[name] for name in sorted(found, key=lambda name: (-counts[name], found[name][4]))}


def merged(different: Mapping[str, Row]) -> dict[str, str]:
    """For every fingerprint the one that stands for its group.

    Fingerprints are put together where kind, type, failing tests, the function that is to blame and the names in the
    message are equal and the messages nearly identical (`analyzer.text.similarity`). The most frequent one stands for
    the group. Of a fingerprint with several wordings the first is taken.
    """
    names: dict[tuple[object, ...], list[str]] = defaultdict(list)
    texts: dict[tuple[object, ...], list[str]] = defaultdict(list)
    same: dict[Row, str] = {}
    found = {}
    for fingerprint, (*equal, template, _) in different.items():
        first = (*equal, template)
        if first not in same:
            block = (*equal, *identifiers(template), *_missing(template))
            position = first_near(texts[block], template)
            same[first] = fingerprint if position is None else names[block][position]
            if position is None and len(texts[block]) < _RIVALS:
                texts[block].append(template)
                names[block].append(fingerprint)
        found[fingerprint] = same[first]
    return found


def _missing(template: str) -> list[str]:
    """The program or module that a message says isn't there: plain words, which aren't among its names."""
    found = []
    for match in _NOT_THERE.finditer(template):
        before = _LAST_WORD.search(template[max(0, match.start() - _LONGEST_WORD) : match.start()])
        word = match[1] or (before[0] if before else "")
        if word:
            found.append(word)
    return found
