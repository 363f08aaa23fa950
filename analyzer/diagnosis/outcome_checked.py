"""What the checks that ran on the delivered code prove, as an outcome, and what a check that passed is called."""

from __future__ import annotations

from analyzer.commands.runners import left_out, script
from analyzer.detectors.signals.check_claims import DESELECTED, targets
from analyzer.detectors.signals.wanted import failed_beside, is_wanted
from analyzer.detectors.wrong_place.copies import loaded_copies
from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rows import lower, outcome, unknown
from analyzer.failures.roles import same_file
from analyzer.failures.runners.registry import closing_report
from analyzer.model.action import Action
from analyzer.model.failure import Failure, Frame
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, FailureKind, FrameRole, Kind, OutcomeStatus
from analyzer.task.names import names_of
from analyzer.text.clip import clip, middle
from analyzer.text.markdown import code
from analyzer.timeline.calls.judging import bare_command
from analyzer.timeline.closing.ending import asked_for
from analyzer.timeline.verification.checks import (
    in_hooks,
    is_document,
    named_by_user,
    runs_checker,
    verb_of,
    watches_checks,
)
from analyzer.timeline.verification.proof import Proof, counts_tests, same_before
from analyzer.workspace.paths import normal


def what_ran(end: End, check: Action) -> str:
    """The subject of `... passed`, with a capital letter."""
    if in_hooks(check):
        return f"The tests in the hooks of {code(verb_of(check))}"
    if watches_checks(check):
        return "The checks on the server"
    if check.kind is Kind.TEST or counts_tests(check):
        return "Tests"
    if named_by_user(check, asked_for(end.case.timeline)):
        return "A check that the user named"
    if runs_checker(check):
        return "The static check"
    return "The build" if check.operation.runner is not None else "A check"


def checked(end: End) -> Outcome | None:
    """Code was delivered, and something ran on it and passed."""
    best = end.best if end.changed is not None and end.reported_done else None
    if best is None:
        return None
    proof, what = end.proof(best), code(middle(best.operation.target, 100), 100)
    if proof is Proof.OWN and end.proofs.task_code.is_used_by(best):
        reason = f"The agent's own check of what the task names passed on what was delivered (step {best.step}: {what})"
        return outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.CHECKS, reason, best)
    if proof < Proof.TURNED:
        static = "a static check found no errors" if runs_checker(best) else "it builds"
        said = {
            Proof.RAN: f"{_whose(end, best)} ran to the end at step {best.step} ({what}), {_NOT_RULED_OUT}",
            Proof.BUILT: f"{static} (step {best.step}: {what}), and no test run on what was delivered is recorded",
            Proof.OWN: (
                f"the agent's own check passed at step {best.step} ({what}), and no other test run on what was "
                "delivered is recorded"
            ),
        }[proof]
        return unknown(Basis.CHECKS, f"{end.reported}; {said}", best, known=f"{end.state}, {_PARTLY[proof]}")
    ran = what_ran(end, best)
    copy = _loaded_instead(end, best)
    if copy is not None:
        reason = f"{end.reported}; {lower(ran)} passed at step {best.step} ({what}), which names {code(copy)} and not"
        return unknown(Basis.CHECKS, f"{reason} the file that was edited", best, known=_ELSEWHERE)
    place = _ran_elsewhere(end, best)
    if place is not None:
        reason = f"{end.reported}; {lower(ran)} passed at step {best.step} in {code(best.directory)}, and what was"
        reason += f" edited is in {code(place.directory)}, where the same check failed at step {place.step}"
        return unknown(Basis.CHECKS, reason, best, known=_ELSEWHERE)
    turned, shown = end.turned, {best.step}
    if turned is None:
        shown_as = f"step {best.step}" if in_hooks(best) else f"step {best.step}: {what}"
        reason = f"{ran} passed on what was delivered ({shown_as})"
    else:
        check, failed = turned
        same = code(clip(check.operation.target, 100))
        reason = f"What failed at step {failed.step} passes on what was delivered (step {check.step}: {same})"
        shown = {failed.step, check.step}
        if proof is not Proof.TURNED and check is not best:
            reason += f", and {lower(ran)} passed (step {best.step}: {what})"
            shown.add(best.step)
    tests = (check for check in reversed(end.on_delivered) if check.kind is Kind.TEST and check.failure is not None)
    cut = next((test for test in tests if test.failure and test.failure.kind is FailureKind.TIMEOUT), None)
    if cut is not None:
        reason += f"; a run at step {cut.step} timed out, so only a part of the tests was seen to pass"
        shown.add(cut.step)
    if cut is None and turned is None and (beside := DESELECTED.search((best.result or "")[-_LONGEST:])) is not None:
        reason += f"; {beside[0]}"
    rerun = _never_rerun(end, best) if turned is None else None
    for failing, how in (
        (_failed_on_delivered(end), "tests failed on the same state"),
        (rerun, "what failed before wasn't run again"),
        (_left_failed(end), "the last call failed"),
    ):
        if failing is not None and failing.failure is not None:
            reason += f"; {how} (step {failing.step}: {clip(failing.failure.headline, 120)})"
            return unknown(Basis.CHECKS, reason, *sorted({*shown, failing.step}), known="checked in part")
    sure = 0.85 if proof is Proof.TESTED and turned is not None else 0.8
    return outcome(OutcomeStatus.SUCCEEDED, sure, Basis.CHECKS, reason, *sorted(shown))


