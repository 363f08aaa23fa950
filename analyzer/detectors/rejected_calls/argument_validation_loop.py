"""A tool call is rejected repeatedly because of its arguments.

What it flags
    Calls that the harness rejects because of their arguments (a parameter that is missing, unknown or of the wrong
    type), three times or more for one tool, or three times with the same argument error across several tools. The
    finding says which names were expected and which were given, as far as the messages and the accepted calls of the
    same tool show them; and, where a call with the expected name was rejected with the same message, that the tool's
    definition contradicts itself.

Why it matters
    The agent doesn't learn from the message, or the tool's description misleads it. Every such call is wasted, and
    the text written into it is often lost.

What it does not flag
    A slip that the next call corrects; different tools with one slip each; a tool with many accepted calls between its
    rejections; a message that isn't about arguments (an unknown tool, a badly formatted answer, an edit that doesn't
    match); errors of programs that a shell runs.

Options
    rejections: how often one tool, or one argument error, must be rejected (3).
    forget: after how many accepted calls earlier rejections no longer count (20).

Example:
    `edit` is called at steps 4, 5 and 8 with `filename`; each time the answer is `Missing required parameter: path`.

"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, TypeVar

from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter, spread
from analyzer.detectors.engine.table import advice_of, new_finding
from analyzer.detectors.rejected_calls.argument_errors import (
    MOST_NAMES,
    Attempt,
    argument_error_of,
    arguments_of,
    given_in_vain,
    in_vain,
    inner_tool,
    names_of,
    names_tried,
    phantoms,
    swapped_names,
    values_tried,
)
from analyzer.failures.rejections import ArgumentError
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, RejectedArguments, Slot
from analyzer.model.struct import Meta, replace
from analyzer.model.words import Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed
from analyzer.text.markdown import code

_Key = TypeVar("_Key")
_MOST_TOOLS = 200
_MOST_ATTEMPTS = 50


class ArgumentValidationLoopOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    rejections: Annotated[int, Meta(ge=2)] = 3
    """How often one tool, or one argument error, must be rejected."""
    forget: Annotated[int, Meta(ge=1)] = 20
    """After how many accepted calls rejections are forgotten."""


@dataclass(eq=False)
class _Case:
    """The rejections of one tool, or those with one argument error."""

    counter: StepCounter
    tools: dict[str, None] = field(default_factory=dict)
    argument_errors: dict[ArgumentError, None] = field(default_factory=dict)
    given: dict[str, None] = field(default_factory=dict)
    tried: dict[str, None] = field(default_factory=dict)
    """Names that a rejection misses and that a call was corrected to have, without avail."""
    in_vain: dict[str, None] = field(default_factory=dict)
    inner: dict[str | None, None] = field(default_factory=dict)
    """The tools that the rejections speak of, where calls hand over a plan."""
    said: dict[int, str] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    accepted: int = 0
    accepted_at: int | None = None
    uncorrected: bool = False
    raised_at: int | None = None


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: ArgumentValidationLoopOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._tools: dict[str, _Case] = {}
        self._by_error: dict[ArgumentError, _Case] = {}
        self._known: dict[str, dict[str, None]] = {}
        self._accepted: dict[str, int] = {}
        self._raised: list[_Case] = []
        self._before: _Case | None = None
        self._waiting: dict[str, list[_Case]] = {}
        """The cases of each tool of which no call was accepted since."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        argument_error = argument_error_of(action)
        if argument_error is None:
            self._accept(action)
            return
        if len(self._tools) >= _MOST_TOOLS or len(self._by_error) >= _MOST_TOOLS:
            return
        cases = [self._case(self._tools, action.tool)]
        if argument_error.specific:
            cases.append(self._case(self._by_error, argument_error))
        if self._before is not None:
            self._before.uncorrected = True
        counted = [case for case in cases if case.counter.add(action)]
        for case in counted:
            self._note(case, action, argument_error)
        self._before = cases[-1]
        raised = next((case for case in counted if case.raised_at is None and self._is_one(case)), None)
        if raised is not None:
            raised.raised_at = action.step
            self._raised.append(raised)
            yield self._finding(raised)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(case) for case in self._raised] if not self.lane_context.live else []

    def _case(self, cases: dict[_Key, _Case], key: _Key) -> _Case:
        """The case of a tool or an argument error: a new one where the last rejection lies many accepted calls back."""
        case = cases.get(key)
        if case is None or (case.raised_at is None and self._since(case) >= self._options.forget):
            case = cases[key] = _Case(StepCounter(self.lane_context))
        return case

    def _since(self, case: _Case) -> int:
        """How many calls of a case's tools were accepted after its last rejection."""
        return sum(self._accepted.get(tool, 0) for tool in case.tools) - case.accepted

    def _accept(self, action: Action) -> None:
        if self._before is not None:
            self._before.uncorrected = self._before.uncorrected or action.tool not in self._before.tools
            self._before = None
        if action.failure is not None:
            return
        if action.tool in self._known or len(self._known) < _MOST_TOOLS:
            _keep(self._known.setdefault(action.tool, {}), *names_of(action.arguments))
        if action.tool in self._tools:
            self._accepted[action.tool] = self._accepted.get(action.tool, 0) + 1
        for case in self._waiting.pop(action.tool, ()):
            case.accepted_at = case.accepted_at or action.step

    def _note(self, case: _Case, action: Action, argument_error: ArgumentError) -> None:
        _keep(case.tools, action.tool)
        case.accepted += self._since(case)
        _keep(case.argument_errors, argument_error)
        names, inner = names_of(action.arguments), inner_tool(action)
        if case.given and argument_error in case.argument_errors:
            case.tried |= {name: None for name in argument_error.missing if name in names and name not in case.given}
        _keep(case.given, *names)
        case.in_vain |= dict.fromkeys(given_in_vain(action, argument_error))
        _keep(case.inner, inner)
        case.accepted_at = None
        waiting = self._waiting.setdefault(action.tool, [])
        if case not in waiting and len(waiting) < _MOST_TOOLS:
            waiting.append(case)
        if len(case.attempts) < _MOST_ATTEMPTS:
            case.attempts.append(Attempt(action.step, arguments_of(action, inner), argument_error))
        if len(case.said) < 50 or not self.lane_context.live:
            case.said[action.step] = clip(action.result or "", 300)

    def _is_one(self, case: _Case) -> bool:
        """Whether a case is worth a finding: often enough, not reported yet, and over several tools not corrected
        each time."""
        known = any(
            case.tools.keys() & other.tools.keys() and case.argument_errors.keys() & other.argument_errors.keys()
            for other in self._raised
        )
        often = case.counter.count >= self._options.rejections
        return often and not known and (len(case.tools) == 1 or case.uncorrected)

    def _finding(self, case: _Case) -> Finding:
        counter, tools = case.counter, list(case.tools)
        assert case.raised_at is not None
        missing = _all(entry.missing for entry in case.argument_errors)
        unexpected = _all(entry.unexpected for entry in case.argument_errors)
        wrong = _all(entry.wrong for entry in case.argument_errors)
        accepted = list(dict.fromkeys(name for tool in tools for name in self._known.get(tool, {})))
        swapped = swapped_names(missing, unexpected, [name for name in case.given if name not in accepted])
        if len(unexpected) == 1 and all(entry.alternatives for entry in case.argument_errors):
            swapped = (unexpected[0], " or ".join(missing[:3]))
        inner = next(iter(case.inner)) if len(case.inner) == 1 else None
        tried, vain, other_names = list(case.tried), in_vain(case.attempts), phantoms(case.attempts)
        faults = {
            "swapped-argument": swapped,
            "missing-argument": missing,
            "unexpected-argument": unexpected,
            "invalid-argument": wrong,
        }
        fault = next((kind for kind, found in faults.items() if found), "no-argument")
        words = "" if fault in faults else fault
        also = f", with {' and '.join(tried[:3])} as well" if tried else ""
        if not tried and vain and (wrong or other_names):
            also = f", even with {listed(vain[:3])}, which the rejection asks for"
        # Names inside of a plan are many; those that the message speaks of are the ones that matter.
        given = unexpected if inner is not None and unexpected else list(case.given)
        expected = list(dict.fromkeys([*missing, *accepted]))
        differed = [f"expected: {', '.join(expected[:10])}"] if expected else []
        differed += [f"given: {', '.join([*given, *(name for name in tried if name not in given)][:10]) or 'nothing'}"]
        slots: dict[str, Slot] = {
            "tool": inner or tools[0],
            "tools": tools[:3],
            "caller": tools[0],
            "times": counter.times,
            "missing": missing[:3],
            "unexpected": unexpected[:3],
            "wrong": wrong[:3],
            "given": swapped[0] if swapped else None,
            "wanted": swapped[1] if swapped else None,
            "tried": " and ".join(code(name) for name in tried[:3]),
            "also": also,
        }
        made = new_finding(
            f"argument-validation-loop/{fault if fault in faults else 'invalid-argument'}",
            words=words if inner is None else f"plan-{fault}",
            severity=Severity.HIGH if counter.count >= 8 else Severity.MEDIUM,
            confidence=0.9 if fault in faults else 0.75,
            lane=self.lane_context.lane,
            steps=counter.steps,
            detectable_at=case.raised_at,
            rounds=counter.count,
            escaped=self._since(case) > 0,
            evidence=[
                Evidence(step=step, quote=case.said[step])
                for step in spread([step for step in counter.steps if step in case.said])
            ],
            cost=counter.cost,
            repeated=clip(next(iter(case.said.values()), ""), 200),
            differed=differed,
            details=RejectedArguments(
                tool=inner or tools[0],
                unexpected=unexpected,
                missing=missing,
                alternatives=any(entry.alternatives for entry in case.argument_errors),
                given_in_vain=list(dict.fromkeys([*case.in_vain, *vain])),
                wrong=wrong,
                allowed=_all(entry.allowed for entry in case.argument_errors),
                takes=_all(entry.takes for entry in case.argument_errors),
                tried=values_tried(case.attempts) if wrong else names_tried(case.attempts),
                phantoms=other_names,
                accepted_at=case.accepted_at,
            ),
            slots=slots,
        )
        advice = advice_of("argument-validation-loop", "tried", slots) if tried else made.advice
        return made.model_copy(update={"advice": advice})


def _keep(kept: dict[_Key, None], *more: _Key) -> None:
    for one in more:
        if len(kept) < MOST_NAMES:
            kept[one] = None


def _all(names: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for entry in names for name in entry))


OPTIONS = ArgumentValidationLoopOptions()
STATE = _State
ONCE = replace(OPTIONS, rejections=1)
