"""The comparison of two sets of sessions as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from analyzer.model.comparison import Change, Comparison, Frequency, MetricChange, Pairing, SideFacts
from analyzer.report.environment import written
from analyzer.report.figures import difference, factor, metric_amount, points
from analyzer.report.run_pairs import MOST_RUNS, tables_of
from analyzer.text import english
from analyzer.text.english import plural

MOST_ROWS = 10
"""Findings, failures and flips that each table of the page lists; the JSON output has them all."""
_MOST_WORDS = 4
_MEANS = {"share": "", "mean": ", mean", "ratio": ", geometric mean"}
"""What the two amounts of a metric are."""
_DESIGNS = {
    "pairs": "one session of each side per task",
    "tasks": "task by task, trials of a task averaged",
    "trials": "sessions within each task, since there are too few tasks to compare tasks",
    "sets": "all sessions of one side with all of the other",
}
_KEYS = {
    "id": "the session's id",
    "title": "the session's title",
    "task": "the words of the task",
    "path": "the path below each side's common folder",
    "only": "being the only session of each side",
    "none": "nothing",
}


def render(comparison: Comparison) -> str:
    """The comparison as one page of Markdown, ending in a newline."""
    return written("comparison", **context_of(comparison))


def context_of(comparison: Comparison) -> dict[str, Any]:
    """What the page says, whatever it's written in: values as text, and our sentences, in which backticks make code."""
    findings, failures = _telling(comparison.findings), _telling(comparison.failure_groups)
    return {
        "c": comparison,
        "level": f"{comparison.confidence * 100:g}",
        "names": [
            "/".join(PurePath(side.name).parts[-2:]) if len(side.name) > 60 else side.name
            for side in (comparison.before, comparison.after)
        ],
        "facts": _facts(comparison),
        "paired": _paired(comparison.pairing),
        "metrics": [_metric(row) for row in comparison.metrics if row.difference is not None],
        "unrecorded": [row.title for row in comparison.metrics if row.difference is None],
        "compared": _compared(comparison),
        "matrix": _matrix(comparison),
        "lost": [flip for flip in comparison.flips if flip.direction == "lost"],
        "won": [flip for flip in comparison.flips if flip.direction == "won"],
        "findings": [_frequency(row) for row in findings[:MOST_ROWS]],
        "more_findings": len(comparison.findings) - min(len(findings), MOST_ROWS),
        "failures": [_frequency(row) for row in failures[:MOST_ROWS]],
        "more_failures": len(comparison.failure_groups) - min(len(failures), MOST_ROWS),
        "most": MOST_ROWS,
        "runs": tables_of(comparison.runs),
        "more_runs": max(0, len(comparison.runs) - MOST_RUNS),
        "computed": _computed(comparison),
    }


def _paired(pairing: Pairing) -> str:
    if not pairing.tasks:
        return ""
    alone = "all" if pairing.one_to_one == pairing.tasks else str(pairing.one_to_one)
    return (
        f"{plural(pairing.tasks, 'task')} {'was' if pairing.tasks == 1 else 'were'} found on both sides by "
        f"{_KEYS[pairing.by]}, {alone} with one session on each."
        f" Sessions without a partner: {pairing.unpaired_before} of A and {pairing.unpaired_after} of B."
    )


def _compared(comparison: Comparison) -> str:
    designs = dict.fromkeys(_DESIGNS[row.design] for row in comparison.metrics if row.difference is not None)
    return (
        f"Compared: {'; '.join(designs)}. The success rate is tested by itself, `p` of the other rows is "
        "corrected for multiple testing (Holm), the intervals aren't; a change counts as one"
        f' where `p` is at most {1 - comparison.confidence:.2g} and the interval lies on one side. "Smallest '
        'detectable" is the smallest difference that a sample like this one shows four times in five:'
        ' "no difference shown" doesn\'t rule out a smaller one.'
    )


def _computed(comparison: Comparison) -> list[str]:
    lines = []
    for attempt in comparison.pairing.attempts:
        if attempt.tasks or attempt.left_out:
            tasks = plural(attempt.tasks, "task")
            if attempt.left_out:
                tasks += f", left out {attempt.left_out} whose sessions had different tasks, or no recorded task"
            unused = "" if attempt.usable else "; not used, since it doesn't name tasks here"
            lines.append(f"Pairing by {_KEYS[attempt.by]}: {tasks}{unused}.")
    tests = sorted({row.test for row in comparison.metrics if row.test is not None})
    return [
        *lines,
        f"Tests of the metrics: {'; '.join(tests) or 'none'}. Intervals: Newcombe's for shares, bias-corrected "
        "bootstrap (9,999 draws, fixed seed) for the rest.",
        "Averages are means over the tasks, of actions, time, tokens and money geometric means, which a few "
        "extreme sessions don't dominate and whose ratio is the change. JSON has medians and plain means as well.",
        "Success counts sessions of known outcome only. Findings and failures are corrected for multiple testing as "
        "well; those that fewer than five sessions show aren't tested.",
    ]


