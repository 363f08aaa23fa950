"""What came of comparing two sets of sessions: the output contract of `compare -f json`."""

from __future__ import annotations

from typing import Literal

from analyzer.model.struct import Public, field


class RunStep(Public, frozen=True, kw_only=True):
    """One action of a run."""

    step: int
    """Its number."""
    kind: str
    """What it does."""
    status: str
    """Whether it failed."""
    summary: str
    """What was done."""


class ArgumentDifference(Public, frozen=True, kw_only=True):
    """One argument that two calls of the same tool don't have in common."""

    name: str
    """The argument's name; empty where it has none."""
    before: str | None
    """What A passed, clipped to where they begin to differ; null where it passed nothing."""
    after: str | None
    """What B passed."""


class StepPair(Public, frozen=True, kw_only=True):
    """One row: a step of each run that do the same, or a step of one."""

    match: Literal["same", "differs", "before", "after"]
    """`same`: the same call. `differs`: calls of one tool whose arguments differ. `before` and `after`: a step that
    only A, or only B, has."""
    before: RunStep | None
    """A's step."""
    after: RunStep | None
    """B's step."""
    arguments: list[ArgumentDifference]
    """What differs in the arguments, where they are kept."""


class RunPair(Public, frozen=True, kw_only=True):
    """A run of A and a run of B at the same task, the steps of their main lanes beside each other."""

    task: str
    """The task."""
    outcome_before: str
    """How A's run ended."""
    outcome_after: str
    """How B's run ended."""
    session_before: str
    """The id of A's session."""
    session_after: str
    """The id of B's session."""
    same: int
    """How many steps they have in common."""
    rows: list[StepPair]
    """The steps in order."""
    left_out_before: int
    """Steps of A behind those."""
    left_out_after: int
    """Steps of B behind those."""


SCHEMA_VERSION = "1.0"
"""Fields may be added; this rises where one goes or changes its meaning."""

Design = Literal["pairs", "tasks", "trials", "sets"]
"""`pairs`: one session of each side per task. `tasks`: several on some, whose mean counts as one. `trials`: too few
tasks to compare tasks, but enough trials to compare sessions within each. `sets`: sessions without regard to their
tasks."""
Reading = Literal["better", "worse", "more", "less", "no difference shown", "equal", "too few", "not recorded"]
"""What a row says. Beyond chance B is better or worse, or takes more or less (effort: actions, time, tokens, money); no
difference was shown; every task has the same on both sides; too few sessions to say anything; not recorded on one side
at least."""


class SideFacts(Public, frozen=True, kw_only=True):
    """One of the two sets."""

    name: str
    """The path as the user gave it."""
    sessions: int
    """Sessions in it."""
    agents: dict[str, int]
    """Sessions by agent and version; unknown is left out."""
    models: dict[str, int]
    """Sessions by language model; unknown is left out."""
    formats: dict[str, int]
    """Sessions by transcript format."""
    first_started: str | None
    """The earliest recorded start."""
    last_started: str | None
    """The latest recorded start."""
    outcomes: dict[str, int]
    """Sessions by how they ended."""
    problems: int
    """Files that could not be read."""


class Attempted(Public, frozen=True, kw_only=True):
    """What pairing by one key would give."""

    by: str
    """The key."""
    tasks: int
    """Tasks that both sides have."""
    left_out: int
    """Keys that both sides have and that were left out: what their sessions were asked to do differs, or says
    nothing."""
    usable: bool
    """Whether the key names tasks at all."""


class Pairing(Public, frozen=True, kw_only=True):
    """How sessions were paired."""

    asked: str
    """What the user asked for."""
    by: Literal["id", "title", "task", "path", "only", "none"]
    """The key that was taken; `only` where each side has a single session, `none` where nothing was paired."""
    tasks: int
    """Tasks that both sides have."""
    one_to_one: int
    """Tasks with one session on each side."""
    paired_before: int
    """Sessions of A that are paired."""
    paired_after: int
    """Sessions of B that are paired."""
    unpaired_before: int
    """Sessions of A that aren't."""
    unpaired_after: int
    """Sessions of B that aren't."""
    used: bool
    """Whether the metrics compare the paired sessions. If not they compare all."""
    attempts: list[Attempted]
    """What each key would give."""


