"""What sort of trouble a session is in, and what the transcript shows and the agent overlooked.

That is where in the code a failure shows, and what its message demands there. The parts of the diagnosis speak
differently about each sort of trouble.
"""

from __future__ import annotations

from enum import Enum, auto

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.diagnosis.case import Case
from analyzer.failures.compilers import unparsed
from analyzer.failures.requirement import Requirement, unmet_requirement
from analyzer.model.failure import Failure, Frame
from analyzer.model.finding import Place
from analyzer.model.words import Category, FailureKind, FrameRole, Kind, LoopKind, OriginRole


def never_opened(case: Case) -> list[str]:
    """Files of the main failure's trace that the agent neither read nor edited within the main finding."""
    failure = case.failure
    if failure is None or case.main is None:
        return []
    frames = (frame for frame in failure.frames if frame.role in (FrameRole.TEST, FrameRole.PROJECT))
    own = dict.fromkeys(frame.file for frame in frames if not frame.file.startswith("<"))
    edited = {path.rsplit("/", 1)[-1] for path in case.edited_paths}
    return [path for path in list(own)[-3:] if not case.read_within(path) and path.rsplit("/", 1)[-1] not in edited]


def one_range(case: Case) -> tuple[int, int] | None:
    """The line range that every edit of the main finding replaced, if it was always the same."""
    ranges = {edit.lines for action in case.edits for edit in action.operation.edits}
    return next(iter(ranges)) if len(ranges) == 1 else None


def lines_text(span: tuple[int, int]) -> str:
    """A range of lines for people: `line 149`, `lines 264-265`."""
    return f"line {span[0]}" if span[0] == span[1] else f"lines {span[0]}-{span[1]}"


def unmet(failure: Failure) -> Requirement | None:
    """The demand of the message that the test's code in the trace or at the origin doesn't meet."""
    shown = [frame.code for frame in failure.frames if frame.code and frame.role is FrameRole.TEST]
    if failure.origin is not None and failure.origin.role is OriginRole.TEST and failure.origin.code:
        shown.append(failure.origin.code)
    return unmet_requirement(failure.message, shown)


def raised_at(failure: Failure) -> Frame | None:
    """The deepest frame that belongs to the project or its tests."""
    own = (frame for frame in reversed(failure.frames) if frame.role in (FrameRole.PROJECT, FrameRole.TEST))
    return next(own, None)


def raised_there(failure: Failure, fault: Place) -> bool:
    """Whether the failure is raised at its fault itself, rather than by code that a value is passed to."""
    raised = raised_at(failure)
    return raised is not None and raised.file == fault.file and (unparsed(failure) or raised.line == fault.line)


class Shape(Enum):
    """The sorts of trouble, the most telling first."""

    WRONG_FILE = auto()
    """The same failure, caused by the test, while edits go elsewhere."""
    REFUSED_EDIT = auto()
    """The editing tool refuses the same change again and again."""
    FAILING_CALL = auto()
    """A command that can't work here is called again and again."""
    SAME_ERROR = auto()
    """Changes come and go, the failure stays."""
    IDLE_CALL = auto()
    """A call that succeeds, and changes nothing, is repeated."""
    UNVERIFIED = auto()
    """Nothing that ran supports the claim of success."""
    OTHER = auto()
    """Anything else that a detector found."""
    NONE = auto()
    """Nothing worth a section."""


def shape_of(case: Case) -> Shape:
    """The sort of trouble that the main finding is."""
    main, failure = case.main, case.failure
    if main is None:
        return Shape.NONE
    if case.wrong_file is not None and (main is case.wrong_file or case.wrong_file.group == main.group):
        return Shape.WRONG_FILE
    if has(main, Trait.DOUBTS_SUCCESS):
        return Shape.UNVERIFIED
    if main.category not in (Category.LOOP, Category.ERROR, Category.TRACE) or not has(main, Trait.REPETITION):
        return Shape.OTHER
    if main.kind in (LoopKind.MONOLOGUE, LoopKind.OSCILLATION):
        return Shape.OTHER
    if failure is None:
        return Shape.IDLE_CALL
    of_edit = failure.kind is FailureKind.INVALID_CALL and case.action(main.steps[0]).kind is Kind.EDIT
    if failure.kind is FailureKind.EDIT_REFUSED or of_edit:
        return Shape.REFUSED_EDIT
    changed = any(action.failure is None for action in case.edits)
    role = failure.origin.role if failure.origin is not None else None
    outside = role in (OriginRole.ENVIRONMENT, OriginRole.TOOL)
    of_call = role is OriginRole.UNKNOWN and failure.kind in (FailureKind.TIMEOUT, FailureKind.USAGE)
    if outside or of_call or (not changed and all(case.action(step).kind is not Kind.TEST for step in main.steps)):
        return Shape.FAILING_CALL
    return Shape.SAME_ERROR
