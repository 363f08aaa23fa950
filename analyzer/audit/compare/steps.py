"""Two runs of one task beside each other: which of two sets are shown so, and which steps both made, which differ in an
argument, which only one made."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from analyzer.audit.compare.pairing import Task
from analyzer.audit.compare.side import Run, Side
from analyzer.audit.store.store import Store
from analyzer.model.comparison import ArgumentDifference, Flip, RunPair, RunStep, StepPair
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE
from analyzer.text.similarity import alike

MOST_STEPS = 300
"""Steps of a run that are compared."""
_LARGEST_GAP = 4_000
"""A stretch in which nothing is equal is aligned as far as it has so many pairs of steps to look at."""
_ALIKE = 50.0
"""Percent of a call's text that two calls of one tool must have in common to be the same call with another argument."""
_MOST_ARGUMENTS = 4
_SHOWN = 120
_BEFORE_IT = 30
"""Characters of a long value that are shown before the place where it begins to differ."""


class Step(Struct, frozen=True):
    """One action of a main lane. `call` has the arguments that are kept, by name; `target` is what it was about."""

    step: int
    tool: str
    kind: str
    target: str
    status: str
    summary: str
    call: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal calls: the tool with its arguments, or with its target where they aren't kept."""
        return (self.tool, tuple((name, " ".join(value.split())) for name, value in self.call) or self.target)

    @property
    def words(self) -> str:
        """The whole call as text."""
        return " ".join(value for _, value in self.call) or self.target


class RunOf(Struct, frozen=True):
    """One run: its id, how it ended, and its steps."""

    session: str
    outcome: str
    steps: Sequence[Step]


def beside(task: str, before: RunOf, after: RunOf) -> RunPair:
    """The two runs, aligned so that as many equal calls as possible stand beside each other, in order."""
    a, b = before.steps[:MOST_STEPS], after.steps[:MOST_STEPS]
    matcher = SequenceMatcher(None, [step.key for step in a], [step.key for step in b], autojunk=False)
    rows: list[StepPair] = []
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            for one, other in zip(a[a0:a1], b[b0:b1], strict=True):
                rows.append(StepPair(match="same", before=_shown(one), after=_shown(other), arguments=[]))
        else:
            rows += _gap(a[a0:a1], b[b0:b1])
    return RunPair(
        task=task,
        outcome_before=before.outcome,
        outcome_after=after.outcome,
        session_before=before.session,
        session_after=after.session,
        same=sum(row.match == "same" for row in rows),
        rows=rows,
        left_out_before=len(before.steps) - len(a),
        left_out_after=len(after.steps) - len(b),
    )


def _gap(a: Sequence[Step], b: Sequence[Step]) -> Iterator[StepPair]:
    """A stretch without equal calls: calls of one tool that are alike beside each other, the others alone."""
    done_a = done_b = 0
    for i, j in _alike(a, b):
        yield from _alone(a[done_a:i], b[done_b:j])
        yield StepPair(
            match="differs", before=_shown(a[i]), after=_shown(b[j]), arguments=list(_differences(a[i], b[j]))
        )
        done_a, done_b = i + 1, j + 1
    yield from _alone(a[done_a:], b[done_b:])


def _alone(a: Sequence[Step], b: Sequence[Step]) -> Iterator[StepPair]:
    for step in a:
        yield StepPair(match="before", before=_shown(step), after=None, arguments=[])
    for step in b:
        yield StepPair(match="after", before=None, after=_shown(step), arguments=[])


