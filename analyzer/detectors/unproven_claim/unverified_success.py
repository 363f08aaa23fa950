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
from collections.abc import Iterable, Mapping, Sequence

from analyzer.commands.table import row_of
from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.table import new_finding, title_of
from analyzer.detectors.signals.advice import name_of, suggest_check
from analyzer.detectors.signals.claims import claim_quote
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.detectors.signals.wanted import failed_beside, is_wanted, sets_asked_value
from analyzer.failures.roles import is_test_path, last_part
from analyzer.model.action import Action
from analyzer.model.difference import ChangeKind
from analyzer.model.finding import Evidence, Finding, Slot, UnprovenClaim
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, FailureKind, Kind, Severity
from analyzer.speech.acts import Act, acts_of
from analyzer.speech.heard import first_with
from analyzer.task.names import names_of
from analyzer.text.clip import clip
from analyzer.text.late import late
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
_STUB = late(
    r"\braise NotImplementedError\b|\b(?:todo|unimplemented)!\(|\bthrow new (?:\w*Error|\w*Exception)\(['\"](?:TODO|not"
    r" (?:yet )?implemented)|\bpanic\(['\"](?:TODO|not (?:yet )?implemented)|\bthrow new NotImplementedException\("
    r"|(?:#|//|/\*|--)\s*(?:TODO|FIXME)\b:?\s*(?:implement|fill|finish|write|add (?:the )?(?:real|actual|proper|logic))"
    r"|(?:#|//|/\*|--)[^\n]{0,30}\b(?:placeholder|stub(?:bed)?|dummy|mock|fake) (?:implementation|value|data|response"
    r"|result|for now)|(?:#|//|/\*|--)\s*(?:rest|remaining|other)\b[^\n]{0,30}\b(?:unchanged|here|as before)"
    r"|(?:#|//|/\*|--|<!--)[^\n\w]{0,6}(?:\.\.\.|…)[^\n\w]{0,6}(?:the )?(?:existing|rest|remaining|other|previous"
    r"|unchanged)\b"
)
_ABSTRACT = late(r"@(?:abc\.)?abstract\w*|\b(?:ABC|Protocol|abstract class|Base\w*|interface)\b")
_NEAR = 12


def detect(facts: Facts) -> Iterable[Finding]:
    """The claim, and what it rests on."""
    actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
    claim = claim_of(facts.timeline, actions)
    doubt = _doubt(facts, actions) if claim is not None else None
    if claim is None or doubt is None:
        return
    closing, unchecked = closing_words(facts.timeline, actions[-1]), doubt.kind == "no-check"
    granted, words = first_with(closing, Act.ASSUMES) if unchecked else None, doubt.words
    owned = first_with(closing, Act.COULD_NOT_CHECK) if unchecked and not words and granted is None else None
    words = words or ("owned" if owned is not None else "")
    said = owned or granted
    quote = (
        Evidence(step=claim.step, quote=said)
        if said is not None
        else claim_quote(facts.timeline, actions, claim, doubt.edit.step)
    )
    claimed = first_with(closing, Act.DONE, Act.CHECKED) or not handed_in(facts.timeline.session, actions[-1])
    steps = sorted({doubt.edit.step, doubt.evidence.step, claim.step})
    slots = {**doubt.slots, **{name: text for name, text in (("granted", granted), ("owned", owned)) if text}}
    half = title_of("unverified-success", words or doubt.kind, slots)
    claims = title_of("unverified-success", "granted" if granted else "claimed" if claimed else "handed-in", slots)
    severity = None if unchecked and Act.CHECKED in acts_of(claim.words) else doubt.severity
    yield new_finding(
        f"unverified-success/{doubt.kind}",
        words=words,
        title=f"{claims}, but {half}",
        severity=Severity.LOW if owned is not None else severity,
        steps=steps,
        evidence=[doubt.evidence, quote],
        advice=[doubt.advice] if doubt.advice else None,
        cost=facts.cost(MAIN_LANE, steps[0], claim.step),
        slots=slots,
        details=UnprovenClaim(doubt=half),
    )


class _Doubt(Struct, frozen=True):
    """What is wrong with what a claim rests on: the last edit that matters, what shows it, and what its sentences
    name."""

    kind: str
    edit: Action
    evidence: Evidence
    slots: Mapping[str, Slot] = {}
    words: str = ""
    severity: Severity | None = None
    advice: str = ""


