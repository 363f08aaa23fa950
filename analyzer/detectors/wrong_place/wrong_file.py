"""The agent edits one file, but the cause of the failure is in another.

What it flags
    The same failure three times or more, while every edit between the first and the last of them went to a file
    that can't be the cause. Kinds: `test-origin` (the test's own code raised, or the implementation refused a value
    that the test, a helper, a factory or a data file supplies, and the edits went to the implementation),
    `named-file` (what refuses its input names a file of the tests, one that the agent wrote, or a line of a file of
    settings or data), `unloaded-file` (the trace runs through an installed or built copy of the edited file, or
    through the original of an edited copy; the output names another file of settings), `another-tree` (the check
    runs in another working tree), `old-process` (a server that was started before the edits answers, and each new
    one finds its place taken), `regenerated` (the check itself writes the edited file), `still-old` (what runs
    shows a line or a value that an edit had replaced, or doesn't find a name that one had written),
    `other-environment` (the missing package was installed, and is missing all the same), and
    `implementation-origin` (the implementation fails because of its own mistake, and the edits went to tests).

Why it matters
    No edit there can help, short of breaking a validation or weakening a test. It's the most expensive way to be stuck,
    because each attempt looks reasonable.

What it does not flag
    The ordinary case in which a trace merely starts in a test file: a failing assertion about the implementation's
    result. A failure where the test, its fixture or its data was edited before the third occurrence. Where the agent
    edited the test later, the finding says so and has a lower severity. A failure that an edit of the implementation
    then fixed, other than by removing the line that rejects the value. For `unloaded-file`, edits of files that
    simply don't appear in the trace, and edits after which something was installed or built.

Options
    occurrences: how often the failure must have occurred (3).

Example:
    `test_clamp_splines.py:21` passes six knots where degree 3 needs eight; six edits went to `clamp_splines.py`.

"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Annotated

from analyzer.commands.harm import installs_packages
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleStates
from analyzer.detectors.signals.recurrence import Recurrence, Recurrences
from analyzer.detectors.wrong_place.copies import OtherCopy, loaded_copies, paths_of, place_of
from analyzer.detectors.wrong_place.not_reached import NotReached
from analyzer.detectors.wrong_place.stale import missed_names
from analyzer.failures.compilers import disagrees, unparsed
from analyzer.failures.origin import is_of_what_is_called, is_test_code
from analyzer.failures.roles import is_test_path, last_part, same_file
from analyzer.model.action import Action
from analyzer.model.failure import Failure, Origin
from analyzer.model.finding import Evidence, Finding, Place
from analyzer.model.struct import Meta
from analyzer.model.words import FrameRole, OriginRole, Severity
from analyzer.text.late import late
from analyzer.text.plain import holds_any

_LIKELY = 0.65
"""How sure an origin in the test must be for the finding to weigh most."""
_SURE = 0.6
"""How sure an origin in the implementation must be to speak against edits of the test."""

_CERTAIN = 0.9
"""The confidence from which a value is known to break what the message demands, whatever made the check pass later."""

_REFUSING = late(r"\b(?:raise|throw|panic|assert|fail|abort|bail|ensure|die|require|check|Err|Errorf)\b")

_MOST_INSTALLS = 200
"""How many steps that install something are remembered."""


class WrongFileOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    occurrences: Annotated[int, Meta(ge=2)] = 3
    """How often the failure must have come back."""


OPTIONS = WrongFileOptions()


class _State(RuleStates):
    """Follows the failures of one lane, whoever is at fault."""

    def __init__(self, lane_context: LaneContext, options: WrongFileOptions) -> None:
        rules = (_TestAtFault, OtherCopy, NotReached, _ImplementationAtFault)
        super().__init__(lane_context, [rule(lane_context, options.occurrences) for rule in rules])


class _TestAtFault(Recurrences):
    def __init__(self, lane_context: LaneContext, threshold: int) -> None:
        super().__init__(lane_context, threshold)
        self._installed_at: deque[int] = deque(maxlen=_MOST_INSTALLS)

    def judge(self, recurrence: Recurrence, action: Action, edits: Sequence[Action]) -> Finding | None:
        failure = action.failure
        assert failure is not None
        origin = self._origin(failure)
        if disagrees(failure):
            return None  # what the compiler says of a test may be wrong with the code that it uses
        paths = paths_of(edits) if origin is not None else []
        if origin is None or not paths or loaded_copies(paths, failure):
            return None
        last, missed = failure.frames[-1] if failure.frames else None, missed_names(failure)
        # What the test's line doesn't name is missing elsewhere.
        elsewhere = missed and not holds_any(origin.code or (last.code if last is not None else "") or "", missed)
        if last is not None and last.role is FrameRole.TEST and (elsewhere or is_of_what_is_called(failure)):
            return None
        if _around(edits, recurrence.steps) < self._threshold:
            return None
        return self._finding(recurrence, failure, origin, edits)

    def on_action(self, action: Action) -> Iterable[Finding]:
        if action.failure is None and any(map(installs_packages, action.operation.commands)):
            self._installed_at.append(action.step)
        return super().on_action(action)

    def disproved(self, recurrence: Recurrence, finding: Finding) -> bool:
        """Whether an edit of the implementation made the same check pass, other than by taking the refusal out, or
        an installation did, with no edit beside it."""
        if finding.confidence >= _CERTAIN:
            return False
        edits = self.edits_up_to_pass(recurrence)
        if not edits:
            last, passed = recurrence.counter.last, recurrence.passed
            if last is None or passed is None:
                return False
            return any(last.step < step < passed for step in self._installed_at)
        if self.restarts(recurrence, edits):
            return False
        raised = recurrence.failure.frames[-1] if recurrence.failure.frames else None
        return raised is None or not _takes_out(raised.code or "", edits)

    def _finding(self, recurrence: Recurrence, failure: Failure, origin: Origin, edits: Sequence[Action]) -> Finding:
        steps, paths = recurrence.steps, paths_of(edits)
        assert origin.file is not None
        line = None if unparsed(failure) else origin.line
        likely = origin.confidence >= _LIKELY
        words = "unparsed" if unparsed(failure) else "unknown-line" if origin.line is None else ""
        return self.found(
            "wrong-file/test-origin",
            recurrence,
            failure,
            words=words,
            severity=Severity.HIGH if likely else Severity.MEDIUM,
            confidence=round(min(0.97, origin.confidence), 2),
            escaped=False,
            evidence=_evidence(steps, failure, edits, origin),
            slots={
                "place": f"{origin.file}:{line}" if line is not None else origin.file,
                "file": origin.file,
                "line": origin.line,
                "likely": int(likely),
                "edits": len(edits),
                "same": 1 if origin.file in paths else 2,
                "edited": paths,
            },
            fault=Place(
                file=origin.file,
                line=line,
                function=origin.function,
                code=origin.code if not unparsed(failure) else None,
                step=origin.shown_at or steps[0],
            ),
            edited_instead=paths,
        )

    def _origin(self, failure: Failure) -> Origin | None:
        """The origin that an occurrence shows, if it's a test's file; once all is known, also what later steps show."""
        then = _in_test(failure.origin_then)
        if not self.ended:
            return then
        known = _in_test(failure.origin)
        return known if known is not None and (then is None or known.confidence >= then.confidence) else then

    def restarts(self, recurrence: Recurrence, edits: Sequence[Action]) -> bool:
        failure = recurrence.failure
        origin = self._origin(failure)
        tests = [
            frame.file for frame in failure.frames if frame.role is FrameRole.TEST and not frame.file.startswith("<")
        ]
        files = [origin.file, *tests] if origin is not None and origin.file is not None else tests
        paths = paths_of(edits) if files else []
        if not any(is_test_code(path, files) or any(same_file(path, name) for name in files) for path in paths):
            return False
        return origin is None or not _beside(failure, origin, edits)

    def left_behind(self, finding: Finding) -> Finding:
        return finding.model_copy(update={"escaped": True, "severity": Severity.MEDIUM})


class _ImplementationAtFault(Recurrences):
    """The reverse: the implementation breaks by a mistake of its own, and every edit goes to tests."""

    def judge(self, recurrence: Recurrence, action: Action, edits: Sequence[Action]) -> Finding | None:
        failure = action.failure
        if failure is None or len(edits) < recurrence.counter.count - 1 or not _breaks(failure):
            return None
        if any(edit.created for action in edits for edit in action.operation.edits):
            return None
        paths = paths_of(edits)
        if not paths or not all(is_test_path(path) for path in paths):
            return None
        if any(last_part(path) in failure.headline for path in paths):
            return None  # the message is about what is edited
        raised, steps = failure.frames[-1], recurrence.steps
        return self.found(
            "wrong-file/implementation-origin",
            recurrence,
            failure,
            evidence=[
                Evidence(step=steps[0], quote=failure.headline[:200]),
                *(Evidence(step=entry.step, label="edited", quote=entry.operation.path or "") for entry in edits[:3]),
            ],
            slots={"raised": raised.file, "line": raised.line, "edits": len(edits), "edited": paths[:3]},
            fault=place_of(raised, raised.shown_at or steps[0]),
            edited_instead=paths,
        )

    def restarts(self, recurrence: Recurrence, edits: Sequence[Action]) -> bool:  # noqa: ARG002
        return any(edit.path and not is_test_path(edit.path) for action in edits for edit in action.operation.edits)


def _breaks(failure: Failure) -> bool:
    """Whether the implementation's own code broke, rather than refusing what it was given."""
    origin = failure.origin_then
    return (
        origin is not None
        and origin.role is OriginRole.IMPLEMENTATION
        and not disagrees(failure)
        and origin.confidence >= _SURE
        and bool(failure.frames)
        and failure.frames[-1].role is FrameRole.PROJECT
    )


