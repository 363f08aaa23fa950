"""Two runs of one task, step by step."""

from __future__ import annotations

from typing import Literal

from analyzer.model.finding import Public


class RunStep(Public):
    """One action of a run."""

    step: int
    """Its number."""
    kind: str
    """What it does."""
    status: str
    """Whether it failed."""
    summary: str
    """What was done."""


class ArgumentDifference(Public):
    """One argument that two calls of the same tool don't have in common."""

    name: str
    """The argument's name; empty where it has none."""
    before: str | None
    """What A passed, clipped to where they begin to differ; null where it passed nothing."""
    after: str | None
    """What B passed."""


class StepPair(Public):
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


class RunPair(Public):
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
