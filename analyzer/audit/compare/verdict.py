"""What the numbers metric_amount to, in sentences that claim no more than they do."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.audit.compare.side import Side
from analyzer.model.comparison import Change, Flip, Frequency, MetricChange, Pairing, SideFacts
from analyzer.model.words import OutcomeStatus, Severity
from analyzer.report.figures import difference, metric_amount, percent, points
from analyzer.text.english import listed, plural

_CLOSE = 0.05
"""Success rates whose interval stays within so much of zero are called about the same."""
_MOST_NAMED = 4
_MANY_ALONE = 0.2
"""Where more of a side than this has no partner, the reader is warned again."""
_MANY_UNKNOWN = 0.2
"""Where the shares of unknown outcomes differ by more than this, the success rates are of other sorts of sessions."""


def verdict(
    metrics: Sequence[MetricChange],
    flips: Sequence[Flip],
    findings: Sequence[Frequency],
    pairing: Pairing,
    confidence: float,
    *,
    same: bool,
) -> list[str]:
    """The result in a few sentences, the success rate first."""
    if same:
        return ["A and B hold the very same recordings, so there is nothing to tell apart."]
    success, *others = metrics
    first, *more = _success(success, confidence)
    sentences = [first]
    if not pairing.used:
        why = "No task was found on both sides, so the sessions are compared as two sets"
        if pairing.tasks:
            why = f"Only {many(pairing.tasks, 'task')} could be paired, so all sessions are compared, paired or not"
        elif pairing.asked == "none":
            why = "The sessions are compared without regard to their tasks"
        sentences.append(f"{why}: a difference may come from other tasks rather than from the agent.")
    sentences += more
    if flips:
        lost = sum(flip.direction == "lost" for flip in flips)
        sentences.append(
            f"{many(lost, 'task').capitalize()} {'was' if lost == 1 else 'were'} lost (A succeeded, B didn't), "
            f"{len(flips) - lost} won (B succeeded, A didn't)."
        )
    elif pairing.tasks and success.units:
        sentences.append("No task flipped between success and failure.")
    return [*sentences, *_others(others), *_findings(findings)]


def regressions(
    metrics: Sequence[MetricChange], findings: Sequence[Frequency], failures: Sequence[Frequency]
) -> list[str]:
    """What got worse beyond chance. Effort (actions, time, tokens, money) counts only where success didn't rise."""
    better = any(row.metric == "success_rate" and row.reading == "better" for row in metrics)
    found = [
        f"{row.title}: {_change(row)}, {_p(row.p_corrected)}"
        for row in metrics
        if row.reading == "worse" or (row.reading == "more" and not better)
    ]
    for what, rows in (("Finding", findings), ("Failure", failures)):
        for row in rows:
            if row.reading == "worse" and row.severity == Severity.HIGH:
                name = row.name if what == "Finding" else row.title.replace("`", "'")
                more = "is new" if row.change == "new" else "in more sessions"
                found.append(f"{what} `{name}` {more}: {counted(row)}, {_p(row.p_corrected)}")
    return found


def cautions(
    before: Side, after: Side, facts: tuple[SideFacts, SideFacts], pairing: Pairing, metrics: Sequence[MetricChange]
) -> list[str]:
    """What to bear in mind when reading the numbers."""
    return [*_of_pairing(pairing, before, after), *_of_outcomes(metrics[0], facts), *_of_sources(before, after, facts)]


def _success(row: MetricChange, confidence: float) -> list[str]:
    """What came of it in one sentence, and where that is little how much it would take."""
    if row.difference is None or row.before is None or row.after is None:
        return ["How the sessions ended is unknown on at least one side, so success can't be compared."]
    rates = f"A {percent(row.before)}, B {percent(row.after)} ({basis(row)})"
    measured = f"{points(row.difference)} points{f', {interval(row, confidence)}' if row.low is not None else ''}"
    if row.reading in ("better", "worse"):
        word = "more" if row.reading == "better" else "less"
        return [f"B succeeds {word} often: {rates}, {measured}, {_p(row.p_corrected)}."]
    takes = []
    if row.needed is not None and row.needed > row.units:
        # The needed size in two digits: `220 tasks`.
        rounded = round(row.needed, -max(0, len(str(row.needed)) - 2))
        size = f"{rounded:,} sessions on each side" if row.design == "sets" else many(rounded, "task")
        takes = [f"A difference of 10 points would take about {size} to show."]
    if row.reading == "too few":
        if row.noticeable and row.noticeable < 1:
            takes.insert(0, f"Only a difference of about {row.noticeable * 100:.0f} points or more would show.")
        return [f"Too few sessions to say whether B succeeds more often: {rates}.", *takes]
    if row.reading == "equal":
        return [f"Success is the same in every task: {rates}."]
    if row.low is not None and row.high is not None and max(-row.low, row.high) <= _CLOSE:
        return [f"Success is about the same: {rates}, {measured}."]
    return [f"No difference in success was shown: {rates}, {measured}.", *takes]


