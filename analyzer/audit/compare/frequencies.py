"""How many sessions show a kind of finding, or a failure, on either side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from analyzer.audit.compare import statistics
from analyzer.audit.compare.measure import Measured, design_of, measure, measure_pairs, measure_sets, reading
from analyzer.audit.compare.side import Run, Sign
from analyzer.model.comparison import Design, Example, Frequency
from analyzer.model.struct import Struct, field
from analyzer.model.words import Severity

Shown = Literal["kinds", "prints"]
Runs = Sequence[Run]

MOST_LISTED = 500
_FEWEST_TESTED = 5
"""What fewer sessions show can't be distinguished from chance and isn't tested, so that the correction for many stays
mild."""
_MOST_TESTED = 300


class _Seen(Struct):
    """Who shows one thing: sessions per task on either side, the worst severity, and one session of each side."""

    tasks: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))
    severity: Severity | None = None
    examples: list[tuple[Run, Sign] | None] = field(default_factory=lambda: [None, None])

    @property
    def counts(self) -> tuple[int, int]:
        return self.tasks[0].total(), self.tasks[1].total()

    def add(self, task: int, side: int, run: Run, sign: Sign) -> None:
        self.tasks[side][task] += 1
        if sign.severity is not None and (self.severity is None or sign.severity.rank > self.severity.rank):
            self.severity = sign.severity
        if self.examples[side] is None:
            self.examples[side] = run, sign


def frequencies(
    strata: Sequence[tuple[Runs, Runs]], rest: tuple[Runs, Runs], shown: Shown, confidence: float, *, paired: bool
) -> list[Frequency]:
    """How often everything is shown, the clearest change first, at most `MOST_LISTED`.

    `strata` are the tasks that are compared, a single one where they aren't paired. `rest` are the sessions that aren't
    compared: what one of them shows isn't new, and what nobody else shows isn't listed.
    """
    seen: dict[str, _Seen] = {}
    for task, pair in enumerate(strata):
        for side, runs in enumerate(pair):
            for run in runs:
                for name, sign in getattr(run, shown).items():
                    seen.setdefault(name, _Seen()).add(task, side, run, sign)
    often = sorted(
        (name for name, entry in seen.items() if sum(entry.counts) >= _FEWEST_TESTED),
        key=lambda name: (-sum(seen[name].counts), name),
    )
    tested = set(often[:_MOST_TESTED])
    listed = sorted(seen, key=lambda name: (name not in tested, *_weight(seen[name]), name))[:MOST_LISTED]
    sizes = [(len(a), len(b)) for a, b in strata]
    how = design_of(sizes, paired=paired)
    found = {name: _measured(sizes, seen[name], confidence, how, tested=name in tested) for name in listed}
    corrected = statistics.holm([entry.p for entry in found.values()])
    elsewhere = [{name for run in runs for name in getattr(run, shown)} for runs in rest]
    made = [
        _frequency(name, seen[name], entry, p, elsewhere, confidence)
        for (name, entry), p in zip(found.items(), corrected, strict=True)
    ]
    return sorted(
        made,
        key=lambda row: (row.p_corrected if row.p_corrected is not None else 2.0, *_weight(seen[row.name]), row.name),
    )


def _weight(entry: _Seen) -> tuple[int, int]:
    """A key that puts the largest difference first, then what most sessions show."""
    before, after = entry.counts
    return -abs(after - before), -before - after


def _measured(
    sizes: Sequence[tuple[int, int]], entry: _Seen, confidence: float, how: Design, *, tested: bool
) -> Measured:
    """The difference in how many sessions show it, from counts alone wherever those are enough."""
    old, new = entry.tasks
    if how == "pairs":
        both = sum(task in new for task in old)
        only = len(old) - both, len(new) - both
        return measure_pairs(both, *only, len(sizes) - both - sum(only), confidence, tested=tested)
    if len(sizes) == 1 or not tested:
        totals = sum(a for a, _ in sizes), sum(b for _, b in sizes)
        counts = entry.counts
        return measure_sets(
            counts[0], totals[0], counts[1], totals[1], confidence, units=len(sizes), design=how, tested=tested
        )
    strata = [
        ([1.0] * old[task] + [0.0] * (a - old[task]), [1.0] * new[task] + [0.0] * (b - new[task]))
        for task, (a, b) in enumerate(sizes)
    ]
    return measure(strata, "share", 0.0, confidence, paired=True, quick=True)


def _frequency(
    name: str, entry: _Seen, found: Measured, corrected: float | None, elsewhere: Sequence[set[str]], confidence: float
) -> Frequency:
    before, after = entry.counts
    example = entry.examples[1] or entry.examples[0]
    assert example is not None
    run, (_, step, title) = example
    change: Literal["new", "gone", "more", "fewer", "same"] = "same"
    if not before and name not in elsewhere[0]:
        change = "new"
    elif not after and name not in elsewhere[1]:
        change = "gone"
    elif abs(found.difference or 0.0) > 1e-12:
        change = "more" if (found.difference or 0.0) > 0 else "fewer"
    return Frequency(
        **found.facts(Frequency),
        p_corrected=corrected,
        reading=reading(found, corrected, confidence, more_is_better=False),
        name=name,
        title=title,
        severity=entry.severity,
        change=change,
        count_before=before,
        count_after=after,
        example=Example(session=run.id, path=run.path, step=step),
    )
