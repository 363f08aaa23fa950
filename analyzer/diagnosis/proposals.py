"""What to ask and what to do next in a session, each about a file, a line, a call or a step of it.

A way to go on is tried against the record before it is proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, has
from analyzer.detectors.episodes.episode import FAILING
from analyzer.diagnosis.agent_message import guidance_for
from analyzer.diagnosis.case import Case, asks, one_call
from analyzer.diagnosis.clues import (
    Shape,
    lines_text,
    never_opened,
    one_range,
    raised_at,
    raised_there,
    shape_of,
    unmet,
)
from analyzer.diagnosis.labels import at, call_text
from analyzer.failures.requirement import RELATIONS
from analyzer.failures.roles import same_file
from analyzer.model.diagnosis import Approach, ProvenanceKind
from analyzer.model.failure import Failure
from analyzer.model.finding import Finding
from analyzer.model.words import MAIN_LANE, FailureKind, Kind
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import holds_any, plain

_STATIC = frozenset({FailureKind.COMPILE, FailureKind.LINT})
_RULES = ("must", "at least", "need", "requir")
_CODE = late(r"^(?:raise|return|def|class|if|for|import|from|assert)\b|[;{}]$|\w = ")
_OF_THE_CALL = frozenset({FailureKind.EDIT_REFUSED, FailureKind.INVALID_CALL})
_QUOTED = re.compile(r"['\"`]([\w./-]{3,60})['\"`]")


def questions_of(case: Case) -> list[str]:
    """Questions to the agent, each naming what it should have looked at."""
    main, failure, shape = case.main, case.failure, shape_of(case)
    if main is None:
        return []
    if case.misread is not None and shape is Shape.FAILING_CALL:
        return _of_guidance(case.misread)
    if shape is Shape.WRONG_FILE and case.wrong_file is not None and failure is not None:
        return _wrong_file(case, case.wrong_file, failure)
    if shape is Shape.REFUSED_EDIT:
        return _refused_edit(case)
    call = code(call_text(case.action(main.steps[-1]))) if main.steps and main.steps[-1] > 0 else ""
    if shape is Shape.FAILING_CALL:
        return [f"What would have to change for {call} to give a different answer, and did anything change it?"]
    if shape is Shape.SAME_ERROR and failure is not None:
        return _same_error(case, failure)
    if shape is Shape.IDLE_CALL:
        return [
            f"What did {call} answer the first time, and what follows from it?"
            if asks(case)
            else f"What changed after the last {call}, and what would be visible if it had worked?"
        ]
    return _of_guidance(main)


def _of_guidance(finding: Finding) -> list[str]:
    """The questions of a finding's detector that name something of the session."""
    if declared(finding).guidance_for(finding.kind) is None:
        return []
    return [question for question in guidance_for(finding).questions if is_specific(question)]


def _wrong_file(case: Case, finding: Finding, failure: Failure) -> list[str]:
    """For edits of a file that can't hold the cause."""
    fault, raised = finding.fault, raised_at(failure)
    if fault is None:
        return []
    after = sum(action.step > finding.steps[0] for action in case.edits)
    supplies = [
        f"Which frame supplies the rejected value? ({at(fault)})",
        f"What does the message require, and does {code(fault.code or 'the call', 90)} meet it?",
    ]
    files = ", ".join(map(code, finding.edited_instead[:3])) or "the files"
    found = [
        *(supplies if not raised_there(failure, fault) else []),
        f"If {after} edit{'s' * (after != 1)} of {files} left the error unchanged, can the cause be there at all?",
    ]
    if raised is not None and raised.guard:
        found.append(f"Is the check {code(raised.guard, 90)} wrong, or is it the input?")
    return found


def _refused_edit(case: Case) -> list[str]:
    """For edits that their tool refuses."""
    span, path = one_range(case), next(iter(case.edited_paths), "")
    found = [f"What does {code(path)} look like now, around the place of the edit?"] if path else []
    if span is not None and path:
        found.append(f"Which statement of {code(path)} holds {lines_text(span)}, and does the edit replace all of it?")
    return found


def _same_error(case: Case, failure: Failure) -> list[str]:
    """For an error that came back after every change."""
    raised, opened = raised_at(failure), never_opened(case)
    found = []
    if raised is not None and failure.kind not in _STATIC:
        found.append(f"What are the values at {at(raised)} when it fails? Has anything printed them?")
    if opened:
        found.append(f"What is in {', '.join(map(code, opened[:3]))}?")
    said = "\n".join(edit.after or "" for action in case.edits for edit in action.operation.edits)
    names = [name for name in _QUOTED.findall(failure.message) if name not in said]
    own = case.provenance is not None and case.provenance.kind is ProvenanceKind.OWN_EDIT
    if names and not own:
        do, them = ("do", "them") if len(names) > 1 else ("does", "it")
        found.append(f"Where {do} {' and '.join(map(code, names[:2]))} come from? No edit in between mentions {them}.")
    return found