def _around(edits: Sequence[Action], steps: Sequence[int]) -> int:
    """How many of some occurrences tell something about edits: the last one before the first edit, and those after."""
    first = edits[0].step
    return min(1, sum(step < first for step in steps)) + sum(step >= first for step in steps)


def _takes_out(code: str, edits: Sequence[Action]) -> bool:
    """Whether one of the edits takes the line that refuses out, rather than changing when it does."""
    line, verb = "".join(code.split()), _REFUSING.search(code)
    if verb is None:
        return False
    return any(
        line in "".join((edit.before or "").split()) and re.search(rf"\b{verb[0]}\b", edit.after or "") is None
        for action in edits
        for edit in action.operation.edits
    )


def _in_test(origin: Origin | None) -> Origin | None:
    """An origin, if it's in a test's file."""
    if origin is None or origin.role is not OriginRole.TEST or origin.file is None or origin.file.startswith("<"):
        return None
    return origin


def _beside(failure: Failure, origin: Origin, edits: Sequence[Action]) -> bool:
    """Whether the tests are in the edited file itself (Rust, doctest) and no edit touched the line at
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


def _evidence(steps: list[int], failure: Failure, edits: Sequence[Action], fault: Origin) -> list[Evidence]:
    raised = failure.frames[-1] if failure.frames else None
    refuses = f" -> {raised.file}:{raised.line}" if raised is not None and raised.file != fault.file else ""
    shown = f"{fault.file}:{fault.line}{refuses} {failure.headline[:160]}"
    found = [Evidence(step=steps[0], quote=shown)]
    if fault.code:
        found.append(Evidence(step=steps[0], quote=fault.code[:300]))
    found.extend(Evidence(step=action.step, label="edited", quote=action.operation.path or "") for action in edits[:3])
    found.append(Evidence(step=steps[-1], quote=failure.headline[:200]))
    return found


STATE = _State
