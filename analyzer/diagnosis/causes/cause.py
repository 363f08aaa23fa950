"""A root cause, before it's part of a page."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.model.finding import Place


@dataclass(frozen=True, slots=True)
class RootCause:
    """The paragraph, the place that it names, and what the message demands compared with what was given."""

    text: str | None
    fault: Place | None = None
    requirement: str | None = None
