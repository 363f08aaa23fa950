"""What the checks prove that ran on the code as it was delivered, as an outcome."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.what_ran import what_ran
from analyzer.diagnosis.outcome_rules.wording import outcome, reported, unknown
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, FailureKind, Kind, OutcomeStatus
from analyzer.text.clip import clip, middle
from analyzer.text.markdown import code
from analyzer.timeline.calls.piped import bare_command
from analyzer.timeline.calls.programs import script
from analyzer.timeline.verification.checks import runs_checker
from analyzer.timeline.verification.hooks import in_hooks
from analyzer.timeline.verification.proof import Proof, same_before


def checked(end: End) -> Outcome | None:
    """Code was delivered, and something ran on it and passed."""
    best = end.best if end.changed is not None and end.reported_done else None
    if best is None:
        return None
    proof, what = end.proof(best), code(middle(best.operation.target, 100), 100)
    if proof is Proof.OWN and end.proofs.task_code.is_used_by(best):
        reason = f"Its own check of what the task names passed on what was delivered (step {best.step}: {what})"
        return outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.CHECKS, reason, best)
    if proof < Proof.TURNED:
        static = "a static check found nothing" if runs_checker(best) else "it builds"
        said = {
            Proof.RAN: (
                f"{_whose(end, best)} ran to the end at step {best.step} ({what}), "
                "which doesn't rule out a wrong result"
            ),
            Proof.BUILT: f"{static} (step {best.step}: {what}), and no test run on it is recorded",
            Proof.OWN: f"its own check passed at step {best.step} ({what}), and no other test run on it is recorded",
        }[proof]
        return unknown(Basis.CHECKS, f"{reported(end)}; {said}", best)
    ran = what_ran(end, best)
    turned, shown = end.turned, {best.step}
    if turned is None:
        shown_as = f"step {best.step}" if in_hooks(best) else f"step {best.step}: {what}"
        reason = f"{ran} passed on what was delivered ({shown_as})"
    else:
        check, failed = turned
        same = code(clip(check.operation.target, 100))
        reason = f"What failed at step {failed.step} passes on what was delivered (step {check.step}: {same})"
        if proof is not Proof.TURNED and check is not best:
            reason += f", and {lower(ran)} passed (step {best.step}: {what})"
            shown |= {failed.step, check.step}
        else:
            shown = {failed.step, check.step}
    red = failed_on_delivered(end)
    if red is not None:
        reason, shown = f"{reason}{red.words}", shown | red.steps
        if red.passed is None:
            return unknown(Basis.CHECKS, reason, *sorted(shown))
    cut = next((check for check in reversed(end.on_delivered) if _timed_out(check)), None)
    if cut is not None:
        reason += f"; a run at step {cut.step} timed out, so only a part of the tests was seen to pass"
        shown.add(cut.step)
    failure = _left_failed(end)
    if failure is not None:
        reason += f"; the last call failed (step {end.last.step}: {clip(failure.headline, 120)})"
        return unknown(Basis.CHECKS, reason, *sorted(shown), end.last)
    sure = 0.85 if proof is Proof.TESTED and turned is not None else 0.8
    return outcome(OutcomeStatus.SUCCEEDED, sure, Basis.CHECKS, reason, *sorted(shown))


def _left_failed(end: End) -> Failure | None:
    """How the last command or function failed, where the same one hadn't been carried out before."""
    last = end.last
    if last.kind not in (Kind.RUN, Kind.OTHER) or last.failure is None or last.failure.expected:
        return None
    done = any(action.keys.call == last.keys.call and action.failure is None for action in end.actions)
    return None if done else last.failure


def _whose(end: End, action: Action) -> str:
    """What ran, where it's no test and no build."""
    names = [name for entry in action.operation.commands if (name := script(entry)) is not None]
    if any(end.delivery.made_by_agent(name, action.directory) for name in names):
        return "its own script"
    edited = (edited.path for edit in end.edits for edited in edit.operation.edits)
    changed = any(same_file(path, name) for path in edited for name in names)
    return "a script that it changed" if changed else "a script" if names else "a command"


def _timed_out(action: Action) -> bool:
    return action.failure is not None and action.failure.kind is FailureKind.TIMEOUT and action.kind is Kind.TEST


def lower(text: str) -> str:
    """A sentence as the second half of another one: a word that begins in capitals for its own sake keeps them."""
    return f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() else text


@dataclass(frozen=True, slots=True)
class Red:
    """A test run that failed on the delivered state, and the first run of the same check that passed after it with no
    edit in between; None where none did."""

    failed: Action
    passed: Action | None

    @property
    def steps(self) -> set[int]:
        """Both steps."""
        return {self.failed.step, *([self.passed.step] if self.passed is not None else [])}

    @property
    def words(self) -> str:
        """What happened, as the end of a sentence that says that something passed."""
        headline = clip(self.failed.failure.headline if self.failed.failure is not None else "", 120)
        if self.passed is None:
            return f", but tests failed on the same state (step {self.failed.step}: {headline})"
        failed, passed = self.failed.step, self.passed.step
        return (
            f"; on that state step {failed} had failed ({headline}) and step {passed} passed, with no edit in between"
        )


def failed_on_delivered(end: End) -> Red | None:
    """The last test run that failed on the delivered state, and not for what was there before; None where none did."""
    red = next((check for check in reversed(end.on_delivered) if _is_red(end, check)), None)
    if red is None:
        return None
    later = [check for check in end.on_delivered if check.step > red.step and end.proof(check) > Proof.RAN]
    own = bare_command(red)
    return Red(red, next((check for check in later if own and bare_command(check) == own), None))


def _is_red(end: End, check: Action) -> bool:
    failure = check.failure
    if failure is None or failure.expected or failure.kind is not FailureKind.TEST:
        return False
    tests = check.kind is Kind.TEST or check.operation.runner is not None
    return tests and same_before(end.actions, check, end.delivery) is None
