"""What there is to say about calls that went through and brought the same answer."""

from __future__ import annotations

from analyzer.detectors.episodes import FAILING
from analyzer.diagnosis.case import Case, asks, bare_title, call_text, one_call, steps_text
from analyzer.text.english import times
from analyzer.text.markdown import code


def cause(case: Case) -> str:
    """The root cause: which calls they were, and what they brought."""
    main = case.main
    assert main is not None
    action = case.action(main.steps[-1])
    answer = (action.result or "").strip()
    often = times(main.rounds or 0)
    if case.edits:
        return f"{bare_title(main)}: steps {steps_text(main.steps)}."
    if answer and not one_call(case):
        first = code(call_text(case.action(main.steps[0])), 100)
        return (
            f"{bare_title(main)}: steps {steps_text(main.steps)}. The calls differ: the first was {first}, the last "
            f"{code(call_text(action, 100), 100)} (step {action.step}), answered {code(answer, 160)}."
        )
    if main.pattern == FAILING:
        return (
            f"{code(call_text(action, 140), 140)} was sent {often} and failed each time, in other words; at step "
            f"{action.step} it answered {code(answer or 'nothing', 160)}."
        )
    if asks(case):
        return f"{code(call_text(action, 140))} was asked {often} and gave the same answer each time."
    if answer:
        return (
            f"{code(call_text(action, 140), 140)} was sent {often} and answered the same each time: "
            f"{code(answer, 160)}."
        )
    call = code(f"{action.tool} {action.operation.target}", 140)
    return f"{call} was accepted every time and returned nothing, {often}."
