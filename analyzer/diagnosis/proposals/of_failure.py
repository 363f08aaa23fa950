"""Proposals that follow from where the cause of a failure came in, and from what the record shows of it.

A way to go on, with what it needs, so that it can be tried against the record.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.causes.clues import at, raised_at, stated_rule, unmet
from analyzer.failures.requirement import RELATIONS
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code

_OF_THE_SESSION = compiled(r"`[^`\n]+`|\bsteps? \d")


class Candidate(Struct, frozen=True):
    """A proposal before it was tried.

    `changes` is a file that it asks to change, and `since` the step from which on having done so counts as done.
    """

    title: str
    text: str
    changes: str = ""
    since: int = 0


def is_specific(text: str) -> bool:
    """Whether a text names something of the session: a step, or something quoted."""
    return _OF_THE_SESSION.search(text) is not None


_OFTEN = 3


def of_failure(case: Case) -> Iterator[Candidate]:
    """What the failure of the main finding leads to, the surest first."""
    yield from _test_data(case)
    yield from _measured(case)


def _test_data(case: Case) -> Iterator[Candidate]:
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return
    fault, demand = finding.fault, unmet(failure)
    last = finding.steps[-1]
    if demand is not None:
        given = f"{demand.given:g} {demand.noun} ({code(demand.code)})"
        yield Candidate(
            "Correct the test data",
            f"{at(fault)} passes {given}: make it {RELATIONS[demand.relation]} {demand.number:g}, and run step {last} "
            "again.",
            changes=fault.file,
            since=last,
        )
        rule = stated_rule(case, demand.noun)
        if rule is not None:
            yield Candidate(
                "Check it against the rule",
                f"Step {rule.step} showed {code(rule.path, 180)}; {code(demand.code)} breaks it.",
                changes=fault.file,
                since=last,
            )
    elif fault.code:
        raised = raised_at(failure)
        guard = f", which {at(raised)} rejects (step {last})" if raised is not None else f" (step {last})"
        yield Candidate(
            "Correct the test data",
            f"{at(fault)}: change {code(fault.code, 120)}{guard}.",
            changes=fault.file,
            since=last,
        )


def _measured(case: Case) -> Iterator[Candidate]:
    """What no edit looked at: the values where it fails."""
    main, failure = case.main, case.failure
    if main is None or failure is None or not case.edits or case.wrong_file is not None:
        return
    failed = [step for step in main.steps if case.action(step).failure is not None]
    if len(failed) < _OFTEN:
        return
    if failure.kind in (FailureKind.EDIT_REFUSED, FailureKind.INVALID_CALL):
        return
    raised = raised_at(failure)
    static = failure.kind in (FailureKind.COMPILE, FailureKind.LINT)
    if raised is not None and not static:
        yield Candidate(
            "Print what arrives",
            f"Print the values at {at(raised)}, where step {failed[-1]} still fails; no edit did.",
            since=main.last_step,
        )
