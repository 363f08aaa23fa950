"""What a run tells: its first failure with the cause, in the words that all causes use; and whether that failure no
longer occurs in the runs after it; what could be seen of it, in a sentence or two and in the transcript's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.success import final_answer
from analyzer.case_study.written import files_of
from analyzer.model.case_study import Left, Run
from analyzer.model.finding import Evidence, RejectedArguments
from analyzer.model.scenario import Scenario
from analyzer.model.struct import Struct
from analyzer.text.clip import clip
from analyzer.text.english import capital, listed, one_or_many, plural, times
from analyzer.text.markdown import code

_NUMBERED = re.compile(r"step_(\d{1,6})")


def place(step: str) -> str:
    """A step of the plan as people name it: `step 4`, or its id as code."""
    numbered = _NUMBERED.fullmatch(step)
    return f"step {numbered[1]}" if numbered else f"step {code(step, 60)}"


def runs_text(numbers: Sequence[int]) -> str:
    """`run 3`, `runs 1 and 2`, `runs 1 to 4`."""
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"runs {numbers[0]} to {numbers[-1]}"
    return f"{one_or_many(len(numbers), 'run')} {listed([str(number) for number in numbers])}"


class Cause(Struct, frozen=True):
    """The name of a cause, the failure's title, its explanation, what to do about it, and what it teaches. `names` are
    the arguments that it's about, `functions` the tools or functions that the lesson is drawn from."""

    key: str
    title: str
    text: str
    hypothesis: bool
    proposed: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    lesson: str | None = None
    functions: tuple[str, ...] = ()


def at(trouble: Trouble) -> str:
    """` at step 4, in planning`."""
    where = f" at {place(trouble.row.step)}" if trouble.row is not None else ""
    return f"{where}{', in planning' if trouble.phase == 'planning' else ''}"


class Failed(NamedTuple):
    """The first failure of a run that mattered, and what it's put down to."""

    trouble: Trouble
    cause: Cause


class RunStory(Struct, frozen=True):
    """A run with its first failure; None for a run without one."""

    run: Run
    failed: Failed | None = None

    @property
    def explained(self) -> bool:
        """Whether it failed, and something says why."""
        # These causes only say that the result is wrong.
        return self.failed is not None and self.failed.cause.key not in ("check", "outcome")


def resolved(stories: Sequence[RunStory], position: int) -> tuple[bool | None, str | None]:
    """Whether the failure of the run at `position` no longer occurs in the next one, and what shows it. Where the next
    run doesn't get as far, a later one decides; None where none does."""
    entry, failed = stories[position], stories[position].failed
    if failed is None or position + 1 >= len(stories):
        return None, None
    short: list[int] = []
    for other in stories[position + 1 :]:
        again = _again(entry.run, failed, other)
        if again is not None:
            return False, _after(short, f"run {other.run.number} shows it again{again}")
        passed = _passed(failed.trouble, other)
        if passed is not None:
            return True, _after(short, f"run {other.run.number} {passed}")
        short.append(other.run.number)
    if len(short) == 1:
        return None, f"Run {short[0]} doesn't get as far, so nothing shows it."
    return None, "No later run gets as far, so nothing shows it."


def _after(short: Sequence[int], text: str) -> str:
    if not short:
        return f"{capital(text)}."
    if len(short) == 1:
        return f"Run {short[0]} doesn't get as far, so it can't show it; {text}."
    return f"{capital(runs_text(short))} don't get as far; {text}."


def _again(run: Run, failed: Failed, other: RunStory) -> str | None:
    """Where another run shows the same failure: the same error, or a first failure of the same cause at the same
    place."""
    trouble, cause = failed
    known = run.fingerprint(trouble.step)
    same = next((failure for failure in other.run.post_mortem.failures if failure.fingerprint == known), None)
    row = other.run.row(trouble.planned_step)
    got_over = other.run.succeeded is True if trouble.row is None else row is not None and row.done
    if known is not None and same is not None and not got_over:
        said = same.message if not same.type or same.type in same.message else f"{same.type}: {same.message}"
        return f": action {same.step} fails with {code(said, 120)} as well"
    if other.failed is None or other.failed.cause.key != cause.key:
        return None
    there = other.failed.trouble
    if there.planned_step == trouble.planned_step and there.phase == trouble.phase:
        return f" (action {there.step})" if there.step is not None else ""
    return None


