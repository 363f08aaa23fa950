"""A tool's declared arguments don't match the function behind it.

What it flags
    A call that the harness let through and that then fails in the tool's own code, because the function takes other
    arguments: `got an unexpected keyword argument`, `missing 1 required positional argument`, `takes 2 positional
    arguments but 3 were given`, `got multiple values for argument`. Once is enough when the message names the tool's
    own function; otherwise it takes two.

Why it matters
    The schema that the agent was given and the implementation disagree, so no wording of the call can be relied on.
    The tool must be fixed, not the agent.

What it does not flag
    A `TypeError` in the code under work: in a test report, a script, a shell or a notebook, or in a
    function that the call's own code names; arguments that were rejected before the tool ran.

Options
    calls: how often a tool must fail like this when the message doesn't name its own function (2).

Example:
    `find_route` is declared with `start` and `stop`; at step 6 the answer is `find_route() got an unexpected keyword
    argument 'stop'`.

"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter, spread
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.rejected_calls.argument_errors import inner_tool
from analyzer.detectors.rejected_calls.binding import Mismatch, mismatch_in
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Meta, Struct
from analyzer.model.words import Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set

_BEFORE = late(r"\s*(?:[\[{(<\"']?\s?[\w .:>\"'\[\]{}(`-]{0,160})?$")
"""What may precede the message on its line: labels such as `Error executing tool find_route: TypeError:`."""
_CODE_KEYS = name_set("code command cmd script source snippet program cell expression python input_code")
_ENTRY = name_set(
    "invoke run execute call forward handler handle func function apply wrapper tool main arun ainvoke acall impl"
)
"""What frameworks call the function that a tool runs."""
_LONGEST = 6_000
_MOST_TOOLS = 200


class SignatureMismatchOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    calls: Annotated[int, Meta(ge=1)] = 2
    """How often a tool must fail so when the message doesn't name its own function."""


class _Reported(Struct, frozen=True):
    """One message: its words, the function as people call it, whether that is the tool's own, and what it says."""

    text: str
    function: str
    own: bool
    said: Mismatch


class _Case:
    def __init__(self, lane_context: LaneContext) -> None:
        self.counter = StepCounter(lane_context)
        self.first: _Reported | None = None
        self.own = False
        self.said: dict[int, str] = {}
        self.raised_at: int | None = None


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: SignatureMismatchOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._cases: dict[str, _Case] = {}
        self._worked: dict[str, None] = {}

    def on_action(self, action: Action) -> Iterable[Finding]:
        mismatch = _reported(action)
        if mismatch is None:
            if action.failure is None and action.result is not None and len(self._worked) < _MOST_TOOLS:
                self._worked[action.tool] = None
            return
        if action.tool not in self._cases and len(self._cases) >= _MOST_TOOLS:
            return
        case = self._cases.setdefault(action.tool, _Case(self.lane_context))
        if not case.counter.add(action):
            return
        case.first = case.first or mismatch
        case.own = case.own or mismatch.own
        if len(case.said) < 50 or not self.lane_context.live:
            case.said[action.step] = clip(mismatch.text, 300)
        # A tool that has worked before may just have been called with an invented argument: then once says nothing.
        at_once = mismatch.own and action.tool not in self._worked
        if case.raised_at is None and (at_once or case.counter.count >= self._options.calls):
            case.raised_at = action.step
            yield self._finding(action.tool, case)

    def findings(self) -> Iterable[Finding]:
        if self.lane_context.live:
            return []
        raised = [(tool, case) for tool, case in self._cases.items() if case.raised_at is not None]
        return [self._finding(tool, case) for tool, case in sorted(raised, key=lambda entry: entry[1].raised_at or 0)]

    def _finding(self, tool: str, case: _Case) -> Finding:
        counter, first = case.counter, case.first
        assert first is not None
        assert case.raised_at is not None
        said, function = first.said, first.function
        named = "unexpected-argument" if said.unexpected else "missing-argument" if said.missing else ""
        return new_finding(
            f"signature-mismatch/{named or 'argument-positions'}",
            words="twice" if said.twice else "",
            severity=Severity.HIGH if counter.count >= 3 else Severity.MEDIUM,
            confidence=0.9 if case.own else 0.75,
            lane=self.lane_context.lane,
            steps=counter.steps,
            detectable_at=case.raised_at,
            rounds=counter.count,
            evidence=[Evidence(step=step, quote=case.said[step]) for step in spread(list(case.said))],
            cost=counter.cost,
            repeated=clip(first.text, 200),
            slots={
                "tool": tool,
                "turns": counter.count,
                "times": counter.times,
                "function": function,
                "called": code(function) if function.endswith("()") else function,
                "argument": said.unexpected or said.twice or ", ".join(said.missing),
            },
        )


def _reported(action: Action) -> _Reported | None:
    """What the answer says about the tool's function; None where the tool runs code, or shows or tests it."""
    if action.mark is not None or action.failure is None or action.operation.command is not None or action.harness:
        return None
    if action.kind in (Kind.TEST, Kind.THINK, Kind.PLAN) or isinstance(action.arguments, str):
        return None
    answer = action.result or ""
    if len(answer) > _LONGEST or any(str(name).lower() in _CODE_KEYS for name in list(action.arguments)[:50]):
        return None
    found = mismatch_in(answer)
    # The check of a plan says it of another tool.
    if found is None or inner_tool(action) is not None:
        return None
    # The message must be the answer's own: its first line that says something, or the last line of the tool's trace.
    begin = answer.rfind("\n", 0, found.start) + 1
    if found.start - begin >= 200:
        return None
    line = answer[begin : found.start]
    at_start = not answer[:begin].strip() or "\n" not in answer.strip()
    at_end = (
        "Traceback (most recent call last)" in answer[: found.start]
        and answer[found.end :].strip("\n \"'}])`").count("\n") <= 1
    )
    if not (_BEFORE.match(line) and (at_start or at_end)):
        return None
    function = found.function or "its function"
    own = found.function is not None and _is_own(action.tool, function)
    last = function.rsplit(".", 1)[-1]
    given = "\n".join(str(value)[:2_000] for value in list(action.arguments.values())[:30])
    if re.search(rf"\b{re.escape(last)}\s?\(", given) or (at_end and not at_start and not own):
        return None
    text = " ".join(answer[begin : found.end].split())
    return _Reported(text, f"{last}()" if found.function else last, own, found)


def _is_own(tool: str, function: str) -> bool:
    """Whether a function is the tool's own: it has the tool's name, is a framework's entry point of a class that has,
    or is the method of the class that both names speak of (`LLMTool.execute` of `tool_llm.execute`)."""
    *places, last = re.split(r"__|[.:/]", tool)
    wanted = _plain(last)
    parts = [_plain(part) for part in function.split(".") if _plain(part)]
    if not parts or len(wanted) < 3:
        return False
    if len(parts) > 1 and parts[-1] == wanted and _bare(parts[-2]) in {_bare(_plain(place)) for place in places} - {""}:
        return True
    names = [part for part in parts if part not in _ENTRY]
    near = {wanted, f"{wanted}tool", f"{wanted}impl", f"{wanted}handler", f"tool{wanted}"}
    return not near.isdisjoint(names) or (not names and parts[-1] in ("invoke", "arun", "ainvoke"))


def _bare(name: str) -> str:
    """A plain name without the word that says what it's the name of."""
    return name.removeprefix("tool").removesuffix("tool").removeprefix("plugin").removesuffix("plugin")


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


OPTIONS = SignatureMismatchOptions()
STATE = _State
