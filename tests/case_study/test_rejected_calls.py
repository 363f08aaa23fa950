"""Rejected calls in a case study: too few for a loop, repaired, and told without the reminders to a person."""

from __future__ import annotations

import pytest

from analyzer.model.case_study import CaseStudy
from analyzer.report.case_study import render
from tests.build import Part, call
from tests.case_study.loaded import study

SCENARIO = """
title: A parcel
prompt: Book a parcel to Turin.
plan:
  - tool: depot
    arguments: {city: Turin}
  - tool: quote
    arguments: {service: FAST}
  - tool: book
    arguments: {rate: $result.step_2.rate}
success:
  final_answer: {contains: booked}
"""
DEPOT = call("depot", {"city": "Turin"}, '{"depot": "TRN"}')
ONE_OF = 'Invalid arguments for quote:\n✖ Invalid option: expected one of "FAST"|"SLOW"\n  → at service'


def quote(service: str, answer: str = ONE_OF) -> Part:
    return call("quote", {"service": service}, answer)


def told(*parts: Part) -> CaseStudy:
    return study(SCENARIO, [DEPOT, *parts])


@pytest.mark.parametrize("tries", [["quick"], ["quick", "Quick"]])
def test_a_rejection_that_the_run_did_not_get_over_is_the_cause(tries: list[str]) -> None:
    (failing,) = told(*(quote(service) for service in tries)).cascade
    assert (failing.title, failing.at) == ("Rejected arguments at step 2", "step_2")
    assert "because of `service`" in failing.root_cause
    assert "the accepted values are `FAST` and `SLOW`" in failing.root_cause


def test_a_rejection_that_was_repaired_is_no_failure_but_has_its_cost() -> None:
    found = told(quote("quick"), quote("FAST", '{"rate": "R-1"}'))
    (failing,) = found.cascade
    assert failing.title != "Rejected arguments at step 2"
    (repair,) = found.runs[0].repairs
    assert (repair.tool, repair.phase, repair.rejected, repair.accepted) == ("quote", "execution", [2], 3)
    assert repair.changed == "service: quick -> FAST"
    assert "`quote` was rejected 1 time (action 2) and accepted at action 3" in render(found)


def test_a_plan_that_was_repaired_is_told_from_a_call() -> None:
    def check(name: str, answer: str) -> Part:
        return call("planner.check", {"plan": [{"tool": "quote", "arguments": {name: "FAST"}}]}, answer)

    rejected = check("speed", "Plan rejected.\nstep 1 (quote): Object contains unknown field `speed`")
    scenario = SCENARIO + 'phases: {planning: ["planner.*"]}\n'
    (run,) = study(scenario, [rejected, check("service", "Plan accepted."), DEPOT]).runs
    (repair,) = run.repairs
    assert (repair.tool, repair.phase, repair.changed) == ("quote", "planning", "speed -> service")


def test_what_a_person_has_to_write_is_marked_unless_that_is_switched_off() -> None:
    found = told(quote("quick"))
    assert "To be written by a person" in render(found)
    assert "To be written by a person" not in render(found.model_copy(update={"reminders": False}))
