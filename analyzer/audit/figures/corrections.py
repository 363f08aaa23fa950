"""What users had to say in more than one session, with the rule that would have prevented it."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.audit.figures.parts import SESSIONS, Parts
from analyzer.audit.links import Links
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_report import RepeatedCorrection
from analyzer.task.topics import about_the_same, topic

_RIVALS = 200
"""With so many rules, the most frequent ones, another one is compared. It keeps the work linear."""
_SHOWN = 3
_RULES = f"""SELECT rule.value FROM findings, json_each(rules) AS rule GROUP BY 1 ORDER BY {SESSIONS} DESC, 1"""
_MEMBERS = """SELECT stands_for AS part, session, lane, first_step AS step, position AS number, rule.value AS rule
FROM findings, json_each(rules) AS rule JOIN stands ON stands.rule = rule.value"""

_FIGURES = f"{SESSIONS} AS sessions, count(DISTINCT rule) AS wordings"


def repeated_corrections(tables: Tables, links: Links, most: int) -> list[RepeatedCorrection]:
    """The rules that corrections in at least two sessions call for, those of most sessions first, at most `most`.

    A correction that stands alone in its session counts as well: it is the sessions together that show it. Two rules
    are one where at least half of the words of both are in both (`analyzer.task.topics`).
    """
    tables.keep_pairs("stands", ("rule", "stands_for"), _groups(rule for (rule,) in tables.rows(_RULES)).items())
    parts = Parts(tables, _MEMBERS)
    shown, _ = parts.most_frequent(most, order=f"{SESSIONS} DESC, part")
    figures, projects = parts.figures(_FIGURES), parts.counts("project", _SHOWN)
    return [
        RepeatedCorrection(
            rule=rule,
            **figures[rule],
            projects=projects[rule],
            example=parts.example(links, rule, "min(rule <> part)", "rule <> part, number"),
        )
        for rule in shown
    ]


def _groups(rules: Iterable[str]) -> dict[str, str]:
    """For every rule, those of most sessions first, the one in whose words its group is given: the first of them."""
    chosen: dict[str, str] = {}
    rivals: list[tuple[str, frozenset[str]]] = []
    for rule in rules:
        words = topic(rule)
        found = next((other for other, theirs in rivals if about_the_same(words, theirs)), None)
        chosen[rule] = found or rule
        if found is None and len(rivals) < _RIVALS:
            rivals.append((rule, words))
    return chosen
