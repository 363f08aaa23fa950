"""The outcome of a session that changed something and reports that it's done, where no check speaks for it."""

from __future__ import annotations

from pathlib import PurePosixPath

from analyzer.commands.runners import script
from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rows import outcome, unknown
from analyzer.failures.roles import is_test_path, last_part
from analyzer.model.finding import LostInput
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, Kind, OutcomeStatus, Status
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import listed, one_or_many
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.verification.checks import is_prose, tested_by_tool

_MOST_FILES, _LEAST_LINE = 3, 4
_WRITTEN = "written"


def unchecked(end: End) -> Outcome | None:
    """Something was changed, the agent reports that it's done, and nothing that ran speaks for it."""
    if not end.edits or not end.reported_done:
        return None
    changed = end.changed
    if changed is None:
        return _without_code(end)
    later = [action for action in reversed(end.ran_on_delivered) if end.delivery.follows(action, changed)]
    basis, shown, last = Basis.CLAIM, [changed], f"last change to code ({end.changed_by})"
    if later:
        ran = next((action for action in later if action.failure is None), later[0])
        how = f"ended with {code(clip(ran.failure.headline, 100))}" if ran.failure else "isn't known to be a check"
        call = code(clip(ran.operation.target, 80))
        said, shown = f"what ran after the last change to code (step {ran.step}: {call}) {how}", [changed, ran]
    elif tested_by_tool(changed):
        report = code(clip((changed.result or "").strip().rsplit("\n", 1)[-1].strip(), 100))
        basis, said = Basis.CHECKS, f"the tests that ran with its {last} ended in {report}"
    elif (old := end.delivery.test_of_old_build(changed)) is not None:
        how, basis, shown = end.delivery.tested_before(old), Basis.CHECKS, [changed, old]
        said = f"the tests of step {old.step} ran what was {how} before the {last}"
    else:
        said = f"no check is recorded after the {last}"
    return unknown(basis, f"{end.reported}; {said}", *shown, known=f"{end.state}, not checked")


def _without_code(end: End) -> Outcome:
    """The outcome where no code was changed that is known to be such."""
    last, texts = end.edits[-1], _only_texts(end)
    asked = [change.file for change in end.delivery.files if change.file in (end.session.task or "")]
    files = listed([code(clip_path(path, 60)) for path in (asked or texts)[:_MOST_FILES]])
    if asked:
        were = one_or_many(len(asked), "was", "were")
        reason = f"{files}, named in the task, {were} written; nothing recorded says whether the content is right"
        return unknown(Basis.DELIVERABLE, reason, last, known=_WRITTEN)
    if not texts:
        edited = list({path.rsplit("/", 1)[-1]: path for path in end.edited_paths if path}.values())[:_MOST_FILES]
        shown = listed([code(clip_path(path, 60)) for path in edited]) or "what it changed"
        later = (one for one in reversed(end.actions) if one.step > last.step and one.status is Status.OK)
        scripts = ((one, [script(command) or "" for command in one.operation.commands]) for one in later)
        names = set(map(last_part, edited))
        ran = next((one for one, run in scripts if not names.isdisjoint(map(last_part, run))), None)
        if ran is None:
            reason = f"{end.reported}; no check of {shown} is recorded"
            return unknown(Basis.CLAIM, reason, last, known=f"{end.state}, not checked")
        how = f"{code(clip(ran.operation.target, 80))} ran to the end (step {ran.step})"
        reason = f"{end.reported}; {how}, which doesn't rule out a wrong result"
        return unknown(Basis.CLAIM, reason, last, ran, known=f"{end.state}, not tested")
    if _dictated(end):
        empty = all(edit.after == "" for action in end.edits for edit in action.accepted_edits)
        what = "The file that the user named was created, empty" if empty else "What the user dictated was written"
        reason = f"{what} ({files}, step {last.step})"
        return outcome(OutcomeStatus.SUCCEEDED, 0.7, Basis.DELIVERABLE, reason, last)
    one = len(texts) == 1
    what = f"{files}, a document, was written" if one else f"the documents {files} were written"
    right = f"nothing recorded says whether {one_or_many(len(texts), 'it is', 'they are')} right"
    return unknown(Basis.DELIVERABLE, f"{end.reported}; {what}, and {right}", last, known=_WRITTEN)


