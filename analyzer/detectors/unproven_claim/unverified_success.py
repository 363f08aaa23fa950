"""The agent says that it's done, but nothing that ran confirms it.

What it flags
    A session that ends with a claim (work submitted, or a last message that reports success) although the last check of
    the changed code failed, nothing was run after the last edit to code that could have been run (low where something
    had been run before), or what was delivered still holds a placeholder.

Why it matters
    "Submitted" and "all done" are claims. Half of the runs that end with one are wrong, and a missing check is the
    first sign.

What it does not flag
    Sessions without an edit to code, sessions that end by a limit or say openly that the work isn't finished, changes
    to documents, markup and configuration, and a run on the delivered code that passed. A reverted experiment, a
    restored file, a restored stash, the removal of a scratch file and edits of comments don't invalidate an earlier
    check. A script that prints after the change exactly what it printed before doesn't count as such a run; neither
    do scripts when nothing but such scripts was changed. Where a call with unknown content may have checked the
    work, a sub-agent acted after the last edit, or the user wrote something after it, nothing is reported.

Example:
    The last edit is step 14; step 15 submits the work; no test or script ran in between.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.commands.table import row_of
from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.signals.check_advice import RUN_A_CHECK, name_of, on_failed, which_check
from analyzer.detectors.signals.claims import claim_quote
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.detectors.signals.wanted import failed_beside, is_wanted, sets_asked_value
from analyzer.detectors.unproven_claim.placeholders import placeholder_left
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.difference import ChangeKind
from analyzer.model.finding import Evidence, Finding, UnprovenClaim
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, FailureKind, Kind, Severity
from analyzer.speech.acts import Act, acts_of
from analyzer.speech.heard import first_with
from analyzer.task.names import names_of
from analyzer.text.clip import clip, clip_path
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import names
from analyzer.text.plain import holds_any
from analyzer.timeline.closing.ending import asked_for, claim_of, closing_words, final_text, handed_in
from analyzer.timeline.delivery import WANTS_TESTS, Delivery
from analyzer.timeline.verification.checks import (
    HANDLES_FILES,
    changes_code,
    could_not_run,
    is_check,
    is_document,
    tested_by_tool,
)
from analyzer.timeline.verification.proof import Proof, same_before
from analyzer.timeline.verification.proofs import Proofs

_SURE = frozenset({"failed-check", "failed-as-before", "no-check"})
_ANSWER_WORDS = 3
_SAID_NEXT, _NAMED = 300, 6
_AS_EXPECTED = late(
    r"\b(?:fail(?:s|ed|ing)?|error(?:s|ed)?|reject(?:s|ed)?|refus(?:es|ed)|raises?) (?:\w+ )?(?:as (?:expected|intended"
    r"|it should)|correctly|which is (?:expected|correct))|\bas expected\b",
    re.IGNORECASE,
)
_NO_CHECK_WANTED = late(
    r"\b(?:no need to|(?:do not|don['’]t|needn['’]t|not necessary to|without)) (?:\w+ )?"
    r"(?:run|test|execut|verif|check)\w*",
    re.IGNORECASE,
)
_PLACEHOLDER_SAID = names("placeholder stub dummy mock todo unimplemented skeleton scaffold")
_WELL = names("success ✓ ✅ ✔ passed")


def detect(facts: Facts) -> Iterable[Finding]:
    """The claim, and what it rests on."""
    actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
    claim = claim_of(facts.timeline, actions)
    doubt = _doubt(facts, actions) if claim is not None else None
    if claim is None or doubt is None:
        return []
    severity, closing = doubt.severity, closing_words(facts.timeline, actions[-1])
    granted = first_with(closing, Act.ASSUMES) if doubt.kind == "no-check" else None
    title = f"{_ended(facts, actions[-1], granted, closing)}, but {doubt.what}"
    if doubt.kind == "no-check" and Act.CHECKED in acts_of(claim.words):
        severity = max(severity, Severity.MEDIUM, key=lambda level: level.rank)
    quote = claim_quote(facts.timeline, actions, claim, doubt.edit.step)
    quote = quote if granted is None else Evidence(step=claim.step, quote=granted)
    shown = [doubt.evidence, quote]
    told = sorted({doubt.edit.step, doubt.evidence.step, claim.step})
    first = min(doubt.edit.step, doubt.evidence.step, told[0])
    last = max(claim.step, first)
    return [
        new_finding(
            f"unverified-success/{doubt.kind}",
            severity=severity,
            confidence=0.85 if doubt.kind in _SURE else 0.7,
            title=title,
            first_step=first,
            last_step=last,
            steps=told,
            detectable_at=claim.step,
            evidence=shown,
            advice=[doubt.advice or RUN_A_CHECK],
            cost=facts.cost(MAIN_LANE, first, last),
            details=UnprovenClaim(doubt=doubt.what),
        )
    ]


def _ended(facts: Facts, last: Action, granted: str | None, closing: str) -> str:
    """How the work is ended, as the beginning of a sentence: what is claimed, or that it's handed in."""
    if granted is not None:
        return f'The agent takes for granted that its change works ("{clip(granted, 120)}")'
    claims = first_with(closing, Act.DONE, Act.CHECKED) is not None or not handed_in(facts.timeline.session, last)
    return "Success is claimed" if claims else "The work is handed in"