def _others(rows: Sequence[MetricChange]) -> list[str]:
    sentences = []
    for reading, start in (
        ("worse", "Worse in B"),
        ("better", "Better in B"),
        ("more", "More effort in B"),
        ("less", "Less effort in B"),
    ):
        named = [f"{_lower(row)} ({_change(row)})" for row in rows if row.reading == reading]
        if named:
            sentences.append(f"{start}, beyond chance: {listed(named)}.")
    rest = [_lower(row) for row in rows if row.reading == "no difference shown"]
    few = [_lower(row) for row in rows if row.reading == "too few"]
    if rest:
        sentences.append(f"No difference was shown in {listed(rest)}.")
    if few:
        which = listed(few) if len(few) < len(rows) else "the other metrics"
        sentences.append(f"Too few sessions to say anything about {which}.")
    return sentences


def _lower(row: MetricChange) -> str:
    return f"{row.title[0].lower()}{row.title[1:]}"


def _findings(rows: Sequence[Frequency]) -> list[str]:
    sentences = []
    for reading, word in (("worse", "more"), ("better", "less")):
        named = [
            f"`{row.name}` ({row.count_before} -> {row.count_after} sessions)" for row in rows if row.reading == reading
        ]
        if named:
            more = f" and {len(named) - _MOST_NAMED} others" if len(named) > _MOST_NAMED else ""
            sentences.append(f"Found {word} often beyond chance: {', '.join(named[:_MOST_NAMED])}{more}.")
    return sentences


def _change(row: MetricChange) -> str:
    if row.typical_before is None or row.typical_after is None or row.difference is None:
        return ""
    by = f", {difference(row, row.difference)}" if row.scale == "ratio" else ""
    return f"{metric_amount(row.typical_before, row.unit)} -> {metric_amount(row.typical_after, row.unit)}{by}"


def _p(value: float | None) -> str:
    return "p unknown" if value is None else "p below 0.001" if value < 0.001 else f"p = {value:.2g}"


def _of_pairing(pairing: Pairing, before: Side, after: Side) -> list[str]:
    if pairing.used:
        left = [
            (name, alone, len(side.runs))
            for name, alone, side in (("A", pairing.unpaired_before, before), ("B", pairing.unpaired_after, after))
        ]
        return [
            f"{alone} of {many(total, 'session')} of {name} "
            f"{'has no partner and is' if alone == 1 else 'have no partner and are'}n't compared."
            for name, alone, total in left
            if alone > _MANY_ALONE * total
        ]
    sentences = []
    for name, side in (("A", before), ("B", after)):
        different = len({run.task_key for run in side.runs})
        if 2 * different <= len(side.runs):
            sentences.append(
                f"{name} holds {len(side.runs)} sessions of {many(different, 'task')}. Sessions of one task "
                "resemble each other, so that intervals are narrower than they should be."
            )
    return sentences


def _of_outcomes(success: MetricChange, facts: tuple[SideFacts, SideFacts]) -> list[str]:
    unknown = [side.outcomes.get(OutcomeStatus.UNKNOWN, 0) / side.sessions for side in facts]
    if success.difference is not None and abs(unknown[0] - unknown[1]) > _MANY_UNKNOWN:
        what = f"How a session ended is unknown for {percent(unknown[0])} of A and {percent(unknown[1])} of B"
        return [f"{what}; the success rate is that of the rest, which may be other sorts of sessions."]
    if success.difference is not None and max(unknown) > 0.5:
        return ["How more than half of the sessions ended is unknown; the success rate is that of the rest."]
    return []


def _of_sources(before: Side, after: Side, facts: tuple[SideFacts, SideFacts]) -> list[str]:
    sentences = []
    if before.versions != after.versions or len(before.versions) > 1:
        sentences.append(
            "A and B were not judged by the same version and settings of this program, which alone may make a "
            "difference; audit both again."
        )
    forms = [set(side.formats) for side in facts]
    if forms[0] != forms[1]:
        sentences.append(
            f"A was recorded as {listed(sorted(forms[0]))}, B as {listed(sorted(forms[1]))}. What a format doesn't "
            "record can't be found in it, so findings, failures and counts may differ for that reason."
        )
    shared = set(before.digests.values()) & set(after.digests.values())
    if shared:
        sentences.append(
            f"{many(len(shared), 'file')} {'is' if len(shared) == 1 else 'are'} on both sides, byte for byte."
        )
    problems = [
        f"{many(side.problems, 'file')} of {name}" for name, side in (("A", before), ("B", after)) if side.problems
    ]
    if problems:
        sentences.append(f"Not read and not counted: {listed(problems)}.")
    return sentences


def interval(row: MetricChange, confidence: float) -> str:
    """`95% interval -14 to +26`, or nothing where there's none."""
    if row.low is None or row.high is None:
        return ""
    return f"{confidence * 100:g}% interval {difference(row, row.low)} to {difference(row, row.high)}"


def basis(row: Change) -> str:
    """What a row rests on: `40 tasks`."""
    if row.design == "sets":
        return f"{many(row.sessions_before, 'session')} of A and {row.sessions_after} of B"
    if row.design == "pairs":
        return many(row.units, "task")
    return f"{many(row.units, 'task')} with {row.sessions_before} and {row.sessions_after} sessions"


def many(count: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return plural(count, noun, number="{:,}".format)


def counted(row: Frequency) -> str:
    """`3 of 40 -> 12 of 40 sessions`."""
    return f"{row.count_before} of {row.sessions_before} -> {row.count_after} of {row.sessions_after} sessions"
