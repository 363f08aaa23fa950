"""Which failure of a run was the first that mattered: the one behind the step of the plan beyond which the run didn't
get."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Literal

from analyzer.case_study.runs import LoadedRun
from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, has
from analyzer.model.action import Action
from analyzer.model.case_study import Conformance, PlanRow, Run
from analyzer.model.finding import Finding
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Kind, Severity
from analyzer.speech.heard import said_missing

Phase = Literal["planning", "execution", "result", "none"]
_LOST = frozenset({"cut", "changed", "not-substituted", "lost", "empty"})
_SENTENCE = re.compile(r"[^.!?\n]{1,600}(?:[.!?](?!\w)|\n|$)")


class Trouble(Struct, frozen=True):
    """The first failure of a run that mattered, without its explanation.

    `row` is the step of the plan at which it happened, `action` the call that shows it, `finding` what a detector says
    of it. `deprived` is the call that says that it lacks what it should have got, with its words. `planned` are the
    names of the arguments that the plan gives at that step.
    """

    phase: Phase
    row: PlanRow | None = None
    action: Action | None = None
    finding: Finding | None = None
    deprived: str | None = None
    planned: frozenset[str] = frozenset()

    @property
    def step(self) -> int | None:
        """The number of the action that shows it first."""
        return self.action.step if self.action is not None else None

    @property
    def planned_step(self) -> str | None:
        """The step of the plan at which it happened."""
        return self.row.step if self.row is not None else None


def first_failure(run: Run, loaded: LoadedRun, optional: Collection[str]) -> Trouble | None:
    """The first failure that mattered; None for a run that succeeded, or that shows none. `optional` are the steps of
    the plan that a run may leave out."""
    if run.succeeded is True or (run.succeeded is None and run.post_mortem.outcome.status in ("succeeded", "unknown")):
        return None
    if run.conformance is None:
        return _without_plan(run, loaded)
    rows = [row for row in run.conformance.rows if row.step not in optional or row.attempts]
    blocked = next((row for row in rows if not row.done), None)
    if blocked is None:
        return _wrong_result(run, loaded, rows)
    return _planning(run.conformance, loaded) or _execution(loaded, rows, blocked)


def _planning(conformance: Conformance, loaded: LoadedRun) -> Trouble | None:
    """Why a run ended in planning; None unless nothing of the plan was tried, and planning went on or failed to the
    end."""
    planning = set(conformance.planning_actions)
    if not planning or any(row.attempts or row.done for row in conformance.rows):
        return None
    last = max(planning)
    if any(action.step > last and action.kind is not Kind.FINISH for action in loaded.timeline.lane()):
        return None
    action = next((entry for entry in loaded.timeline.failed() if entry.step in planning), None)
    finding = _finding(loaded, planning)
    action = action or (_action(loaded, finding.first_step) if finding is not None else None)
    row = next((row for row in conformance.rows if action is not None and _names(action, row.tool)), None)
    return Trouble("planning", row, action, finding)


def _execution(loaded: LoadedRun, rows: list[PlanRow], blocked: PlanRow) -> Trouble:
    """Why a run didn't get beyond a step: that step failed, or something after the steps before it did."""
    before = max((row.action for row in rows[: rows.index(blocked)] if row.action is not None), default=0)
    later = {action.step for action in loaded.timeline.lane() if action.step > before}
    failed = [action for action in loaded.timeline.failed() if action.step in later]
    own = next((action for action in failed if action.step == blocked.action or action.tool == blocked.tool), None)
    if own is None:
        # What the run got over isn't what kept it from the step.
        over = {action.step for action in failed if _got_over(action, loaded)}
        failed = [action for action in failed if action.step not in over]
        later -= over
    finding = _finding(loaded, later)
    shown = own or next(iter(failed), None)
    if finding is not None and shown is not None and not declared(finding).first_failure_rank:
        finding = finding if set(finding.steps) & {entry.step for entry in failed} else None
    if shown is None and finding is not None:
        shown = _action(loaded, finding.first_step)
    if shown is None and (deprived := _deprived(rows, loaded)) is not None:
        return deprived
    return Trouble("execution", blocked, shown or _action(loaded, blocked.action), finding)


def _got_over(action: Action, loaded: LoadedRun) -> bool:
    """Whether the tool worked later on; of a shell, which does many things, the same command must have."""
    return any(
        later.tool == action.tool
        and later.failure is None
        and later.result is not None
        and (action.operation.command is None or later.keys.call == action.keys.call)
        for later in loaded.timeline.lane()[action.step :]
    )


