"""What the same check had shown before: the failure itself, on untouched code, or a pass, and one change since."""

from __future__ import annotations

from bisect import bisect_left

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.failures.roles import is_test_path, last_part, same_file
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind, Kind, Status
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.workspace.states import Version
from analyzer.workspace.written import added, changes_between, removed

_NO_FILE = late(r"<\w+>$|\[\w+\](?:-\w+-wrapper)?$|-$|/dev/(?:stdin|fd/\d+)$|(?:.*/)?\[eval\d*\]$")
"""What a program that gets its code on the command line or its standard input is called in its traces."""
_OF_CODE = frozenset({FailureKind.EXCEPTION, FailureKind.TEST, FailureKind.COMPILE})


def untouched(scene: FailureContext) -> Provenance | None:
    """A failure that first showed on code that nobody had touched, or on the code as it was with the changes taken
    out."""
    if scene.failure.kind not in _OF_CODE or not (scene.frames or scene.failure.failing_tests):
        return None
    found = scene.texts.baselines.get((scene.group.lane, scene.group.id))
    if found is None or not found.sure or (scene.frames and all(_NO_FILE.match(frame.file) for frame in scene.frames)):
        return None
    after = (action for action in scene.history.actions[scene.index :] if action.lane == scene.group.lane)
    if not any(action.failure is None and action.operation.edits for action in after):
        return None
    made = {path for path, by_agent in scene.history.files.made.items() if by_agent}
    if any(same_file(frame.file, path) for frame in scene.failure.frames for path in made):
        return None
    changed = any(edit.path not in made for action in scene.earlier for edit in action.accepted_edits)
    when = "with every change taken out again" if changed else "before any file of the project had been changed"
    frame = scene.frames[0] if scene.frames else None
    return answer(
        ProvenanceKind.BASELINE,
        0.85,
        f"The failure showed at step {found.step}, {when}",
        quote=scene.failure.headline,
        file=frame.file if frame is not None else None,
        line=frame.line if frame is not None else None,
    )


def regressed(scene: FailureContext) -> Provenance | None:
    """The only change between the last time that the check passed and the first time that it fails, or the only one of
    a file in its trace."""
    action = scene.action
    if action.kind not in (Kind.TEST, Kind.RUN) or not action.keys.call:
        return None
    made = scene.texts.same.get((action.lane, action.keys.call), [])
    earlier = (index for index in reversed(made[: bisect_left(made, scene.index)]))
    passed = next((at for at in earlier if scene.history.actions[at].directory == action.directory), None)
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
