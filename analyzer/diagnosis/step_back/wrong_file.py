"""Questions and ways to go on for an error that the test or its data causes while other files are edited."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import stated_rule
from analyzer.diagnosis.root_cause import at, raised_at, unmet
from analyzer.diagnosis.step_back.wording import file_names
from analyzer.model.diagnosis import Approach
from analyzer.text.clip import clip
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For edits of a file that can't hold the cause."""
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return []
    raised = raised_at(failure)
    found = [
        f"Which frame supplies the rejected value? ({at(finding.fault)})",
        f"What does the message require, and does {code(finding.fault.code or 'the call', 90)} meet it?",
        (
            f"If {_after(case, finding.steps[0])} edits of {file_names(finding.edited_instead)} left the "
            "error unchanged, can the cause be there at all?"
        ),
    ]
    if raised is not None and raised.guard:
        found.append(f"Is the check {code(raised.guard, 90)} wrong, or is it the input?")
    return found


def _after(case: Case, step: int) -> int:
    return sum(action.step > step for action in case.edits)


def approaches(case: Case) -> list[Approach]:
    """For edits of a file that can't hold the cause."""
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return []
    fault = finding.fault
    raised = raised_at(failure)
    demand = unmet(failure)
    guard = f" The check is {code(raised.guard, 100)}." if raised is not None and raised.guard else ""
    if demand is not None:
        passes = f"{demand.given:g} {demand.noun} ({code(demand.code)})" if demand.counts else code(demand.code)
        fix = (
            f"{at(fault)} passes {passes}; pass {_amount(demand.relation, demand.number)}. "
            f'"{clip(failure.message, 120)}" says so.{guard}'
        )
    else:
        fix = (
            f"Change what {at(fault)} passes ({code(fault.code or '', 100)}) so that it meets "
            f'"{clip(failure.message, 120)}".{guard}'
        )
    noun = demand.noun if demand else "the arguments"
    rule = stated_rule(case, demand.noun) if demand else None
    found = [
        Approach(title="Fix the test data", text=fix),
        Approach(
            title="Validate the input first",
            text=(
                f"Before running the whole test, build the one object of {at(fault)} by itself and check {noun} "
                "against the "
                "message's requirement. One run of one line shows whether the test data or the implementation is at "
                "fault."
            ),
        ),
        Approach(
            title="Read the requirement",
            text=(
                (
                    f"Step {rule.step} had already shown it: {code(rule.path, 180)}. Compare the line of the "
                    "test with it, and similar lines next to it."
                )
                if rule is not None
                else (
                    f"Open the code that raises{f' ({at(raised)})' if raised is not None else ''} and the "
                    f"documentation of what it constructs, write down the rule for {noun}, and compare every caller "
                    "with it, including the test."
                )
            ),
        ),
    ]
    found.append(
        Approach(
            title="Question the expectation",
            text=(
                "If the test's value is meant to be valid, the rule itself has to change: say so and ask, "
                f"instead of working around it in {file_names(finding.edited_instead)}."
            ),
        )
    )
    return found


def _amount(relation: str, number: float) -> str:
    words = {">=": "at least", "<=": "at most", "==": "exactly", ">": "more than", "<": "less than"}
    return f"{words[relation]} {number:g}"
