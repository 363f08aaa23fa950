"""What the findings of all sessions have in common."""

from __future__ import annotations

import json
import re

import pandas

from analyzer.audit.figures.counts import counted
from analyzer.audit.figures.metrics import share
from analyzer.audit.figures.weekly import Weeks
from analyzer.audit.links import Links
from analyzer.model.audit_report import FindingTheme
from analyzer.model.words import Severity

_VARIES = re.compile(r"`[^`]*`|\"[^\"]*\"|\([^()]*\)|\d+(?:[.,]\d+)*")
_WEIGHTS = {severity.value: severity.rank for severity in Severity}
_FAMILIES = 3
_DATED = 20
"""Dated sessions from which on their first half can be held against their second."""
_ASKED = 1_000
"""So many of the worst findings of a kind are searched for the best example."""


def themes(findings: pandas.DataFrame, sessions: pandas.DataFrame, links: Links, weeks: Weeks) -> list[FindingTheme]:
    """One theme per detector and kind, findings of severity `info` left out, what matters most first.

    What matters is the sum of the findings' severities (low 1, medium 2, high 3).
    """
    notable = findings[findings["severity"] != Severity.INFO.value]
    if notable.empty:
        return []
    marked = notable.assign(
        weight=notable["severity"].map(_WEIGHTS).fillna(0).astype("int64"),
        lost=(notable["cost_actions"] - _seen(notable)).clip(lower=0),
    ).merge(sessions[["session", "family", "actions", "spent_usd"]], on="session", how="left")
    marked = marked.assign(lost_seconds=_part_of(marked, "cost_seconds"), lost_usd=_money(marked))
    halves = _halves(sessions)
    made = [
        (int(part["weight"].sum()), _theme(part, len(sessions), links, halves, weeks))
        for _, part in marked.groupby(["detector", "kind"], sort=True)
    ]
    return [
        theme
        for _, theme in sorted(
            made, key=lambda entry: (-entry[0], -entry[1].findings, entry[1].detector, entry[1].kind)
        )
    ]


def common_advice(values: pandas.Series) -> tuple[str | None, int, int]:
    """The piece of advice that is given most often, how many findings give it, and how many in these words; `values`
    are JSON lists of sentences, of which the first counts.

    Sentences that differ in names and numbers only are the same piece; shown is the most frequent wording, of equally
    frequent ones the first.
    """
    counts: dict[str, dict[str, int]] = {}
    for text, count in values.value_counts(sort=False).items():
        for sentence in json.loads(str(text))[:1]:
            wordings = counts.setdefault(_VARIES.sub("*", sentence), {})
            wordings[sentence] = wordings.get(sentence, 0) + int(count)
    if not counts:
        return None, 0, 0
    best = max(counts.values(), key=lambda wordings: sum(wordings.values()))
    shown = max(best, key=best.__getitem__)
    return shown, sum(best.values()), best[shown]


def _halves(sessions: pandas.DataFrame) -> tuple[set[str], set[str]] | None:
    """The dated sessions in two halves, the earlier one first; None where they are too few."""
    dated = sessions.dropna(subset=["started_at"]).sort_values(["started_at", "session"])["session"]
    middle = len(dated) // 2
    return None if len(dated) < _DATED else (set(dated.iloc[:middle]), set(dated.iloc[middle:]))


def _theme(
    part: pandas.DataFrame, total: int, links: Links, halves: tuple[set[str], set[str]] | None, weeks: Weeks
) -> FindingTheme:
    ordered = part.sort_values(
        ["weight", "cost_actions", "confidence", "session", "position"], ascending=[False, False, False, True, True]
    )
    advice, advised, worded = common_advice(ordered["advice"])
    # The example is the worst of those that were given the advice.
    head = next(
        (row for _, row in ordered.head(_ASKED).iterrows() if advice in json.loads(str(row["advice"]))), ordered.iloc[0]
    )
    once = part.drop_duplicates("session")
    category = str(head["category"])
    return FindingTheme(
        detector=str(head["detector"]),
        kind=str(head["kind"]),
        category=category,
        severity=str(ordered.iloc[0]["severity"]),
        severities={
            entry.value: entry.sessions
            for entry in sorted(counted(part["severity"]), key=lambda entry: -_WEIGHTS.get(entry.value, 0))
        },
        findings=len(part),
        sessions=share(len(once), total),
        detectable_at=float(part["detectable_at"].median()),
        actions=int(part["cost_actions"].sum()),
        lost=int(part["lost"].sum()),
        lost_seconds=_sum(part["lost_seconds"]),
        timed=int(part["lost_seconds"].notna().sum()),
        lost_usd=_sum(part["lost_usd"]),
        priced=int(part["lost_usd"].notna().sum()),
        escaped=int(part["escaped"].fillna(False).sum()) if category == "loop" else None,
        mast=_modes(part["mast"]),
        title=str(head["title"]),
        advice=advice,
        advised=advised,
        worded=worded,
        families=counted(once["family"], _FAMILIES),
        earlier=share(int(once["session"].isin(halves[0]).sum()), len(halves[0])) if halves is not None else None,
        later=share(int(once["session"].isin(halves[1]).sum()), len(halves[1])) if halves is not None else None,
        weeks=weeks.of(once["session"]),
        example=links.place(str(head["session"]), str(head["lane"]), int(head["first_step"])),
    )


def _part_of(findings: pandas.DataFrame, cost: str) -> pandas.Series:
    """What the actions took that came after a finding was detectable, as their part of what all of its actions did.
    Only of repetition is it known that it was for nothing then; other findings may hold work that counts."""
    actions = findings["cost_actions"].where((findings["cost_actions"] > 0) & findings["rounds"].notna())
    return _plain(findings[cost]) * (_plain(findings["lost"]) / _plain(actions))


def _money(findings: pandas.DataFrame) -> pandas.Series:
    """USD for those actions: what the log has for these steps, else their part of what the whole session cost."""
    actions = findings["actions"].where((findings["actions"] > 0) & findings["rounds"].notna())
    part = (_plain(findings["lost"]) / _plain(actions)).clip(upper=1.0)
    return _part_of(findings, "cost_usd").combine_first(_plain(findings["spent_usd"]) * part)


def _plain(values: pandas.Series) -> pandas.Series:
    return pandas.Series(values.to_numpy("float64", na_value=float("nan")), index=values.index)


def _sum(values: pandas.Series) -> float | None:
    known = values.dropna()
    return round(float(known.sum()), 6) if len(known) else None


def _seen(findings: pandas.DataFrame) -> pandas.Series:
    """How many of a finding's steps had been taken when it was detectable. Its cost may count fewer actions than its
    stretch has steps."""
    stretch = (findings["last_step"] - findings["first_step"] + 1).clip(lower=1)
    until = (findings["detectable_at"] - findings["first_step"] + 1).clip(lower=0)
    return (findings["cost_actions"] * (until / stretch).clip(upper=1.0).astype("float64")).round().astype("int64")


def _modes(values: pandas.Series) -> list[str]:
    """The failure modes that at least half of the findings belong to."""
    counts: dict[str, int] = {}
    for text, count in values.value_counts().items():
        for mode in json.loads(str(text)):
            counts[mode] = counts.get(mode, 0) + int(count)
    return sorted(mode for mode, count in counts.items() if 2 * count >= len(values))