def _loaded_instead(end: End, check: Action) -> str | None:
    """A copy of an edited file, or its original, that the output of a check names, and the edited file nowhere."""
    names = names_of((check.result or "")[-_LONGEST:]).files
    frames = tuple(Frame(name, None, None, FrameRole.PROJECT) for name in names)
    edited = [change.file for change in end.delivery.files if not is_document(change.file)]
    copies = loaded_copies(edited, Failure(FailureKind.OTHER, "", "", frames=frames)) if frames else {}
    return next((frame.file for frame in copies.values()), None)


def _ran_elsewhere(end: End, check: Action) -> Action | None:
    """The last failure of the same check in another folder, where all that was edited lies, and nothing in the one in
    which it passed."""
    edited = [edit.path for action in end.edits for edit in action.accepted_edits if edit.path.startswith("/")]
    for action in reversed(end.actions):
        there, here = f"{action.directory}/", f"{check.directory}/"
        same = action.failure is not None and bare_command(action) == bare_command(check) and action.directory
        if same and edited and not here.startswith(there) and not there.startswith(here) and check.directory:
            return action if all(path.startswith(there) for path in edited) else None
    return None


def _failed_on_delivered(end: End) -> Action | None:
    """The last test run that failed on the delivered state for something new, and whose check didn't pass later."""
    for check in reversed(end.on_delivered):
        failure = check.failure
        tests = check.kind is Kind.TEST or check.operation.runner is not None
        if failure is None or failure.expected or failure.kind is not FailureKind.TEST or not tests:
            continue
        own = bare_command(check)
        later = (other for other in end.on_delivered if other.step > check.step and end.proof(other) > Proof.RAN)
        passed = any(own and bare_command(other) == own for other in later)
        if same_before(end.actions, check, end.delivery) is None:
            return None if passed else check
    return None


def _never_rerun(end: End, best: Action) -> Action | None:
    """The last tests that failed before the last change, where all that was chosen to pass since lies elsewhere, leaves
    them out by name, or is no more than passed then."""
    changed = end.changed
    if changed is None:
        return None
    tests = [action for action in end.actions if action.kind is Kind.TEST]
    failing = next((test for test in reversed(tests) if test.failure and end.delivery.follows(changed, test)), None)
    if failing is None or failing.failure is None or failing.failure.kind is not FailureKind.TEST:
        return None
    fine = [test for test in tests if test.failure is None and end.delivery.follows(test, failing)]
    names = failing.failure.failing_tests
    left = [{part for entry in test.operation.commands for part in left_out(entry)} for test in fine]
    if left and all(any(part in name for part in parts for name in names) for parts in left):
        return failing
    before = failing.failure.counts.get("passed", 0)
    reports = [closing_report(test.result or "") for test in fine]
    more = [one for one in reports if one is None or one.counts.get("passed", 0) > before]
    since = [test for test in tests if end.delivery.follows(test, failing)]
    words = {word for test in since for entry in test.operation.commands for word in entry.args if len(word) > _NAMES}
    chosen_by_name = any(word in name for word in words for name in names)
    again = any(bare_command(test) == bare_command(failing) for test in since)
    if before and fine and not (more or again or chosen_by_name):
        return failing  # no more of them pass than before
    chosen = [
        [normal(name.removesuffix("..."), test.directory) for name in targets(test)] for test in (failing, best, *fine)
    ]
    met = [any(_within(a, b) for a in names for b in chosen[0]) for names in chosen[1:] if names]
    return failing if chosen[0] and not any(met) and len(met) == len(chosen) - 1 else None


