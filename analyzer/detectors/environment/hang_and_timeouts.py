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

from pydantic import Field

from analyzer.commands.statements import LIMITED
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter, spread
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.signals.check_advice import asks, name_of, why_unbounded
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import FailureKind, Kind, Mark, Severity
from analyzer.text.clip import clip, middle
from analyzer.text.english import listed, plural, times
from analyzer.text.late import late
from analyzer.text.markdown import code

_STILL = late(
    (
        r"\bno new output after [\d.]{1,8} seconds|\bstill running (?:after|in the foreground)\b|\bcommand timed out "
        r"after [\d.]{1,8} seconds"
    ),
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
_SAYS_STOPPED = late(r"(?im)^[^\n]{0,200}\b(?:timed? ?out|time limit|timeout|killed|cancelled)\b[^\n]{0,200}")
"""A line that says that a command was stopped."""
_WENT_ON, _FEW = 5, 10
"""Steps after the last stop from which the work went on, and of how many steps one may be stopped without weight."""
_KEYS = frozenset({"C-c", "C-d", "C-z", "\x03", "\x04", "^C"})


class HangAndTimeoutsOptions(Options):
    """Options of this detector."""

    timeouts: int = Field(default=2, ge=1)
    """How many commands must be stopped."""
    seconds: float = Field(default=600, gt=0)
    """From how many seconds on one stopped command is enough."""


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: HangAndTimeoutsOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._counter = StepCounter(lane_context)
        self._commands: dict[str, int] = {}
        self._advice: dict[str, tuple[str, str]] = {}
        self._said: dict[int, Evidence] = {}
        self._lost = 0.0
        self._longest = 0.0
        self._raised_at: int | None = None
        self._kind = ""
        self._running: Action | None = None
        self._seen = 0
        """The last step."""
        self._own = 0
        """How many of them the agent stopped itself, at the first notice that they go on."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._seen = action.step
        before = self._running
        if before is not None and (action.step > before.step + 5 or _stops(action) or _stopped(action)):
            self._running = None
        if before is not None and _stops(action):
            self._own += 1
            yield from self._stopped(before, action.step)
        elif _stopped(action):
            yield from self._stopped(action, action.step)
        elif action.operation.commands and (_goes_on(action) or _STILL.search((action.result or "")[-600:])):
            self._running = action

    def findings(self) -> Iterable[Finding]:
        if self.lane_context.live:
            return []
        return [self._finding()] if self._raised_at is not None else []

    def _stopped(self, action: Action, now: int) -> Iterable[Finding]:
        if not self._counter.add(action):
            return
        name = name_of(action)
        if name in self._commands or len(self._commands) < 100:
            self._commands[name] = self._commands.get(name, 0) + 1
        if name not in self._advice and len(self._advice) < 3:
            self._advice[name] = why_unbounded(action)
        if len(self._said) < 50 or not self.lane_context.live:
            self._said[action.step] = _printed(action, name)
        self._lost += action.duration or 0.0
        self._longest = max(self._longest, action.duration or 0.0)
        if self._raised_at is None and (
            self._counter.count >= self._options.timeouts or self._longest >= self._options.seconds
        ):
            self._raised_at = now
            kinds = [kind for kind, _ in self._advice.values()]
            self._kind = max(kinds, key=kinds.count)
            yield self._finding()

    def _is_overcome(self) -> bool:
        """Whether the stops were few among the steps, took little, and the work went on after the last of them."""
        last = self._counter.last
        went_on = self._seen - last.step if last is not None else 0
        return went_on >= _WENT_ON and self._counter.count * _FEW <= self._seen and self._lost < self._options.seconds

    def _finding(self) -> Finding:
        counter, count = self._counter, self._counter.count
        assert self._raised_at is not None
        name = max(self._commands, key=lambda entry: self._commands[entry])
        often = self._commands[name]
        shown = code(name, 80)
        lost = (
            f", {_minutes(self._lost)} in all"
            if self._lost >= 60 and count > 1
            else f", after {_minutes(self._lost)}"
            if self._lost >= 60
            else ""
        )
        if often == count:
            title = (
                f"{shown} was stopped before it ended{lost}"
                if count == 1
                else f"{shown} was stopped {times(count)} before it ended{lost}"
            )
        else:
            if often > 1:
                which = f"{shown} {times(often)} and {plural(count - often, 'other')}"
            elif count > 2:
                which = f"{shown} and {count - 1} others"
            else:
                which = listed([code(entry, 80) for entry in self._commands])
            title = f"{count} commands were stopped before they ended{lost}: {which}"
        severe = self._lost >= 3 * self._options.seconds or (often >= 8 and not self._is_overcome())
        return new_finding(
            f"hang-and-timeouts/{self._kind}",
            severity=Severity.HIGH
            if severe
            else Severity.MEDIUM
            if self._longest >= self._options.seconds
            or (max(count - self._own, often) >= 3 and not self._is_overcome())
            else Severity.LOW,
            confidence=0.9,
            title=title,
            lane=self.lane_context.lane,
            steps=counter.steps,
            detectable_at=self._raised_at,
            rounds=count,
            evidence=[self._said[step] for step in spread(list(self._said))],
            advice=list(dict.fromkeys(advice for _, advice in self._advice.values())),
            taxonomy=Taxonomy(mast=["FM-1.3"] if often >= 3 else [], trail=["Timeout Issues"]),
            cost=counter.cost,
            repeated=clip(name, 200) if often > 1 else None,
        )


def _stopped(action: Action) -> bool:
    """Whether a command was stopped before it ended, or failed at a question that nobody answered."""
    failure = action.failure
    if failure is None or action.harness or action.kind is Kind.WAIT or _goes_on(action):
        return False
    if action.mark is Mark.TIMEOUT:
        return True
    command = action.operation.command or ""
    if action.mark is Mark.INTERRUPTED:
        by_user = _BY_USER.search((action.result or "")[-600:]) is not None
        return bool(command) and not by_user and why_unbounded(action)[0] != "timeout"
    if action.mark is not None or LIMITED.search(command[:2_000]):
        return False
    return failure.kind is FailureKind.TIMEOUT or (bool(command) and asks(action))


def _goes_on(action: Action) -> bool:
    """Whether the tool handed the call back while the command runs on."""
    end = (action.result or "")[-600:]
    return _GOES_ON.search(end) is not None and _ENDED.search(end) is None


def _stops(action: Action) -> bool:
    """Whether a call does nothing but stop the command before it: a key that interrupts, or a tool for it."""
    typed = (action.operation.command or action.operation.target).strip()[:10]
    return typed in _KEYS or (action.operation.command is None and _STOPS.search(action.tool) is not None)


def _minutes(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes"


def _printed(action: Action, name: str) -> Evidence:
    """What the result says of the end, where it says so; else its end."""
    text = (action.result or "").strip()
    said = _SAYS_STOPPED.search(text[:500]) or _SAYS_STOPPED.search(text[-600:])
    quote = clip(said[0], 300) if said is not None and len(text) > 300 else middle(text[-2_000:], 300)
    return Evidence(step=action.step, label=f"{clip(name, 80)} printed", quote=quote or "(nothing)")


OPTIONS = HangAndTimeoutsOptions.usual()
STATE = _State
