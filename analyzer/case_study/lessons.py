"""What the failures teach together, each lesson with the runs that it's drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from analyzer.case_study.causes import UNTOLD
from analyzer.case_study.resolution import RunStory
from analyzer.case_study.words import listed, place, times
from analyzer.model.case_study import Failing, Lesson, Mode

_OF_CAUSE = {
    "argument-validation-loop": (
        "A definition with several names for one input can't be repaired by trying: the description, the validator "
        "and the repair must read one and the same definition."
    ),
    "signature-mismatch": (
        "A tool's definition and its method are one contract. Whoever changes one changes both, and a test that "
        "binds the one to the other finds it before a run does."
    ),
    "misbound-argument": (
        "Optional parameters that can be passed by position get bound to the wrong one sooner or later. Keyword-only "
        "parameters make that an error at the call."
    ),
    "lost-context": (
        "That data stands in a call doesn't mean that the model sees it. What is handed to a step must be checked "
        "where it's used, not where it's sent."
    ),
    "lost-reference": "A reference to an earlier result must put in the whole of it, or fail.",
    "unknown-tool": (
        "The tools that a plan may name have to be those that exist: check the plan against the registry before the "
        "first step."
    ),
    "wrong-arguments": (
        "Check a call against the plan before it's made: a call that succeeds with other arguments fails later, and "
        "elsewhere."
    ),
    "missing-step": "Compare what was carried out with the plan before saying that it's done.",
    "wrong-file": "An error is mended where it comes from, not where it shows.",
}


def lessons_of(
    told: Sequence[RunStory], cascade: Sequence[Failing], *, trials: bool, modes: Sequence[Mode]
) -> list[Lesson]:
    """The lessons: first those that only several runs together teach, then those of each cause."""
    found = _of_trials(told, modes) if trials else _of_story(told, cascade)
    of_cause: dict[str, list[int]] = {}
    for entry in told:
        if entry.cause is not None and (name := entry.cause.key.split("/")[0]) in _OF_CAUSE:
            of_cause.setdefault(name, []).append(entry.run.number)
    return [*found, *(Lesson(text=_OF_CAUSE[name], runs=runs) for name, runs in of_cause.items())]


def _of_story(told: Sequence[RunStory], cascade: Sequence[Failing]) -> list[Lesson]:
    lessons: list[Lesson] = []
    failed = [entry for entry in told if entry.trouble is not None]
    numbers = [failing.run for failing in cascade]
    distinct = {(failing.title, failing.at) for failing in cascade}
    if len(cascade) > 1 and len(distinct) == len(cascade):
        lessons.append(
            Lesson(
                text=(
                    f"One failure stands behind the next: {times(len(cascade), 'different one')} came one after the "
                    "other, hidden by the one before or brought by its fix. Only a run after every fix finds them."
                ),
                runs=numbers,
            )
        )
    for before, after in pairwise(told):
        here, there = (
            (entry.run.conformance.rows if entry.run.conformance is not None else []) for entry in (before, after)
        )
        missing = {row.step for row in there if not row.done}
        lost = [row.step for row in here if row.done and row.step in missing]
        if lost and after.trouble is not None:
            steps = listed([place(step) for step in lost])
            where = (
                "planning, which had worked"
                if after.trouble.phase == "planning"
                else f"{place(after.trouble.row.step)}"
                if after.trouble.row is not None
                else "an earlier place"
            )
            lessons.append(
                Lesson(
                    text=(
                        f"A fix can break what worked: run {before.run.number} had carried out {steps}, run "
                        f"{after.run.number} failed in {where}. Look at what else uses what a fix changes."
                    ),
                    runs=[before.run.number, after.run.number],
                )
            )
    wrong = [entry.run.number for entry in failed if entry.run.phase == "result" and entry.run.conformance is not None]
    if wrong:
        lessons.append(
            Lesson(
                text=(
                    "That every step ran is no success: only a check of what came out, such as the content of the "
                    "file that was written, tells a right result from a wrong one."
                ),
                runs=wrong,
            )
        )
    repairs = [
        entry.run for entry in failed if entry.run.conformance is not None and entry.run.conformance.repairs >= 2
    ]
    if repairs:
        count = sum(run.conformance.repairs for run in repairs if run.conformance is not None)
        lessons.append(
            Lesson(
                text=(
                    f"{times(count, 'repair attempt')} got nowhere, since what was wrong lay outside of what they "
                    "could change. A repair that meets the same complaint twice should stop and report it."
                ),
                runs=[run.number for run in repairs],
            )
        )
    return lessons


def _of_trials(told: Sequence[RunStory], modes: Sequence[Mode]) -> list[Lesson]:
    failed = [entry.run.number for entry in told if entry.run.succeeded is False]
    passed = [entry.run.number for entry in told if entry.run.succeeded is True]
    lessons: list[Lesson] = []
    if failed and passed:
        lessons.append(
            Lesson(
                text=(
                    "The same system passes and fails on the same task: a single run says little about it, in either "
                    "direction."
                ),
                runs=[entry.run.number for entry in told],
            )
        )
    known = [entry for entry in told if entry.cause is not None and entry.cause.key not in UNTOLD]
    if len(modes) == 1 and len(failed) > 1 and len(known) == len(failed):
        lessons.append(
            Lesson(
                text=f"The failure is stable ({modes[0].title}): it's worth mending before anything else is measured.",
                runs=failed,
            )
        )
    return lessons