def _wrong_result(run: Run, loaded: LoadedRun, rows: list[PlanRow]) -> Trouble:
    """Why a run that carried out every step has a wrong result: something got lost, was called otherwise, or came back
    otherwise."""
    lost = next((row for row in rows if any(reference.passed in _LOST for reference in row.references)), None)
    deprived = _deprived(rows, loaded)
    if deprived is not None and (lost is None or deprived.row is None or rows.index(lost) >= rows.index(deprived.row)):
        return deprived
    if lost is not None:
        return Trouble("result", lost, _action(loaded, lost.action))
    finding = _finding(loaded, {action.step for action in loaded.timeline.lane()}, result_too=True)
    row = next((row for row in rows if "wrong-result" in row.deviations), None) or next(
        (row for row in rows if not row.conforms), None
    )
    shown = _shown_by_check(run)
    if row is not None:
        return Trouble("result", row, _action(loaded, row.action if row.action is not None else shown))
    if finding is not None and declared(finding).first_failure_rank:
        shown = finding.first_step
        row = next((entry for entry in rows if entry.action == shown), None)
    return Trouble("result", row, _action(loaded, shown), finding)


def _deprived(rows: Iterable[PlanRow], loaded: LoadedRun) -> Trouble | None:
    """The first step that was to get an earlier result, and whose answer says that it has none."""
    for row in rows:
        action = _action(loaded, row.action)
        if action is None or action.result is None or not row.references:
            continue
        if words := _says_missing(action.result):
            lost = (entry for entry in loaded.post_mortem.findings if has(entry, Trait.INPUT_LOST))
            finding = next((entry for entry in lost if entry.lane == action.lane and action.step in entry.steps), None)
            return Trouble("result" if all(entry.done for entry in rows) else "execution", row, action, finding, words)
    return None


def _says_missing(answer: str) -> str | None:
    """The sentences of a short answer that say that its input is missing, or ask for it; None for any other answer."""
    # Answers that are longer hold more than the news that something is missing.
    if len(answer.strip()) > 2_000 or not any(said_missing(answer)):
        return None
    said = [words for _, words in said_missing(answer, asks=True)]
    telling = (match.group().strip() for match in _SENTENCE.finditer(answer))
    return " ".join([sentence for sentence in telling if any(words in sentence for words in said)][:3])


def _without_plan(run: Run, loaded: LoadedRun) -> Trouble:
    post_mortem, diagnosis = run.post_mortem, run.post_mortem.diagnosis
    position = diagnosis.cause if diagnosis.cause is not None else diagnosis.about
    finding = post_mortem.findings[position] if position is not None else None
    if finding is not None and finding.severity.rank >= Severity.MEDIUM.rank and finding.lane == MAIN_LANE:
        members = set(finding.steps) if finding.group is not None else set()
        failed = next((entry for entry in loaded.timeline.failed() if entry.step in members), None)
        action = failed or _action(loaded, finding.first_step)
        return Trouble("result" if has(finding, Trait.RESULT_ONLY) else _phase(action), None, action, finding)
    if post_mortem.outcome.status in ("failed", "succeeded", "unknown", "abandoned"):
        return Trouble("result", None, _action(loaded, _shown_by_check(run)))
    unexpected = (entry for entry in loaded.timeline.failed() if entry.failure and not entry.failure.expected)
    action = max(unexpected, key=lambda entry: entry.step, default=None)
    return Trouble(_phase(action), None, action)


def _shown_by_check(run: Run) -> int | None:
    """The step that a check which failed points to."""
    return next((check.evidence.step for check in run.checks if check.passed is False and check.evidence), None)


def _phase(action: Action | None) -> Phase:
    return "planning" if action is not None and action.kind is Kind.PLAN else "execution"


def _finding(loaded: LoadedRun, steps: Collection[int], *, result_too: bool = False) -> Finding | None:
    """The finding about these steps that explains most: one that names a cause, else the gravest. Those that speak of
    the result only count where `result_too` is set."""
    found = [
        finding
        for finding in loaded.post_mortem.findings
        if finding.lane == MAIN_LANE
        and finding.severity is not Severity.INFO
        and any(step in steps for step in finding.steps)
        and (result_too or not has(finding, Trait.RESULT_ONLY))
    ]
    return max(found, key=lambda finding: declared(finding).first_failure_rank, default=None)


def _action(loaded: LoadedRun, step: int | None) -> Action | None:
    lane = loaded.timeline.lane()
    return lane[step - 1] if step is not None and 1 <= step <= len(lane) else None


def _names(action: Action, tool: str) -> bool:
    """Whether what a planning action got back speaks of a tool of the plan, or is about it."""
    failure = action.failure
    text = failure.message if failure is not None else ""
    # A trace names what it runs through, whatever the plan's steps are called.
    text += "" if failure is not None and failure.frames else (action.result or "")[:4_000]
    return any(name.strip("* ") and name.strip("* ") in text for name in tool.split(" or "))
