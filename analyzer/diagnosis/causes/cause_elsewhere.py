"""The root cause where edits went to other files than the one that is at fault."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, steps_text
from analyzer.diagnosis.causes.clues import RootCause, at, raised_at, raised_there, requirement_of, written_at
from analyzer.failures.refusal import refuses
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
        return RootCause(None)
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
    parts.append(
        f"The agent edited {_files(finding.edited_instead)} instead, but no such edit can change what the test passes."
    )
    sure = failure.origin.confidence if failure.origin else 0.5
    how = "The trace at step {0} shows both places" if requirement else "The same rejection came back at steps {1}"
    parts.append(f"({how.format(finding.steps[0], steps_text(finding.steps))}; confidence {sure:.0%}.)")
    return RootCause(" ".join(parts), fault, requirement)


def cause_not_loaded(finding: Finding, loaded: Place) -> RootCause:
    """The cause where the failing run loads another copy than the files that were edited."""
    tree = "another working tree, whose copy is " if finding.kind == "another-tree" else ""
    return RootCause(
        f"The failing run loads {tree}{at(loaded)}, and the edits went to {_files(finding.edited_instead)}. (Steps "
        f"{steps_text(finding.steps)} show it; confidence {finding.confidence:.0%}.)",
        loaded,
    )


def _files(paths: list[str]) -> str:
    shown = [f"{code(path)}" for path in paths[:4]]
    return ", ".join(shown) + (f" and {len(paths) - 4} more" if len(paths) > 4 else "")
