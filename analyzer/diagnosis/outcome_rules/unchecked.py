"""The outcome of a session that changed something and reports that it's done, where no check speaks for it."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.wording import reported, unknown
from analyzer.failures.roles import is_among, same_file
from analyzer.model.difference import ChangeKind
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import listed, one_or_many
from analyzer.text.markdown import code
from analyzer.timeline.verification.checks import is_prose, tested_by_tool
from analyzer.timeline.verification.proof import Proof

_MOST_FILES = 3


def unchecked(end: End) -> Outcome | None:
    """Something was changed, the agent reports that it's done, and nothing that ran speaks for it."""
    if not end.edits or not end.reported_done:
        return None
    if end.changed is None:
        asked = [change.file for change in end.delivery.files if change.file in (end.session.task or "")]
        if asked:
            files = listed([code(clip_path(path, 60)) for path in asked[:3]])
            reason = f"What the task names was written ({files}); nothing recorded says whether its content is right"
            return unknown(Basis.DELIVERABLE, reason, end.edits[-1])
        texts = _only_texts(end)
        if texts:
            files = listed([code(clip_path(path, 60)) for path in texts])
            one = len(texts) == 1
            what = f"{files} was written, which holds no code" if one else f"{files} were written, which hold no code"
            reason = (
                f"{reported(end)}; {what}, and nothing recorded says whether {'it is' if one else 'they are'} right"
            )
            return unknown(Basis.DELIVERABLE, reason, end.edits[-1])
        reason = f"{reported(end)}; {what_is_known(end)}"
        return unknown(Basis.CLAIM, reason, end.edits[-1])
    changed = end.changed
    if end.delivery.empty and not end.delivery.files:
        reason = f"What it had changed is as it was at the beginning again ({end.changed_by})"
        return unknown(Basis.DELIVERABLE, reason, changed)
    later = [action for action in reversed(end.ran_on_delivered) if end.delivery.follows(action, changed)]
    ran = next((action for action in later if action.failure is None), None)
    if ran is None and tested_by_tool(changed):
        report = code(clip((changed.result or "").strip().rsplit("\n", 1)[-1].strip(), 100))
        reason = (
            f"{reported(end)}; the tests that ran with its last change to code ({end.changed_by}) ended in {report}"
        )
        return unknown(Basis.CHECKS, reason, changed)
    failed = next((action for action in later if action.failure is not None), None)
    if ran is None and failed is not None and failed.failure is not None:
        reason = (
            f"{reported(end)}; what ran last after the last change to code (step {failed.step}: "
            f"{code(clip(failed.operation.target, 80))}) ended with {code(clip(failed.failure.headline, 100))}"
        )
        return unknown(Basis.CLAIM, reason, changed, failed)
    if ran is None:
        reason = f"{reported(end)}; no check is recorded after the last change to code ({end.changed_by})"
        return unknown(Basis.CLAIM, reason, changed)
    known = "isn't known to be a check" if ran.unended is None else f"says nothing of it: {ran.unended}"
    reason = (
        f"{reported(end)}; what ran after the last change to code (step {ran.step}: "
        f"{code(clip(ran.operation.target, 80))}) {known}"
    )
    return unknown(Basis.CLAIM, reason, changed, ran)


def _only_texts(end: End) -> list[str]:
    """The files that are left changed, where each is a text for people and the result of its edit is recorded; empty
    where there are others, or too many to name."""
    files = [] if any(warning.hides_actions for warning in end.case.timeline.warnings) else end.delivery.files
    steps = {step for change in files for step in change.steps}
    answered = {action.step for action in end.actions if end.came_back(action)}
    texts = all(is_prose(change.file) and change.steps for change in files)
    return [change.file for change in files] if texts and steps <= answered and len(files) <= _MOST_FILES else []


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
