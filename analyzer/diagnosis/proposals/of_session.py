"""Proposals that follow from what a session did, said and left, rather than from a failure."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.engine.registry import declared, has
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.episodes import FAILING
from analyzer.diagnosis.case import Case, call_text, one_call, steps_text
from analyzer.diagnosis.causes import stacked, talk
from analyzer.diagnosis.causes.places import at, raised_at
from analyzer.diagnosis.causes.shape import Shape, shape_of
from analyzer.diagnosis.causes.unverified import changed_at
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.proposals.candidate import Candidate, is_specific
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Finding
from analyzer.model.words import MAIN_LANE, FailureKind, Status
from analyzer.text.clip import clip, middle
from analyzer.text.english import plural, times
from analyzer.text.markdown import code
from analyzer.timeline.verification.checks import could_not_run, is_check


def of_session(case: Case) -> Iterator[Candidate]:
    """What the main finding leads to, the surest first."""
    yield from _repeated(case)
    yield from _unverified(case)
    yield from _advice(case)


def _repeated(case: Case) -> Iterator[Candidate]:
    main, shape = case.main, shape_of(case)
    if main is None:
        return
    found = stacked.stacked(case)
    if found is not None:
        before = [
            action.step
            for action in case.lane
            if action.step < main.first_step and any(edit.path == found.path for edit in action.accepted_edits)
        ]
        looked = f"; step {steps_text(before, 4)} had edited it as well" if before else ""
        yield Candidate(
            "Restore the file first",
            f"Restore {code(found.path)} to its state before step {main.first_step}: {times(found.rounds)} the same "
            f"{plural(found.put, 'line')} were put into it{looked}.",
            since=main.last_step,
        )
    elif shape is Shape.IDLE_CALL and main.last_step >= main.first_step > 0 and not main.escaped:
        action = case.action(main.steps[0])
        answer = (action.result or "").strip()
        if answer and one_call(case) and main.pattern != FAILING:
            yield Candidate(
                "Go on from the answer",
                f"Step {action.step} had answered {code(call_text(action), 80)} with {code(clip(answer, 100), 100)}.",
                since=main.last_step,
            )
    elif shape is Shape.TALK:
        last = talk.last_answer(case)
        if not talk.answered(case):
            yield Candidate(
                "Make the call that the words are about",
                f"{code(clip(main.repeated or main.title, 100), 100)} was followed by no call: make one, or end.",
                since=main.last_step,
            )
        if last is not None:
            yield Candidate(
                "Go on from the last result",
                f"Step {last.step} ({code(call_text(last), 80)}) was the last call that returned something.",
                since=main.last_step,
            )


def _unverified(case: Case) -> Iterator[Candidate]:
    main = case.main
    if main is None or not has(main, Trait.DOUBTS_SUCCESS):
        return
    lane = case.timeline.lane(MAIN_LANE)
    shown = lane[main.evidence[0].step - 1] if main.evidence else lane[main.first_step - 1]
    if shown.failure is not None:
        yield from _at_its_place(shown, shown.failure)
        return
    changed = changed_at(main)
    checks = _last_checks(case, changed)
    if checks:
        named = " and ".join(f"{code(call_text(check), 80)} (step {check.step})" for check in checks)
        yield Candidate(
            "Run the check again",
            f"What had run before the edit of step {changed}: {named}.",
            runs=checks[-1],
            since=checks[-1].step,
        )


def _at_its_place(shown: Action, failure: Failure) -> Iterator[Candidate]:
    """Where to begin with a failure that the last check shows; nothing where it only says that something is wrong."""
    ends = f"Step {shown.step} ({code(call_text(shown), 80)}) ends with {code(middle(failure.headline, 100), 100)}"
    raised = raised_at(failure)
    if raised is not None:
        yield Candidate(
            f"Begin at {raised.file.rsplit('/', 1)[-1]}",
            f"{ends}, raised at {at(raised)}.",
            since=shown.step,
            changes=raised.file,
        )
    elif failure.failing_tests:
        test = code(clip(failure.failing_tests[0], 120), 120)
        yield Candidate("Begin with the failing test", f"{ends}: {test} fails.", since=shown.step)


def _last_checks(case: Case, before: int) -> list[Action]:
    """The last check by each of the last two programs that checked something before a step."""
    lane = case.timeline.lane(MAIN_LANE)
    edited = [edit.path for action in lane for edit in action.operation.edits]
    known = {
        action.operation.commands[-1].program if action.operation.commands else action.tool: action
        for action in lane[: max(0, before - 1)]
        if is_check(action, edited) and action.status is not Status.UNKNOWN and not could_not_run(action)
    }
    return list(known.values())[-2:]


def _advice(case: Case) -> Iterator[Candidate]:
    """What the detectors of the main finding and of its cause propose, where it's about this session."""
    cause, main = case.cause, case.main
    for finding in (entry for entry in (cause, main if main is not cause else None) if entry is not None):
        known = declared(finding)
        entry = guidance_for(finding)
        template = known.guidance_for(finding.kind)
        for text in finding.advice[:2]:
            if is_specific(text) and not _restates_check(case, finding):
                yield Candidate(f"At step {finding.detectable_at}", text, since=finding.last_step)
        if template is None:
            continue
        for (title, text), (_, raw) in zip(entry.approaches, template.approaches, strict=True):
            if text != raw and raw != "{advice}" and is_specific(text):
                yield Candidate(title, text, since=finding.last_step)


def _restates_check(case: Case, finding: Finding) -> bool:
    """Whether a finding's advice is to fix what the last check shows: where that shows a place, it has a proposal of
    its own, and else it says nothing more than that something is wrong."""
    if not has(finding, Trait.DOUBTS_SUCCESS) or not finding.evidence:
        return False
    failure = case.timeline.lane(MAIN_LANE)[finding.evidence[0].step - 1].failure
    return failure is not None and failure.kind is not FailureKind.TIMEOUT
