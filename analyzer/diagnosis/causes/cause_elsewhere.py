"""The root cause where edits went to other files than the one that is at fault."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, steps_text
from analyzer.diagnosis.causes.clues import RootCause, at, raised_at, raised_there, requirement_of, written_at
from analyzer.failures.refusal import refuses
from analyzer.failures.unparsed import unparsed
from analyzer.model.failure import Failure
from analyzer.model.finding import Finding, Place
from analyzer.text.markdown import code


def cause_elsewhere(case: Case) -> RootCause:
    """The cause where the failure comes from a test or its data while edits went elsewhere; empty where no finding says
    so."""
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return RootCause(None)
    fault = finding.fault
    if raised_there(failure, fault):
        return _raised_in_test(case, finding, failure, fault)
    place = at(fault)
    requirement = requirement_of(failure)
    raised = raised_at(failure)
    author = written_at(case, fault.file, fault.code)
    wrote = f" The agent itself wrote that line at step {author}." if author is not None else ""
    parts = [f"The error comes from {place}, not from the code that raises it.{wrote}"]
    if requirement:
        parts.append(f"That line passes what the check rejects: {requirement}.")
    elif fault.code:
        parts.append(f"That line is {code(fault.code, 160)}.")
    if raised is not None and raised.file != fault.file and (raised.guard or refuses(failure)):
        guard = f" ({code(raised.guard, 120)})" if raised.guard else ""
        parts.append(f"{at(raised)} only checks its input{guard} and is right to reject it.")
    other = "other parts of " if fault.file in finding.edited_instead else ""
    parts.append(
        f"The agent edited {other}{_files(finding.edited_instead)} instead, but no such edit can change what the "
        "test passes."
    )
    sure = failure.origin.confidence if failure.origin else 0.5
    seen = failure.origin.shown_at if failure.origin is not None else None
    both = (
        f"The trace at step {finding.steps[0]} shows both places"
        if seen is None
        else f"Step {seen} shows the line, step {finding.steps[0]} what rejects it"
    )
    every = "the only edit" if sum(entry.label == "edited" for entry in finding.evidence) == 1 else "every edit"
    how = (
        both
        if requirement
        else f"Inferred: the same rejection came back at steps {steps_text(finding.steps)}, through {every}"
    )
    parts.append(f"({how}; confidence {sure:.0%}.)")
    return RootCause(" ".join(parts), fault, requirement)


def _raised_in_test(case: Case, finding: Finding, failure: Failure, fault: Place) -> RootCause:
    """The cause where the test's own line raises, or its file doesn't parse."""
    author = written_at(case, fault.file, fault.code)
    wrote = f" The agent itself wrote that line at step {author}." if author is not None else ""
    line = f": {code(fault.code, 160)}" if fault.code else ""
    raised = raised_at(failure)
    what = (
        f"{at(fault)} doesn't parse; the parser stops at {at(raised or fault)}."
        if unparsed(failure)
        else f"{at(fault)} raises the error itself{line}.{wrote}"
    )
    sure = failure.origin.confidence if failure.origin else 0.5
    text = (
        f"{what} The agent edited {_files(finding.edited_instead)} instead, and the same error came back at "
        f"steps {steps_text(finding.steps)}. (Confidence {sure:.0%}.)"
    )
    return RootCause(text, fault, requirement_of(failure))


def cause_not_loaded(finding: Finding, loaded: Place) -> RootCause:
    """The cause where the failing run loads another copy than the files that were edited."""
    edited = _files(finding.edited_instead)
    if finding.kind == "another-tree":
        return RootCause(
            f"The check runs in another working tree, whose copy is {code(loaded.file)}; the edits went to {edited}"
            f" in the repository around it. (Steps {steps_text(finding.steps)} show it; confidence "
            f"{finding.confidence:.0%}.)",
            loaded,
        )
    text = (
        f"The failing run never loads the edited files: its trace runs through {at(loaded)}, and the edits went "
        f"to {edited}."
        f" No edit there can change the result. (The traces at steps {steps_text(finding.steps)} show it; "
        f"confidence {finding.confidence:.0%}.)"
    )
    return RootCause(text, loaded)


def _files(paths: list[str]) -> str:
    shown = [f"{code(path)}" for path in paths[:4]]
    return ", ".join(shown) + (f" and {len(paths) - 4} more" if len(paths) > 4 else "")
