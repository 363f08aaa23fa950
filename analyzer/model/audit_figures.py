"""The figures of an audit: shares with their intervals, quantities with their spread, counts, and the sessions that
stand for them."""

from __future__ import annotations

from typing import Literal

from analyzer.model.spending import WasteKind
from analyzer.model.struct import Public


class Share(Public, frozen=True, kw_only=True):
    """So many of so many, with the interval in which the true share lies with 95% confidence if the sessions are a fair
    sample."""

    count: int
    """How many."""
    of: int
    """Of how many."""
    share: float | None
    """`count / of`; null where `of` is 0."""
    low: float | None
    """Lower end of the Wilson score interval."""
    high: float | None
    """Upper end of it."""


class Week(Public, frozen=True, kw_only=True):
    """How often something occurred in one week."""

    start: str
    """The week's Monday."""
    sessions: int
    """Sessions in which it did."""
    of: int
    """Sessions that began in that week."""


class Distribution(Public, frozen=True, kw_only=True):
    """How a quantity is spread over the sessions of which it's known."""

    sessions: int
    """Sessions of which it's known."""
    total: float
    """Their sum."""
    median: float | None
    """Half of the sessions have at most this; null where no session has the value."""
    mean: float | None
    """The sum divided by the sessions."""
    p90: float | None
    """Nine of ten sessions have at most this."""
    maximum: float | None
    """The largest."""


class InsideLoops(Public, frozen=True, kw_only=True):
    """How much of something was spent inside of loops."""

    what: Literal["actions", "seconds", "tokens", "usd"]
    """What is counted."""
    sessions: int
    """The sessions that record it, on which the figures rest."""
    looping: int
    """Those of them with a loop."""
    total: float
    """All of it."""
    inside: float
    """What was spent inside of loops."""
    share: float | None
    """`inside / total`; null where the total is 0."""
    largest: float
    """What the session with most of it spent: where that is a large part of the total, the share says little of the
    others."""


class Count(Public, frozen=True, kw_only=True):
    """How many sessions have a value."""

    value: str
    """The value."""
    sessions: int
    """How many."""


class SessionRef(Public, frozen=True, kw_only=True):
    """A session, and where to read more."""

    session: str
    """Its key in the tables."""
    id: str
    """The id that the log gives it."""
    link: str | None
    """A relative address, percent-encoded: its page below `sessions/`, else its transcript; null where neither can be
    named."""


class Place(SessionRef, frozen=True, kw_only=True):
    """A step of a session."""

    lane: str
    """Its lane."""
    step: int
    """Its number."""


class OutcomeCount(Public, frozen=True, kw_only=True):
    """How many sessions ended in one way."""

    outcome: str
    """In one word."""
    sessions: int
    """How many."""
    share: float
    """Of all sessions."""
    recorded: int
    """Those of which the log itself says so: the verdict of an evaluation, a limit, a crash, an interruption. The
    others are judged by what happened in them."""


class Overview(Public, frozen=True, kw_only=True):
    """What was audited."""

    sessions: int
    """Sessions."""
    files: int
    """Files with sessions that are counted; copies are not among them."""
    tasks: int
    """Different tasks."""
    formats: list[Count]
    """By transcript format."""
    agents: list[Count]
    """By agent, where the log names one."""
    models: list[Count]
    """By model, where the log names one."""
    first: str | None
    """When the first session began."""
    last: str | None
    """When the last one began."""
    dated: int
    """Sessions of which that is recorded."""


class Metrics(Public, frozen=True, kw_only=True):
    """The figures over all sessions."""

    loop_rate: Share
    """Sessions with a loop, of those with actions."""
    loops: int
    """Loops in them."""
    escaped: int
    """Loops that the agent got out of."""
    success: Share
    """Sessions that succeeded, of those with a known outcome."""
    success_by_verdict: int
    """Those successes that rest on a recorded verdict."""
    success_recorded: Share
    """Sessions that succeeded, of those whose end the log itself records: a verdict, a limit, a crash, an
    interruption."""
    success_judged: Share
    """Sessions that seem to have succeeded, of those that are judged by what happened in them."""
    unknown: int
    """Sessions with an unknown outcome."""
    actions: Distribution
    """Actions per session, of those with actions."""
    actions_succeeded: Distribution
    """The same, of sessions that succeeded."""
    seconds: Distribution
    """Seconds from first to last recorded time."""
    seconds_succeeded: Distribution
    """The same, of sessions that succeeded: the time to completion."""
    tokens: Distribution
    """Tokens per session, input and output together."""
    usd: Distribution
    """Recorded cost per session."""
    inside: list[InsideLoops]
    """What was spent inside of loops."""
    detectable: int
    """Sessions with a finding that an early stop would have cut short."""
    saved: int
    """Actions inside of those findings after they were plain."""


class SpendingRow(Public, frozen=True, kw_only=True):
    """Some sessions."""

    value: str | None
    """What they have in common: a name, or the Monday of their week; null where the log doesn't say."""
    sessions: int
    """How many."""
    usd: float | None
    """What those cost of which it's known; null where it's known of none."""
    priced: int
    """How many those are."""
    tokens: int | None
    """Their tokens, input and output, as far as they're recorded; null where they aren't."""
    actions: int
    """Their actions."""
    wasted: int
    """Those that were repeated, discarded or waiting."""
    wasted_usd: float | None
    """What those cost, as far as the log has it per step; null where it's nowhere."""


class SpendingBy(Public, frozen=True, kw_only=True):
    """The sessions by one of their properties."""

    by: Literal["week", "project", "agent", "model"]
    """The property."""
    rows: list[SpendingRow]
    """Weeks in their order, else what cost most first, at most 50."""
    more: int
    """How many more there are."""


class WasteSum(Public, frozen=True, kw_only=True):
    """Actions that were repeated, discarded or waiting, for one reason."""

    kind: WasteKind
    """The reason."""
    actions: int
    """How many."""
    sessions: int
    """Sessions with at least one."""


class AuditSpending(Public, frozen=True, kw_only=True):
    """All of it."""

    all: SpendingRow
    """All sessions."""
    recorded: int
    """Sessions whose log has the cost."""
    unpriced: list[Count]
    """Models with tokens and without a known price, with their sessions."""
    waste: list[WasteSum]
    """By reason, the most actions first."""
    by: list[SpendingBy]
    """By week, project, agent and model, where there's more than one."""
