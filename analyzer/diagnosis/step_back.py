"""Questions that would have helped, each about a file, a line, a call or a step of the session."""

from __future__ import annotations

import re

from analyzer.detectors.engine.registry import declared
from analyzer.diagnosis.case import Case, asks, call_text
from analyzer.diagnosis.causes.clues import (
    Shape,
    at,
    lines_text,
    never_opened,
    one_range,
    raised_at,
    raised_there,
    shape_of,
)
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.proposals.of_failure import is_specific
from analyzer.model.diagnosis import ProvenanceKind
from analyzer.model.failure import Failure
from analyzer.model.finding import Finding
from analyzer.model.words import FailureKind
from analyzer.text.markdown import code

_STATIC = frozenset({FailureKind.COMPILE, FailureKind.LINT})
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
    call = code(call_text(case.action(main.steps[-1]))) if main.steps and main.steps[-1] > 0 else ""
    if shape is Shape.REFUSED_EDIT:
        return _refused_edit(case)
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
        f"If {after} edits of {files} left the error unchanged, can the cause be there at all?",
    ]
    if raised is not None and raised.guard:
        found.append(f"Is the check {code(raised.guard, 90)} wrong, or is it the input?")
    return found


def _refused_edit(case: Case) -> list[str]:
    """For edits that their tool refuses."""
    span, path = one_range(case), next(iter(case.edited_paths), "")
    found = [f"What does {code(path)} look like now, around the place of the edit?"] if path else []
    if span is not None and path:
        found.append(f"Which whole statement of {code(path)} does {lines_text(span)} belong to, and is all of it new?")
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
        found.append(f"Where does {', '.join(map(code, names[:2]))} come from? No edit in between mentions it.")
    return found
