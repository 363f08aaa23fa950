"""What brought the cause of a failure in: a step, a line, a value, or something outside of the session."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from analyzer.model.finding import Public


class ProvenanceKind(StrEnum):
    """How the cause of a failure came in."""

    OWN_EDIT = "own-edit"
    """The agent's own edit wrote the failing line, or took out what it needs."""
    TEST_DATA = "test-data"
    """A test, a helper, a factory, a fixture or a data file supplies what the implementation refuses."""
    TEST_CODE = "test-code"
    """The test's own line raises: a name that it doesn't import, an index that isn't there."""
    ENVIRONMENT = "environment"
    """Something that the program needs isn't there: a module, a program, a service."""
    OUTDATED_VIEW = "outdated-view"
    """The agent went by what a file had been before it changed."""
    INVENTED = "invented"
    """A name, a path or a value that nothing in the session had shown before the agent used it."""
    DIFFERENT_CALL = "different-call"
    """The call differs from one that worked."""
    BASELINE = "baseline"
    """The failure was there before the agent changed anything."""


class Provenance(Public):
    """Where the cause of a failure came in, as far as the session shows it."""

    kind: ProvenanceKind
    """How it came in."""
    introduced_at: int | None
    """The step of the same lane that brought it in; null where no step did."""
    file: str | None
    """The file that holds it."""
    line: int | None
    """1-based, as of the step that shows it."""
    quote: str | None
    """The line, value or message that shows it, to the letter."""
    confidence: float = Field(ge=0, le=1)
    """How sure that is."""
    reason: str
    """What the session shows, in one sentence without a full stop."""
