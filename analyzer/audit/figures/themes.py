"""What the findings of all sessions have in common; and what users had to say in more than one session, with the rule
that would have prevented it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from analyzer.audit.figures.breakdown import Weeks
from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.metrics import RANKS
from analyzer.audit.figures.parts import SESSIONS, STEPS, Links, Parts
from analyzer.audit.store.tables import Row, Tables
from analyzer.model.audit_report import FindingTheme, RepeatedCorrection
from analyzer.model.words import Severity
from analyzer.task.topics import about_the_same, topic

_VARIES = re.compile(r"`[^`]*`|\"[^\"]*\"|\([^()]*\)|\d+(?:[.,]\d+)*")
_FAMILIES = 3
_DATED = 20
"""Dated sessions from which on their first half can be held against their second."""
_ASKED = 1_000
"""So many of the worst findings of a kind are searched for the best example."""
_SEEN = """rounded(cost_actions * min(1.0,
  max(0, detectable_at - first_step + 1) * 1.0 / max(1, last_step - first_step + 1)), 0)"""
"""How many of a finding's steps had been taken when it was detectable; its cost may count fewer than its stretch."""
_MEMBERS = f"""SELECT detector || '/' || kind AS part, session, lane, first_step AS step, position AS number, detector,
  kind, CASE severity {RANKS} ELSE 0 END AS weight, severity, confidence, detectable_at AS at,
  cost_actions AS inside, cost_seconds AS seconds, cost_usd AS usd, rounds IS NOT NULL AS repeats, escaped, mast,
  category, title AS says, advice, max(0, cost_actions - {_SEEN}) AS lost
FROM findings WHERE severity <> '{Severity.INFO}'"""
_WORST = """SELECT part, detector, kind, severity, category, says, advice, session, lane, step FROM parts
ORDER BY part, weight DESC, inside DESC, confidence DESC, session, number"""
_PART_LOST = "CASE WHEN repeats AND inside > 0 THEN lost * 1.0 / inside END"
"""Only of repetition is it known that what came later was for nothing; other findings may hold work that counts."""
_USD_LOST = f"""coalesce(usd * {_PART_LOST},
  CASE WHEN repeats AND actions > 0 THEN spent_usd * min(1.0, lost * 1.0 / actions) END)"""
"""What the log doesn't have for the steps is their part of what the whole session cost."""
_FIGURES = f"""sum(weight) AS weight, count(*) AS findings, {SESSIONS} AS sessions, ?5 AS sessions_of,
  median(at) AS detectable_at, sum(inside) AS actions, CAST(sum(lost) AS INTEGER) AS lost,
  rounded(exact_sum(seconds * {_PART_LOST}), 6) AS lost_seconds, count(seconds * {_PART_LOST}) AS timed,
  rounded(exact_sum({_USD_LOST}), 6) AS lost_usd, count({_USD_LOST}) AS priced,
  CASE WHEN category = 'loop' THEN sum(coalesce(escaped, 0)) END AS escaped,
  count(DISTINCT CASE WHEN (started_at, session) < (?1, ?2) THEN session END) AS earlier, ?3 AS earlier_of,
  count(DISTINCT CASE WHEN (started_at, session) >= (?1, ?2) THEN session END) AS later, ?4 AS later_of"""
_MIDDLE = "SELECT started_at, session FROM sessions WHERE started_at IS NOT NULL ORDER BY 1, 2 LIMIT 1 OFFSET ?"


def themes(tables: Tables, links: Links, weeks: Weeks) -> list[FindingTheme]:
    """One theme per detector and kind, findings of severity `info` left out, what matters most first.

    What matters is the sum of the findings' severities (low 1, medium 2, high 3).
    """
    sessions, dated = next(tables.rows("SELECT count(*), count(started_at) FROM sessions"))
    middle = next(tables.rows(_MIDDLE, (dated // 2,))) if dated >= _DATED else (None, None)
    parts = Parts(tables, _MEMBERS)
    figures = parts.figures(_FIGURES, (*middle, dated // 2, dated - dated // 2, sessions))
    severities = parts.counts("severity", of=STEPS)
    modes = parts.counts("mode.value", of=STEPS, more="JOIN json_each(mast) AS mode")
    families, by_week = parts.by_session("family", "week")
    made = []
    for part, rows in groupby(tables.rows(_WORST), key=itemgetter(0)):
        first: list[Row] = []
        advice = Advice()
        for row in rows:
            advice.add(row[6])
            first += [row] if len(first) < _ASKED else []
        shown, advised, worded = advice.common()
        # The example is the worst of those that were given the advice.
        head = next((row for row in first if shown in json.loads(row[6])), first[0])
        _, detector, kind, _, category, title, _, *place = head
        known = figures[part]
        weight = known.pop("weight")
        if dated < _DATED:
            known.update(earlier=None, later=None)
        theme = FindingTheme(
            **known,
            detector=detector,
            kind=kind,
            category=category,
            severity=first[0][3],
            severities={
                entry.value: entry.sessions
                for entry in sorted(severities[part], key=lambda entry: -Severity(entry.value).rank)
            },
            mast=sorted(entry.value for entry in modes[part] if 2 * entry.sessions >= known["findings"]),
            title=title,
            advice=shown,
            advised=advised,
            worded=worded,
            families=counted(families[part], _FAMILIES),
            weeks=weeks.of(by_week[part]),
            example=links.place(*place),
        )
        made.append((weight, theme))
    made.sort(key=lambda entry: (-entry[0], -entry[1].findings, entry[1].detector, entry[1].kind))
    return [theme for _, theme in made]


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


_RIVALS = 200
"""With so many rules, the most frequent ones, another one is compared. It keeps the work linear."""
_SHOWN = 3
_RULES = f"""SELECT rule.value FROM findings, json_each(rules) AS rule GROUP BY 1 ORDER BY {SESSIONS} DESC, 1"""
_CALLED_FOR = """SELECT stands_for AS part, session, lane, first_step AS step, position AS number, rule.value AS rule
FROM findings, json_each(rules) AS rule JOIN stands ON stands.rule = rule.value"""

_CALLS = f"{SESSIONS} AS sessions, count(DISTINCT rule) AS wordings"


def repeated_corrections(tables: Tables, links: Links, most: int) -> list[RepeatedCorrection]:
    """The rules that corrections in at least two sessions call for, those of most sessions first, at most `most`.

    A correction that stands alone in its session counts as well: it is the sessions together that show it. Two rules
    are one where at least half of the words of both are in both (`analyzer.task.topics`).
    """
    tables.keep_pairs("stands", ("rule", "stands_for"), _groups(rule for (rule,) in tables.rows(_RULES)).items())
    parts = Parts(tables, _CALLED_FOR)
    shown, _ = parts.most_frequent(most, order=f"{SESSIONS} DESC, part")
    figures, projects = parts.figures(_CALLS), parts.counts("project", _SHOWN)
    examples = {rule: parts.example(links, rule, "min(rule <> part)", "rule <> part, number") for rule in shown}
    return [
        RepeatedCorrection(rule=rule, **figures[rule], projects=projects[rule], example=examples[rule])
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
