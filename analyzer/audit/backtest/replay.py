"""One file -> its runs with every policy replayed. The function that workers run; it depends on nothing but its
arguments and the file."""

from __future__ import annotations

import posixpath
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import nan
from typing import NamedTuple

from analyzer.audit.backtest.choice import Choice
from analyzer.audit.backtest.guards import GUARD, first_alarms
from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import Source
from analyzer.audit.store.texts import session_key
from analyzer.audit.workers.examine import Reading, read_sessions
from analyzer.detectors import detect
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.outcome import outcome_of
from analyzer.diagnosis.policies.policy import Policy
from analyzer.failures import STANDARD, MaskTable
from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.session import Session
from analyzer.model.struct import Struct, field
from analyzer.model.words import MAIN_LANE, Category, Ending, OutcomeStatus, Severity
from analyzer.timeline import build_timeline
from analyzer.timeline.spending import running


class Stretch(NamedTuple):
    """A part of a run in which it repeated itself, from and to which action (counted over all lanes from 1,
    entries of the harness left out)."""

    first: int
    last: int
    stuck: bool
    """Whether the agent never got out of it and it matters: the run is stuck by it."""


class Run(Struct):
    """`fired` has for every policy after how many actions it fired first, -1 where it didn't. `ends` has the time at
    which each action ended, in seconds since 1970, NaN where the log doesn't tell. `main` says for each step of the
    main lane how many actions had been taken with it.

    `tokens` and `usd` are those of the whole run, `tokens_with` and `usd_with` those used up to and with each action,
    where the log has them per step. `solved` is True where somebody else than the agent called the result right.
    """

    path: str
    position: int
    key: str
    id: str
    format: str
    outcome: str
    solved: bool
    actions: int
    fired: array[int]
    ends: array[float]
    main: array[int]
    stretches: tuple[Stretch, ...] = ()
    tokens: int | None = None
    usd: float | None = None
    tokens_with: array[int] | None = None
    usd_with: array[float] | None = None
    files: tuple[str, ...] = ()
    """The files of a session that has several."""


class Replayed(Reading):
    """What came of one file: its runs, and how many of its sessions have no action."""

    runs: list[Run] = field(default_factory=list)
    without_actions: int = 0


_LAST = 3
"""A loop that reaches into so many of a run's last actions, or into its own last round, is where the run ended."""


def replay(source: Source, choices: Sequence[Choice], settings: Settings) -> Replayed:
    """Read one file and replay the policies over its runs, as `analyzer.audit.workers.examine.read_sessions` does."""
    found = Replayed(source)
    masks = MaskTable(settings.masks) if settings.masks else STANDARD

    read_sessions(found, settings, lambda *judged: _replay(found, choices, settings, masks, *judged))
    return found


def _replay(
    found: Replayed, choices: Sequence[Choice], settings: Settings, masks: MaskTable, session: Session, position: int
) -> None:
    timeline = build_timeline(session, masks)
    actions = [action for action in timeline.actions if not action.harness]
    if not actions:
        found.without_actions += 1
        return
    findings = detect(timeline, select=settings.select, ignore=settings.ignore, settings=settings.options or None)
    outcome = outcome_of(Case(timeline, findings)).status
    places = _Places(actions)
    tokens = (session.tokens.input or 0) + (session.tokens.output or 0)
    tokens_with, usd_with = running(actions)
    source = found.source
    run = Run(
        path=source.key,
        position=position,
        key=session_key(source.key, position),
        id=session.id,
        format=found.format or "",
        outcome=outcome.value,
        solved=session.ending is Ending.SOLVED,
        actions=len(actions),
        fired=_fired(actions, session, choices, settings),
        ends=array(
            "d",
            (nan if action.started_at is None else action.started_at + (action.duration or 0.0) for action in actions),
        ),
        main=array("i", (places.last(MAIN_LANE, action.step) for action in timeline.lane(MAIN_LANE))),
        stretches=tuple(
            places.stretch(finding, outcome)
            for finding in findings
            if finding.category is Category.LOOP and finding.severity is not Severity.INFO
        ),
        tokens=tokens or None,
        usd=session.cost_usd,
        tokens_with=array("q", tokens_with) if tokens_with is not None else None,
        usd_with=array("d", usd_with) if usd_with is not None else None,
        files=tuple(posixpath.join(source.root, name) for name in source.members),
    )
    found.runs.append(run)


def _fired(actions: Sequence[Action], session: Session, choices: Sequence[Choice], settings: Settings) -> array[int]:
    """Where every policy fires first: each lane has policies of its own, and the first alarm of any counts."""
    fired = array("i", [-1] * len(choices))
    silent = {number for number, choice in enumerate(choices) if choice.name != GUARD}
    lanes: dict[str, dict[int, Policy]] = {}
    for taken, action in enumerate(actions, 1):
        policies = lanes.get(action.lane)
        if policies is None:
            policies = lanes[action.lane] = {number: choices[number].make() for number in silent}
        done = [number for number, policy in policies.items() if policy.observe(action)]
        for number in done:
            fired[number] = taken
            for known in lanes.values():
                known.pop(number, None)
            silent.discard(number)
        if not silent:
            break
    guards = [number for number, choice in enumerate(choices) if choice.name == GUARD]
    alarms = first_alarms([choices[number].values for number in guards], session, settings.masks)
    for number, alarm in zip(guards, alarms, strict=True):
        fired[number] = -1 if alarm is None else alarm
    return fired


class _Places:
    """Where the steps of the lanes are among all actions of the run."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._count = len(actions)
        placed = sorted((action.lane, action.step, taken) for taken, action in enumerate(actions, 1))
        self._steps = [(lane, step) for lane, step, _ in placed]
        self._taken = [taken for *_, taken in placed]

    def stretch(self, finding: Finding, outcome: OutcomeStatus) -> Stretch:
        """A loop as a stretch of the run. A run that never got out of it was stuck until its end."""
        at = bisect_left(self._steps, (finding.lane, finding.first_step))
        there = at < self._count and self._steps[at][0] == finding.lane
        first = 0 if finding.first_step < 1 else self._taken[at] if there else self._count
        last = self.last(finding.lane, finding.last_step)
        ended_there = outcome in (OutcomeStatus.STUCK, OutcomeStatus.LIMIT_REACHED) and last > self._count - max(
            finding.period or 1, _LAST
        )
        stuck = finding.severity.rank > Severity.LOW.rank and (finding.escaped is False or ended_there)
        return Stretch(first, self._count if stuck else last, stuck)

    def last(self, lane: str, step: int) -> int:
        """How many actions had been taken with a step; 0 before the first of its lane."""
        at = bisect_right(self._steps, (lane, step))
        return self._taken[at - 1] if at and self._steps[at - 1][0] == lane else 0