def _dictated(end: End) -> bool:
    """Whether every added line is in the user's own words, or only empty files that the user names were made."""
    said = "\n".join([end.session.task or "", *(turn.text for turn in end.case.timeline.turns())])
    edits = [edit for action in end.edits for edit in action.accepted_edits]
    lines = [set((edit.after or "").splitlines()) - set((edit.before or "").splitlines()) for edit in edits]
    added = [line.strip() for new in lines for line in new if line.strip()]
    named = bool(edits) and all(edit.after == "" and last_part(edit.path) in said for edit in edits)
    known = named or (bool(added) and all(edit.after is not None for edit in edits))
    return known and all(len(line) >= _LEAST_LINE and line in said for line in added)


def _only_texts(end: End) -> list[str]:
    """The files that are left changed, where each is a text for people and the result of its edit is recorded; empty
    where there are others, or too many to name."""
    files = [] if any(warning.hides_actions for warning in end.case.timeline.warnings) else end.delivery.files
    steps = {step for change in files for step in change.steps}
    answered = {action.step for action in end.actions if end.came_back(action)}
    texts = all(is_prose(change.file) and change.steps for change in files)
    return [change.file for change in files] if texts and steps <= answered and len(files) <= _MOST_FILES else []


_AS_MUCH = 200
"""Characters of an answer by which it's recognised in what is written later."""


def refusal_handed_on(end: End) -> Outcome | None:
    """The last thing that was written is an answer which says that it lacks its input."""
    lost = [finding.details.answered_at for finding in end.case.findings if isinstance(finding.details, LostInput)]
    if not lost or not end.edits:
        return None
    last = end.edits[-1]
    answers = {action.step: (action.result or "").strip()[:_AS_MUCH] for action in end.actions}
    texts = [edit.after or "" for edit in last.operation.edits]
    step = next((step for step in lost if answers.get(step) and any(answers[step] in text for text in texts)), None)
    if step is None:
        return None
    path = code(clip(last.operation.path or last.operation.target, 80))
    reason = f"The last thing written, at step {last.step} to {path}, is the answer of step {step} that its input is"
    return outcome(OutcomeStatus.FAILED, 0.75, Basis.DELIVERABLE, f"{reason} missing", step, last)


_AFFIX = late(r"^(?:test_|Test)|(?:_test|Tests?|_spec|Spec|-test|\.test|\.spec)$")
"""What a test file's name has besides that of the file that it tests."""


def untested(end: End) -> str:
    """Which of the delivered files no test ran for, as a sentence: those that ran are named after others of them.
    Empty where a run named no test files, and so took all."""
    files = {PurePosixPath(path).stem: path for path in end.modified}
    checks = (check.operation.commands for check in end.on_delivered if check.kind is Kind.TEST)
    given = [[word.split("::")[0] for entry in commands for word in entry.args] for commands in checks]
    runs = [[path for path in paths if is_test_path(path)] for paths in given]
    tested = {_AFFIX.sub("", PurePosixPath(path).stem): PurePosixPath(path).name for paths in runs for path in paths}
    known = next((stem for stem in tested if stem in files), None)
    missed = [stem for stem in files if stem not in tested][:_MOST_FILES]
    if len(files) < 2 or not all(runs) or known is None or not missed:
        return ""
    names = listed([code(clip_path(files[stem], 60)) for stem in missed])
    tests = listed([code(clip_path(tested[known].replace(known, stem), 60)) for stem in missed], "or")
    return f" {names} {one_or_many(len(missed), 'was', 'were')} changed too, and no {tests} ran."
