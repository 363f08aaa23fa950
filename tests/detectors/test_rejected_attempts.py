"""What rejected calls tried, and what that says of the check."""

from __future__ import annotations

from analyzer.model.finding import RejectedArguments
from tests.build import Part, call, findings


def details(*parts: Part) -> RejectedArguments:
    (found,) = findings(*parts, detector="argument-validation-loop")
    assert isinstance(found.details, RejectedArguments)
    return found.details


def booking(service: str, answer: str) -> Part:
    return call("quote", {"service": service, "kilos": 12}, answer)


ONE_OF = 'Invalid arguments for quote:\n✖ Invalid option: expected one of "FAST"|"SLOW"\n  → at service'


def test_the_values_that_were_tried_are_held_against_those_that_are_accepted() -> None:
    found = details(booking("quick", ONE_OF), booking("Fast", ONE_OF), booking("FAST", ONE_OF))
    assert (found.wrong, found.allowed) == (["service"], ["FAST", "SLOW"])
    assert found.tried == ["quick", "Fast", "FAST"]
    assert found.given_in_vain == ["FAST"]


def test_a_call_that_is_accepted_afterwards_is_named() -> None:
    tries = [booking(value, ONE_OF) for value in ("quick", "Fast", "speedy")]
    found = details(*tries, booking("FAST", '{"rate": 7}'))
    assert (found.accepted_at, found.given_in_vain) == (4, [])


def test_a_complaint_about_a_name_that_the_call_does_not_give_is_noticed() -> None:
    unknown = "Object contains unknown field `minutes`; it takes zone, duration"
    tries = [call("slot", {"zone": "n", name: 5}, unknown) for name in ("minutes", "duration", "duration")]
    found = details(*tries)
    assert (found.tried, found.takes) == (["minutes", "duration"], ["zone", "duration"])
    assert (found.given_in_vain, found.phantoms) == (["duration"], ["minutes"])


def test_a_plan_that_is_rejected_without_a_flag_is_rejected() -> None:
    def check(name: str) -> Part:
        step = {"tool": "irrigation.slot", "arguments": {"zone": "n", name: 5}}
        answer = f"Plan rejected.\nstep 1 (irrigation.slot): Object contains unknown field `{name}`"
        return call("planner.check", {"plan": [step]}, answer)

    found = details(check("minutes"), check("length"), check("time"))
    assert (found.tool, found.tried) == ("irrigation.slot", ["minutes", "length", "time"])
