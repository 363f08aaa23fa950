"""The agent calls tools that it doesn't have.

What it flags
    A call of a tool that the harness doesn't know, twice or more under the same name, or once each under three names.

Why it matters
    The agent is wrong about its tools: a prompt names other tools, a model was trained on another
    harness, or a tool is switched off. Each such call is wasted, and the next ones will be too. Severity is higher
    where the agent meant to edit something with such a call, and edited and ran nothing with another.

What it does not flag
    A single slip after which the agent uses the right tool; a program that isn't installed (`environment-trouble`); a
    known tool that rejected its arguments.

Options
    calls: how often one name must be called (2).
    names: how many different unknown names make a finding together (3).

Example:
    `search_web` is called at steps 4, 9 and 15; each time the answer is `Unknown tool: search_web`.

"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Options, followed
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter, spread
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.rejected_calls.argument_errors import inner_tool
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Meta
from analyzer.model.words import FailureKind, Kind, Mark, Severity, Status
from analyzer.text.clip import clip
from analyzer.text.english import nearest
from analyzer.text.late import late

_UNKNOWN = late(
    r"\b(?:unknown|no such|unrecogni[sz]ed|invalid|nonexistent|unsupported|unavailable) (?:tool|function|skill)\b"
    r"|\b(?:tool|function) [`'\"]?[\w.:-]{1,80}[`'\"]? (?:(?:was |is )?not (?:found|available|recogni[sz]ed"
    r"|registered|supported|enabled|a valid tool)|does not exist|doesn't exist|isn't available)"
    r"|\bmodel tried to call unavailable tool\b|\bdoes not have (?:access to )?(?:a |the )?tool\b",
    re.IGNORECASE,
)
_MOST = 200
_CHANGES = frozenset({Kind.EDIT, Kind.RUN, Kind.TEST})


class UnknownToolOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    calls: Annotated[int, Meta(ge=1)] = 2
    """How often one name must be called."""
    names: Annotated[int, Meta(ge=2)] = 3
    """How many different unknown names make a finding together."""


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: UnknownToolOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._names: dict[str, tuple[StepCounter, dict[int, str]]] = {}
        self._raised: dict[str, int] = {}
        self._wanted_edit = self._edited = False

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._edited = self._edited or (action.status is Status.OK and action.kind in _CHANGES)
        failure = action.failure
        if failure is None or len(self._names) > _MOST or (name := _unknown(action, failure)) is None:
            return
        self._wanted_edit = self._wanted_edit or action.kind is Kind.EDIT
        counter, answers = self._names.setdefault(name, (StepCounter(self.lane_context), {}))
        counted = counter.add(action)
        if counted and len(answers) < len(counter.steps):
            answers[action.step] = clip(failure.headline, 200)
        if counted and name not in self._raised:
            many = len(self._names) == self._options.names and counter.count == 1
            if counter.count == self._options.calls or many:
                self._raised[name] = action.step
                yield self._finding(name, many=many)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(name, many=self._names[name][0].steps[0] == step) for name, step in self._raised.items()]

    def _finding(self, name: str, *, many: bool) -> Finding:
        counter, answers = self._names[name]
        first_steps = sorted(entry.steps[0] for entry, _ in self._names.values())
        steps = [step for step in first_steps if step <= self._raised[name]] if many else counter.steps
        barred = self._wanted_edit and not self._edited
        return new_finding(
            "unknown-tool/unknown-tool",
            words=f"{'several' if many else 'one'}{'-barred' * barred}",
            severity=Severity.MEDIUM if counter.count > 3 or barred else Severity.LOW,
            lane=self.lane_context.lane,
            steps=steps,
            detectable_at=self._raised[name],
            rounds=len(steps),
            evidence=[
                Evidence(step=step, label=f"{name} answered", quote=answers[step][:300])
                for step in spread(counter.steps)
            ],
            cost=counter.cost,
            slots={"tool": name, "tools": list(self._names)[: self._options.names], "times": counter.times},
        )


def _unknown(action: Action, failure: Failure) -> str | None:
    """The tool that the answer says doesn't exist: the one that was called, where the answer names it or is the
    harness's own, or one that a plan calls."""
    result = action.result or ""
    # The harness's own answer to a command that it didn't carry out is no output of a shell.
    own = failure.kind is FailureKind.INVALID_CALL and action.exit_code is None
    if action.operation.command is not None and not (own and result.strip().startswith(failure.message)):
        return None
    answer = result[:600]
    if _UNKNOWN.search(answer) is None:
        return None
    planned = inner_tool(action)
    if planned is not None and action.tool not in answer:
        return planned
    return action.tool if action.mark is Mark.REJECTED or failure.recorded or action.tool in answer else None


OPTIONS = UnknownToolOptions()
STATE = _State


def detect(facts: Facts, options: UnknownToolOptions) -> Iterable[Finding]:
    """The findings of one session, with the tools that the record defines, the nearest to what was called first."""
    names = list(dict.fromkeys(entry.name for entry in facts.timeline.session.definitions))
    for finding in followed(lambda lane: _State(lane, options), facts):
        if not names:
            yield finding
            continue
        near = nearest(finding.evidence[0].label.removesuffix(" answered"), names)
        defined = [name for name in (near, *(name for name in names if name != near)) if name is not None]
        yield finding.model_copy(update={"differed": [f"defined: {', '.join(defined[:12])}"]})
