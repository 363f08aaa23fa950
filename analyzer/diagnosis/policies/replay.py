"""Guard rules of the field, replayed on a recorded session: would they have fired, at which step, and why or why not.

A rule sees the steps in order and nothing later. The counts are those that the rules' authors publish: a tool used five
times in a row; the same call three times; the same call and result four times, or six steps that alternate with equal
results (as in OpenHands); five rounds of an exact cycle of one to five calls (as in gemini-cli); the same error three
times, to the letter and with what varies by itself masked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.diagnosis.policies.alternating import AlternatingCalls, AlternatingError, ExactCycle
from analyzer.diagnosis.policies.errors import ErrorAgain, IdenticalError, MaskedError
from analyzer.diagnosis.policies.in_a_row import IdenticalCall, IdenticalCallAndResult, SameTool
from analyzer.diagnosis.policies.interface import Policy
from analyzer.model.action import Action
from analyzer.model.diagnosis import PolicyResult
from analyzer.model.finding import Finding
from analyzer.model.words import Category, Severity
from analyzer.text.english import times

_OF_TROUBLE = frozenset({Category.LOOP, Category.ERROR, Category.TRACE})
Fired = tuple[int | None, str]
"""The step at which a rule fires, or None, and why."""


def replay(
    actions: Sequence[Action],
    findings: Sequence[Finding] = (),
    main: Finding | None = None,
    saves: Callable[[int, int], int] = lambda step, last: last - step,
    words: Callable[[Finding], str] = lambda finding: finding.title,
) -> list[PolicyResult]:
    """Every rule's verdict on the actions of one lane, and that of this program's own guard.

    A rule that fires inside a finding would have saved what was still to come of the main one; one that fires where no
    detector found any repetition is a false alarm. `findings` are those of the lane; `saves` says how many of the steps
    after one, up to a last one, could have been saved, `words` what the guard said of a finding at its alarm.
    """
    units = [action for action in actions if not action.harness]
    trouble = [
        finding for finding in findings if finding.category in _OF_TROUBLE and finding.severity is not Severity.INFO
    ]
    results = []
    for name, rule in _POLICIES:
        step, why = rule(units)
        results.append(_result(name, step, why, trouble, main, saves))
    own = min(
        (finding for finding in trouble if finding.category is not Category.ERROR),
        key=lambda finding: finding.detectable_at,
        default=None,
    )
    why = (
        ": ".join(part for part in (f"`{own.detector}`", words(own)) if part)
        if own is not None
        else "no loop and no failure with its cause elsewhere was found"
    )
    results.append(
        _result("this program's guard", own.detectable_at if own is not None else None, why, trouble, main, saves)
    )
    return results


def _result(
    name: str,
    step: int | None,
    why: str,
    trouble: Sequence[Finding],
    main: Finding | None,
    saves: Callable[[int, int], int],
) -> PolicyResult:
    inside = step is not None and any(finding.first_step <= step <= finding.last_step for finding in trouble)
    saved = (
        saves(step, main.last_step)
        if main is not None and step is not None and main.first_step <= step <= main.last_step
        else None
    )
    return PolicyResult(
        policy=name,
        fires=step is not None,
        at_step=step,
        why=why,
        saves=saved,
        false_alarm=None if step is None else not inside,
    )


_NO_CALL = "nothing was called"
_NO_RESULT = "no result is recorded"


def _first(policy: Policy, units: Sequence[Action]) -> int | None:
    """The position in `units` at which a fresh policy fires."""
    return next((position for position, action in enumerate(units) if policy.observe(action)), None)


def _same_tool(units: Sequence[Action]) -> Fired:
    policy = SameTool(times=5)
    fired = _first(policy, units)
    if fired is None:
        return None, f"no tool is used more than {times(policy.longest)} in a row" if units else _NO_CALL
    if len({action.tool for action in units if action.tool != "submit"}) == 1:
        return None, "the agent has only one tool, so this rule can't be used with it"
    return units[fired].step, f"`{units[fired].tool}` is used five times in a row, whatever it does"


def _same_call(units: Sequence[Action]) -> Fired:
    policy = IdenticalCall(times=3)
    fired = _first(policy, units)
    if fired is None:
        most = times(policy.longest)
        why = f"no call comes more than {most} in a row: other calls come in between, or the arguments differ"
        return None, why if units else _NO_CALL
    return units[fired].step, f"`{units[fired].tool}` is called three times in a row with equal arguments"


def _same_call_and_result(units: Sequence[Action]) -> Fired:
    policy = IdenticalCallAndResult(times=4)
    fired = _first(policy, units)
    if fired is None:
        most = times(policy.longest)
        return None, f"no call with an equal result comes more than {most} in a row" if policy.longest else (
            _NO_RESULT if units else _NO_CALL
        )
    return units[fired].step, f"`{units[fired].tool}` gives an equal result four times in a row"


def _alternating(units: Sequence[Action]) -> Fired:
    policy = AlternatingCalls(rounds=3)
    fired = _first(policy, units)
    if fired is not None:
        return units[fired].step, "six steps alternate between two calls with equal results"
    if policy.tools_took_turns:
        return None, "two tools alternate, but the calls or their results differ from round to round"
    return None, "no two steps alternate three times"


def _alternating_error(units: Sequence[Action]) -> Fired:
    fired = _first(AlternatingError(rounds=3), units)
    if fired is None:
        return None, "no two tools alternate with the same error three times"
    return units[
        fired
    ].step, f"`{units[fired - 1].tool}` and `{units[fired].tool}` alternate and the same error comes back three times"


def _cycle(units: Sequence[Action]) -> Fired:
    fired = _first(ExactCycle(period=5, rounds=5), units)
    if fired is None:
        return None, "no exact cycle of one to five calls repeats five times"
    return units[fired].step, "an exact cycle of calls repeats five times"


def _same_error(units: Sequence[Action]) -> Fired:
    return _third(
        IdenticalError(times=3),
        units,
        "the third identical error",
        "no identical error comes back more than",
    )


def _masked_error(units: Sequence[Action]) -> Fired:
    return _third(
        MaskedError(times=3),
        units,
        "the third equal error once line numbers, paths and ids are masked",
        "no error comes back more than",
    )


def _third(policy: ErrorAgain, units: Sequence[Action], yes: str, no: str) -> Fired:
    fired = _first(policy, units)
    if fired is not None:
        failure = units[fired].failure
        return units[fired].step, f"{yes}: {failure.headline[:100] if failure is not None else ''}"
    return None, f"{no} {times(policy.most)}" if policy.most else "nothing failed"


_POLICIES: tuple[tuple[str, Callable[[Sequence[Action]], Fired]], ...] = (
    ("same tool 5 times in a row", _same_tool),
    ("identical call 3 times in a row", _same_call),
    ("identical call and result 4 times in a row (as in OpenHands)", _same_call_and_result),
    ("two calls alternating 3 times with equal results (as in OpenHands)", _alternating),
    ("exact cycle of 1-5 calls, 5 rounds (as in gemini-cli)", _cycle),
    ("identical error 3 times", _same_error),
    ("same error 3 times, masked", _masked_error),
    ("two tools alternating 3 times with the same error", _alternating_error),
)
