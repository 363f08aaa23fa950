"""A change of nothing that tests run: what is known of it where the agent reports that it's done."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.failures.roles import is_among, same_file
from analyzer.model.difference import ChangeKind
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import listed, one_or_many
from analyzer.text.markdown import code
from analyzer.timeline.verification.checks import is_prose
from analyzer.timeline.verification.proof import Proof

_MOST_FILES = 3


def what_is_known(end: End) -> str:
    """The second half of a sentence: that nothing could have been run, or which files were changed and whether a step
    behind the last change checks them."""
    if any(warning.hides_actions for warning in end.case.timeline.warnings):
        return "the recording doesn't hold all that it did"
    if not all(edit.operation.edits for edit in end.edits):
        return "which files it changed isn't recorded"
    paths = list(dict.fromkeys(edit.path for action in end.edits for edit in action.operation.edits if edit.path))
    work = _without_spellings([path for path in paths if not is_prose(path)])
    if not work:
        return "no code that could have been run was changed"
    gone = [change.file for change in end.delivery.files if change.kind is ChangeKind.REMOVED]
    left = [path for path in work if not any(same_file(path, name) for name in gone)]
    shown = [code(clip_path(path, 60)) for path in (left or work)[:_MOST_FILES]]
    more = [f"{len(left or work) - _MOST_FILES} more"] if len(left or work) > _MOST_FILES else []
    done = "changed" if left else "deleted"
    what = f"{listed([*shown, *more])} {one_or_many(len(left or work), 'was', 'were')} {done}"
    later = [action for action in end.actions if action.step > end.edits[-1].step]
    passed = next((action for action in reversed(later) if end.proof(action) >= Proof.BUILT), None)
    if passed is not None:
        return f"{what}, and step {passed.step} ({code(clip(passed.operation.target, 80))}) passed after that"
    return f"{what}, and no check of {one_or_many(len(left or work), 'it', 'them')} is recorded after that"


def _without_spellings(paths: list[str]) -> list[str]:
    """Some files, of which one may be named in full and from the folder of the session, each once."""
    whole = [path for path in paths if path.startswith("/")]
    return [path for path in paths if path.startswith("/") or not is_among(path, whole)]
