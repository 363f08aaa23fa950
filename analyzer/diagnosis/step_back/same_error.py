"""Questions and ways to go on for an error that outlives the edits meant to fix it."""

from __future__ import annotations

import re

from analyzer.diagnosis.case import Case, steps_text
from analyzer.diagnosis.clues import instruments, never_opened, regression, unopened_by_name
from analyzer.diagnosis.root_cause import at, raised_at, requirement_of
from analyzer.diagnosis.step_back.wording import file_names
from analyzer.model.diagnosis import Approach
from analyzer.model.provenance import ProvenanceKind
from analyzer.model.words import FailureKind
from analyzer.text.clip import middle
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


def approaches(case: Case) -> list[Approach]:
    """For an error that came back after every change."""
    failure = case.failure
    if failure is None or case.main is None:
        return []
    raised, opened = raised_at(failure), never_opened(case)
    where = (
        at(raised)
        if raised is not None
        else "the place that the message names"
        if failure.kind in (FailureKind.COMPILE, FailureKind.LINT)
        else "the place that fails"
    )
    edited = file_names(case.edited_paths) if case.edited_paths else "what was changed"
    requirement = requirement_of(failure)
    names = _quoted(failure.message)
    unopened = unopened_by_name(case)
    read = (
        (
            f"Open {code(unopened.path)}: step {unopened.step} listed it and the message mentions what it is named "
            "after, "
            "but it was never opened."
        )
        if unopened is not None
        else (
            f"Open {', '.join(f'{code(path)}' for path in opened[:2])}, which the trace names but which wasn't read in "
            "between."
        )
        if opened
        else f"Follow the value that fails at {where} back to where it is created."
    )
    static = failure.kind in (FailureKind.COMPILE, FailureKind.LINT)
    if static and not opened and unopened is None:
        read = "Find where the name in the message is declared, and where it's imported."
    broken = regression(case)
    if broken is not None:
        steps = steps_text([edit.step for edit in broken.edits])
        back = [
            Approach(
                title="Undo what broke it",
                text=(
                    f"{code(broken.command, 80)} passed at step {broken.passed}. Undo the edits of steps "
                    f"{steps} one by one, or compare the file with its state at that step, until it passes again."
                ),
            )
        ]
    else:
        back = []
    found = [
        *back,
        Approach(
            title="Read the place",
            text=(
                f"Open {where} with the lines around it, and say in one sentence what "
                f"{code(middle(failure.headline, 100), 100)} objects to."
            ),
        )
        if static
        else Approach(
            title="Measure before the next edit",
            text=(
                f"Print the inputs at {where} once, and compare them with what "
                f"{code(middle(failure.headline, 100), 100)} complains "
                f"about{f' ({requirement})' if requirement else ''}."
            ),
        ),
        Approach(
            title="Look somewhere new",
            text=read + (f" Search for {code(names[0])}: the message names it." if names else ""),
        ),
        Approach(
            title="Fix the first message",
            text=f"Run the checker on {edited} alone and fix only its first message; later ones often follow from it.",
        )
        if static
        else Approach(
            title="Reduce it",
            text=(
                f"Reproduce the failure in the fewest lines that still show it, away from {edited}. What can be left "
                "out isn't the cause."
            ),
        ),
    ]
    if case.edited_paths:
        found.append(
            Approach(
                title="Go back and change one variable",
                text=(
                    f"Undo the edits of steps {case.edits[0].step}-{case.edits[-1].step}; if the failure is the same "
                    "without them, none of them affected it."
                ),
            )
        )
    return found