_OF_THE_SESSION = late(r"`[^`\n]+`|\bsteps? \d")


def is_specific(text: str) -> bool:
    """Whether a text names something of the session: a step, or something quoted."""
    return _OF_THE_SESSION.search(text) is not None


def _test_data(case: Case) -> Iterator[tuple[str, str]]:
    """To correct what a test supplies, unless an edit of its file came later."""
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return
    fault, demand, last = finding.fault, unmet(failure), finding.steps[-1]
    later = (action for action in case.lane[last:] if action.failure is None and not action.harness)
    if any(same_file(edit.path, fault.file) for action in later for edit in action.operation.edits):
        return
    if demand is not None:
        given = f"{demand.given:g} {demand.noun} ({code(demand.code)})"
        change = f"{at(fault)} passes {given}: make it {RELATIONS[demand.relation]} {demand.number:g}"
        yield "Correct the test data", f"{change}, and run step {last} again."
        rule = stated_rule(case, demand.noun)
        if rule is not None:
            text = f"Step {rule[0]} showed {code(rule[1], 180)}; {code(demand.code)} breaks it."
            yield "Check it against the rule", text
    elif fault.code:
        raised = raised_at(failure)
        guard = f", which {at(raised)} rejects (step {last})" if raised is not None else f" (step {last})"
        yield "Correct the test data", f"{at(fault)}: change {code(fault.code, 120)}{guard}."


def stated_rule(case: Case, noun: str) -> tuple[int, str] | None:
    """A line of what the agent had read that states a rule about what a message demands, behind the step of it."""
    read = case.lane[: case.main.steps[0] - 1] if case.main is not None else ()
    stem = noun.lower().rstrip("s")
    most, best = 1, None
    for action in read:
        if action.kind is Kind.READ and action.failure is None and action.result:
            for line in plain(action.result)[:60_000].splitlines():
                text = " ".join(line.split()).lstrip("-*# ")
                if not 15 < len(text) < 220 or stem not in text.lower() or _CODE.search(text):
                    continue
                rules, sums = holds_any(text.lower(), _RULES), holds_any(text, (" * ", " + "))
                weight = rules + sums + any(map(str.isdigit, text))
                if weight > most:
                    most, best = weight, (action.step, text)
    return best


def _measured(case: Case) -> Iterator[tuple[str, str]]:
    """What no edit looked at: the values where it fails."""
    main, failure = case.main, case.failure
    if main is None or failure is None or not case.edits or case.wrong_file is not None:
        return
    failed = [step for step in main.steps if case.action(step).failure is not None]
    raised = raised_at(failure)
    if raised is not None and len(failed) >= 3 and failure.kind not in (*_STATIC, *_OF_THE_CALL):
        yield (
            "Print what arrives",
            f"Print the values at {at(raised)}, where step {failed[-1]} still fails; no edit printed them.",
        )


def _repeated(case: Case) -> Iterator[tuple[str, str]]:
    main = case.main
    if main is None or main.escaped or not main.last_step >= main.first_step > 0:
        return
    if shape_of(case) is Shape.IDLE_CALL and one_call(case) and main.pattern != FAILING:
        action = case.action(main.steps[0])
        if answer := (action.result or "").strip():
            call, shown = code(call_text(action), 80), code(clip(answer, 100), 100)
            yield "Go on from the answer", f"Use what step {action.step} returned for {call}: {shown}."


def _advice(case: Case) -> Iterator[tuple[str, str]]:
    """What the detectors of the main finding and of its cause propose, where it's about this session."""
    cause, main = case.cause, case.main
    for finding in (entry for entry in (cause, main if main is not cause else None) if entry is not None):
        entry, template = guidance_for(finding), declared(finding).guidance_for(finding.kind)
        for text in finding.advice[:2]:
            if not _restates_check(case, finding):
                yield f"At step {finding.detectable_at}", text
        if template is None:
            continue
        for (title, text), (_, raw) in zip(entry.approaches, template.approaches, strict=True):
            if text != raw and raw != "{advice}":
                yield title, text


def _restates_check(case: Case, finding: Finding) -> bool:
    """Whether a finding's advice is to fix what the last check shows, which says only that something is wrong."""
    if not has(finding, Trait.DOUBTS_SUCCESS) or not finding.evidence:
        return False
    failure = case.timeline.lane(MAIN_LANE)[finding.evidence[0].step - 1].failure
    return failure is not None and failure.kind is not FailureKind.TIMEOUT


MOST = 4
"""How many proposals are given."""


def proposals_of(case: Case) -> list[Approach]:
    """Ways to go on that are about something of this session, the surest first, each different; there may be none."""
    found: dict[str, str] = {}
    proposed = (*_test_data(case), *_measured(case), *_repeated(case), *_advice(case))
    for title, text in proposed if case.main is not None else ():
        if title not in found and text not in found.values() and is_specific(text):
            found[title] = text
    return [Approach(title=title, text=text) for title, text in list(found.items())[:MOST]]
