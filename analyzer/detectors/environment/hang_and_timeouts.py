"""Commands that don't finish: they time out, or wait for input.

What it flags
    Two commands or more that were stopped because they took too long, or one that cost ten minutes or more (`timeout`;
    `waits-for-input` where what they print ends with a question).

Why it matters
    Each of them costs its whole time limit and yields little, and the same command will hang again. Run
    differently, it takes seconds.

What it does not flag
    One timeout that cost less; a time limit that the agent set itself (`timeout 10 ...`); deliberate waiting (`sleep`,
    polling); a call that waited for the user's permission; a question that a program asks and the agent answers; a call
    that the user cancelled; a command that runs on after the tool handed the call back, as long as nobody stops it.

Options
    timeouts: how many commands must be stopped (2).
    seconds: how long a single stopped command must take to make a finding (600).

Example:
    `./deploy.sh` asks `Continue? [y/N]` and is stopped after two minutes at steps 8 and 11.

"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Annotated

from analyzer.commands.harm import may_ask
from analyzer.commands.statements import LIMITED
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter, spread
from analyzer.detectors.engine.table import advice_of, new_finding
from analyzer.detectors.signals.advice import name_of
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.struct import Meta
from analyzer.model.words import FailureKind, Kind, Mark, Severity
from analyzer.text.clip import clip, middle
from analyzer.text.late import late

_STILL = late(
    r"\bno new output after [\d.]{1,8} seconds|\bstill running (?:after|in the foreground)\b"
    r"|\bcommand timed out after [\d.]{1,8} seconds",
    re.IGNORECASE,
)
_GOES_ON = late(
    r"\b(?:still|keeps|continues) running\b|\b(?:moved|sent|left|continues?|continuing|running|runs|detached) "
    r"(?:running |to run )?(?:to|in|into) (?:the )?background\b|\bno new output after [\d.]{1,8} seconds",
    re.IGNORECASE,
)
_ENDED = late(r"\b(?:killed|terminated|stopped|aborted)\b(?! by (?:sending|calling|using))", re.IGNORECASE)
_BY_USER = late(
    r"\buser\b[^\n.]{0,30} (?:cancell?ed|aborted|interrupted|stopped|rejected|skipped)\b"
    r"|\b(?:cancell?ed|aborted|interrupted|stopped|rejected|skipped) by (?:the )?user\b",
    re.IGNORECASE,
)
_STOPS = late(r"(?:stop|kill|interrupt|terminate)_?(?:bash|shell|terminal|command|process)", re.IGNORECASE)
_PROMPT = late(
    r"(?:\[[yY](?:es)?/[nN]o?\]|\((?:y|yes)/(?:n|no)(?:/[^)\n]{0,30})?\))\??:?\s{0,3}(?:Abort\.)?$"
    r"|\b(?:password|passphrase|username)\b[^\n]{0,80}:$|\bpress (?:any key|enter|return)\b[^\n]{0,40}$"
    r"|^(?:>>>|In \[\d{1,4}\]:|mysql>|sqlite>|\w{1,30}[=-][#>]|\(Pdb\)|ipdb>|\(gdb\)|\(END\)|--More--[^\n]{0,20})$",
    re.IGNORECASE,
)
_SAYS_STOPPED = late(r"(?im)^[^\n]{0,200}\b(?:timed? ?out|time limit|timeout|killed|cancelled)\b[^\n]{0,200}")
"""A line that says that a command was stopped."""
_WENT_ON, _FEW = 5, 10
"""Steps after the last stop from which the work went on, and of how many steps one may be stopped without weight."""
_KEYS = frozenset({"C-c", "C-d", "C-z", "\x03", "\x04", "^C"})


class HangAndTimeoutsOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    timeouts: Annotated[int, Meta(ge=1)] = 2
    """How many commands must be stopped."""
    seconds: Annotated[float, Meta(gt=0)] = 600
    """From how many seconds on one stopped command is enough."""


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: HangAndTimeoutsOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._counter = StepCounter(lane_context)
        self._commands: dict[str, int] = {}
        self._remedies: dict[str, str] = {}
        """How to run the first of the commands instead: what the table calls it."""
        self._said: dict[int, Evidence] = {}
        self._lost = self._longest = 0.0
        self._raised: tuple[int, str] | None = None
        """The step at which it was raised, and its kind."""
        self._running: Action | None = None
        self._seen = 0
        """The last step."""
        self._own = 0
        """How many of them the agent stopped itself, at the first notice that they go on."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._seen = action.step
        before, stops, stopped = self._running, _stops(action), _stopped(action)
        if before is not None and (action.step > before.step + 5 or stops or stopped):
            self._running = None
        if before is not None and stops:
            self._own += 1
            yield from self._add(before, action.step)
        elif stopped:
            yield from self._add(action, action.step)
        elif action.operation.commands and (_goes_on(action) or _STILL.search((action.result or "")[-600:])):
            self._running = action

    def findings(self) -> Iterable[Finding]:
        return [] if self.lane_context.live or self._raised is None else [self._finding(*self._raised)]

    def _add(self, action: Action, now: int) -> Iterable[Finding]:
        if not self._counter.add(action):
            return
        name, took = name_of(action), action.duration or 0.0
        if name in self._commands or len(self._commands) < 100:
            self._commands[name] = self._commands.get(name, 0) + 1
        if name not in self._remedies and len(self._remedies) < 3:
            run = "tests" if action.kind is Kind.TEST else "tool" if action.operation.command is None else "program"
            run = "may-ask" if any(map(may_ask, action.operation.commands)) else run
            self._remedies[name] = "asks" if _asks(action) else run
        if len(self._said) < 50 or not self.lane_context.live:
            self._said[action.step] = _printed(action, name)
        self._lost += took
        self._longest = max(self._longest, took)
        enough = self._counter.count >= self._options.timeouts or self._longest >= self._options.seconds
        if self._raised is None and enough:
            kinds = ["waits-for-input" if way == "asks" else "timeout" for way in self._remedies.values()]
            self._raised = now, max(kinds, key=kinds.count)
            yield self._finding(*self._raised)

    def _finding(self, raised_at: int, kind: str) -> Finding:
        count, last = self._counter.count, self._counter.last
        assert last is not None
        name = max(self._commands, key=lambda entry: self._commands[entry])
        often = self._commands[name]
        # The stops were few among the steps, took little, and the work went on after the last of them.
        few = count * _FEW <= self._seen and self._lost < self._options.seconds
        overcome = few and self._seen - last.step >= _WENT_ON
        severe = self._lost >= 3 * self._options.seconds or (often >= 8 and not overcome)
        weighs = self._longest >= self._options.seconds or (max(count - self._own, often) >= 3 and not overcome)
        if often == count:
            words = "once" if count == 1 else "again"
        else:
            words = "again-and-others" if often > 1 else "several" if count > 2 else "two"
        lost = f"{self._lost:.0f} seconds" if self._lost < 90 else f"{self._lost / 60:.0f} minutes"
        advice = (advice_of("hang-and-timeouts", way, {"command": name}) for name, way in self._remedies.items())
        return new_finding(
            f"hang-and-timeouts/{kind}",
            severity=Severity.HIGH if severe else Severity.MEDIUM if weighs else Severity.LOW,
            lane=self.lane_context.lane,
            steps=self._counter.steps,
            detectable_at=raised_at,
            rounds=count,
            evidence=[self._said[step] for step in spread(list(self._said))],
            advice=list(dict.fromkeys(chain.from_iterable(advice))),
            taxonomy=Taxonomy(mast=["FM-1.3"] if often >= 3 else [], trail=["Timeout Issues"]),
            cost=self._counter.cost,
            repeated=clip(name, 200) if often > 1 else None,
            words=words,
            slots={
                "count": count,
                "command": name,
                "often": often,
                "others": len(self._commands) - 1,
                "commands": list(self._commands),
                "lost": "" if self._lost < 60 else f", {lost} in all" if count > 1 else f", after {lost}",
            },
        )


