"""What a backtest says: which guard policies would have stopped which past runs, and at what price. This is its JSON
contract, version 1."""

from __future__ import annotations

from typing import Literal

from analyzer.model.struct import Public

BACKTEST_VERSION: Literal["1.0"] = "1.0"


class Interval(Public, frozen=True, kw_only=True):
    """A 95% confidence interval of a share (Wilson's score interval)."""

    low: float
    """Its lower end."""
    high: float
    """Its upper end."""


class Amount(Public, frozen=True, kw_only=True):
    """What actions are worth, summed over runs. Unknown is null; runs that don't record a quantity add nothing to
    it."""

    actions: int
    """Actions."""
    seconds: float | None = None
    """Seconds, from recorded times."""
    seconds_of: int = 0
    """How many runs they come from."""
    tokens: int | None = None
    """Tokens: those of the actions where the log records them per step, else the run's, shared out by actions."""
    tokens_of: int = 0
    """How many runs they come from."""
    usd: float | None = None
    """USD: that of the actions where the log records it per step, else the run's, shared out by actions."""
    usd_of: int = 0
    """How many runs it comes from."""


class Example(Public, frozen=True, kw_only=True):
    """One run to look at."""

    path: str
    """The file."""
    position: int
    """Its number in that file, from 1."""
    id: str
    """The session's id."""
    action: int | None
    """The action after which the policy fires, counted over all lanes from 1; null where it doesn't."""


class PolicyScore(Public, frozen=True, kw_only=True):
    """What one policy with certain settings would have done."""

    policy: str
    """Name and settings as the command line takes them."""
    name: str
    """The name alone."""
    settings: dict[str, int | str]
    """Every parameter with its value."""
    about: str
    """What it watches for, in one sentence."""
    kind: Literal["plain", "program", "guard"]
    """Whether it's a rule of a few lines, the rule of another program, or this program's guard."""
    as_published: bool
    """Whether it's the rule of another program with the very numbers that its authors publish."""
    stopped: int
    """Stuck runs in which it fires while they're stuck and something is still to come."""
    late: int
    """Stuck runs in which it fires when nothing was left to stop."""
    too_soon: int
    """Stuck runs in which it fires before any episode begins."""
    missed: int
    """Stuck runs in which it never fires, or first in a loop that the agent got out of."""
    disturbed: int
    """Good runs in which it fires."""
    disturbed_solved: int
    """Those of them whose recorded evaluation says that the task was solved."""
    fires_unclear: int
    """Runs that are neither, in which it fires."""
    recall: float | None
    """`stopped` as a share of all stuck runs."""
    recall_interval: Interval | None
    """How sure that is."""
    precision: float | None
    """`stopped` as a share of `stopped`, `too_soon` and `disturbed`: of its alarms whose truth is known, those that
    were right."""
    precision_interval: Interval | None
    """How sure that is."""
    false_alarm_rate: float | None
    """`disturbed` as a share of all good runs."""
    to_come: float | None
    """Where it stops a run: the mean share of the stuck stretch that was still to come."""
    spared: float | None
    """The same over all stuck runs, with nothing for those that it doesn't stop. This is the earliness of the curve and
    of the frontier."""
    median_action: float | None
    """Where it stops a run: the median of the number of actions that had been taken."""
    saved: Amount
    """What was still to come in the runs that it stops."""
    lost: Amount
    """What was still to come in the good runs that it disturbs."""
    frontier: bool
    """Whether no other policy here is as good in recall, precision and `spared` and better in one of them. Where our
    own detectors say what is stuck, our guard is compared with itself only, and the others with each other."""
    beaten_by: str | None
    """A policy that is; null on the frontier, and where it stops nothing."""
    same_as: str | None
    """A policy that fires at the very same actions in every stuck and every good run; it's the one that tables and
    pictures show."""
    misses: list[Example]
    """Up to three stuck runs that it doesn't stop."""
    disturbs: list[Example]
    """Up to three good runs that it disturbs, those with a recorded success first."""


class RunCounts(Public, frozen=True, kw_only=True):
    """How many runs there are of each sort."""

    runs: int
    """Runs with at least one action."""
    stuck: int
    """Stuck ones."""
    good: int
    """Good ones."""
    solved: int
    """Good ones whose recorded evaluation says that the task was solved."""
    unclear: int
    """Neither, or without a label where labels were given."""


class FormatCounts(RunCounts, frozen=True, kw_only=True):
    """The same for one transcript format."""

    format: str
    """The format."""


class Backtest(Public, frozen=True, kw_only=True):
    """The whole result."""

    schema_version: Literal["1.0"] = BACKTEST_VERSION
    """The version of this contract."""
    truth: Literal["detectors", "labels"]
    """Who says which runs are stuck and which are good."""
    labels: str | None
    """The file with the labels."""
    counts: RunCounts
    """All runs."""
    formats: list[FormatCounts]
    """The same by transcript format."""
    stopped_by_none: int
    """Stuck runs that none of the policies here stops."""
    without_actions: int
    """Runs without any action, which no policy can say anything about; they're counted nowhere else."""
    copies: int
    """Files that are left out because an equal one comes before them."""
    problems: list[str]
    """Files that could not be read or judged, each with the reason."""
    unused_labels: list[str]
    """Labels that fit no run."""
    with_seconds: int
    """Runs that record times."""
    with_tokens: int
    """Runs that record tokens."""
    with_usd: int
    """Runs that record their cost."""
    swept: bool
    """Whether the whole grid of parameters was replayed."""
    policies: list[PolicyScore]
    """Every policy with its settings: those on the frontier first, by recall; then the others by how much of the loops
    they spare."""
