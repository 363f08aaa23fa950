"""What users had to say in more than one session, with the rule that would have prevented it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from analyzer.audit.figures.counts import counted
from analyzer.audit.links import Links
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_report import RepeatedCorrection
from analyzer.task.topics import about_the_same, topic

_RIVALS = 200
"""With so many rules, the most frequent ones, another one is compared. It keeps the work linear."""
_SHOWN = 3


_RULES = """SELECT f.session, f.lane, f.first_step, f.rules, s.project
FROM findings f LEFT JOIN sessions s USING (session) WHERE f.rules IS NOT NULL ORDER BY f.session, f.position"""


@dataclass(frozen=True, slots=True)
class _Said:
    """A rule that a correction calls for, and where."""

    session: str
    lane: str
    step: int
    rule: str
    project: str | None


def repeated_corrections(tables: Tables, links: Links, most: int) -> list[RepeatedCorrection]:
    """The rules that corrections in at least two sessions call for, those of most sessions first, at most `most`.

    A correction that stands alone in its session counts as well: it is the sessions together that show it. Two rules
    are one where at least half of the words of both are in both (`analyzer.task.topics`).
    """
    said = [
        _Said(session, lane, step, rule, project)
        for session, lane, step, rules, project in tables.rows(_RULES)
        for rule in json.loads(rules)
    ]
    groups: dict[str, list[_Said]] = defaultdict(list)
    chosen = _groups(said)
    for entry in said:
        groups[chosen[entry.rule]].append(entry)
    made = []
    for rule, part in groups.items():
        projects = {entry.session: entry.project for entry in part}
        if len(projects) < 2:
            continue
        first = next(entry for entry in part if entry.rule == rule)
        made.append(
            RepeatedCorrection(
                rule=rule,
                sessions=len(projects),
                wordings=len({entry.rule for entry in part}),
                projects=counted(Counter(projects.values()), _SHOWN),
                example=links.place(first.session, first.lane, first.step),
            )
        )
    return sorted(made, key=lambda entry: (-entry.sessions, entry.rule))[:most]


def _groups(said: Iterable[_Said]) -> dict[str, str]:
    """For every rule the one in whose words its group is given: the one of most sessions."""
    sessions: dict[str, set[str]] = defaultdict(set)
    for entry in said:
        sessions[entry.rule].add(entry.session)
    chosen: dict[str, str] = {}
    rivals: list[tuple[str, frozenset[str]]] = []
    for rule in sorted(sessions, key=lambda rule: (-len(sessions[rule]), rule)):
        words = topic(rule)
        found = next((other for other, theirs in rivals if about_the_same(words, theirs)), None)
        chosen[rule] = found or rule
        if found is None and len(rivals) < _RIVALS:
            rivals.append((rule, words))
    return chosen
