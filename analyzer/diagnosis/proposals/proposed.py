"""The proposals of a session that hold against its record.

Proposals that follow from what a session did, said and left, rather than from a failure.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, has
from analyzer.detectors.episodes import FAILING
from analyzer.diagnosis.case import Case, call_text, one_call
from analyzer.diagnosis.causes.clues import Shape, shape_of
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.proposals.of_failure import Candidate, is_specific, of_failure
from analyzer.failures.roles import same_file
from analyzer.model.diagnosis import Approach
from analyzer.model.finding import Finding
from analyzer.model.words import MAIN_LANE, FailureKind
from analyzer.text.clip import clip
from analyzer.text.markdown import code


def of_session(case: Case) -> Iterator[Candidate]:
    """What the main finding leads to, the surest first."""
    yield from _repeated(case)
    yield from _advice(case)


def _repeated(case: Case) -> Iterator[Candidate]:
    main, shape = case.main, shape_of(case)
    if main is None:
        return
    if shape is Shape.IDLE_CALL and main.last_step >= main.first_step > 0 and not main.escaped:
        action = case.action(main.steps[0])
        answer = (action.result or "").strip()
        if answer and one_call(case) and main.pattern != FAILING:
            yield Candidate(
                "Go on from the answer",
                f"Step {action.step} had answered {code(call_text(action), 80)} with {code(clip(answer, 100), 100)}.",
                since=main.last_step,
            )


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
    """Whether a finding's advice is to fix what the last check shows, which says only that something is wrong."""
    if not has(finding, Trait.DOUBTS_SUCCESS) or not finding.evidence:
        return False
    failure = case.timeline.lane(MAIN_LANE)[finding.evidence[0].step - 1].failure
    return failure is not None and failure.kind is not FailureKind.TIMEOUT


MOST = 4
"""How many proposals are given."""


def proposals_of(case: Case) -> list[Approach]:
    """Ways to go on, the surest first, each different; empty where nothing holds, or nothing was wrong."""
    found: dict[str, Approach] = {}
    for candidate in (*of_failure(case), *of_session(case)) if case.main is not None else ():
        if any(candidate.text == said.text for said in found.values()):
            continue
        if candidate.title not in found and holds(case, candidate):
            found[candidate.title] = Approach(title=candidate.title, text=candidate.text)
    return list(found.values())[:MOST]


def holds(case: Case, candidate: Candidate) -> bool:
    """Whether nothing in the record speaks against a proposal."""
    if not is_specific(candidate.text):
        return False
    later = [action for action in case.lane if action.step > candidate.since and not action.harness]
    edits = (edit for action in later if action.failure is None for edit in action.operation.edits)
    return not (candidate.changes and any(same_file(edit.path, candidate.changes) for edit in edits))
