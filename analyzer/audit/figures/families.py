"""Families of failures: what is missing, refused or broken in many sessions, whatever the message's details."""

from __future__ import annotations

import pandas

from analyzer.audit.figures.counts import counted, most_frequent, text_or_none
from analyzer.audit.figures.themes import common_advice
from analyzer.audit.links import Links
from analyzer.model.audit_figures import Count
from analyzer.model.audit_report import FailureTheme
from analyzer.model.words import FailureKind
from analyzer.text.templates import similar

_NAMES = {
    FailureKind.COMMAND_NOT_FOUND.value: (
        r"command not found: ([^\s:'\"`()]{1,60})",
        r"(?:^|[\s:'\"`(])([^\s:'\"`()]{1,60})['\"`]?(?:: (?:command )?not found| is not recognized)",
    ),
    FailureKind.MISSING_DEPENDENCY.value: (
        (
            r"(?:No module named|Cannot find (?:module|package)|cannot find module providing package|no required "
            r"module provides package)\s+['\"`]?([\w@./-]{1,80})"
        ),
    ),
}
"""How messages name what is missing; the first that finds something counts."""
_CHANGE = {
    FailureKind.COMMAND_NOT_FOUND.value: (
        "Install what the tasks need in the agent's environment, or say in its prompt which programs there are and "
        "how commands are called."
    ),
    FailureKind.MISSING_DEPENDENCY.value: (
        "Install these in the environment before the run, or allow the agent one step for it; don't let each run "
        "find out again."
    ),
    FailureKind.EDIT_REFUSED.value: (
        "Have the edit tool answer a refusal with the lines as they are now, and make a fresh read the rule before a "
        "second try."
    ),
    FailureKind.INVALID_CALL.value: (
        "Say in the tool's description what a call must look like, with an example, and answer a malformed one with "
        "the part that is wrong."
    ),
    FailureKind.NOT_FOUND.value: (
        "Show the agent what exists (the project's files, the ids that a lookup returned) before it names things, "
        "and answer a miss with the nearest match."
    ),
    FailureKind.TIMEOUT.value: (
        "Run long commands under a time limit of their own or in the background, and tell the agent the limit."
    ),
    FailureKind.NETWORK.value: (
        "Say in the prompt whether there's a network; where there is one, retry in the harness and not in the agent."
    ),
    FailureKind.PERMISSION.value: "Grant what the task needs before the run, or tell the agent what it may not do.",
    FailureKind.USAGE.value: (
        "Say in the prompt how the project's programs are called and which versions there are; looking it up before "
        "a second try costs one step."
    ),
    "ShellSyntaxError": (
        "Let the agent put longer commands into a script file; quotes and line ends in a command of one line are "
        "where they break."
    ),
}
"""What to change for types and kinds of failure whose remedy lies with those who run the agent."""
_SHOWN_NAMES = 8
_SHOWN_MESSAGES = 3


def failure_themes(
    failures: pandas.DataFrame, findings: pandas.DataFrame, links: Links, most: int
) -> tuple[list[FailureTheme], int]:
    """One theme per kind and type of failure in at least two sessions, the most frequent first, at most `most`; and how
    many there are.

    `failures` is the table of that name without reproductions that are meant to fail.
    """
    if failures.empty:
        return [], 0
    keyed = failures.assign(label=failures["type"].fillna(""))
    sizes = keyed.groupby(["kind", "label", "session"], sort=True).size().rename("steps").reset_index()
    totals = sizes.groupby(["kind", "label"], sort=True).agg(sessions=("session", "size"), steps=("steps", "sum"))
    totals = (
        totals[totals["sessions"] >= 2]
        .reset_index()
        .sort_values(["sessions", "steps", "kind", "label"], ascending=[False, False, True, True])
    )
    shown = list(zip(totals["kind"].head(most), totals["label"].head(most), strict=True))
    parts = dict(iter(keyed[keyed["label"].isin([label for _, label in shown])].groupby(["kind", "label"], sort=True)))
    advice = _advice(keyed, findings)
    return [_theme(parts[key], advice.get(key), links) for key in shown], len(totals)


def _theme(part: pandas.DataFrame, advice: str | None, links: Links) -> FailureTheme:
    head = part.iloc[0]
    kind = str(head["kind"])
    names = _named(part, kind)
    messages = [] if names else _messages(part)
    at = part.groupby("session", sort=True).size().sort_values(ascending=False, kind="stable").index[0]
    there = part[part["session"] == at].sort_values(["lane", "step"]).iloc[0]
    return FailureTheme(
        kind=kind,
        type=text_or_none(head["type"]),
        sessions=int(part["session"].nunique()),
        steps=len(part),
        names=names[:_SHOWN_NAMES],
        messages=messages[:_SHOWN_MESSAGES],
        more=max(0, len(names) - _SHOWN_NAMES) + max(0, len(messages) - _SHOWN_MESSAGES),
        origin=most_frequent(part["origin"]) or "unknown",
        advice=_CHANGE.get(str(head["label"]), _CHANGE.get(kind, advice)),
        example=links.place(str(at), str(there["lane"]), int(there["step"])),
    )


def _messages(part: pandas.DataFrame) -> list[Count]:
    """The messages, those that differ in values only as one, with the sessions that have them."""
    alike = part.assign(template=similar([str(template) for template in part["template"]]))
    return counted(alike.drop_duplicates(["template", "session"])["template"])


def _named(part: pandas.DataFrame, kind: str) -> list[Count]:
    """What the messages say is missing, with the sessions in which it is."""
    if kind not in _NAMES:
        return []
    first, *others = (part["message"].str.extract(pattern, expand=False) for pattern in _NAMES[kind])
    names = first
    for found in others:
        names = names.where(names.notna(), found)
    return counted(part.assign(name=names).drop_duplicates(["name", "session"])["name"])


def _advice(failures: pandas.DataFrame, findings: pandas.DataFrame) -> dict[tuple[str, str], str | None]:
    """For each kind and type the most frequent advice of the findings that are about such failures."""
    keys = (
        failures[["session", "lane", "failure_group", "kind", "label"]]
        .dropna(subset=["failure_group"])
        .drop_duplicates()
    )
    ordered = findings.sort_values(["session", "position"], kind="stable")[
        ["session", "lane", "failure_group", "advice"]
    ]
    about = ordered.merge(keys, on=["session", "lane", "failure_group"])
    return {
        (str(kind), str(label)): common_advice(part["advice"])[0]
        for (kind, label), part in about.groupby(["kind", "label"], sort=True)
    }
