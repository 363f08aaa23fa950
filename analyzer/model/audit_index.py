"""What the page of an audit shows besides its report: a line per session, and the figures over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from analyzer.model.audit_figures import Share
from analyzer.model.struct import Struct, field

Unit = Literal["day", "week", "month", "year"]


class SessionLine(Struct, frozen=True):
    """One session. `page` is the ending of its page in `sessions/`, `.html` or `.md`, or None where it has none.
    `themes` and `groups` have the positions, in the report's lists of those names, of what it has; `group` is the one
    of `groups` that most of its steps failed with. `thumbnail` is a code for `analyzer.report.picture.thumbnail`."""

    session: str
    id: str
    title: str | None
    path: str
    agent: str | None
    model: str | None
    format: str
    family: str
    outcome: str
    worst: str | None
    about: str | None
    actions: int
    loop_actions: int
    seconds: float | None
    tokens: int | None
    usd: float | None
    started: str | None
    page: str | None
    thumbnail: str
    themes: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()
    group: int | None = None
    words: str = ""
    """What the page's search looks at besides what the row shows: headline, findings and errors, clipped."""


class Bin(Struct, frozen=True):
    """The sessions that began in one day, week, month or year. `start` is its first day, `number` counts these
    stretches of time from the first one on, those without sessions among them. `recorded` and `judged` are the
    successes among ends that the logs record, and among those that are judged by what happened."""

    number: int
    start: str
    sessions: int
    recorded: Share
    judged: Share
    loop_rate: Share


class AuditIndex(Struct, frozen=True):
    """All of it. `lines` has the worst first, at most `most` of them; `lanes` has the lanes of the sessions that the
    report leads to at a step of another lane than the main one."""

    lines: list[SessionLine]
    sessions: int
    bins: list[Bin] = field(default_factory=list)
    unit: Unit = "day"
    lanes: Mapping[str, list[str]] = field(default_factory=dict)
