"""What happened over all runs, in a few sentences."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.case_study.cause import capital, runs_text
from analyzer.case_study.resolution import RunStory
from analyzer.model.case_study import Mode, Run
from analyzer.text.english import listed, plural


def summary_of(stories: Sequence[RunStory], *, trials: bool, modes: Sequence[Mode]) -> list[str]:
    """The summary: how many runs, which failed and where, how far they got, and how the last one ended."""
    if len(stories) == 1:
        return _single(stories[0])
    if trials:
        return [
            _ended(stories, trials=True),
            *([_kinds(modes)] if modes and any(entry.explained for entry in stories) else []),
            *_way(stories, trials=True),
        ]
    return [_ended(stories, trials=False), *_way(stories, trials=False)]


def _ended(stories: Sequence[RunStory], *, trials: bool) -> str:
    failed = [entry.run.number for entry in stories if entry.run.succeeded is False]
    good = [entry.run.number for entry in stories if entry.run.succeeded is True]
    unknown = [entry.run.number for entry in stories if entry.run.succeeded is None]
    kinds = {
        (entry.failed.cause.key, entry.failed.trouble.planned_step) for entry in stories if entry.failed is not None
    }
    each = ", each in a different way" if not trials and len(failed) > 1 and len(kinds) == len(failed) else ""
    parts = [f"{runs_text(failed)} failed{each}"] if failed else []
    parts += [f"{runs_text(good)} succeeded"] if good else []
    if unknown:
        parts.append(f"for {runs_text(unknown)} it's unknown")
    return (
        f"{capital(plural(len(stories), 'run', number=_number))} of this scenario "
        f"{'is' if len(stories) == 1 else 'are'} recorded. {capital('; '.join(parts))}."
    )


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[count] if count < len(words) else str(count)


def _single(entry: RunStory) -> list[str]:
    run = entry.run
    if run.succeeded is None:
        return [
            (
                "One run of this scenario is recorded. Whether it succeeded is unknown: "
                f"{run.post_mortem.outcome.reason}"
            ),
            *_steps_of(run),
        ]
    if run.succeeded:
        return ["One run of this scenario is recorded, and it succeeded.", *_steps_of(run)]
    title = entry.failed.cause.title if entry.failed is not None else ""
    title = title if title[:2].isupper() else title[:1].lower() + title[1:]
    what = f": {title}" if title else ""
    return [f"One run of this scenario is recorded, and it failed{what}.", *_steps_of(run)]


def _steps_of(run: Run) -> list[str]:
    if run.conformance is None:
        return []
    done = sum(row.done for row in run.conformance.rows)
    other = " It reached the goal in a way that differs from the plan." if run.conformance.other_way else ""
    return [f"It carried out {done} of {plural(len(run.conformance.rows), 'step')} of the plan.{other}"]


def _kinds(modes: Sequence[Mode]) -> str:
    if sum(len(mode.runs) for mode in modes) == 1:
        return f"What failed: {modes[0].title} ({runs_text(modes[0].runs)})."
    return (
        f"They failed in {plural(len(modes), 'way', number=_number)}: "
        f"{'; '.join(f'{mode.title} ({runs_text(mode.runs)})' for mode in modes[:4])}."
    )


def _way(stories: Sequence[RunStory], *, trials: bool) -> list[str]:
    plans = [entry.run.conformance for entry in stories]
    known = [plan for plan in plans if plan is not None]
    if len(known) != len(stories):
        return []
    of = len(known[0].rows)
    done = [sum(row.done for row in plan.rows) for plan in known]
    if len(done) > 12:
        return [f"Of the {plural(of, 'step')} of the plan, the runs carried out between {min(done)} and {max(done)}."]
    said = (
        f"Of the {plural(of, 'step')} of the plan, the runs carried out "
        f"{listed([str(count) for count in done])}{'' if trials else ', in this order'}."
    )
    other = [
        entry.run.number for entry in stories if entry.run.conformance is not None and entry.run.conformance.other_way
    ]
    return [
        said,
        *([f"{capital(runs_text(other))} reached the goal in a way that differs from the plan."] if other else []),
    ]


def reached(run: Run) -> str:
    """How much of the plan a run carried out: `5 of 5`; empty without a plan."""
    return (
        f"{sum(row.done for row in run.conformance.rows)} of {len(run.conformance.rows)}"
        if run.conformance is not None
        else ""
    )
