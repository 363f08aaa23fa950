"""Which runs of two sets are shown beside each other, and their steps from the databases of the audits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.audit.compare.pairing import Task
from analyzer.audit.compare.side import Run, Side
from analyzer.audit.compare.steps import RunOf, Step, beside
from analyzer.audit.store.store import Store
from analyzer.model.comparison import Flip
from analyzer.model.run_pair import RunPair
from analyzer.model.step_texts import StepText
from analyzer.model.tables import columns
from analyzer.model.words import MAIN_LANE

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
    texts = {text.step: text for text in store.recording(run.session).steps if text.lane == MAIN_LANE}
    where = [columns("actions").index(name) for name in _COLUMNS]
    rows = store.rows("actions", "session = ? AND lane = ?", (run.session, MAIN_LANE))
    steps = []
    for row in rows:
        step, tool, kind, target, status, summary = (row[at] for at in where)
        steps.append(Step(step, tool, kind, target, status, summary, _call(texts.get(step))))
    return RunOf(run.id, run.outcome, sorted(steps, key=lambda step: step.step))


def _call(text: StepText | None) -> tuple[tuple[str, str], ...]:
    """The arguments that are kept, as text; what is left out of one counts by its length."""
    if text is None:
        return ()
    return tuple(
        (name, f"{value.head} [{value.omitted} more] {value.tail}" if value.omitted else value.head + value.tail)
        for name, value in text.call
    )