class _Doubt(Struct, frozen=True):
    """What is wrong with what a claim rests on: the last edit that matters, what shows it, and what to do."""

    kind: str
    severity: Severity
    what: str
    """What is wrong, as the second half of a sentence."""
    edit: Action
    evidence: Evidence
    advice: str = ""
    """What to do about it; a check in general where it's empty."""


def _doubt(facts: Facts, actions: Sequence[Action]) -> _Doubt | None:
    """What is wrong with the checks of the delivered code; None when they hold, or when it isn't known what ran."""
    delivery = facts.delivery
    edit = delivery.changed
    if edit is None or delivery.empty:
        return _only_scratch(facts, actions, delivery)
    if edit.lane != MAIN_LANE:
        return None
    stub = placeholder_left(delivery)
    if stub is not None and not holds_any(facts.timeline.closing().lower(), _PLACEHOLDER_SAID):
        where, shown_line = code(clip_path(stub.path, 60)), code(clip(stub.line, 80))
        what = f"{where} still holds a placeholder: {shown_line}"
        advice = f"Replace the placeholder in {where} by what it stands for, or say that it's left open."
        left = Evidence(step=edit.step, quote=clip(stub.line, 200))
        return _Doubt("placeholder", Severity.HIGH, what, edit, left, advice)
    after = delivery.after(edit)
    if any(action.after_user or action.lane != MAIN_LANE for action in after):
        return None
    proofs = facts.proofs
    edited = [entry.path for action in actions for entry in action.operation.edits]
    candidates = [
        action
        for action in actions
        if delivery.on_delivered(action)
        and (is_check(action, edited) or _runs(action) or tested_by_tool(action) or proofs.is_known_check(action))
        and (action is not edit or action.kind in (Kind.RUN, Kind.TEST) or _runs(action) or tested_by_tool(action))
    ]
    checks = [action for action in candidates if not _says_nothing(facts, delivery, action)]
    unended = [check for check in checks if check.unended is not None]
    checks = [check for check in checks if check not in unended]
    if not checks:
        old = delivery.test_of_old_build(edit)
        if any(_unclear(action, proofs) for action in after if action not in (old, *unended)) or not all(
            could_not_run(action) or action in unended for action in candidates
        ):
            return None
        ran = any(
            is_check(action, edited) and not could_not_run(action) for action in actions if action.kind is not Kind.EDIT
        )
        if not (edit.operation.edits or edit.operation.writes or edit.operation.path):
            return None  # what only removes or moves files leaves nothing that a check could load
        if _NO_CHECK_WANTED.search(facts.timeline.session.task or "") is not None:
            return None
        started = next((check for check in reversed(unended) if check.kind is Kind.TEST), None)
        if started is not None:
            what = f"the last check (step {started.step}) ran on in the background, and no end of it is recorded"
            advice = (
                f"Wait for the end of {code(name_of(started), 80)} (step {started.step}), and report what it printed."
            )
            return _Doubt("no-check", Severity.MEDIUM, what, edit, evidence_of(started, 200), advice)
        what = f"no check ran after the last change of code (step {edit.step})"
        if old is not None:
            what = f"step {old.step} tests what was built before the last change of code (step {edit.step})"
        changes = [change for change in delivery.files if not is_document(change.file)]
        only_new = all(change.kind is ChangeKind.CREATED for change in changes)
        small = only_new or (len(changes) == 1 and sets_asked_value(changes[0], asked_for(facts.timeline)))
        severity = Severity.LOW if ran or small else Severity.MEDIUM
        return _Doubt("no-check", severity, what, edit, _edited(edit), which_check(delivery, actions))
    check = checks[-1]
    if check.failure is not None and (
        failed_beside(check.failure, check.result or "", delivery)
        or is_wanted(check.failure, asked_for(facts.timeline))
    ):
        return None
    if check.failure is not None and not check.failure.expected and not _mixed(check):
        stopped = check.failure.kind is FailureKind.TIMEOUT
        kind, severity = "failed-check", Severity.HIGH
        ended = "was stopped by a time limit" if stopped else "failed"
        what = f"the last check (step {check.step}) {ended}"
        wanted = asked_for(facts.timeline)
        names = (re.split(r"::|\.", last_part(name).removesuffix(".py"))[-1] for name in check.failure.failing_tests)
        named = any(len(name) >= _NAMED and name in wanted for name in names)
        known = None if named else same_before(actions, check, delivery)
        if known is not None:
            kind, severity = "failed-as-before", Severity.LOW
            what += f", as it did at step {known.step} on the original code"
        return _Doubt(kind, severity, what, edit, evidence_of(check, 200), on_failed(check, known, stopped=stopped))
    if all(proofs.of(entry) <= Proof.RAN for entry in checks):
        return _same_as_before(actions, delivery, checks, edit)
    return None


