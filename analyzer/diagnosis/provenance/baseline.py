"""The failure showed before the agent had changed anything."""

from __future__ import annotations

from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.failures.roles import same_file
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.words import FailureKind
from analyzer.text.late import late

_NO_FILE = late(r"<\w+>$|\[\w+\](?:-\w+-wrapper)?$|-$|/dev/(?:stdin|fd/\d+)$|(?:.*/)?\[eval\d*\]$")
"""What a program that gets its code on the command line or its standard input is called in its traces."""
_OF_CODE = frozenset({FailureKind.EXCEPTION, FailureKind.TEST, FailureKind.COMPILE})


def find(scene: FailureContext) -> Provenance | None:
    """A failure that first showed on code that nobody had touched, or on the code as it was with the changes taken
    out."""
    if scene.failure.kind not in _OF_CODE or not (scene.frames or scene.failure.failing_tests):
        return None
    found = scene.texts.baselines.get((scene.group.lane, scene.group.id))
    if found is None or not found.sure or _in_own_line(scene):
        return None
    after = (action for action in scene.history.actions[scene.index :] if action.lane == scene.group.lane)
    if not any(action.failure is None and action.operation.edits for action in after):
        return None
    made = {path for path, by_agent in scene.history.files.made.items() if by_agent}
    if any(same_file(frame.file, path) for frame in scene.failure.frames for path in made):
        return None
    changed = any(version.path not in made for _, version in scene.versions())
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


def _in_own_line(scene: FailureContext) -> bool:
    """Whether what failed is code that the call itself brings, on the command line or its standard input."""
    return bool(scene.frames) and all(_NO_FILE.match(frame.file) is not None for frame in scene.frames)
