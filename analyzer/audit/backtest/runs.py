"""One past run as the backtest keeps it: where every policy fired, and all that's needed to say whether that was
right."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.audit.workers.reading import Reading


class Stretch(NamedTuple):
    """A part of a run in which it repeated itself, from and to which action (counted over all lanes from 1,
    entries of the harness left out)."""

    first: int
    last: int
    stuck: bool
    """Whether the agent never got out of it and it matters: the run is stuck by it."""


@dataclass(slots=True)
class Run:
    """`fired` has for every policy after how many actions it fired first, -1 where it didn't. `ends` has the time at
    which each action ended, in seconds since 1970, NaN where the log doesn't tell. `main` says for each step of the
    main lane how many actions had been taken with it.

    `tokens` and `usd` are those of the whole run, `tokens_with` and `usd_with` those used up to and with each action,
    where the log records them per step. `solved` is True where somebody else than the agent judged the result to be
    right.
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


@dataclass(slots=True)
class Replayed(Reading):
    """What came of one file: its runs, and how many of its sessions have no action."""

    runs: list[Run] = field(default_factory=list)
    without_actions: int = 0
