"""Questions and ways to go on for an error that outlives the edits meant to fix it."""

from __future__ import annotations

import re

from analyzer.diagnosis.case import Case, steps_text
from analyzer.diagnosis.causes.clues import instruments, never_opened, regression, unopened_by_name
from analyzer.diagnosis.causes.places import at, raised_at
from analyzer.model.provenance import ProvenanceKind
from analyzer.model.words import FailureKind
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For an error that came back after every change."""
    failure = case.failure
    if failure is None:
        return []
    raised = raised_at(failure)
    opened = never_opened(case)
    found = [f"Which assumption do the last {len(case.main.steps) if case.main else 0} attempts share?"]
    if (
        raised is not None
        and failure.kind not in (FailureKind.COMPILE, FailureKind.LINT)
        and not any(instruments(edit) for edit in case.edits)
    ):
        found.append(f"What are the values at {at(raised)} when it fails? Has anything printed them?")
    unopened = unopened_by_name(case)
    if unopened is not None:
        found.append(f"What is in {code(unopened.path)}, which step {unopened.step} listed?")
    elif opened:
        found.append(f"What is in {', '.join(f'{code(path)}' for path in opened[:3])}?")
    broken = regression(case)
    if broken is not None:
        steps = steps_text([edit.step for edit in broken.edits])
        found.insert(
            0,
            f"What did the edits of steps {steps} change? Before them, at step {broken.passed}, the same check passed.",
        )
    names = [
        name
        for name in _quoted(failure.message)
        if not any(name in (edit.after or "") for action in case.edits for edit in action.operation.edits)
    ]
    own = case.provenance is not None and case.provenance.kind is ProvenanceKind.OWN_EDIT
    if names and not own:
        found.append(
            f"Where does {', '.join(f'{code(name)}' for name in names[:2])} come from? No edit in between mentions it."
        )
    return found


def _quoted(message: str) -> list[str]:
    return re.findall(r"['\"`]([\w./-]{3,60})['\"`]", message)