def _within(one: str, other: str) -> bool:
    """Whether one of two paths is the other, or lies in it."""
    first, second = f"{one.rstrip('/')}/", f"{other.rstrip('/')}/"
    return first.startswith(second) or second.startswith(first)


def _left_failed(end: End) -> Action | None:
    """The last command or function, where it failed and the same one hadn't been carried out before."""
    last = end.last
    if last.kind not in (Kind.RUN, Kind.OTHER) or end.last_failure is None:
        return None
    done = any(action.keys.call == last.keys.call and action.failure is None for action in end.actions)
    return None if done else last


def _whose(end: End, action: Action) -> str:
    """What ran, where it's no test and no build."""
    names = [name for entry in action.operation.commands if (name := script(entry)) is not None]
    if any(end.delivery.made_by_agent(name, action.directory) for name in names):
        return "its own script"
    changed = any(same_file(path, name) for path in end.edited_paths for name in names)
    return "a script that it changed" if changed else "a script" if names else "a command"


_LONGEST, _NAMES = 20_000, 4
_NOT_RULED_OUT = "which doesn't rule out a wrong result"
_ELSEWHERE = "checked somewhere else"
_PARTLY = {Proof.RAN: "not tested", Proof.BUILT: "not tested", Proof.OWN: "checked only by the agent's own check"}


FAILING = "ended on a failure"


def failing(end: End) -> Outcome | None:
    """The last check of the delivered code failed."""
    edited = end.changed is not None
    checks = [check for check in end.on_delivered if end.proof(check) > Proof.NOTHING or check.failure is not None]
    final = checks[-1] if checks else None
    if final is None or final.failure is None or final.failure.expected:
        return None
    if is_wanted(final.failure, asked_for(end.case.timeline)):
        return None
    tests = final.kind is Kind.TEST or final.operation.runner or final.failure.kind is FailureKind.TEST
    if not edited and (final is not end.last or not tests):
        return None
    shown = f"step {final.step}: {clip(final.failure.headline, 120)}"
    known = same_before(end.actions, final, end.delivery)
    if known is not None:
        reason = f"The last check ({shown}) fails as it did at step {known.step} on the original code"
        return unknown(Basis.CHECKS, reason, known, final, known="a check fails as it did before")
    if edited and failed_beside(final.failure, final.result or "", end.delivery):
        reason = f"What failed in the last check ({shown}) lies outside what was changed"
        return unknown(Basis.CHECKS, reason, final, known="a check fails outside the change")
    named = named_by_user(final, asked_for(end.case.timeline))
    if final.kind is not Kind.TEST and not final.operation.runner and final is not end.last and not named:
        return None
    if edited and _only_own_trials(end, final):
        reason = f"The last check ({shown}) failed on a file of the agent's own that isn't delivered"
        return unknown(Basis.CHECKS, reason, final)
    if not edited and end.closing:
        return unknown(Basis.CHECKS, f"The last action failed ({shown})", final, known=FAILING)
    last = "The last action" if final is end.last else "The last check of what was changed"
    what = "A check that the user named" if named else last
    return outcome(OutcomeStatus.FAILED, 0.8 if named else 0.6, Basis.CHECKS, f"{what} failed ({shown})", final)


def _only_own_trials(end: End, check: Action) -> bool:
    """Whether a check speaks of tests, or of nothing but files, that the agent made and that aren't delivered."""
    frames = check.failure.frames if check.failure is not None else ()
    files = {frame.file for frame in frames if frame.role is FrameRole.TEST} or {frame.file for frame in frames}
    left = [change.file for change in end.delivery.files]
    made = all(end.delivery.made_by_agent(file, check.directory) for file in files)
    return bool(files) and made and not any(same_file(file, one) for file in files for one in left)