def _facts(comparison: Comparison) -> list[tuple[str, str, str]]:
    rows: tuple[tuple[str, Callable[[SideFacts], str]], ...] = (
        ("Sessions", lambda side: english.number(side.sessions)),
        ("Outcomes", lambda side: _words({name.replace("_", " "): count for name, count in side.outcomes.items()})),
        ("Agent", lambda side: _words(side.agents)),
        ("Model", lambda side: _words(side.models)),
        ("Format", lambda side: _words(side.formats)),
        ("Began", _began),
    )
    shown = [(title, of(comparison.before), of(comparison.after)) for title, of in rows]
    return [row for row in shown if row[1] or row[2]]


def _began(side: SideFacts) -> str:
    first, last = ((side.first_started or "")[:10], (side.last_started or "")[:10])
    return first if first == last else f"{first} to {last}"


def _words(counts: Mapping[str, int]) -> str:
    """`12 succeeded, 3 failed`; a single word without its count."""
    if len(counts) == 1:
        return next(iter(counts))
    shown = [f"{count} {word}" for word, count in list(counts.items())[:_MOST_WORDS]]
    return ", ".join(shown) + (f" and {len(counts) - _MOST_WORDS} more" if len(counts) > _MOST_WORDS else "")


def _metric(row: MetricChange) -> dict[str, Any]:
    before, after = (metric_amount(value, row.unit) for value in (row.typical_before, row.typical_after))
    return {
        "title": f"{row.title}{_MEANS[row.scale]}",
        "n": f"{row.units}" if row.design != "sets" else f"{row.sessions_before} / {row.sessions_after}",
        "before": before,
        "after": after,
        "change": difference(row, row.difference) if row.difference is not None else "",
        "interval": _interval(row, lambda value: difference(row, value)),
        "p": p_value(row.p_corrected),
        "reading": row.reading,
        "notices": _notices(row),
    }


def _notices(row: MetricChange) -> str:
    """The smallest difference that the sample would show; nothing where even the largest would go unnoticed."""
    if row.noticeable is None:
        return ""
    if row.scale == "ratio":
        return factor(row.noticeable)
    if row.unit == "share":
        return f"{row.noticeable * 100:.0f} points" if row.noticeable < 1 else "none"
    return f"{row.noticeable:.2g}"


def _interval(row: Change, shown: Callable[[float], str]) -> str:
    return f"{shown(row.low)} to {shown(row.high)}" if row.low is not None and row.high is not None else ""


def p_value(value: float | None) -> str:
    """A p for a table: `0.034`, `< 0.001`, empty where there was no test."""
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.2g}" if value < 0.995 else "1"


def _matrix(comparison: Comparison) -> dict[str, Any] | None:
    """Outcomes of A by outcomes of B."""
    if not comparison.outcomes:
        return None
    rows = list(dict.fromkeys(pair.before for pair in comparison.outcomes))
    order = [*rows, *(pair.after for pair in comparison.outcomes)]
    columns = [name for name in dict.fromkeys(order) if any(pair.after == name for pair in comparison.outcomes)]
    counts = {(pair.before, pair.after): pair.count for pair in comparison.outcomes}
    return {
        "columns": [name.replace("_", " ") for name in columns],
        "rows": [(name.replace("_", " "), [counts.get((name, column), 0) for column in columns]) for name in rows],
    }


def _telling(rows: Sequence[Frequency]) -> list[Frequency]:
    """The rows worth a line: changes beyond chance, and what is new, gone or changed in at least two sessions."""
    return [row for row in rows if row.reading in ("better", "worse") or abs(row.count_after - row.count_before) >= 2]


def _frequency(row: Frequency) -> dict[str, Any]:
    return {
        "name": row.name,
        "title": row.title,
        "severity": row.severity or "",
        "change": row.change,
        "before": f"{row.count_before} ({metric_amount(row.before, 'share')})",
        "after": f"{row.count_after} ({metric_amount(row.after, 'share')})",
        "interval": _interval(row, points),
        "p": p_value(row.p_corrected),
        "beyond": row.reading in ("better", "worse"),
        "side": "A" if row.change == "gone" or not row.count_after else "B",
        "example": row.example,
    }