def _asks(action: Action) -> bool:
    """Whether the output ends with a question or a program's prompt."""
    lines = (action.result or "").rstrip()[-400:].splitlines()
    return bool(lines) and _PROMPT.search(lines[-1].strip()) is not None


def _stopped(action: Action) -> bool:
    """Whether a command was stopped before it ended, or failed at a question that nobody answered."""
    failure = action.failure
    if failure is None or action.harness or action.kind is Kind.WAIT or _goes_on(action):
        return False
    if action.mark is Mark.TIMEOUT:
        return True
    command = action.operation.command or ""
    if action.mark is Mark.INTERRUPTED:
        return bool(command) and _asks(action) and _BY_USER.search((action.result or "")[-600:]) is None
    if action.mark is not None or LIMITED.search(command[:2_000]):
        return False
    return failure.kind is FailureKind.TIMEOUT or (bool(command) and _asks(action))


def _goes_on(action: Action) -> bool:
    """Whether the tool handed the call back while the command runs on."""
    end = (action.result or "")[-600:]
    return _GOES_ON.search(end) is not None and _ENDED.search(end) is None


def _stops(action: Action) -> bool:
    """Whether a call does nothing but stop the command before it: a key that interrupts, or a tool for it."""
    typed = (action.operation.command or action.operation.target).strip()[:10]
    return typed in _KEYS or (action.operation.command is None and _STOPS.search(action.tool) is not None)


def _printed(action: Action, name: str) -> Evidence:
    """What the result says of the end, where it says so; else its end."""
    text = (action.result or "").strip()
    said = _SAYS_STOPPED.search(text[:500]) or _SAYS_STOPPED.search(text[-600:])
    quote = clip(said[0], 300) if said is not None and len(text) > 300 else middle(text[-2_000:], 300)
    return Evidence(step=action.step, label=f"{clip(name, 80)} printed", quote=quote or "(nothing)")


OPTIONS = HangAndTimeoutsOptions()
STATE = _State
