"""Several runs of one system without a change in between: how often it passes, and how much its failures are alike."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.audit.figures.counts import wilson
from analyzer.case_study.cause import Cause, capital, runs_text
from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.resolution import RunStory
from analyzer.model.case_study import Mode, Run
from analyzer.text.english import plural


def pass_rate(stories: Sequence[RunStory]) -> str:
    """How many runs passed of those of which it can be stories."""
    known = [entry.run.succeeded for entry in stories if entry.run.succeeded is not None]
    passed = sum(known)
    unknown = len(stories) - len(known)
    rest = f"; of {plural(unknown, 'run')} it's unknown" if unknown else ""
    if not known:
        return f"Whether any of the {plural(len(stories), 'run')} passed is unknown."
    low, high = wilson(passed, len(known))
    return (
        f"{passed} of {plural(len(known), 'run')} passed ({passed / len(known):.0%}; 95% interval "
        f"{100 * low:.0f}-{100 * high:.0f}%){rest}."
    )


def modes(stories: Sequence[RunStory]) -> list[Mode]:
    """The ways in which runs failed, the most frequent first."""
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for entry in stories:
        if entry.failed is not None:
            found.setdefault(_key(entry.run, *entry.failed), []).append((entry.run.number, entry.failed.cause.title))
    made = [Mode(title=entries[0][1], runs=[number for number, _ in entries]) for entries in found.values()]
    return sorted(made, key=lambda mode: (-len(mode.runs), mode.runs[0]))


def _key(run: Run, trouble: Trouble, cause: Cause) -> tuple[str, str]:
    """What makes two failures one mode: the cause, and the place of the plan or, without one, the error itself."""
    if trouble.row is not None:
        return cause.key, trouble.row.step
    if cause.functions:
        return cause.key, " ".join(cause.functions)
    return cause.key, run.fingerprint(trouble.step) or ""


def stability(found: Sequence[Mode], stories: Sequence[RunStory]) -> str | None:
    """How much the failures are alike, in words; None where nothing failed."""
    failed = sum(len(mode.runs) for mode in found)
    if not failed:
        return None
    unclear = not any(entry.explained for entry in stories)
    if failed == 1:
        return f"Only {runs_text(found[0].runs)} failed, so nothing can be said about how stable the failure is."
    if unclear:
        return (
            f"{capital(plural(failed, 'run'))} failed. No failed step explains it, so the "
            "transcripts don't show whether they failed in the same way."
        )
    if len(found) == 1:
        return f"All {failed} failures are of one kind: {found[0].title}."
    if len(found) == failed:
        return f"Each of the {failed} failures is of a different kind: the failure mode isn't stable."
    return (
        f"The {failed} failures are of {len(found)} kinds; the most frequent, {found[0].title}, has "
        f"{len(found[0].runs)} of them ({runs_text(found[0].runs)})."
    )