class Change(Public, frozen=True, kw_only=True):
    """One number on both sides, and what can be said of the difference."""

    design: Design
    """What was compared with what."""
    units: int
    """Tasks (pairs) that the difference rests on; in `sets` the sessions of the smaller side."""
    sessions_before: int
    """Sessions of A that tell."""
    sessions_after: int
    """Sessions of B that tell."""
    before: float | None
    """A: a mean over the tasks, or in `sets` over the sessions; for ratios the median."""
    after: float | None
    """B, likewise."""
    difference: float | None
    """B minus A; for ratios how many times A the typical B is (the ratio of geometric means, by task)."""
    low: float | None
    """The lower end of the interval of the difference."""
    high: float | None
    """Its upper end."""
    test: str | None
    """The test behind `p`."""
    p: float | None
    """How often chance alone makes a difference as large (two-sided); null where no result could be significant."""
    p_corrected: float | None
    """The same, corrected by Holm's method for all rows of the table but the success rate, which stands by itself."""
    reading: Reading
    """What that says, in words."""


class MetricChange(Change, frozen=True, kw_only=True):
    """One metric on both sides."""

    metric: str
    """Its name."""
    title: str
    """Its name for people."""
    unit: Literal["share", "count", "seconds", "tokens", "usd"]
    """What it's measured in."""
    scale: Literal["share", "mean", "ratio"]
    """How it's summed up; of a ratio `difference`, `low`, `high`, `noticeable` and `reference` are factors."""
    more_is_better: bool
    """Which way is an improvement."""
    mean_before: float | None
    """The mean of A, also for ratios."""
    mean_after: float | None
    """The mean of B."""
    typical_before: float | None = None
    """What `difference` compares, as pages show it: of ratios the geometric mean of A, by task, else the mean."""
    typical_after: float | None = None
    """The same of B."""
    noticeable: float | None
    """The smallest difference that a set of this size shows four times in five."""
    reference: float | None
    """A difference worth knowing of."""
    needed: int | None
    """About how many units it would take to see that one four times in five."""


class Example(Public, frozen=True, kw_only=True):
    """Where to look."""

    session: str
    """The session's id."""
    path: str
    """Its file."""
    step: int
    """The step."""


class Frequency(Change, frozen=True, kw_only=True):
    """How many sessions show a kind of finding, or a failure."""

    name: str
    """A finding as `detector/kind`, a failure by its fingerprint."""
    title: str
    """A finding's or failure's own words, from the example."""
    severity: str | None
    """The worst severity of such a finding; of a failure `high` where a finding of that severity is about it."""
    change: Literal["new", "gone", "more", "fewer", "same"]
    """New or gone where no session at all of the other side shows it, paired or not."""
    count_before: int
    """Sessions of A that show it, out of `sessions_before`."""
    count_after: int
    """Sessions of B that show it, out of `sessions_after`."""
    example: Example
    """A session that shows it: of B, or of A where it's gone."""


class Flip(Public, frozen=True, kw_only=True):
    """A task that one side did and the other didn't."""

    task: str
    """Its name."""
    direction: Literal["lost", "won"]
    """`lost`: A did it, B didn't."""
    before: str
    """How A ended: the outcome, or `2 of 3 succeeded`."""
    after: str
    """How B ended."""
    session_before: str
    """The id of A's session (of several, one that ended as most did)."""
    path_before: str
    """Its file."""
    session_after: str
    """The id of B's session."""
    path_after: str
    """Its file."""
    headline: str
    """The story of the session that did not succeed."""
    new: list[str]
    """Findings of the session that did not succeed that the other doesn't have, the worst first."""


class OutcomePair(Public, frozen=True, kw_only=True):
    """How many pairs ended one way on A and another way on B."""

    before: str
    """The outcome on A."""
    after: str
    """The outcome on B."""
    count: int
    """Pairs."""


class Comparison(Public, frozen=True, kw_only=True):
    """Two sets of sessions compared."""

    schema_version: str = SCHEMA_VERSION
    """The version of this form."""
    before: SideFacts
    """A."""
    after: SideFacts
    """B."""
    confidence: float
    """The confidence of the intervals; 1 minus it is the level of the tests."""
    pairing: Pairing
    """How sessions were paired."""
    same: bool = False
    """Whether both sides are the very same recordings."""
    verdict: list[str]
    """The result in a few sentences."""
    cautions: list[str]
    """What to bear in mind."""
    regressions: list[str]
    """What got worse beyond chance: the reasons of `--fail-on-regression`."""
    metrics: list[MetricChange]
    """The metrics, the most important one first."""
    outcomes: list[OutcomePair]
    """Outcomes of the one-to-one pairs."""
    lost: int
    """Tasks that only A did."""
    won: int
    """Tasks that only B did."""
    flips: list[Flip]
    """Those tasks, the lost ones first."""
    runs: list[RunPair] = field(default_factory=list)
    """Runs beside each other, step by step: of tasks that flipped; without any, of the task whose runs differ most in
    length."""
    findings: list[Frequency]
    """Kinds of findings above `info`, the clearest change first."""
    failure_groups: list[Frequency]
    """Failures, the clearest change first."""
