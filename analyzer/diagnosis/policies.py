"""Guard rules of the field, replayed on a recorded session: would they have fired, at which step, and why or why not.

A rule sees the steps in order and nothing later. The counts are those that the rules' authors publish: a tool used five times
in a row; the same call three times; the same call and result four times, or six steps that alternate with equal results (as in
OpenHands); five rounds of an exact cycle of one to five calls (as in gemini-cli); the same error three times, to the letter and
with what moves by itself masked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Finding
from analyzer.model.postmortem import PolicyResult
from analyzer.model.words import Category, Severity

_TELLING = frozenset({Category.LOOP, Category.ERROR, Category.TRACE})
Fired = tuple[int | None, str]
"""The step at which a rule fires, or None, and why."""


def replay(actions: Sequence[Action], findings: Sequence[Finding] = (), main: Finding | None = None) -> list[PolicyResult]:
    """Every rule's verdict on the actions of one lane, and that of this program's own guard.

    A rule that fires inside a finding would have saved what was still to come of the main one; one that fires where no detector found
    anything that went round or came back is a false alarm. `findings` are those of the lane.
    """
    units = [action for action in actions if not action.harness]
    telling = [finding for finding in findings if finding.category in _TELLING and finding.severity is not Severity.INFO]
    results = []
    for name, rule in _POLICIES:
        step, why = rule(units)
        results.append(_result(name, step, why, telling, main))
    own = min((finding for finding in telling if finding.category is not Category.ERROR), key=lambda finding: finding.detectable_at, default=None)
    why = f"`{own.detector}`: {own.title}" if own is not None else "nothing went round in circles or came back from elsewhere than where it was mended"
    results.append(_result("this program's guard", own.detectable_at if own is not None else None, why, telling, main))
    return results


def _result(name: str, step: int | None, why: str, telling: Sequence[Finding], main: Finding | None) -> PolicyResult:
    inside = step is not None and any(finding.first_step <= step <= finding.last_step for finding in telling)
    saves = main.last_step - step if main is not None and step is not None and main.first_step <= step <= main.last_step else None
    return PolicyResult(policy=name, fires=step is not None, at_step=step, why=why, saves=saves, false_alarm=None if step is None else not inside)


def _in_a_row(units: Sequence[Action], key: Callable[[Action], object], count: int) -> tuple[int | None, int]:
    """The first step that completes `count` equal keys in a row, and the longest run there is."""
    run = longest = 0
    fired = None
    before: object = None
    for action in units:
        now = key(action)
        run = run + 1 if now == before else 1
        before = now
        longest = max(longest, run)
        if fired is None and run >= count:
            fired = action.step
    return fired, longest


def _same_tool(units: Sequence[Action]) -> Fired:
    step, longest = _in_a_row(units, lambda action: action.tool, 5)
    if step is not None and len({action.tool for action in units if action.tool != "submit"}) == 1:
        return None, "the agent has only one tool, so this rule can't be used with it"
    if step is None:
        return None, f"no tool is used more than {longest} times in a row"
    return step, f"`{_tool_at(units, step)}` is used five times in a row, whatever it does"


def _same_call(units: Sequence[Action]) -> Fired:
    step, longest = _in_a_row(units, lambda action: action.keys.call, 3)
    if step is None:
        return None, f"no call comes more than {_times(longest)} in a row: something lies between, or the arguments differ"
    return step, f"`{_tool_at(units, step)}` is called three times in a row with equal arguments"


def _same_call_and_result(units: Sequence[Action]) -> Fired:
    step, longest = _in_a_row(units, lambda action: (action.keys.call, action.keys.outcome), 4)
    if step is None:
        return None, f"no call with an equal result comes more than {_times(longest)} in a row"
    return step, f"`{_tool_at(units, step)}` gives an equal result four times in a row"


def _alternating(units: Sequence[Action]) -> Fired:
    keys = [(action.keys.call, action.keys.outcome) for action in units]
    for end in range(5, len(units)):
        last = keys[end - 5 : end + 1]
        if last[0] != last[1] and last[0] == last[2] == last[4] and last[1] == last[3] == last[5]:
            return units[end].step, "six steps alternate between two calls with equal results"
    tools = [action.tool for action in units]
    takes_turns = any(
        tools[end - 5 : end + 1] == [tools[end - 5], tools[end - 4]] * 3 and tools[end - 5] != tools[end - 4]
        for end in range(5, len(units))
    )
    if takes_turns:
        return None, "two tools do take turns, but the calls or their results differ from round to round"
    return None, "no two steps take turns three times"


def _alternating_error(units: Sequence[Action]) -> Fired:
    groups = [action.failure.group if action.failure else None for action in units]
    tools = [action.tool for action in units]
    for end in range(5, len(units)):
        if (
            groups[end] is not None
            and groups[end] == groups[end - 2] == groups[end - 4]
            and tools[end - 5] == tools[end - 3] == tools[end - 1] != tools[end]
            and groups[end - 1] is groups[end - 3] is groups[end - 5] is None
        ):
            return units[end].step, f"`{tools[end - 1]}` and `{tools[end]}` take turns and the same error comes back three times"
    return None, "no two tools take turns with the same error three times"


def _cycle(units: Sequence[Action]) -> Fired:
    keys = [(action.tool, action.keys.call) for action in units]
    best: int | None = None
    for period in range(1, 6):
        run = 0
        for position in range(period, len(keys)):
            run = run + 1 if keys[position] == keys[position - period] else 0
            if run >= 4 * period:
                step = units[position].step
                best = step if best is None else min(best, step)
                break
    if best is None:
        return None, "no exact cycle of one to five calls comes round five times"
    return best, "an exact cycle of calls comes round five times"


def _same_error(units: Sequence[Action]) -> Fired:
    return _third(
        units,
        lambda failure: failure.headline,
        "the third time the same error to the letter",
        "no error comes back to the letter more than",
    )


def _masked_error(units: Sequence[Action]) -> Fired:
    return _third(
        units,
        lambda failure: failure.group,
        "the third time the same error, line numbers, paths and ids masked",
        "no error comes back more than",
    )


def _third(units: Sequence[Action], key: Callable[[Failure], str | None], yes: str, no: str) -> Fired:
    seen: Counter[str] = Counter()
    for action in units:
        failure = action.failure
        name = key(failure) if failure is not None and not failure.expected else None
        if failure is None or name is None:
            continue
        seen[name] += 1
        if seen[name] == 3:
            return action.step, f"{yes}: {failure.headline[:100]}"
    most = max(seen.values(), default=0)
    return None, f"{no} {_times(most)}" if most else "nothing failed"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _tool_at(units: Sequence[Action], step: int) -> str:
    return next(action.tool for action in units if action.step == step)


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