def _says_nothing(facts: Facts, delivery: Delivery, check: Action) -> bool:
    """Whether a failing check speaks against nothing: it couldn't run at all, a linter speaks of a file of the agent's
    own that isn't delivered, or the agent says right after it that it fails as it's meant to."""
    if check.failure is None:
        return False
    if could_not_run(check):
        return True
    files = {frame.file for frame in check.failure.frames}
    left = {change.file for change in delivery.files}
    if check.failure.kind is FailureKind.LINT and files and not files & left:
        return all(delivery.made_by_agent(path, check.operation.directory or "") for path in files)
    following = facts.lane(check.lane)[check.step : check.step + 1]
    said = following[0].said[:_SAID_NEXT] if following else ""
    return check.failure.kind is not FailureKind.TEST and _AS_EXPECTED.search(said) is not None


def _only_scratch(facts: Facts, actions: Sequence[Action], delivery: Delivery) -> _Doubt | None:
    """Code was written, and all that is left of it only served to try something out."""
    edits = [action for action in actions if changes_code(action)]
    wants_tests = WANTS_TESTS.search(facts.timeline.session.task or "") is not None
    left = [change for change in delivery.scratch if not is_document(change.file)]
    if not edits or not left or delivery.files or wants_tests:
        return None
    if any(action.lane != MAIN_LANE for action in delivery.after(edits[0])) or _hands_over(actions[-1]):
        return None
    asked = names_of(facts.timeline.session.task or "").files
    written = [edit.after or "" for action in edits for edit in action.operation.edits]
    made = any(delivery.changes_unseen(action) for action in delivery.after(edits[0]))
    if made or any(f"{name}{mark}" in text for text in written for name in asked for mark in "\"'"):
        return None  # a program that makes what was asked for: it holds the file's name as a text
    what = "only the agent's own experimental files were changed"
    advice = "Make the change in the files that the task is about: what is left only tries something out."
    return _Doubt("only-scratch-files", Severity.HIGH, what, edits[-1], _edited(edits[-1]), advice)


def _hands_over(last: Action) -> bool:
    """Whether the call that ends the session hands over an answer: a word or two, no report."""
    words = final_text(last).removeprefix(last.tool).split()
    return 0 < len(words) <= _ANSWER_WORDS


def _same_as_before(
    actions: Sequence[Action], delivery: Delivery, checks: Sequence[Action], edit: Action
) -> _Doubt | None:
    """The checks print what they printed before the code was changed."""
    known = {
        (action.keys.call, action.keys.outcome): action.step
        for action in actions
        if action.failure is None and is_check(action) and delivery.untouched(action)
    }
    same = [known.get((check.keys.call, check.keys.outcome)) for check in checks]
    if not known or not same or any(step is None for step in same):
        return None
    final = checks[-1]
    what = (
        f"the only check after the last edit printed at step {final.step} what it had printed "
        f"before the change (step {same[-1]})"
    )
    shown = Evidence(step=final.step, quote=" ".join((final.result or "(nothing)").split())[:200])
    advice = f"Run a check that prints something else without the change than what step {final.step} printed."
    return _Doubt("check-proves-nothing", Severity.LOW, what, edit, shown, advice)


def _edited(edit: Action) -> Evidence:
    return Evidence(step=edit.step, label="edited", quote=(edit.operation.path or edit.operation.target)[:200])


def _unclear(action: Action, proofs: Proofs) -> bool:
    """Whether a call may have checked the work, for all that is known of it."""
    if proofs.of(action) > Proof.NOTHING:
        return True
    unknown = action.kind is Kind.RUN and any(row_of(one.program) is None for one in action.operation.commands)
    return (unknown or (action.kind is Kind.OTHER and not action.task_done)) and action.failure is None


def _mixed(check: Action) -> bool:
    """A script that reports a failure next to successes may well demonstrate something: its verdict is not ours to
    give."""
    failure = check.failure
    return failure is not None and failure.type == "CheckFailed" and holds_any((check.result or "").lower(), _WELL)


def _runs(action: Action) -> bool:
    return bool(action.operation.edits) and any(
        command.program not in HANDLES_FILES for command in action.operation.commands
    )
