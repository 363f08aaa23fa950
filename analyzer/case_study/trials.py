"""Several runs of one system without a change in between: how often it passes, how much its failures are alike, and
what those that passed did otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.audit.figures.counts import wilson
from analyzer.case_study.causes import unexplained
from analyzer.case_study.phases import is_look
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.story import Failed, RunStory, place, runs_text
from analyzer.model.action import Action
from analyzer.model.case_study import Mode, PlanRow
from analyzer.model.struct import replace
from analyzer.text.english import capital, listed, plural
from analyzer.text.markdown import code


def pass_rate(stories: Sequence[RunStory]) -> str:
    """How many runs passed of those of which it can be stories."""
    known = [entry.run.succeeded for entry in stories if entry.run.succeeded is not None]
    if not known:
        return f"Whether any of the {plural(len(stories), 'run')} passed is unknown."
    passed, unknown = sum(known), len(stories) - len(known)
    rest = f"; of {plural(unknown, 'run')} it's unknown" if unknown else ""
    low, high = wilson(passed, len(known))
    said = f"{passed} of {plural(len(known), 'run')} passed ({passed / len(known):.0%}; 95% interval"
    return f"{said} {100 * low:.0f}-{100 * high:.0f}%){rest}."


def modes(stories: Sequence[RunStory]) -> list[Mode]:
    """The ways in which runs failed, the most frequent first."""
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for entry in stories:
        if entry.failed is not None:
            trouble, cause = entry.failed
            # One mode is the cause, and the place of the plan or, without one, the error itself.
            where = trouble.row.step if trouble.row is not None else " ".join(cause.functions)
            if trouble.row is None and not cause.functions:
                where = entry.run.fingerprint(trouble.step) or ""
            found.setdefault((cause.key, where), []).append((entry.run.number, cause.title))
    made = [Mode(title=entries[0][1], runs=[number for number, _ in entries]) for entries in found.values()]
    return sorted(made, key=lambda mode: (-len(mode.runs), mode.runs[0]))


def stability(found: Sequence[Mode], stories: Sequence[RunStory]) -> str | None:
    """How much the failures are alike, in words; None where nothing failed."""
    failed = sum(len(mode.runs) for mode in found)
    if not failed:
        return None
    if failed == 1:
        return f"Only {runs_text(found[0].runs)} failed, so nothing can be said about how stable the failure is."
    if not any(entry.explained for entry in stories):
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


_MOST = 3
_DEVIATIONS = ("wrong-arguments", "wrong-result", "missing-step")
"""The causes that only say where a run differs from the plan."""


def contrasted(stories: Sequence[RunStory], runs: Sequence[LoadedRun]) -> list[RunStory]:
    """The trials, in which a failure that nothing explains says what every trial that passed did and this one didn't.
    Looks don't count; failed calls count as not made."""
    # The calls of each run that change something, by what they are.
    made = [
        {
            f"{action.tool} {action.keys.call}": action
            for action in run.timeline.lane()
            if not is_look(action) and not action.failed and not action.harness
        }
        for run in runs
    ]
    passed = [calls for calls, entry in zip(made, stories, strict=True) if entry.run.succeeded]
    if not passed:
        return list(stories)
    always = {key: action for key, action in passed[0].items() if all(key in other for other in passed[1:])}
    tools = [dict.fromkeys(action.tool for action in calls.values()) for calls in passed]
    found = []
    for entry, calls in zip(stories, made, strict=True):
        if entry.failed is None or entry.explained:
            found.append(entry)
            continue
        trouble, cause = entry.failed
        own = dict.fromkeys(action.tool for action in calls.values())
        missing = [tool for tool in tools[0] if tool not in own and all(tool in others for others in tools)]
        added = [tool for tool in own if not any(tool in others for others in tools)]
        other = dict.fromkeys(action.tool for key, action in always.items() if key not in calls and action.tool in own)
        parts = [f"didn't call {_tools(missing)}, which every run that passed did"] if missing else []
        parts += [
            f"called {code(tool, 80)} with arguments other than those of the runs that "
            f"passed{_difference(tool, always, calls)}"
            for tool in list(other)[:_MOST]
        ]
        parts += [f"called {_tools(added)}, which no run that passed did"] if added else []
        text = f" What differs: it {'; it '.join(parts)}." if parts else ""
        text = text or (" It made the same changes as the runs that passed." if always else "")
        found.append(replace(entry, failed=Failed(trouble, replace(cause, text=cause.text + text))))
    return found


def _tools(names: Sequence[str]) -> str:
    return listed([code(name, 80) for name in names[:_MOST]])


def without_what_passes(stories: Sequence[RunStory]) -> list[RunStory]:
    """The runs, in which a deviation from the plan that a run which passed has as well isn't taken for the cause of a
    wrong result."""
    passed = [row for entry in stories if entry.run.succeeded for row in entry.run.rows]
    found = []
    for entry in stories:
        row = entry.failed.trouble.row if entry.failed is not None else None
        if entry.failed is None or row is None or entry.failed.cause.key not in _DEVIATIONS:
            found.append(entry)
            continue
        trouble, cause = entry.failed
        if any(_alike(row, other) for other in passed):
            cause = unexplained(trouble, entry.run)
            shared = f" What differs from the plan at {place(row.step)} also differs in a run that passed, so it isn't "
            cause = replace(cause, text=f"{cause.text}{shared}the reason.")
            trouble = replace(trouble, row=None, action=None)
        found.append(RunStory(entry.run, Failed(trouble, cause)))
    return found


def _alike(row: PlanRow, other: PlanRow) -> bool:
    """Whether two runs differ from the plan at one step in the same way."""
    given, also = ({(argument.name, argument.given) for argument in entry.arguments} for entry in (row, other))
    return row.step == other.step and set(row.deviations) <= set(other.deviations) and given <= also


def _difference(tool: str, always: Mapping[str, Action], calls: Mapping[str, Action]) -> str:
    """The arguments in which a call of this run differs from the call that every run that passed made."""
    wanted = next((action.arguments for action in always.values() if action.tool == tool), None)
    own = [action.arguments for action in calls.values() if action.tool == tool]
    if not isinstance(wanted, Mapping) or len(own) != 1 or not isinstance(own[0], Mapping):
        return ""
    given = own[0]
    names = [name for name in dict.fromkeys((*wanted, *given)) if wanted.get(name) != given.get(name)]
    differences = [f"{code(name, 60)} is {_value(given, name)}, not {_value(wanted, name)}" for name in names[:4]]
    return f" ({'; '.join(differences)}{'; and more' if len(names) > 4 else ''})" if differences else ""


def _value(arguments: Mapping[str, Any], name: str) -> str:
    if name not in arguments:
        return "left out"
    return code(json.dumps(arguments[name], ensure_ascii=False, sort_keys=True, default=str), 120)
