"""The same failure in many sessions: equal fingerprints, and messages that are nearly identical."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

import pandas

from analyzer.audit.figures.counts import by_index, counted_by, text_or_none
from analyzer.audit.figures.metrics import share
from analyzer.audit.figures.weekly import Weeks
from analyzer.audit.links import Links
from analyzer.model.audit_report import AcrossGroup
from analyzer.model.words import OutcomeStatus
from analyzer.text.similarity import first_near, identifiers

_RIVALS = 200
"""With so many different messages of one block, the most frequent ones, another message is compared. It keeps the work
linear."""
_SHOWN = 5
_NOT_THERE = re.compile(r": (?:command )?not found|No module named (\S{1,100})")
_LAST_WORD = re.compile(r"[^\s:]+$")
_LONGEST_WORD = 100


def across(
    failures: pandas.DataFrame,
    sessions: pandas.DataFrame,
    links: Links,
    most: int,
    weeks: Weeks,
    advice: Mapping[tuple[str, str], str],
) -> tuple[list[AcrossGroup], int]:
    """The failures that hit at least two sessions, those with most sessions first, at most `most`; and how many there
    are.

    `failures` is the table of that name without reproductions that are meant to fail; `advice` has what to change for
    kinds and types of failures.
    """
    if failures.empty:
        return [], 0
    ordered = failures.sort_values(["session", "lane", "step"], kind="stable")
    named = ordered.assign(group=ordered["fingerprint"].map(merged(ordered)))
    hits = named.groupby(["group", "session"], sort=True).size().rename("steps").reset_index()
    totals = hits.groupby("group", sort=True).agg(sessions=("session", "size"), steps=("steps", "sum"))
    totals = (
        totals[totals["sessions"] >= 2]
        .reset_index()
        .sort_values(["sessions", "steps", "group"], ascending=[False, False, True])
    )
    shown = list(totals["group"].head(most))
    chosen = named[named["group"].isin(shown)], hits[hits["group"].isin(shown)]
    return _described(shown, *chosen, sessions, links, weeks, advice), len(totals)


def merged(failures: pandas.DataFrame) -> dict[str, str]:
    """For every fingerprint the one that stands for its group.

    Fingerprints are put together where kind, type, failing tests, the function that is to blame and the names in the
    message are equal and the messages nearly identical (`analyzer.text.similarity`). The most frequent one stands for
    the group. Of a fingerprint with several wordings the first is taken.
    """
    parts = ["kind", "type", "failing_tests", "origin_function"]
    counts = failures.groupby("fingerprint", sort=True).size()
    first = failures.drop_duplicates("fingerprint").set_index("fingerprint")
    known = (
        first[[*parts, "template"]]
        .fillna("")
        .assign(count=counts)
        .sort_values(["count", "template"], ascending=[False, True], kind="stable")
    )
    return dict(_merge((str(row[0]), tuple(row[1:5]), str(row[5])) for row in known.itertuples(name=None)))


def _merge(messages: Iterable[tuple[str, tuple[str, ...], str]]) -> Iterable[tuple[str, str]]:
    names: dict[tuple[object, ...], list[str]] = defaultdict(list)
    texts: dict[tuple[object, ...], list[str]] = defaultdict(list)
    same: dict[tuple[object, ...], str] = {}
    for fingerprint, parts, template in messages:
        equal = (*parts, template)
        if equal in same:
            yield fingerprint, same[equal]
            continue
        block = (*parts, *identifiers(template), *_missing(template))
        position = first_near(texts[block], template)
        if position is None:
            group = fingerprint
            if len(texts[block]) < _RIVALS:
                texts[block].append(template)
                names[block].append(fingerprint)
        else:
            group = names[block][position]
        same[equal] = group
        yield fingerprint, group


def _missing(template: str) -> list[str]:
    """The program or module that a message says isn't there: plain words, which the names in a message don't
    include."""
    found = []
    for match in _NOT_THERE.finditer(template):
        before = _LAST_WORD.search(template[max(0, match.start() - _LONGEST_WORD) : match.start()])
        word = match[1] or (before[0] if before else "")
        if word:
            found.append(word)
    return found


def _described(
    shown: list[str],
    failures: pandas.DataFrame,
    hits: pandas.DataFrame,
    sessions: pandas.DataFrame,
    links: Links,
    weeks: Weeks,
    advice: Mapping[tuple[str, str], str],
) -> list[AcrossGroup]:
    """The groups of these names, in this order. `hits` has a row per group and session."""
    columns = ["session", "family", "agent", "model", "format", "outcome", "started_at"]
    hit = hits.merge(sessions[columns], on="session", how="left")
    hit = hit.assign(
        known=hit["outcome"] != OutcomeStatus.UNKNOWN.value, good=hit["outcome"] == OutcomeStatus.SUCCEEDED.value
    )
    sums = hit.groupby("group").agg(
        sessions=("session", "size"), steps=("steps", "sum"), known=("known", "sum"), good=("good", "sum")
    )
    dated = hit.dropna(subset=["started_at"]).groupby("group")["started_at"].agg(["min", "max"])
    seen = {group: (first, last) for group, first, last in dated.itertuples(name=None)}
    by = {column: counted_by(hit, "group", column, _SHOWN) for column in ("family", "agent", "model", "format")}
    origins = counted_by(failures, "group", "origin", 1)
    variants = failures.groupby("group")["fingerprint"].nunique()
    heads = failures[failures["fingerprint"] == failures["group"]].drop_duplicates("group").set_index("group")
    most = hits.sort_values(["group", "steps", "session"], ascending=[True, False, True]).drop_duplicates("group")[
        ["group", "session"]
    ]
    places = (
        failures.merge(most, on=["group", "session"])
        .sort_values(["lane", "step"], kind="stable")
        .drop_duplicates("group")
        .set_index("group")
    )
    whose = {str(group): list(part) for group, part in hit.groupby("group")["session"]}
    counts, first_of, at = by_index(sums), by_index(heads), by_index(places)
    made = []
    for group in shown:
        count, head, place = counts[group], first_of[group], at[group]
        first, last = seen.get(group, (None, None))
        made.append(
            AcrossGroup(
                fingerprint=group,
                fingerprints=int(variants[group]),
                kind=str(head["kind"]),
                type=text_or_none(head["type"]),
                template=str(head["template"]),
                sessions=count["sessions"],
                steps=count["steps"],
                families=by["family"].get(group, []),
                agents=by["agent"].get(group, []),
                models=by["model"].get(group, []),
                formats=by["format"].get(group, []),
                origin=origins[group][0].value if group in origins else "unknown",
                success=share(count["good"], count["known"]),
                first_seen=first,
                last_seen=last,
                weeks=weeks.of(whose.get(group, ())),
                advice=advice.get((str(head["kind"]), text_or_none(head["type"]) or "")),
                example=links.place(place["session"], place["lane"], place["step"]),
            )
        )
    return made
