"""Which failures showed on untouched code, and which states of the code are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.model.struct import Struct
from analyzer.model.words import Kind, Status
from analyzer.workspace.document import BASE
from analyzer.workspace.history import History
from analyzer.workspace.ownership import scratch_paths
from analyzer.workspace.states import Equal, StateIds


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
        paths = {change.path for entry in history.taken for change in entry.changes}
        hidden |= {path for path in paths if ignored(path)}
    ids = StateIds(equal or files.equal)
    made = [ids.current]
    for entry in history.taken:
        ids.apply((change for change in entry.changes if change.path not in hidden), entry.rewritten)
        made.append(ids.current)
    return made


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


def contradicted(history: History, code: Sequence[str]) -> set[int]:
    """The places of the steps that made contents which aren't known, and after which a check shows another failure than
    it had shown on what should be the same code. `code` are the ids of `code_ids`."""
    shown: dict[tuple[str, str], str] = {}
    found: set[int] = set()
    entered = -1
    for place, action in enumerate(history.actions):
        if code[place + 1] != code[place]:
            made = (version.after for version in history.taken[place].versions)
            unknown = any(after.exists and after.text is None and after.origin != BASE for after in made)
            entered = place if unknown else -1
        elif action.kind in (Kind.RUN, Kind.TEST) and action.status is not Status.UNKNOWN:
            outcome = (action.failure.group or "") if action.failure is not None else ""
            if shown.setdefault((code[place], action.keys.call), outcome) != outcome and entered >= 0:
                found.add(entered)
            shown[code[place], action.keys.call] = outcome
    return found
