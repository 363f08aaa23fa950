"""The cause is in the test's code or data, and the agent edits everything else.

What it flags
    The same failure three times or more, whose origin is the test (its own code raised, or the implementation refused a
    value that the test passes), while every edit between the first and the last of them went to other files.

Why it matters
    No change to the implementation can help then, short of breaking its validation. It's the costliest way of being
    stuck, because each attempt looks reasonable.

What it does not flag
    The ordinary case in which a trace merely starts in a test file: a failing assertion about the implementation's
    result. Nor a failure before whose third occurrence the test, its fixture or its data was edited. Where the agent
    came to edit the test later, the finding says so and weighs less.

Options
    occurrences: how often the failure must have come back (3).

Example:
    `test_clamp_splines.py:21` passes six knots where degree 3 needs eight; six edits went to `clamp_splines.py`.

"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.recurrence import Recurrence, Recurrences
from analyzer.failures.origin import is_test_code
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.failure import Failure, Origin
from analyzer.model.finding import Evidence, Finding, Place, Taxonomy
from analyzer.model.words import Category, FrameRole, OriginRole, Severity

_OF_WHAT_IS_CALLED = frozenset({"AttributeError", "TypeError", "NotImplementedError"})
"""Errors that the caller's line shows for what the implementation lacks: a method, an argument. They don't tell who is
wrong."""


class WrongFileOptions(Options):
    """Options of this detector."""

    occurrences: int = Field(default=3, ge=2)
    """How often the failure must have come back."""


class WrongFile(LiveDetector):
    """One finding per failure that the agent tried to mend in the wrong place."""

    name = "wrong-file"
    category = Category.TRACE
    taxonomy = Taxonomy.of(mast=["FM-1.3", "FM-2.6"], trail=["Incorrect Problem Identification"])
    options = WrongFileOptions.usual()
    traits = frozenset({Trait.REPETITION, Trait.TEST_AT_FAULT})
    cause_rank = 10
    first_failure_rank = 4
    cause_name = "wrong file edited"
    case_lesson = "An error is mended where it comes from, not where it shows."

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context, self.options.occurrences)


DETECTOR = WrongFile()


class _State(Recurrences):
    def judge(self, recurrence: Recurrence, action: Action, edits: Sequence[Action]) -> Finding | None:
        failure = action.failure
        assert failure is not None
        origin = _origin(failure)
        paths = _paths(edits)
        if origin is None or not paths:
            return None
        if failure.frames and failure.frames[-1].role is FrameRole.TEST and (failure.type or "") in _OF_WHAT_IS_CALLED:
            return None
        return _finding(self.lane_context.lane, recurrence, failure, origin, edits)

    def restarts(self, recurrence: Recurrence, edits: Sequence[Action]) -> bool:
        failure = recurrence.failure
        origin = _origin(failure)
        tests = [
            frame.file for frame in failure.frames if frame.role is FrameRole.TEST and not frame.file.startswith("<")
        ]
        files = [origin.file, *tests] if origin is not None and origin.file is not None else tests
        if not files or not any(_of_the_test(path, files) for path in _paths(edits)):
            return False
        return origin is None or not _beside(failure, origin, edits)

    def left_behind(self, finding: Finding) -> Finding:
        return finding.model_copy(update={"escaped": True, "severity": Severity.MEDIUM})


def _finding(lane: str, recurrence: Recurrence, failure: Failure, origin: Origin, edits: Sequence[Action]) -> Finding:
    steps, paths = recurrence.steps, _paths(edits)
    assert origin.file is not None
    place = f"{origin.file}:{origin.line}" if origin.line is not None else origin.file
    return WrongFile.finding(
        kind="test-origin",
        severity=Severity.HIGH,
        confidence=round(min(0.97, origin.confidence), 2),
        title=f"The cause is in {place}, but every edit went to {_instead(', '.join(paths), origin)}",
        lane=lane,
        steps=steps,
        detectable_at=steps[-1],
        rounds=recurrence.counter.count,
        escaped=False,
        evidence=_evidence(steps, failure, edits, origin),
        advice=[
            (
                f"Read {origin.file} around "
                f"{f'line {origin.line}' if origin.line is not None else 'the failing test'} and compare what it "
                "passes with what the message demands."
            ),
            "Before the next edit, name the frame that supplies the bad value; edit that file.",
        ],
        cost=recurrence.counter.cost,
        repeated=failure.headline[:300],
        group=failure.group,
        fault=Place(
            file=origin.file,
            line=origin.line,
            function=origin.function,
            code=origin.code,
            step=origin.shown_at or steps[0],
        ),
        edited_instead=paths,
    )


def _paths(edits: Sequence[Action]) -> list[str]:
    return list(dict.fromkeys(edit.path for action in edits for edit in action.operation.edits if edit.path))


def _origin(failure: Failure) -> Origin | None:
    """The origin that an occurrence shows, if it's a test's file."""
    origin = failure.origin_then
    if origin is None or origin.role is not OriginRole.TEST or origin.file is None or origin.file.startswith("<"):
        return None
    return origin


def _of_the_test(path: str, files: list[str]) -> bool:
    return is_test_code(path, files) or any(same_file(path, name) for name in files)


def _beside(failure: Failure, origin: Origin, edits: Sequence[Action]) -> bool:
    """Whether the tests stand in the very file that was edited (Rust, doctest) and no edit touched the line at
    fault."""
    file = origin.file
    if origin.code is None or file is None or is_test_code(file, ()):
        return False
    if not any(frame.role is FrameRole.PROJECT and same_file(frame.file, file) for frame in failure.frames):
        return False
    wanted = "".join(origin.code.split())
    for action in edits:
        for edit in action.operation.edits:
            texts = [text for text in (edit.before, edit.after) if text is not None]
            if (
                not same_file(edit.path, file)
                or edit.created
                or not texts
                or any(wanted in "".join(text.split()) for text in texts)
            ):
                return False
    return True


def _instead(names: str, origin: Origin) -> str:
    return f"other parts of {names}" if origin.file is not None and origin.file in names.split(", ") else names


def _evidence(steps: list[int], failure: Failure, edits: Sequence[Action], fault: Origin) -> list[Evidence]:
    raised = failure.frames[-1] if failure.frames else None
    refuses = f" -> {raised.file}:{raised.line}" if raised is not None and raised.file != fault.file else ""
    shown = f"{fault.file}:{fault.line}{refuses} {failure.headline[:160]}"
    found = [Evidence(step=steps[0], quote=shown)]
    if fault.code:
        found.append(Evidence(step=steps[0], quote=fault.code[:300]))
    found.extend(Evidence(step=action.step, quote=f"edited {action.operation.path}") for action in edits[:3])
    found.append(Evidence(step=steps[-1], quote=failure.headline[:200]))
    return found
