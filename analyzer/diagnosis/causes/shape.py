"""What sort of trouble a session is in. The parts of the diagnosis speak differently about each."""

from __future__ import annotations

from enum import Enum, auto

from analyzer.detectors.engine.registry import has
from analyzer.detectors.engine.traits import Trait
from analyzer.diagnosis.case import Case
from analyzer.model.words import Category, FailureKind, Kind, LoopKind, OriginRole


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
    if failure.kind is FailureKind.EDIT_REFUSED or (
        failure.kind is FailureKind.INVALID_CALL and case.action(main.steps[0]).kind is Kind.EDIT
    ):
        return Shape.REFUSED_EDIT
    changed = any(action.failure is None for action in case.edits)
    outside = failure.origin is not None and failure.origin.role in (OriginRole.ENVIRONMENT, OriginRole.TOOL)
    unknown = failure.origin is not None and failure.origin.role is OriginRole.UNKNOWN
    of_call = unknown and failure.kind in (FailureKind.TIMEOUT, FailureKind.USAGE)
    if outside or of_call or (not changed and all(case.action(step).kind is not Kind.TEST for step in main.steps)):
        return Shape.FAILING_CALL
    return Shape.SAME_ERROR
