"""Which check ran on which state: untouched code, and experiments that were taken back."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import islice, pairwise

from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, Status
from analyzer.workspace.document import BASE
from analyzer.workspace.history import History
from analyzer.workspace.ownership import scratch_paths
from analyzer.workspace.states import Equal, StateIds

IsCheck = Callable[[Action], bool]


def is_test_run(action: Action) -> bool:
    """Whether an action runs a test runner, a compiler or a linter."""
    return action.kind is Kind.TEST or action.operation.runner is not None


class Check(Struct, frozen=True):
    """One run of a check. `state` is the id of the state on which it ran, `code` the id of the same state without the
    agent's scratch files; `untouched` is True while no file that was there before had been changed. `passed` is None
    where the result doesn't tell. `call` is equal for runs of the same check."""

    step: int
    lane: str
    state: str
    code: str
    untouched: bool
    passed: bool | None
    call: str
    index: int


class ExperimentKind(StrEnum):
    """What a detour between two equal states was for."""

    EXPERIMENT = "experiment"
    """A change was tried and taken back."""
    CONTROL = "control"
    """The work was taken out, the check run without it, and the work put back."""


class Experiment(Struct, frozen=True):
    """The same check on a state, on another one, and the first state restored. `after` is the run on the restored
    state, None where the check wasn't run again; `restored_at` is the index of the step that restored it."""

    kind: ExperimentKind
    before: Check
    during: Check
    after: Check | None
    restored_at: int


class Baseline(Struct, frozen=True):
    """A failure that showed on code that nobody had touched. `sure` is False where something with unknown effects had
    run before."""

    group: str
    step: int
    lane: str
    sure: bool


def code_ids(
    history: History, task: str = "", ignored: Callable[[str], bool] | None = None, equal: Equal | None = None
) -> list[str]:
    """The id of the state before each step and, last, of the one that the session left, without the agent's scratch
    files, without the files that it made and took away again, and without those that are `ignored`. `equal` says which
    contents count as the same; without it only equal ones do. Where an output says that files were rewritten the code
    is another one, though it doesn't say which files."""
    files = history.files
    hidden = scratch_paths(history, task)
    hidden |= {path for path, made in files.made.items() if made and not files.get(path).exists}
    if ignored is not None:
        hidden |= {
            path for path in {change.path for entry in history.taken for change in entry.changes} if ignored(path)
        }
    ids = StateIds(equal or files.equal)
    made = [ids.current]
    for entry in history.taken:
        ids.apply((change for change in entry.changes if change.path not in hidden), entry.rewritten)
        made.append(ids.current)
    return made


def checks(history: History, is_check: IsCheck = is_test_run, task: str = "") -> list[Check]:
    """Every run of a check in file order."""
    code = code_ids(history, task)
    return [
        Check(
            step=action.step,
            lane=action.lane,
            state=state.before,
            code=code[index],
            untouched=state.untouched,
            passed={Status.OK: True, Status.ERROR: False}.get(action.status),
            call=_call(action, state.directory),
            index=index,
        )
        for index, (action, state) in enumerate(zip(history.actions, history.steps, strict=True))
        if is_check(action)
    ]


def baseline_failures(history: History) -> list[Baseline]:
    """The failure groups whose first occurrence was on untouched code, in order."""
    found: dict[tuple[str, str], Baseline | None] = {}
    for action, state in zip(history.actions, history.steps, strict=True):
        failure = action.failure
        if failure is None or failure.group is None or action.kind not in (Kind.TEST, Kind.RUN):
            continue
        key = (action.lane, failure.group)
        if key not in found:
            sure = not state.before.endswith("?")
            found[key] = Baseline(failure.group, action.step, action.lane, sure) if state.untouched else None
    return [entry for entry in found.values() if entry is not None]


def experiments(history: History, is_check: IsCheck = is_test_run, task: str = "") -> list[Experiment]:
    """Runs of the same check on a state, on another one, and on the first again or with the first restored, in
    order."""
    code = code_ids(history, task)
    by_call: dict[tuple[str, str], list[Check]] = {}
    for check in checks(history, is_check, task):
        by_call.setdefault((check.lane, check.call), []).append(check)
    places: dict[str, list[int]] = {}
    for place, state in enumerate(code):
        places.setdefault(state, []).append(place)
    found = []
    for runs in by_call.values():
        for number, (before, during) in enumerate(pairwise(runs), 2):
            if before.code == during.code:
                continue
            there = places.get(before.code, [])
            first = bisect_left(there, during.index)
            if first == len(there):
                continue
            back = there[first]
            following = islice(runs, number, None)
            after = next((run for run in following if run.code == before.code and run.index >= back), None)
            kind = ExperimentKind.CONTROL if _is_control(before, during) else ExperimentKind.EXPERIMENT
            found.append(Experiment(kind, before, during, after, back - 1))
    return sorted(found, key=lambda entry: entry.during.index)


def _is_control(before: Check, during: Check) -> bool:
    """Whether the state in the middle is the untouched code, and the ones around it aren't."""
    return during.untouched and not before.untouched


def _call(action: Action, directory: str) -> str:
    line = action.operation.command
    if line is not None:
        return f"{directory} $ {' '.join(line.replace(chr(34), chr(39)).split())}"
    arguments: object = action.arguments
    return f"{action.tool} {json.dumps(arguments, sort_keys=True, default=str)}"


def contradicted(history: History, code: Sequence[str]) -> set[int]:
    """The places of the steps that made contents which aren't known, and after which a check shows another failure than
    it had shown on what should be the same code. `code` are the ids of `code_ids`."""
    shown: dict[tuple[str, str], str] = {}
    found: set[int] = set()
    entered = -1
    for place, action in enumerate(history.actions):
        if code[place + 1] != code[place]:
            unknown = any(
                version.after.exists and version.after.text is None and version.after.origin != BASE
                for version in history.taken[place].versions
            )
            entered = place if unknown else -1
        elif action.kind in (Kind.RUN, Kind.TEST) and action.status is not Status.UNKNOWN:
            outcome = (action.failure.group or "") if action.failure is not None else ""
            if shown.setdefault((code[place], action.keys.call), outcome) != outcome and entered >= 0:
                found.add(entered)
            shown[code[place], action.keys.call] = outcome
    return found
