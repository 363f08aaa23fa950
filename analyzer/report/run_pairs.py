"""Two runs of one task beside each other, as the rows of a table of text: stretches of equal calls are one row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from analyzer.model.comparison import ArgumentDifference, RunPair, RunStep, StepPair
from analyzer.model.struct import Struct
from analyzer.text.clip import clip_words
from analyzer.text.english import plural
from analyzer.text.markdown import code

MOST_RUNS = 3
"""How many pairs of runs a page of text shows; the JSON output has all."""
_MOST_ROWS = 40
_SHOWN = 110
_VALUE = 60
_SAME = "the same call"


class Row(Struct, frozen=True):
    """What A did, what B did, and what differs; in prose with code spans."""

    before: str
    after: str
    difference: str


class Table(Struct, frozen=True):
    """The runs of one task: its heading, the rows, and what they leave out."""

    pair: RunPair
    title: str
    rows: list[Row]
    left_out: str


def tables_of(runs: list[RunPair]) -> list[Table]:
    """A table for each pair of runs, as many as a page shows."""
    return [_table(pair) for pair in runs[:MOST_RUNS]]


def _table(pair: RunPair) -> Table:
    rows = list(_rows(pair))
    counts = (("A", pair.left_out_before), ("B", pair.left_out_after))
    behind = [f"{plural(count, 'step')} of {side}" for side, count in counts if count]
    left = [f"{plural(len(rows) - _MOST_ROWS, 'row')} more in the JSON output"] if len(rows) > _MOST_ROWS else []
    left += [f"not compared, behind these: {' and '.join(behind)}"] if behind else []
    left_out = f"{left[0][:1].upper()}{'; '.join(left)[1:]}." if left else ""
    return Table(pair, f"{plural(pair.same, 'step')} in common", rows[:_MOST_ROWS], left_out)


def _rows(pair: RunPair) -> Iterator[Row]:
    for (same, alike), group in groupby(pair.rows, key=lambda row: (row.match == "same", _same(row))):
        steps = list(group)
        if same and len(steps) > 2 and alike == _SAME:
            yield Row(_span(steps, "before"), _span(steps, "after"), "the same calls")
            continue
        for row in steps:
            yield Row(_step(row.before), _step(row.after), _same(row) if same else _differing(row))


def _same(row: StepPair) -> str:
    before, after = row.before, row.after
    if before is None or after is None or before.status == after.status:
        return _SAME
    failed = [side for side, step in (("A", before), ("B", after)) if step.status == "error"]
    return f"{_SAME}, which failed in {failed[0]} only" if failed else _SAME


def _span(steps: list[StepPair], side: str) -> str:
    return f"steps {getattr(steps[0], side).step}-{getattr(steps[-1], side).step}"


def _step(step: RunStep | None) -> str:
    return f"{step.step} {clip_words(step.summary, _SHOWN)}" if step is not None else ""


def _differing(row: StepPair) -> str:
    if row.match != "differs":
        return f"only in {'A' if row.match == 'before' else 'B'}"
    return "; ".join(map(_argument, row.arguments)) or "in what it was given"


def _argument(found: ArgumentDifference) -> str:
    before, after = (
        code(value, _VALUE) if value else "not given" if value is None else "empty"
        for value in (found.before, found.after)
    )
    return f"{found.name or 'argument'}: {before} -> {after}"
