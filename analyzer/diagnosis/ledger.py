"""What the user asked for turn by turn, and what came of each.

That is steps, files, acts, checks, answer and claims, how it is known, and the user's reaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, zip_longest

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.detectors.signals.check_claims import OTHERWISE, checks_claimed, edits_claimed
from analyzer.detectors.signals.claims import BoundClaim, Verdict, claims_in
from analyzer.detectors.signals.effects import effects_of
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.end import End
from analyzer.diagnosis.operations import carried_out, operations_of
from analyzer.diagnosis.outcome_checked import what_ran
from analyzer.failures.runners.registry import closing_report
from analyzer.model.action import Action
from analyzer.model.ledger import LedgerAct, LedgerCheck, LedgerClaim, LedgerEntry, Reaction
from analyzer.model.postmortem import Outcome
from analyzer.model.session import EMPTY_ANSWER
from analyzer.model.words import MAIN_LANE, Basis, Kind, Status, TurnKind
from analyzer.speech.acts import Act, acts_of
from analyzer.speech.heard import heard
from analyzer.task.corrections import CorrectionKind
from analyzer.task.prose import own_words, sentences
from analyzer.task.turns import Turn, UserTurn
from analyzer.text.clip import clip, clip_words, without_marks
from analyzer.text.english import capital, listed, one_or_many, times
from analyzer.timeline.closing.closing_message import words_handed_in
from analyzer.timeline.closing.user_answers import not_run
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.verification.checks import changes_code, could_not_run
from analyzer.timeline.verification.proof import Proof
from analyzer.workspace.history import Left, changed_within
from analyzer.workspace.ownership import scratch_paths


def _kind(turn: UserTurn, *, begins: bool) -> TurnKind:
    """What the user does in a turn. What the user begins with corrects nobody."""
    if turn.corrections:
        return TurnKind.REQUEST if begins else TurnKind.CORRECTION
    if turn.approves:
        return TurnKind.APPROVAL
    return TurnKind.REQUEST if turn.requests else TurnKind.OTHER


_LONGEST, _READ = 400, 4_000
_MOST_FILES = 50
_STOPPED = "It was interrupted before an answer."
_IN_PARTS = 2
"""So many messages in a row may be the parts of one."""


def ledger_of(end: End, outcome: Outcome) -> list[LedgerEntry]:
    """An entry for each turn of the user, in order."""
    turns = end.case.timeline.turns()
    history, scratch = end.case.timeline.history, set[str]()
    if history is not None and turns:
        scratch = scratch_paths(history, end.session.task or "", "\n".join(one.text for one in turns))
    return [_entry(end, outcome, *pair, scratch) for pair in zip_longest(turns, turns[1:])]


def _entry(end: End, outcome: Outcome, turn: Turn, following: Turn | None, scratch: set[str]) -> LedgerEntry:
    case, timeline = end.case, end.case.timeline
    taken = timeline.actions[turn.first : turn.end]
    own = [action for action in taken if action.lane == MAIN_LANE]
    history, gone = timeline.history, end.delivery.moved
    left = changed_within(history, turn.first, turn.end, gone, scratch) if history is not None else Left([], [])
    after = following.read if following is not None else None
    basis, known = _unanswered(turn, own) or _known(end, outcome, own, turn.read, after, changed=bool(left.files))
    if not known and turn.stopped and not turn.said:
        known = "It was interrupted." if own else _STOPPED
    answer = _answer(timeline, turn, own)
    return LedgerEntry(
        text=clip_words(without_marks(own_words(turn.text)[:_READ]), _LONGEST),
        kind=_kind(turn.read, begins=turn.first == 0 and turn.text == timeline.turns()[0].text),
        first_step=own[0].step if own else None,
        last_step=own[-1].step if own else None,
        files=left.files[:_MOST_FILES],
        deleted=[path for path in left.files[:_MOST_FILES] if path in left.deleted],
        acts=lasting_acts(taken),
        checks=checks_of(end, own),
        answer=clip_words(without_marks(answer[:_READ]), _LONGEST),
        claims=claims_of(case, answer, own),
        contradictions=findings_in(case, own, Trait.CONTRADICTS_REPORT),
        losses=findings_in(case, own, Trait.LOSES_WORK),
        reaction=reaction_to(turn, following),
        basis=basis,
        known=known,
    )


def _unanswered(turn: Turn, own: Sequence[Action]) -> tuple[Basis, str] | None:
    """Why nothing came of a turn that was neither worked on nor answered."""
    if own or turn.said:
        return None
    said = [text for text in turn.failed if text != EMPTY_ANSWER]
    if turn.failed and not said:
        return Basis.NONE, "The model gave an empty answer."
    if said:
        how_often = ":" if len(said) == 1 else f" {times(len(said))}, the last time with"
        return Basis.NONE, f'The model call failed{how_often} "{clip(said[-1], 100)}".'
    return (Basis.NONE, _STOPPED) if turn.stopped else None


def _answer(timeline: Timeline, turn: Turn, own: Sequence[Action]) -> str:
    # Of many messages in a row the first ones announce what the last one reports.
    said = "\n\n".join(turn.said[-1:] if len(turn.said) > _IN_PARTS else turn.said).strip()
    last = next((action for action in reversed(own) if not action.harness), None)
    if said or last is None or last.kind is not Kind.FINISH:
        return said
    return words_handed_in(timeline, last) or last.said


def _known(
    end: End, outcome: Outcome, own: Sequence[Action], meant: UserTurn, after: UserTurn | None, *, changed: bool
) -> tuple[Basis, str]:
    """What shows what came of a turn: the session's own outcome for the last one, what the user says next, an
    operation that was carried out, or the last check behind the last change that was made for it."""
    if after is None and outcome.basis in (Basis.VERDICT, Basis.WAITING):
        return outcome.basis, outcome.reason
    if after is not None and after.corrections:
        return Basis.USER, "The user corrected it next."
    operations = [(operation, carried_out(operation, own)) for operation in operations_of(meant)]
    done = [(operation, action.step) for operation, action in operations if action is not None]
    if done:
        what = listed([f"the {operation} at step {step}" for operation, step in done])
        return Basis.CHECKS, f"{capital(what)} {one_or_many(len(done), 'was', 'were')} carried out."
    if checked := _checked(end, own):
        return Basis.CHECKS, checked
    if after is not None and after.approves and changed:
        return Basis.USER, "The user agreed to it next."
    return (Basis.CLAIM if own else Basis.NONE), ""


def _checked(end: End, own: Sequence[Action]) -> str:
    """What the last check says that ran behind the last change of code of a turn; empty where none did."""
    changed = next((number for number in range(len(own) - 1, -1, -1) if changes_code(own[number])), -1)
    what = "check"
    for action in reversed(own[changed + 1 :]):
        proof = end.proof(action)
        if action.kind is not Kind.TEST and proof < Proof.TESTED:
            what = "test run" if proof is Proof.BUILT else what
            continue
        if action.failure is not None:
            headline = clip(action.failure.headline, 100)
            return "" if action.failure.expected else f"The last {what} failed (step {action.step}: {headline})."
        if proof > Proof.BUILT:
            when = "after that " if changed >= 0 else ""
            return f"{what_ran(end, action)} passed {when}(step {action.step})."
    return ""


_MOST_BOUND = 500
"""Calls before the end of a turn to which a claim is bound."""
_FIRST = 2
"""Sentences at the beginning of a turn that may say what the user thinks of the answer before it."""
_MOST, _MOST_CLAIMS, _LONGEST_CALL, _LONGEST_QUOTE = 50, 20, 100, 200


def lasting_acts(taken: Sequence[Action]) -> list[LedgerAct]:
    """What was done with a lasting effect; what was done to one file, or equal commands, with one result is one act."""
    found: dict[tuple[str, str, str], LedgerAct] = {}
    for action in taken:
        for effect in effects_of(action):
            key = effect.kind, effect.what, effect.state._value_
            before = found.get(key)
            if before is None and len(found) == _MOST:
                continue
            steps = [*(before.steps if before is not None else ()), action.step]
            found[key] = LedgerAct(kind=effect.kind, what=effect.what, steps=steps, state=effect.state._value_)
    return list(found.values())


def checks_of(end: End, own: Sequence[Action]) -> list[LedgerCheck]:
    """The checks of a turn: tests, what a runner starts, and scripts that prove something. One that didn't run, or that
    neither failed nor proves anything, is of unknown result."""
    ran = [action for action in own if action.kind in (Kind.RUN, Kind.TEST) and not action.harness]
    proven = {action.step: end.proof(action) > Proof.RAN for action in ran}
    checks = [action for action in ran if action.kind is Kind.TEST or action.operation.runner or proven[action.step]]
    last = end.delivery.state(own[-1]) if checks else ""
    found = []
    for check in checks[-_MOST:]:
        began = not_run(check) is None and not could_not_run(check)
        failed = began and (check.failure is not None or check.status is Status.ERROR)
        passed = began and not failed and proven[check.step]
        report = closing_report(check.result or "") if passed and check.kind is Kind.TEST else None
        found.append(
            LedgerCheck(
                step=check.step,
                what=clip(check.operation.target, _LONGEST_CALL),
                state="failed" if failed else "passed" if passed else "unknown",
                counts=check.failure.counts if check.failure is not None else report.counts if report else {},
                current=end.delivery.state(check) == last,
            )
        )
    return found


def claims_of(case: Case, answer: str, own: Sequence[Action]) -> list[LedgerClaim]:
    """What an answer says was done, or shown by checks, bound to the calls of its turn and of those before it."""
    last = own[-1].step if own else 0
    whole = len(case.timeline.lanes()) == 1 and last <= _MOST_BOUND
    before = case.timeline.lane(MAIN_LANE)[max(0, last - _MOST_BOUND) : last]
    bound = [*claims_in(answer, before, whole=whole), *checks_claimed(answer, before), *edits_claimed(answer, before)]
    quoted = {claim.quote for claim in bound}
    others = [said for said in heard(answer) if said.quote not in quoted and said.does(Act.DONE, Act.CHECKED)]
    bound += [BoundClaim(said.quote, "", Verdict.OPEN) for said in others if not said.does(*OTHERWISE)]
    # What the user found still wrong right after it isn't so, whatever a call shows.
    found = [finding.evidence[0] for finding in case.findings if finding.kind == "refuted"]
    refuted = {shown.quote for shown in found if shown.step == last}
    return [
        LedgerClaim(
            quote=clip(claim.quote, _LONGEST_QUOTE),
            state=(Verdict.CONTRADICTED if clip(claim.quote, 300) in refuted else claim.verdict)._value_,
            step=claim.action.step if claim.action is not None else None,
        )
        for claim in bound[:_MOST_CLAIMS]
    ]


def findings_in(case: Case, own: Sequence[Action], trait: Trait) -> list[int]:
    """The positions of the findings that mean this and became known in the steps of a turn."""
    steps = range(own[0].step, own[-1].step + 1) if own else range(0)
    known = ((at, one) for at, one in enumerate(case.findings) if one.lane == MAIN_LANE and one.detectable_at in steps)
    return [position for position, finding in known if has(finding, trait)]


def reaction_to(turn: Turn, following: Turn | None) -> Reaction | None:
    """How the user took what was done; None at the end of the session."""
    words = clip_words(" ".join(own_words(following.text).split()), _LONGEST_QUOTE) if following is not None else ""
    if turn.stopped or following is None:
        return Reaction(kind="interrupts", text=words) if turn.stopped else None
    after = following.read
    if after.corrections:
        again = all(correction.kind is CorrectionKind.SAID_BEFORE for correction in after.corrections)
        return Reaction(kind="asks again" if again else "corrects", text=words)
    agrees = following.answers and acts_of(words.partition(",")[0], "user", frozenset({Act.ONLY_APPROVES}))
    first = islice(sentences(after.text), _FIRST)
    if after.approves or agrees or any(acts_of(sentence, "user", frozenset({Act.APPROVES})) for sentence in first):
        return Reaction(kind="approves", text=words)
    return Reaction(kind="goes on", text=words)
