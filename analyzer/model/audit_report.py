"""What an audit says of all its sessions together: the content of `report.json` and `report.md`."""

from __future__ import annotations

from typing import Literal

from analyzer.model.audit_figures import (
    AuditSpending,
    Count,
    Metrics,
    OutcomeCount,
    Overview,
    Place,
    SessionRef,
    Share,
    Week,
)
from analyzer.model.struct import Public, field

AUDIT_SCHEMA_VERSION: Literal["1.0"] = "1.0"


class AcrossGroup(Public, frozen=True, kw_only=True):
    """The same failure in several sessions."""

    fingerprint: str
    """The fingerprint that most of its failures have."""
    fingerprints: int
    """How many fingerprints were put together because their messages are nearly identical."""
    kind: str
    """What sort of failure."""
    type: str | None
    """The exception or error class."""
    template: str
    """Type and message with what varies masked."""
    sessions: int
    """Sessions that it hit."""
    steps: int
    """Steps that it failed."""
    families: list[Count]
    """The task families of those sessions."""
    agents: list[Count]
    """Their agents."""
    models: list[Count]
    """Their models."""
    formats: list[Count]
    """Their formats."""
    origin: str
    """Where most of its failures come from."""
    success: Share
    """How many of the sessions hit succeeded."""
    first_seen: str | None
    """When the first dated session that it hit began."""
    last_seen: str | None
    """When the last one began."""
    weeks: list[Week] = field(default_factory=list)
    """The sessions that it hit in each of the last weeks of the audit; empty where fewer than two have a session."""
    advice: str | None = None
    """What to change, as for its family of failures."""
    example: Place
    """Where it can be seen: the first time in the session that it hit most."""


class FindingTheme(Public, frozen=True, kw_only=True):
    """What one kind of finding has in common over all sessions."""

    detector: str
    """The detector."""
    kind: str
    """What sort of thing it is."""
    category: str
    """Its field."""
    severity: str
    """The worst severity."""
    severities: dict[str, int]
    """Findings of each severity."""
    findings: int
    """Findings, those of severity `info` left out."""
    sessions: Share
    """Sessions that have one, of all sessions."""
    detectable_at: float | None
    """The median step at which it was detectable."""
    actions: int
    """Actions inside of these findings."""
    lost: int
    """Those of them that came after the finding was detectable."""
    lost_seconds: float | None = None
    """The time of those, for the findings in which something is repeated and whose time is known."""
    timed: int = 0
    """Findings whose time is known."""
    lost_usd: float | None = None
    """The money for those, for the findings in which something is repeated and whose price is known: what the log has
    for these steps, else what the session cost, recorded or at list prices, by the share of its actions."""
    priced: int = 0
    """Findings whose price is known."""
    escaped: int | None
    """How many loops the agent got out of; null for what is no loop."""
    mast: list[str]
    """Failure modes of MAST that most of them belong to."""
    title: str
    """What one of them says, the example's."""
    advice: str | None
    """The advice that is given most often."""
    advised: int
    """Findings with this advice, names and numbers in it aside."""
    worded: int
    """Findings with exactly these words."""
    families: list[Count]
    """The task families with the most sessions of it."""
    earlier: Share | None = None
    """Sessions that have one, of the first half of the dated sessions; null where fewer than 20 are dated."""
    later: Share | None = None
    """The same, of the second half."""
    weeks: list[Week] = field(default_factory=list)
    """The same for each of the last weeks of the audit; empty where fewer than two have a session."""
    example: Place
    """Where one can be seen."""


class FailureTheme(Public, frozen=True, kw_only=True):
    """A family of failures: one kind and type."""

    kind: str
    """What sort of failure."""
    type: str | None
    """The exception or error class."""
    sessions: int
    """Sessions with one."""
    steps: int
    """Steps that failed so."""
    names: list[Count]
    """What was missing, where the message names it: modules or programs."""
    messages: list[Count]
    """The most frequent messages, masked, where there are no names; of those that differ in values only what they have
    in common, with `<*>` for the rest."""
    more: int
    """How many names or messages there are besides."""
    origin: str
    """Where most of them come from."""
    advice: str | None
    """What to change."""
    example: Place
    """Where one can be seen."""


class TrialMode(Public, frozen=True, kw_only=True):
    """A way in which failed trials differ from what their tasks expect."""

    mode: str
    """What it is, without the values."""
    trials: int
    """Failed trials that differ in this way first."""
    tasks: int
    """The tasks that these trials worked on."""
    example: Place
    """One of them."""


class RepeatedCorrection(Public, frozen=True, kw_only=True):
    """What users had to say in several sessions."""

    rule: str
    """The line for an instructions file that would have prevented it, in the words of most sessions."""
    sessions: int
    """Sessions in which it was said."""
    wordings: int
    """How many different lines were put together because they are about the same."""
    projects: list[Count]
    """The projects with most of these sessions, where the logs name one."""
    example: Place
    """One of them."""