def _alike(a: Sequence[Step], b: Sequence[Step]) -> list[tuple[int, int]]:
    """The longest chain of pairs that are alike, both in order."""
    if not a or not b:
        return []
    height = min(len(a), max(1, _LARGEST_GAP // len(b)))
    best = [[0] * (len(b) + 1) for _ in range(height + 1)]
    fits = [[_same_kind(one, other) for other in b] for one in a[:height]]
    for i in range(height - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + 1 if fits[i][j] else 0)
    found, i, j = [], 0, 0
    while i < height and j < len(b):
        if fits[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _same_kind(one: Step, other: Step) -> bool:
    if (one.tool, one.kind) != (other.tool, other.kind):
        return False
    return bool(one.target and one.target == other.target) or alike(one.words, other.words, _ALIKE)


def _differences(one: Step, other: Step) -> Iterator[ArgumentDifference]:
    before, after = dict(one.call), dict(other.call)
    differing = [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]
    for name in differing[:_MOST_ARGUMENTS]:
        old, new = before.get(name), after.get(name)
        start = len(os.path.commonprefix([old, new])) if old is not None and new is not None else 0  # noqa: RUF071
        yield ArgumentDifference(name=name, before=_from(old, start), after=_from(new, start))


def _from(value: str | None, start: int) -> str | None:
    """A value from shortly before the place where it differs, on one line."""
    if value is None:
        return None
    begin = 0 if start < _SHOWN - _BEFORE_IT else start - _BEFORE_IT
    text = " ".join(value[begin : begin + 2 * _SHOWN].split())
    cut = text[:_SHOWN].rstrip()
    more = len(text) > len(cut) or len(value) > begin + 2 * _SHOWN
    return f"{'…' if begin else ''}{cut}{'…' if more else ''}"


def _shown(step: Step) -> RunStep:
    return RunStep(step=step.step, kind=step.kind, status=step.status, summary=step.summary)


MOST_OF_A_DIRECTION = 5
"""Flipped tasks of each direction whose runs are shown."""
_COLUMNS = ("step", "tool", "kind", "target", "status", "summary")


def runs_beside(before: Side, after: Side, tasks: Sequence[Task], flips: Sequence[Flip]) -> list[RunPair]:
    """The runs of tasks that flipped; without any, those of the task whose runs differ most in length. Nothing where
    the audits are not at hand."""
    if before.folder is None or after.folder is None:
        return []
    chosen = list(_chosen(tasks, flips))
    if not chosen:
        return []
    with Store(before.folder, "") as old, Store(after.folder, "") as new:
        pairs = [(name, _run(old, one), _run(new, other)) for name, one, other in chosen]
    return [beside(name, one, other) for name, one, other in pairs if one.steps and other.steps]


def _chosen(tasks: Sequence[Task], flips: Sequence[Flip]) -> Iterator[tuple[str, Run, Run]]:
    known = {task.name: task for task in tasks}
    for direction in ("lost", "won"):
        for flip in [flip for flip in flips if flip.direction == direction][:MOST_OF_A_DIRECTION]:
            task = known[flip.task]
            one = next(run for run in task.before if (run.id, run.path) == (flip.session_before, flip.path_before))
            other = next(run for run in task.after if (run.id, run.path) == (flip.session_after, flip.path_after))
            yield task.name, one, other
    if not flips:
        alone = [task for task in tasks if len(task.before) == len(task.after) == 1]
        if alone:
            task = max(alone, key=lambda each: abs(each.before[0].actions - each.after[0].actions))
            yield task.name, task.before[0], task.after[0]


def _run(store: Store, run: Run) -> RunOf:
    # The arguments that are kept, as text; what is left out of one counts by its length.
    calls = {
        text.step: tuple(
            (name, f"{value.head} [{value.omitted} more] {value.tail}" if value.omitted else value.head + value.tail)
            for name, value in text.call
        )
        for text in store.recording(run.session).steps
        if text.lane == MAIN_LANE
    }
    steps = [
        Step(**{name: row[name] for name in _COLUMNS}, call=calls.get(row["step"], ()))
        for row in store.records("actions", "session = ? AND lane = ?", (run.session, MAIN_LANE))
    ]
    return RunOf(run.id, run.outcome, sorted(steps, key=lambda step: step.step))