def _passed(trouble: Trouble, other: RunStory) -> str | None:
    """What shows that another run got past the place; None where it didn't get there."""
    conformance, done = other.run.conformance, _done(trouble, other.run)
    if other.run.succeeded:
        return f"{done} and succeeds" if done else "succeeds"
    if conformance is None:
        if other.failed is None or other.failed.trouble.step is None:
            return None
        return "doesn't show it" if trouble.phase != "result" else None
    if trouble.phase == "planning":
        called = next((row for row in conformance.rows if row.attempts or row.done), None)
        if called is None:
            return None
        row = other.run.row(trouble.planned_step)
        if row is not None and not row.done and row.attempts:
            return f"gets through planning; {place(row.step)} is called (action {row.action}) and fails in another way"
        return done or f"gets through planning and calls {place(called.step)} (action {called.action})"
    if trouble.phase == "execution":
        return done or _otherwise(trouble, other)
    return _without_it(trouble, other.run)


def _without_it(trouble: Trouble, other: Run) -> str | None:
    """The step behind a wrong result, carried out by another run without what was wrong with it."""
    finding, done, here = trouble.finding, _done(trouble, other), other.row(trouble.planned_step)
    if trouble.row is None or done is None or here is None:
        return None
    if finding is not None:
        known = {(entry.detector, entry.kind) for entry in other.post_mortem.findings}
        return None if (finding.detector, finding.kind) in known else f"{done} without it"
    passed = {reference.passed for reference in here.references}
    whole = "passed-on" in passed and passed <= {"passed-on", "unknown"}
    return f"{done} with the results that it needs" if trouble.row.references and whole else None


def _otherwise(trouble: Trouble, other: RunStory) -> str | None:
    """The step that failed, failing in another way: what was in its way before isn't any more."""
    there = other.failed.trouble if other.failed is not None else None
    row, action = (there.row, there.action) if there is not None else (None, None)
    if row is None or action is None or not row.attempts or row.step != trouble.planned_step:
        return None
    return f"calls {place(row.step)} (action {action.step}), and it fails in another way"


def _done(trouble: Trouble, other: Run) -> str | None:
    """The step that failed, carried out by another run."""
    row = other.row(trouble.planned_step)
    if row is None or not row.done:
        return None
    tries = f", after {plural(row.attempts - 1, 'attempt')} that failed" if row.attempts > 1 else ""
    return f"carries out {place(row.step)} (action {row.action}{tries})"


_LEFT = 2_500


def left_by(scenario: Scenario, loaded: LoadedRun) -> Left | None:
    """What a run left behind of what the checks of success look at: the last of the files, else the final answer."""
    files = files_of(loaded.timeline) if scenario.success.files else {}
    for check in reversed(scenario.success.files):
        for file in files.values():
            if file.is_called(check.path) and not file.removed and file.text and file.text.strip():
                return Left(name=check.path, step=file.step, text=_clipped(file.text))
    answer, step = final_answer(loaded.timeline)
    if scenario.success.final_answer is not None and answer.strip():
        return Left(name="the final answer", step=step or 0, text=_clipped(answer))
    return None


def _clipped(text: str) -> str:
    """The beginning of a text with its lines."""
    return text.strip("\n") if len(text) <= _LEFT else f"{text[:_LEFT].rstrip()}\n..."


def seen(trouble: Trouble, run: Run, loaded: LoadedRun) -> str:
    """What could be seen, in one or two sentences: what failed and where the run ended, and what the agent said of
    it."""
    closing = loaded.timeline.closing()
    said = f" The agent's closing words: {code(closing, 240)}" if closing.strip() else ""
    return f"{_what(trouble, run)}{said}"