class WorstSession(SessionRef, frozen=True, kw_only=True):
    """A session that is worth reading."""

    agent: str | None
    """The program that ran."""
    model: str | None
    """The language model."""
    family: str
    """The task's family."""
    outcome: str
    """How it ended."""
    severity: str
    """The worst finding's severity."""
    headline: str
    """The whole story in one sentence."""
    actions: int
    """Its actions."""
    loop_actions: int
    """Those inside of loops."""
    saved: int | None
    """Actions inside of its worst finding after that was detectable."""


class GroupRow(Public, frozen=True, kw_only=True):
    """The figures of one group of sessions."""

    value: str | None
    """What they have in common; null where the log doesn't say."""
    sessions: int
    """How many."""
    few: bool
    """Too few to say much."""
    success: Share
    """Of those with a known outcome."""
    success_recorded: Share
    """Of those whose end the log records."""
    success_judged: Share
    """Of those whose end is judged by what happened."""
    loop_rate: Share
    """Of those with actions."""
    actions: float | None
    """Median actions of those with actions."""
    seconds: float | None
    """Median duration, where recorded."""
    tokens: float | None
    """Median tokens, where recorded."""
    loop_share: float | None
    """Share of all actions that were spent inside of loops."""
    first: str | None
    """When the first dated session began."""
    last: str | None
    """When the last one began."""
    finding: str | None
    """The finding, as `detector/kind`, that most of its sessions are about."""
    finding_sessions: int
    """How many are."""


class Breakdown(Public, frozen=True, kw_only=True):
    """The sessions by one of their properties."""

    by: Literal["agent", "model", "family", "format", "version"]
    """The property."""
    of: str | None = None
    """The agent whose versions are meant."""
    rows: list[GroupRow]
    """The groups, the largest first; versions in the order in which they were first seen."""
    values: int
    """How many different values there are."""


class ProblemLine(Public, frozen=True, kw_only=True):
    """One thing that could not be read."""

    path: str
    """The file."""
    link: str | None
    """A relative address of it."""
    kind: str
    """What sort of problem."""
    place: str
    """Line, record or key; empty where the whole file is meant."""
    what: str
    """What was wrong."""


class Unread(Public, frozen=True, kw_only=True):
    """What is not in the figures."""

    files: int
    """Files that were looked at, all in all."""
    problems: dict[str, int]
    """Files of which something could not be read or judged, by the kind of problem; skipped records aside."""
    first: list[ProblemLine]
    """The first of them."""
    warnings: int
    """Records that were skipped in files that were read."""
    warned: int
    """Files with such records."""
    left_out: int
    """Sessions in these files that filters (`--since`, `--until`, `--agent`, `--format`) left out."""
    no_transcript: int
    """Files that are no transcripts."""
    no_transcript_paths: list[str]
    """The first of them."""
    copies: int
    """Files that are byte for byte equal to another one."""
    empty: int
    """Sessions that were read and hold no action."""


class AuditReport(Public, frozen=True, kw_only=True):
    """All of it."""

    schema_version: Literal["1.0"] = AUDIT_SCHEMA_VERSION
    """The version of this contract."""
    headline: list[str]
    """What matters most, in a few sentences."""
    overview: Overview
    """What was audited."""
    outcomes: list[OutcomeCount]
    """How the sessions ended, the most frequent first."""
    metrics: Metrics
    """The figures."""
    themes: list[FindingTheme]
    """What the findings have in common, what matters most first."""
    trial_modes: list[TrialMode] = field(default_factory=list)
    """The ways in which failed trials differ from what their tasks, as the logs record it, expect, the most frequent
    first, at most `most_groups`."""
    corrections: list[RepeatedCorrection] = field(default_factory=list)
    """What users said in at least two sessions, with the rule that would have prevented it, the most frequent first, at
    most `most_groups`."""
    failure_themes: list[FailureTheme]
    """Families of failures in at least two sessions, the most frequent first, at most `most_failure_themes`."""
    failure_themes_found: int
    """How many there are."""
    groups: list[AcrossGroup]
    """The same failure in at least two sessions, the most frequent first, at most `most_groups`."""
    groups_found: int
    """How many there are."""
    worst: list[WorstSession]
    """The sessions that are worth reading, the worst first, at most `most_worst`."""
    worst_found: int
    """How many there are."""
    with_findings: int
    """How many sessions have findings above `info`; each has a page."""
    breakdowns: list[Breakdown]
    """By agent, model, task family and format, where there are at least two values, and by version."""
    spending: AuditSpending | None = None
    """What the sessions cost, and what of it was repeated, discarded or waiting; null where neither is known of any."""
    unread: Unread
    """What is not in the figures."""
    most_failure_themes: int = 100
    """The longest list of families of failures that is kept here."""
    most_groups: int = 200
    """The longest list of groups that is kept here."""
    most_worst: int = 50
    """The longest list of sessions that is kept here."""
