"""Whether a failure no longer occurs in the runs that come after it, and what shows that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.case_study.cause import Cause, capital, place, runs_text
from analyzer.case_study.first_failure import Trouble
from analyzer.model.case_study import Run
from analyzer.text.english import plural
from analyzer.text.markdown import code


@dataclass(frozen=True, slots=True)
class RunStory:
    """A run with its first failure and what it's put down to; both None for a run without one."""

    run: Run
    trouble: Trouble | None = None
    cause: Cause | None = None


def resolved(stories: Sequence[RunStory], position: int) -> tuple[bool | None, str | None]:
    """Whether the failure of the run at `position` no longer occurs in the next one, and what shows it. Where the next
    run doesn't get as far, a later one decides; None where none does."""
    failed = stories[position]
    if failed.trouble is None or failed.cause is None or position + 1 >= len(stories):
        return None, None
    short: list[int] = []
    for other in stories[position + 1 :]:
        again = _again(failed, other)
        if again is not None:
            return False, _after(short, f"run {other.run.number} shows it again{again}")
        passed = _passed(failed, other)
        if passed is not None:
            return True, _after(short, f"run {other.run.number} {passed}")
        short.append(other.run.number)
    if len(short) == 1:
        return None, f"Run {short[0]} doesn't get as far, so nothing shows it."
    return None, "No later run gets as far, so nothing shows it."


def _after(short: Sequence[int], text: str) -> str:
    said = f"{text[:1].upper()}{text[1:]}"
    if not short:
        return f"{said}."
    return (
        f"Run {short[0]} doesn't get as far, so it can't show it; {text}."
        if len(short) == 1
        else f"{capital(runs_text(short))} don't get as far; {text}."
    )


def _again(failed: RunStory, other: RunStory) -> str | None:
    """Where another run shows the same failure: the same error, or a first failure of the same cause at the same
    place."""
    step = failed.trouble.step if failed.trouble is not None else None
    known = failed.run.fingerprint(step)
    same = next((failure for failure in other.run.post_mortem.failures if failure.fingerprint == known), None)
    if known is not None and same is not None and not _got_over(failed, other):
        said = same.message if not same.type or same.type in same.message else f"{same.type}: {same.message}"
        return f": action {same.step} fails with {code(said, 120)} as well"
    if other.trouble is None or other.cause is None or failed.cause is None or failed.trouble is None:
        return None
    here, there = (trouble.row.step if trouble.row is not None else None for trouble in (failed.trouble, other.trouble))
    if other.cause.key == failed.cause.key and here == there and other.trouble.phase == failed.trouble.phase:
        return f" (action {other.trouble.step})" if other.trouble.step is not None else ""
    return None


def _row_done(failed: RunStory, other: RunStory) -> bool:
    step = failed.trouble.row.step if failed.trouble is not None and failed.trouble.row is not None else None
    row = other.run.row(step)
    return step is None or (row is not None and row.done)


def _got_over(failed: RunStory, other: RunStory) -> bool:
    """Whether another run carried out the step that failed, or succeeded where no step is known."""
    known = failed.trouble is not None and failed.trouble.row is not None
    return _row_done(failed, other) if known else other.run.succeeded is True


def _passed(failed: RunStory, other: RunStory) -> str | None:
    """What shows that another run got past the place; None where it didn't get there."""
    trouble, conformance = failed.trouble, other.run.conformance
    assert trouble is not None
    if other.run.succeeded:
        shown = _done(failed, other)
        return f"{shown} and succeeds" if shown else "succeeds"
    if conformance is None:
        if other.trouble is None or other.trouble.step is None:
            return None
        return "doesn't show it" if trouble.phase != "result" else None
    if trouble.phase == "planning":
        called = next((row for row in conformance.rows if row.attempts or row.done), None)
        if called is None:
            return None
        first = _done(failed, other) or f"gets through planning and calls {place(called.step)} (action {called.action})"
        if trouble.row is not None and not _row_done(failed, other):
            row = other.run.row(trouble.row.step)
            first = (
                f"gets through planning; {place(row.step)} is called (action {row.action}) and fails in another way"
                if row is not None and row.attempts
                else first
            )
        return first
    if trouble.phase == "execution":
        return _done(failed, other) or _otherwise(failed, other)
    return _without_it(failed, other)


def _without_it(failed: RunStory, other: RunStory) -> str | None:
    """The step behind a wrong result, carried out by another run without what was wrong with it."""
    trouble, finding = failed.trouble, failed.trouble.finding if failed.trouble is not None else None
    done = _done(failed, other)
    if trouble is None or trouble.row is None or done is None:
        return None
    if finding is not None:
        kinds = {(entry.detector, entry.kind) for entry in other.run.post_mortem.findings}
        return f"{done} without it" if (finding.detector, finding.kind) not in kinds else None
    here = other.run.row(trouble.row.step)
    passed = [reference.passed for reference in here.references] if here is not None else []
    if trouble.row.references and passed and set(passed) <= {"passed-on", "unknown"} and "passed-on" in passed:
        return f"{done} with the results that it needs"
    return None


def _otherwise(failed: RunStory, other: RunStory) -> str | None:
    """The step that failed, failing in another way: what was in its way before isn't any more."""
    here, there = failed.trouble, other.trouble
    if (
        here is None
        or there is None
        or here.row is None
        or there.row is None
        or here.row.step != there.row.step
        or there.action is None
        or not there.row.attempts
    ):
        return None
    return f"calls {place(there.row.step)} (action {there.action.step}), and it fails in another way"


def _done(failed: RunStory, other: RunStory) -> str | None:
    """The step that failed, carried out by another run."""
    step = failed.trouble.row.step if failed.trouble is not None and failed.trouble.row is not None else None
    row = other.run.row(step)
    if row is None or not row.done:
        return None
    tries = f", after {plural(row.attempts - 1, 'attempt')} that failed" if row.attempts > 1 else ""
    return f"carries out {place(row.step)} (action {row.action}{tries})"