def _what(trouble: Trouble, run: Run) -> str:
    action, finding, rows = trouble.action, trouble.finding, run.rows
    tool = f"{code(action.tool, 80)} (action {action.step})" if action is not None else ""
    if trouble.phase == "planning":
        if action is None:
            return "The run ends during planning."
        count = len(finding.steps) if finding is not None and action.step in finding.steps else 0
        again = f"{code(action.tool, 80)} fails {times(count)}, first at action {action.step},"
        fails = again if count > 1 else f"{tool} fails"
        return f"{fails} before anything is carried out: the run ends without an accepted plan."
    if trouble.phase == "result":
        wrong = [check.what for check in run.checks if check.passed is False and check.subject != "findings"]
        every = {1: "The one step", 2: "Both steps"}.get(len(rows), f"All {len(rows)} steps")
        carried_out = f"{every} of the plan {'is' if len(rows) == 1 else 'are'} carried out"
        ran = carried_out if run.conformance is not None and all(row.done for row in rows) else "The run finishes"
        checks = "; ".join(clip(what, 160) for what in wrong[:3])
        more = f", and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        return f"{ran}, but the result is wrong." + (f" Checks that failed: {checks}{more}." if wrong else "")
    if trouble.row is not None and run.conformance is not None:
        row, done = trouble.row, sum(row.done for row in rows)
        never = "is never carried out" + (f", after {plural(row.attempts, 'attempt')}" if row.attempts > 1 else "")
        return (
            f"{capital(place(row.step))} ({code(row.tool, 80)}) {'fails' if row.attempts == 1 else never}; {done} of "
            f"the plan's {plural(len(rows), 'step')} {'were' if done != 1 else 'was'} carried out."
        )
    return f"{capital(tool)} fails. {run.post_mortem.outcome.reason}" if tool else run.post_mortem.outcome.reason


def quotes_of(trouble: Trouble, run: Run, loaded: LoadedRun) -> list[Evidence]:
    """What could be seen of a failure, in the transcript's words, at most three quotes."""
    found: list[Evidence] = []
    action = trouble.action
    if trouble.deprived is not None and action is not None:
        found.append(Evidence(step=action.step, quote=trouble.deprived))
    elif action is not None and action.failure is not None:
        found.append(
            Evidence(step=action.step, quote=_ending(action.result or action.failure.headline, action.failure.message))
        )
        finding = trouble.finding
        if finding is not None and isinstance(finding.details, RejectedArguments) and finding.steps:
            # The last refusal of a loop shows what the attempts in between came to.
            last = next(iter(loaded.timeline.lane(finding.lane)[finding.steps[-1] - 1 :]), None)
            found += [Evidence(step=last.step, quote=_ending(last.result))] if last is not None and last.result else []
    elif trouble.finding is not None:
        found += trouble.finding.evidence[:3]
    elif action is not None and action.result and trouble.row is not None:
        found.append(Evidence(step=action.step, quote=_ending(action.result)))
    if trouble.phase == "result":
        # Our own findings, the log's header and the agent's last words have a sentence of their own.
        shown = ("file", "exit-status")
        failed = [check for check in run.checks if check.passed is False and check.subject in shown]
        found += [check.evidence for check in failed if check.evidence is not None]
    distinct: dict[str, Evidence] = {}
    for entry in found:
        words = " ".join(entry.quote.split()).rstrip("… ")
        if words and not any(words in known for known in distinct):
            distinct[words] = entry
    return list(distinct.values())[:3]


def _ending(text: str, message: str = "") -> str:
    """The last lines of a text, which is where a trace says what went wrong, or those from its message on where that
    comes first; all of a text that has no more."""
    kept = [line.rstrip()[:300] for line in text.strip()[-8_000:].split("\n") if line.strip()]
    first = next((at for at, line in enumerate(kept) if message and message[:60] in line), len(kept))
    if len(kept) <= 8:
        return "\n".join(kept)[-800:]
    if first < len(kept) - 8:
        return "\n".join([*(["..."] if first else []), *kept[first : first + 8], "..."])[:800]
    return "\n".join(["...", *kept[-8:]])[-800:]
