"""The columns of the ledger for one turn: acts, checks, claims, losses, and the user's reaction."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.detectors.signals.check_claims import OTHERWISE, checks_claimed, edits_claimed
from analyzer.detectors.signals.claims import BoundClaim, Verdict, claims_in
from analyzer.detectors.signals.effects import effects_of
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.end import End
from analyzer.failures.runners.registry import closing_report
from analyzer.model.action import Action
from analyzer.model.ledger import LedgerAct, LedgerCheck, LedgerClaim, Reaction
from analyzer.model.words import MAIN_LANE, Kind, Status
from analyzer.speech.acts import Act, acts_of
from analyzer.speech.heard import heard
from analyzer.task.corrections import CorrectionKind
from analyzer.task.prose import own_words, sentences
from analyzer.task.turns import Turn, UserTurn
from analyzer.text.clip import clip, clip_words
from analyzer.timeline.closing.user_answers import not_run
from analyzer.timeline.verification.checks import could_not_run
from analyzer.timeline.verification.proof import Proof

_MOST_BOUND = 500
"""Calls before the end of a turn to which a claim is bound."""
_FIRST = 2
"""Sentences at the beginning of a turn that may say what the user thinks of the answer before it."""
_MOST, _MOST_CLAIMS, _LONGEST, _LONGEST_QUOTE = 50, 20, 100, 200


def lasting_acts(taken: Sequence[Action]) -> list[LedgerAct]:
    """What was done with a lasting effect; several edits of one file, or equal commands, are one act where the same
    became of them."""
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
    checks = [action for action in ran if action.kind is Kind.TEST or action.operation.runner or proven[action.step]][
        -_MOST:
    ]
    last = end.delivery.state(own[-1]) if checks else ""
    found = []
    for check in checks:
        began = not_run(check) is None and not could_not_run(check)
        failed = began and (check.failure is not None or check.status is Status.ERROR)
        passed = began and not failed and proven[check.step]
        report = closing_report(check.result or "") if passed and check.kind is Kind.TEST else None
        found.append(
            LedgerCheck(
                step=check.step,
                what=clip(check.operation.target, _LONGEST),
                state="failed" if failed else "passed" if passed else "unknown",
                counts=check.failure.counts if check.failure is not None else report.counts if report else {},
                current=end.delivery.state(check) == last,
            )
        )
    return found


def claims_of(case: Case, answer: str, own: Sequence[Action]) -> list[LedgerClaim]:
    """What an answer says was done, to files and outside of them, and that checks have shown, bound to the calls of its
    turn and of those before it."""
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


def findings_in(case: Case, own: Sequence[Action], *traits: Trait) -> list[int]:
    """The positions of the findings with one of some traits that became known in the steps of a turn."""
    steps = range(own[0].step, own[-1].step + 1) if own else range(0)
    return [
        position
        for position, finding in enumerate(case.findings)
        if finding.lane == MAIN_LANE and finding.detectable_at in steps and any(has(finding, trait) for trait in traits)
    ]


def reaction_to(turn: Turn, following: Turn | None, after: UserTurn | None) -> Reaction | None:
    """How the user took what was done; None at the end of the session."""
    words = clip_words(" ".join(own_words(following.text).split()), _LONGEST_QUOTE) if following is not None else ""
    if turn.stopped:
        return Reaction(kind="interrupts", text=words)
    if after is None:
        return None
    if after.corrections:
        again = all(correction.kind is CorrectionKind.SAID_BEFORE for correction in after.corrections)
        return Reaction(kind="asks again" if again else "corrects", text=words)
    agrees = bool(
        following is not None
        and following.answers
        and acts_of(words.partition(",")[0], "user", frozenset({Act.ONLY_APPROVES}))
    ) or any(acts_of(sentence, "user", frozenset({Act.APPROVES})) for sentence in islice(sentences(after.text), _FIRST))
    return Reaction(kind="approves" if after.approves or agrees else "goes on", text=words)
