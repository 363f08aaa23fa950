"""What a later pass says about the origin of a failure: a test that passes unchanged after an edit elsewhere wasn't at
fault."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from analyzer.failures.roles import is_test_path, same_file
from analyzer.model.action import Action
from analyzer.model.failure import Failure, Origin
from analyzer.model.struct import replace
from analyzer.model.words import FrameRole, Kind, OriginRole, Status
from analyzer.text.late import late
from analyzer.timeline.closing.user_answers import not_run
from analyzer.timeline.verification.checks import is_document
from analyzer.timeline.verification.proof import counts_tests

_LOOKS = frozenset({Kind.READ, Kind.SEARCH, Kind.TEST})
_REWRITES = late(r"\bxargs\b|\s-(?:exec|execdir|delete|ok)\b|\s--?(?:fix|write|update\S*|\w+-update|u)(?=\s|$)")
"""Words of a look or a check by which it changes files."""
_PLAIN = 0.9
"""From that confidence on the line itself breaks what the message demands: a pass then says that the demand is gone."""


def judge_by_later_passes(actions: Sequence[Action]) -> None:
    """Give the failures of a lane that blame a test or a script another origin where the same call passed later, the
    blamed file was not changed in between, and code that it may run was."""
    passes: defaultdict[str, list[int]] = defaultdict(list)
    for place, action in enumerate(actions):
        if (
            action.status is Status.OK
            and action.failure is None
            and (action.kind is not Kind.TEST or counts_tests(action))
        ):
            passes[action.keys.call].append(place)
    for place, action in enumerate(actions):
        failure, origin = action.failure, action.failure.origin if action.failure is not None else None
        if failure is None or origin is None or origin.role is not OriginRole.TEST or origin.confidence >= _PLAIN:
            continue
        later = next((other for other in passes.get(action.keys.call, ()) if other > place), None)
        if later is None:
            continue
        changed = _cured_by(failure, actions[place + 1 : later], action.keys.call)
        if changed is not None:
            failure.origin = _elsewhere(failure, changed, actions[later].step)


def _may_change_unseen(action: Action) -> bool:
    """Whether a command may have changed files of which the log doesn't name all: every one but looks and checks."""
    line = action.operation.command
    if line is None or not_run(action) is not None:
        return False
    if _REWRITES.search(line) is not None:
        return True
    named = any(edit.path for edit in action.operation.edits) or bool(action.operation.writes)
    return action.kind not in _LOOKS and not named


def _cured_by(failure: Failure, between: Sequence[Action], call: str) -> str | None:
    """The file whose edit made the check pass; None where a test was changed, where something else ran than looks and
    checks, or where nothing that is known was edited. `call` is the check itself, which may run in between."""
    tests = [frame.file for frame in failure.frames if frame.role is FrameRole.TEST]
    tests += [failure.origin.file] if failure.origin is not None and failure.origin.file is not None else []
    edited: list[str] = []
    for action in between:
        paths = [*(edit.path for edit in action.accepted_edits), *action.operation.writes]
        if any(is_test_path(path) or any(same_file(path, test) for test in tests) for path in paths if path):
            return None
        if _may_change_unseen(action) and action.keys.call != call:
            return None
        edited += [edit.path for edit in action.accepted_edits if edit.path and not is_document(edit.path)]
    project = [frame.file for frame in failure.frames if frame.role is FrameRole.PROJECT]
    named = [path for path in edited if any(same_file(path, file) for file in project)]
    cured = named if project else edited
    return cured[-1] if cured else None


def _elsewhere(failure: Failure, changed: str, step: int) -> Origin:
    frames = [frame for frame in failure.frames if frame.role is FrameRole.PROJECT]
    reason = f"the same call passed at step {step} after an edit of {changed}, with the test unchanged"
    found = Origin(OriginRole.IMPLEMENTATION, 0.85, reason, file=changed)
    if not frames:
        return found
    at = next((frame for frame in reversed(frames) if same_file(frame.file, changed)), frames[-1])
    return replace(found, file=at.file, line=at.line, function=at.function, code=at.code, shown_at=at.shown_at)
