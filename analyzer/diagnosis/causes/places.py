"""A root cause before it is part of a page, where in the code a failure shows, and what its message demands there."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.failures.requirement import Requirement, unmet_requirement
from analyzer.failures.unparsed import unparsed
from analyzer.model.failure import Failure, Frame
from analyzer.model.finding import Place
from analyzer.model.words import FrameRole, OriginRole
from analyzer.text.markdown import code


def requirement_of(failure: Failure) -> str | None:
    """What the message demands and what a literal in the trace's test code gives instead."""
    demand = unmet(failure)
    return demand.text if demand else None


def unmet(failure: Failure) -> Requirement | None:
    """The demand of the message that the test's code doesn't meet: in the trace, or where the origin says that it
    is."""
    shown = [frame.code for frame in failure.frames if frame.code and frame.role is FrameRole.TEST]
    if failure.origin is not None and failure.origin.role is OriginRole.TEST and failure.origin.code:
        shown.append(failure.origin.code)
    return unmet_requirement(failure.message, shown)


def raised_at(failure: Failure) -> Frame | None:
    """The deepest frame that belongs to the project or its tests."""
    own = [frame for frame in failure.frames if frame.role in (FrameRole.PROJECT, FrameRole.TEST)]
    return own[-1] if own else None


def at(frame: Frame | Place) -> str:
    """A place in code, as a code span."""
    return code(f"{frame.file}:{frame.line}" if frame.line is not None else frame.file)


def raised_there(failure: Failure, fault: Place) -> bool:
    """Whether the failure is raised at its fault itself, rather than by code that a value is passed to."""
    raised = raised_at(failure)
    return raised is not None and raised.file == fault.file and (unparsed(failure) or raised.line == fault.line)


@dataclass(frozen=True, slots=True)
class RootCause:
    """The paragraph, the place that it names, and what the message demands compared with what was given."""

    text: str | None
    fault: Place | None = None
    requirement: str | None = None
