"""The same check had passed before, and the agent changed something since."""

from __future__ import annotations

from bisect import bisect_left

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.failures.roles import is_test_path, last_part, same_file
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import Kind, Status
from analyzer.text.markdown import code
from analyzer.workspace.states import Version
from analyzer.workspace.written import added, changes_between, removed


def find(scene: FailureContext) -> Provenance | None:
    """The only change between the last time that the check passed and the first time that it fails, or the only one of
    a file in its trace."""
    action = scene.action
    if action.kind not in (Kind.TEST, Kind.RUN) or not action.keys.call:
        return None
    made = scene.texts.calls[action.lane, action.keys.call, action.directory]
    before = bisect_left(made, scene.index)
    passed = made[before - 1] if before else None
    if passed is None or scene.history.actions[passed].status is not Status.OK:
        return None
    if any(scene.history.steps[index].unknown for index in range(passed + 1, scene.index)):
        return None
    changes = [
        (changer, version)
        for changer, version in changes_between(scene.history, passed, scene.index)
        if changer.lane == action.lane
    ]
    if all(is_test_path(version.path) for _, version in changes):
        return None
    traced = [
        (changer, version)
        for changer, version in changes
        if any(same_file(version.path, frame.file) for frame in scene.failure.frames)
    ]
    for found in (changes, traced):
        if found and len({(changer.step, version.path) for changer, version in found}) == 1:
            return _by(*found[-1], scene.history.actions[passed].step)
    return None


def _by(action: Action, version: Version, passed: int) -> Provenance:
    new, gone = added(version), removed(version)
    line, text = new[0] if new else (None, gone[0] if gone else "")
    return answer(
        ProvenanceKind.OWN_EDIT,
        0.85,
        (
            f"Step {action.step} changed {code(last_part(version.path))}, the only change since the same check had "
            f"passed at step {passed}"
        ),
        quote=text.strip(),
        step=action.step,
        file=version.path,
        line=line,
    )
