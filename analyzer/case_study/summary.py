"""What the runs show together: what happened over all of them, in a few sentences, and what the failures teach, each
lesson with the runs that it's drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from analyzer.case_study.story import RunStory, place, runs_text
from analyzer.model.case_study import Failing, Lesson, Mode
from analyzer.model.words import SIMULATED_USER
from analyzer.text.english import capital, listed, plural
from analyzer.text.markdown import code

_HIDDEN = (
    "Each failure hid the next one: {} came in sequence, each hidden by the one before or introduced by its fix. "
    "Only a run after every fix reveals them."
)
_BROKEN = (
    "A fix can break what worked: run {run} had carried out {steps}, run {later} failed in {where}. Look at what else "
    "uses what a fix changes."
)
_CHECKED = (
    "That every step ran doesn't mean success: only a check of the output, such as the content of the written file, "
    "distinguishes a right result from a wrong one."
)
_REPAIRED = (
    "{} got nowhere, because the fault was outside what they could change. A repair that meets the same error message "
    "twice should stop and report it."
)
_SINGLE = "The same system passes and fails on the same task: a single run says little about it, in either direction."


def summary_of(stories: Sequence[RunStory], *, trials: bool, modes: Sequence[Mode]) -> list[str]:
    """The summary: how many runs, which failed and where, how far they got, and how the last one ended."""
    if len(stories) == 1:
        return _single(stories[0])
    kinds = []
    if trials and modes and any(entry.explained for entry in stories):
        one = sum(len(mode.runs) for mode in modes) == 1
        what = "What failed" if one else f"They failed in {plural(len(modes), 'way', number=_number)}"
        kinds = [f"{what}: {'; '.join(f'{mode.title} ({runs_text(mode.runs)})' for mode in modes[:4])}."]
    return [_ended(stories, trials=trials), *kinds, *_way(stories, trials=trials)]


def _ended(stories: Sequence[RunStory], *, trials: bool) -> str:
    failed, good, unknown = (
        [entry.run.number for entry in stories if entry.run.succeeded is was] for was in (False, True, None)
    )
    kinds = {(entry.failed.cause.key, entry.failed.trouble.planned_step) for entry in stories if entry.failed}
    each = ", each in a different way" if not trials and len(failed) > 1 and len(kinds) == len(failed) else ""
    parts = [f"{runs_text(failed)} failed{each}"] if failed else []
    parts += [f"{runs_text(good)} succeeded"] if good else []
    parts += [f"for {runs_text(unknown)} it's unknown"] if unknown else []
    count = capital(plural(len(stories), "run", number=_number))
    return f"{count} of this scenario are recorded. {capital('; '.join(parts))}."


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[count] if count < len(words) else str(count)


def _single(entry: RunStory) -> list[str]:
    run, plan = entry.run, entry.run.conformance
    how = f"and it {'succeeded' if run.succeeded else 'failed'}"
    if entry.failed is not None and run.succeeded is False:
        title = entry.failed.cause.title
        how += f": {title if title[:2].isupper() else title[:1].lower() + title[1:]}"
    said = f"One run of this scenario is recorded, {how}."
    if run.succeeded is None:
        reason = run.post_mortem.outcome.reason
        said = f"One run of this scenario is recorded. Whether it succeeded is unknown: {reason}"
    if plan is None:
        return [said]
    other = " It reached the goal in a way that differs from the plan." if plan.other_way else ""
    done = sum(row.done for row in plan.rows)
    return [said, f"It carried out {done} of {plural(len(plan.rows), 'step')} of the plan.{other}"]


def _way(stories: Sequence[RunStory], *, trials: bool) -> list[str]:
    plans = [(entry.run.number, plan) for entry in stories if (plan := entry.run.conformance) is not None]
    if len(plans) != len(stories):
        return []
    of = f"Of the {plural(len(plans[0][1].rows), 'step')} of the plan, the runs carried out"
    done = [sum(row.done for row in plan.rows) for _, plan in plans]
    if len(done) > 12:
        return [f"{of} between {min(done)} and {max(done)}."]
    said = f"{of} {listed([str(count) for count in done])}{'' if trials else ', in this order'}."
    other = [number for number, plan in plans if plan.other_way]
    differs = f"{capital(runs_text(other))} reached the goal in a way that differs from the plan." if other else ""
    return [said, differs] if differs else [said]


def lessons_of(
    stories: Sequence[RunStory], cascade: Sequence[Failing], *, trials: bool, modes: Sequence[Mode]
) -> list[Lesson]:
    """The lessons: first those that only several runs together teach, then those of each cause."""
    found = _of_trials(stories, modes) if trials else _of_story(stories, cascade)
    of_cause: dict[str, list[RunStory]] = {}
    for entry in stories:
        if entry.failed is not None and entry.failed.cause.lesson is not None:
            of_cause.setdefault(entry.failed.cause.lesson, []).append(entry)
    return [*found, *(_of_cause(text, entries) for text, entries in of_cause.items())]


def _of_cause(text: str, entries: Sequence[RunStory]) -> Lesson:
    """A lesson with the functions that it's drawn from."""
    functions: dict[str, None] = {}
    for trouble, cause in (entry.failed for entry in entries if entry.failed is not None):
        # Else the tool of the step, or of the call, at which the run failed.
        shown = trouble.row or trouble.action
        functions.update(dict.fromkeys(cause.functions or ((shown.tool,) if shown is not None else ())))
    seen = f" (Seen at {listed([code(name, 80) for name in list(functions)[:4]])}.)" if functions else ""
    return Lesson(text=f"{text}{seen}", runs=[entry.run.number for entry in entries])


