"""What early detection would have saved, by this program's guard and by guard rules of the field.

The rules are replayed: would they have fired, at which step, and why or why not. A rule sees the steps in order and
nothing later. The counts are those that the rules' authors publish: a tool used five times in a row; the same call
three times; the same call and result four times, or six steps that alternate with equal results (as in OpenHands); five
rounds of an exact cycle of one to five calls (as in gemini-cli); the same error three times, to the letter and with
what varies by itself masked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from analyzer.detectors.engine.aspects import same_cause
from analyzer.diagnosis.alarms import after_alarm
from analyzer.diagnosis.amounts import taken
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.policies.policy import Turns
from analyzer.diagnosis.policies.registry import policy, tool
from analyzer.model.action import Action
from analyzer.model.diagnosis import EarlyStop, PolicyResult
from analyzer.model.finding import Finding
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.english import times


def early_stop_of(case: Case) -> EarlyStop:
    """The step at which the main loop was detectable, and what came after it.

    A loop that repeats in several stretches with one cause was detectable in the first of them. Saved are, of the
    actions that were sent after that step inside the loop and its other stretches, those that failed, came back or made
    no difference. The share is taken of the actions that came after
    the repeated result had first shown, since nothing before that could have been saved by anybody.
    """
    loop = case.main if case.main is not None and case.main.category is Category.LOOP else case.loop
    lane = loop.lane if loop is not None else MAIN_LANE
    actions = case.timeline.lane(lane)
    own = [finding for finding in case.findings if finding.lane == lane]
    policies = replay(actions, own, loop, partial(case.saved, lane), case.alarms.words)
    if loop is None or loop.first_step < 1:
        return EarlyStop(
            detectable_at=None, actions_saved=None, fraction_saved=None, seconds_saved=None, policies=policies
        )
    story = sorted((loop, *same_cause(loop, case.findings)), key=lambda part: part.detectable_at)
    first = story[0]
    start = after_alarm(actions, first.detectable_at)
    starts = [start, *(max(part.first_step, start) for part in story[1:])]
    parts = zip(starts, story, strict=True)
    saved = sorted({step for begun, part in parts for step in case.avoidable(lane, begun, part.last_step)})
    by_period = first.period is not None and first.group is None
    shown = first.first_step + (first.period or 0) - 1 if by_period else first.steps[0]
    repeats = first.last_step - shown + sum(part.last_step - part.first_step + 1 for part in story[1:])
    cost = taken(case, lane, saved)
    timed = actions[first.detectable_at - 1].started_at is not None
    return EarlyStop(
        detectable_at=first.detectable_at,
        actions_saved=len(saved),
        fraction_saved=round(min(1.0, len(saved) / repeats), 2) if repeats else 0.0,
        seconds_saved=cost.seconds if cost is not None else 0.0 if timed else None,
        tokens_saved=cost.tokens if cost is not None else None,
        usd_saved=cost.usd if cost is not None else None,
        policies=policies,
    )


_OF_TROUBLE = frozenset({Category.LOOP, Category.ERROR, Category.TRACE})


def replay(
    actions: Sequence[Action],
    findings: Sequence[Finding] = (),
    main: Finding | None = None,
    saved: Callable[[int, int], Sequence[int]] = range,
    words: Callable[[Finding], str] = lambda finding: finding.title,
) -> list[PolicyResult]:
    """Every rule's verdict on the actions of one lane, and that of this program's own guard.

    A rule that fires inside a finding would have saved what was still to come of the main one; one that fires where no
    detector found any repetition is a false alarm. `findings` are those of the lane; `saved` says which of the steps
    after one, up to a last one, could have been saved, `words` what the guard said of a finding at its alarm.
    """
    units = [action for action in actions if not action.harness]
    trouble = [one for one in findings if one.category in _OF_TROUBLE and one.severity is not Severity.INFO]
    verdicts = [(rule.title, *rule.verdict(units)) for rule in _RULES]
    guarded = (finding for finding in trouble if finding.category is not Category.ERROR)
    own = min(guarded, key=lambda finding: finding.detectable_at, default=None)
    why = "no loop and no failure with its cause elsewhere was found"
    if own is not None:
        why = ": ".join(part for part in (f"`{own.detector}`", words(own)) if part)
    verdicts.append(("this program's guard", own.detectable_at if own is not None else None, why))

    def covers(finding: Finding, step: int) -> bool:
        return finding.first_step <= step <= finding.last_step

    return [
        PolicyResult(
            policy=name,
            fires=step is not None,
            at_step=step,
            why=why,
            saves=len(saved(step, main.last_step))
            if main is not None and step is not None and covers(main, step)
            else None,
            false_alarm=None if step is None else not any(covers(finding, step) for finding in trouble),
        )
        for name, step, why in verdicts
    ]


_Words = tuple[Callable[[Sequence[Action]], bool], str]
_NEVER: _Words = (lambda _: False, "")


class _Rule(Struct, frozen=True):
    """One row: a policy with its usual values, and the words for where it fires and where it doesn't.

    `tool`, `before` and `error` are slots for the action at which it fires and the one before, `longest` for how often
    something came. `none` is said where nothing was counted, `unusable` and `nearly` where their conditions hold of a
    rule that fires, and of one that doesn't.
    """

    title: str
    policy: str
    fired: str
    silent: str
    none: str = ""
    unusable: _Words = _NEVER
    nearly: _Words = _NEVER

    def verdict(self, units: Sequence[Action]) -> tuple[int | None, str]:
        """The step at which it fires, or None, and why."""
        made = policy(self.policy)()
        place = next((place for place, action in enumerate(units) if made.observe(action)), None)
        applies, words = self.nearly if place is None else self.unusable
        if applies(units):
            return None, words
        if place is None:
            said = self.none if self.none and not made.longest else self.silent
            return None, said.format(longest=times(made.longest))
        action = units[place]
        error = action.failure.headline[:100] if action.failure is not None else ""
        return action.step, self.fired.format(tool=action.tool, before=units[place - 1].tool, error=error)


_NO_CALL = "nothing was called"
_RULES = (
    _Rule(
        "same tool 5 times in a row",
        "same-tool",
        "`{tool}` is used five times in a row, whatever it does",
        "no tool is used more than {longest} in a row",
        none=_NO_CALL,
        unusable=(
            lambda units: len({action.tool for action in units if action.tool != "submit"}) == 1,
            "the agent has only one tool, so this rule can't be used with it",
        ),
    ),
    _Rule(
        "identical call 3 times in a row",
        "identical-call",
        "`{tool}` is called three times in a row with equal arguments",
        "no call comes more than {longest} in a row: other calls come in between, or the arguments differ",
        none=_NO_CALL,
    ),
    _Rule(
        "identical call and result 4 times in a row (as in OpenHands)",
        "identical-call-and-result",
        "`{tool}` gives an equal result four times in a row",
        "no call with an equal result comes more than {longest} in a row",
        none=_NO_CALL,
    ),
    _Rule(
        "two calls alternating 3 times with equal results (as in OpenHands)",
        "alternating-calls",
        "six steps alternate between two calls with equal results",
        "no two steps alternate three times",
        nearly=(
            lambda units: any(map(Turns(tool, 3).add, units)),
            "two tools alternate, but the calls or their results differ from round to round",
        ),
    ),
    _Rule(
        "exact cycle of 1-5 calls, 5 rounds (as in gemini-cli)",
        "exact-cycle",
        "an exact cycle of calls repeats five times",
        "no exact cycle of one to five calls repeats five times",
    ),
    _Rule(
        "identical error 3 times",
        "identical-error",
        "the third identical error: {error}",
        "no identical error comes back more than {longest}",
        none="nothing failed",
    ),
    _Rule(
        "same error 3 times, masked",
        "masked-error",
        "the third equal error once line numbers, paths and ids are masked: {error}",
        "no error comes back more than {longest}",
        none="nothing failed",
    ),
    _Rule(
        "two tools alternating 3 times with the same error",
        "alternating-error",
        "`{before}` and `{tool}` alternate and the same error comes back three times",
        "no two tools alternate with the same error three times",
    ),
)