def _doubt(facts: Facts, actions: Sequence[Action]) -> _Doubt | None:
    """What is wrong with the checks of the delivered code; None when they hold, or when it isn't known what ran."""
    delivery, proofs = facts.delivery, facts.proofs
    edit = delivery.changed
    if edit is None or delivery.empty:
        return _only_scratch(facts, actions, delivery)
    if edit.lane != MAIN_LANE:
        return None
    stub = _placeholder_left(delivery)
    if stub is not None and not holds_any(facts.timeline.closing().lower(), _PLACEHOLDER_SAID):
        path, line = stub
        left = Evidence(step=edit.step, quote=clip(line, 200))
        return _Doubt("placeholder", edit, left, {"file": path, "line": line})
    after = delivery.after(edit)
    if any(action.after_user or action.lane != MAIN_LANE for action in after):
        return None
    wanted, slots = asked_for(facts.timeline), dict[str, Slot]()
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
    checks = [check for check in checks if check.unended is None]
    if not checks:
        old = delivery.test_of_old_build(edit)
        if any(_unclear(action, proofs) for action in after if action not in (old, *unended)) or not all(
            could_not_run(action) or action in unended for action in candidates
        ):
            return None
        if not (edit.operation.edits or edit.operation.writes or edit.operation.path):
            return None  # what only removes or moves files leaves nothing that a check could load
        if _NO_CHECK_WANTED.search(facts.timeline.session.task or "") is not None:
            return None
        started = next((check for check in reversed(unended) if check.kind is Kind.TEST), None)
        if started is not None:
            slots = {"check": started.step, "ran": name_of(started)}
            return _Doubt("no-check", edit, evidence_of(started, 200), slots, "still-running")
        ran = any(
            is_check(action, edited) and not could_not_run(action) for action in actions if action.kind is not Kind.EDIT
        )
        changes = [change for change in delivery.files if not is_document(change.file)]
        only_new = all(change.kind is ChangeKind.CREATED for change in changes)
        small = only_new or (len(changes) == 1 and sets_asked_value(changes[0], wanted))
        slots = {"edit": edit.step, **({"check": old.step} if old is not None else {})}
        words, severity = "old-build" if old is not None else "", Severity.LOW if ran or small else None
        return _Doubt("no-check", edit, _edited(edit), slots, words, severity, suggest_check(delivery, actions))
    check = checks[-1]
    failure = check.failure
    if failure is not None and (failed_beside(failure, check.result or "", delivery) or is_wanted(failure, wanted)):
        return None
    # A script that reports a failure next to successes may well demonstrate something: its verdict is not ours to give.
    demonstrates = (
        failure is not None and failure.type == "CheckFailed" and holds_any((check.result or "").lower(), _WELL)
    )
    if failure is not None and not failure.expected and not demonstrates:
        stopped = failure.kind is FailureKind.TIMEOUT
        failing = (re.split(r"::|\.", last_part(name).removesuffix(".py"))[-1] for name in failure.failing_tests)
        named = any(len(name) >= _NAMED and name in wanted for name in failing)
        known = None if named else same_before(actions, check, delivery)
        slots = {"check": check.step, "ran": name_of(check)}
        if known is not None:
            slots |= {"stopped": int(stopped), "known": known.step}
            return _Doubt("failed-as-before", edit, evidence_of(check, 200), slots)
        return _Doubt("failed-check", edit, evidence_of(check, 200), slots, "stopped" if stopped else "")
    if all(proofs.of(entry) <= Proof.RAN for entry in checks):
        return _same_as_before(actions, delivery, checks, edit)
    return None


def _placeholder_left(delivery: Delivery) -> tuple[str, str] | None:
    """The file and the line of the first placeholder that the agent's edits put into code and that is still there at
    the end: a body that only says that it's still to be written. A method that others are to override is none."""
    for change in delivery.files:
        if is_document(change.file) or is_test_path(change.file):
            continue
        for hunk in change.hunks:
            removed = {line[1:].strip() for line in hunk.lines if line.startswith("-")}
            for place, line in enumerate(hunk.lines):
                if not line.startswith("+") or _STUB.search(line) is None or line[1:].strip() in removed:
                    continue
                near = "\n".join(hunk.lines[max(0, place - _NEAR) : place + 1])
                if _ABSTRACT.search(near) is None:
                    return change.file, line[1:].strip()
    return None


def _says_nothing(facts: Facts, delivery: Delivery, check: Action) -> bool:
    """Whether a failing check speaks against nothing: it couldn't run at all, a linter speaks of a file of the agent's
    own that isn't delivered, or the agent says right after it that it fails as it's meant to."""
    if check.failure is None or could_not_run(check):
        return check.failure is not None
    files = {frame.file for frame in check.failure.frames}
    if check.failure.kind is FailureKind.LINT and files and files.isdisjoint(change.file for change in delivery.files):
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
    # A word or two in the call that ends the session are an answer that it hands over, and no report.
    answer = final_text(actions[-1]).removeprefix(actions[-1].tool).split()
    after = delivery.after(edits[0])
    if any(action.lane != MAIN_LANE for action in after) or 0 < len(answer) <= _ANSWER_WORDS:
        return None
    asked = names_of(facts.timeline.session.task or "").files
    written = [edit.after or "" for action in edits for edit in action.operation.edits]
    if any(map(delivery.changes_unseen, after)):
        return None
    if any(f"{name}{mark}" in text for text in written for name in asked for mark in "\"'"):
        return None  # a program that makes what was asked for: it holds the file's name as a text
    return _Doubt("only-scratch-files", edits[-1], _edited(edits[-1]))


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
    if not same or None in same:
        return None
    final = checks[-1]
    shown = Evidence(step=final.step, quote=" ".join((final.result or "(nothing)").split())[:200])
    return _Doubt("check-proves-nothing", edit, shown, {"check": final.step, "known": same[-1]})


def _edited(edit: Action) -> Evidence:
    return Evidence(step=edit.step, label="edited", quote=(edit.operation.path or edit.operation.target)[:200])


def _unclear(action: Action, proofs: Proofs) -> bool:
    """Whether a call may have checked the work, for all that is known of it."""
    if proofs.of(action) > Proof.NOTHING:
        return True
    unknown = action.kind is Kind.RUN and any(row_of(one.program) is None for one in action.operation.commands)
    return (unknown or (action.kind is Kind.OTHER and not action.task_done)) and action.failure is None


def _runs(action: Action) -> bool:
    return bool(action.operation.edits) and any(
        command.program not in HANDLES_FILES for command in action.operation.commands
    )