def _of_story(stories: Sequence[RunStory], cascade: Sequence[Failing]) -> list[Lesson]:
    lessons: list[Lesson] = []
    if len(cascade) > 1 and len({(failing.title, failing.at) for failing in cascade}) == len(cascade):
        text = _HIDDEN.format(plural(len(cascade), "different one"))
        lessons.append(Lesson(text=text, runs=[failing.run for failing in cascade]))
    for before, after in pairwise(stories):
        missing = {row.step for row in after.run.rows if not row.done}
        lost = [place(row.step) for row in before.run.rows if row.done and row.step in missing]
        if lost and after.failed is not None:
            trouble, numbers = after.failed.trouble, [before.run.number, after.run.number]
            where = place(trouble.row.step) if trouble.row is not None else "an earlier place"
            where = "planning, which had worked" if trouble.phase == "planning" else where
            text = _BROKEN.format(run=numbers[0], steps=listed(lost), later=numbers[1], where=where)
            lessons.append(Lesson(text=text, runs=numbers))
    failed = [entry.run for entry in stories if entry.failed is not None]
    planned = [(run, run.conformance) for run in failed if run.conformance is not None]
    if wrong := [run.number for run, _ in planned if run.phase == "result"]:
        lessons.append(Lesson(text=_CHECKED, runs=wrong))
    if repaired := [(run.number, plan.repairs) for run, plan in planned if plan.repairs >= 2]:
        text = _REPAIRED.format(plural(sum(repairs for _, repairs in repaired), "repair attempt"))
        lessons.append(Lesson(text=text, runs=[number for number, _ in repaired]))
    return lessons


def _of_trials(stories: Sequence[RunStory], modes: Sequence[Mode]) -> list[Lesson]:
    failed, passed = ([entry.run.number for entry in stories if entry.run.succeeded is was] for was in (False, True))
    lessons: list[Lesson] = []
    # A simulated user puts the same wish into other words each time.
    facts = [entry.run.post_mortem.session for entry in stories]
    tasks = {entry.environment.get(SIMULATED_USER, entry.task) for entry in facts}
    if failed and passed and len(tasks) == 1:
        lessons.append(Lesson(text=_SINGLE, runs=[entry.run.number for entry in stories]))
    if len(modes) == 1 and len(failed) > 1 and sum(entry.explained for entry in stories) == len(failed):
        text = f"The failure is stable ({modes[0].title}): it's worth fixing before anything else is measured."
        lessons.append(Lesson(text=text, runs=failed))
    return lessons
