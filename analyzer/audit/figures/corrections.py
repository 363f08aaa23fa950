"""What users had to say in more than one session, with the rule that would have prevented it."""

from __future__ import annotations

import json

import pandas

from analyzer.audit.figures.counts import counted, records
from analyzer.audit.links import Links
from analyzer.model.audit_report import RepeatedCorrection
from analyzer.task.topics import about_the_same, topic

_RIVALS = 200
"""With so many rules, the most frequent ones, another one is compared. It keeps the work linear."""
_SHOWN = 3


def repeated_corrections(
    findings: pandas.DataFrame, sessions: pandas.DataFrame, links: Links, most: int
) -> list[RepeatedCorrection]:
    """The rules that corrections in at least two sessions call for, those of most sessions first, at most `most`.

    A correction that stands alone in its session counts as well: it is the sessions together that show it. Two rules
    are one where at least half of the words of both are in both (`analyzer.task.topics`).
    """
    marked = findings[findings["rules"].notna()]
    rows = [
        {"session": row["session"], "lane": row["lane"], "step": row["first_step"], "rule": rule}
        for row in records(marked.sort_values(["session", "position"]))
        for rule in json.loads(str(row["rules"]))
    ]
    if not rows:
        return []
    table = pandas.DataFrame(rows)
    table["group"] = table["rule"].map(_groups(table))
    known = table.merge(sessions[["session", "project"]], on="session", how="left")
    made = []
    for rule, part in known.groupby("group", sort=True):
        once = part.drop_duplicates("session")
        if len(once) < 2:
            continue
        first = records(part[part["rule"] == rule].head(1))[0]
        made.append(
            RepeatedCorrection(
                rule=str(rule),
                sessions=len(once),
                wordings=int(part["rule"].nunique()),
                projects=counted(once["project"].dropna(), _SHOWN),
                example=links.place(str(first["session"]), str(first["lane"]), int(first["step"])),
            )
        )
    return sorted(made, key=lambda entry: (-entry.sessions, entry.rule))[:most]


def _groups(table: pandas.DataFrame) -> dict[str, str]:
    """For every rule the one in whose words its group is given: the one of most sessions."""
    counts = table.groupby("rule", sort=True)["session"].nunique().sort_values(ascending=False, kind="stable")
    chosen: dict[str, str] = {}
    rivals: list[tuple[str, frozenset[str]]] = []
    for rule in counts.index:
        words = topic(rule)
        found = next((other for other, theirs in rivals if about_the_same(words, theirs)), None)
        chosen[rule] = found or rule
        if found is None and len(rivals) < _RIVALS:
            rivals.append((rule, words))
    return chosen
