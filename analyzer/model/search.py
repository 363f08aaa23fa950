"""What a search over the sessions of an audit found."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from analyzer.model.struct import Public

SEARCH_SCHEMA_VERSION: Literal["1.0"] = "1.0"


class Part(StrEnum):
    """Whose words a text is."""

    TASK = "task"
    """What the session was asked for, or its title."""
    USER = "user"
    """What the user said later."""
    SAID = "said"
    """What the agent said or thought."""
    CALLED = "called"
    """What was sent to a tool."""
    RETURNED = "returned"
    """What came back."""


class Hit(Public, frozen=True, kw_only=True):
    """One step, or the words around the steps, in which everything that was searched for occurs."""

    step: int | None
    """The step; null for the task and for the agent's closing words."""
    lane: str
    """`main` or a sub-agent."""
    part: Part
    """Where the excerpt is from."""
    tool: str | None
    """The tool of the step, as recorded."""
    status: str | None
    """Whether the step failed."""
    excerpt: str
    """The text around the first place that was found, on one line."""
    marks: list[tuple[int, int]]
    """Where in the excerpt something that was searched for begins and ends."""
    link: str | None
    """The place on the session's page, relative to the audit's folder; null where the session has no page."""


class FoundSession(Public, frozen=True, kw_only=True):
    """A session with hits."""

    session: str
    """Its key in the audit's tables."""
    id: str
    """Its id in the log."""
    path: str
    """The file that it was read from."""
    title: str | None
    """Its title, or the beginning of its task."""
    agent: str | None
    """The program that ran."""
    model: str | None
    """The language model."""
    started_at: str | None
    """When it began."""
    outcome: str
    """How it ended."""
    found: int
    """How many hits it has."""
    hits: list[Hit]
    """The first of them, in the order of the session."""


class Search(Public, frozen=True, kw_only=True):
    """All of it."""

    schema_version: Literal["1.0"] = SEARCH_SCHEMA_VERSION
    """The version of this contract."""
    words: list[str]
    """What was searched for: each of them occurs in every hit."""
    sessions: list[FoundSession]
    """The sessions with hits that are listed, the latest first, those without a time at the end."""
    found: int
    """Hits in all."""
    found_sessions: int
    """Sessions with hits in all."""
    searched: int
    """Sessions that were searched: those of the audit that the filters let through."""
    unread: int = 0
    """Files of the audit that could not be read, and so weren't searched."""
