"""Calls that were rejected and then accepted: no failure of the run, but calls that it lost."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.case_study.phases import is_planning
from analyzer.case_study.runs import LoadedRun
from analyzer.detectors.signals.argument_errors import argument_error_of, arguments_of, inner_tool
from analyzer.detectors.signals.attempts import Attempt, text
from analyzer.model.action import Action
from analyzer.model.case_study import Repair
from analyzer.model.scenario import Phases
from analyzer.text.clip import clip

_MOST = 20


def repairs_of(loaded: LoadedRun, phases: Phases) -> list[Repair]:
    """The repairs of a run: per tool, the rejections in a row up to the call that was accepted."""
    found: list[Repair] = []
    waiting: dict[str, list[Action]] = {}
    for action in loaded.timeline.lane():
        if action.harness:
            continue
        if argument_error_of(action) is not None:
            waiting.setdefault(action.tool, []).append(action)
        elif action.tool in waiting and not action.failed:
            found.append(_repair(waiting.pop(action.tool), action, phases))
    return found[:_MOST]


def rejections(loaded: LoadedRun, tool: str) -> list[tuple[Action, Attempt]]:
    """The calls of a tool that were rejected because of their arguments."""
    return [
        (action, Attempt(action.step, arguments_of(action, inner_tool(action)), said))
        for action in loaded.timeline.lane()
        if action.tool == tool and (said := argument_error_of(action)) is not None
    ]


def _repair(rejected: Sequence[Action], accepted: Action, phases: Phases) -> Repair:
    first = rejected[0]
    inner = inner_tool(first)
    before = arguments_of(first, inner)
    after = arguments_of(accepted, inner)
    changed = [name for name in before if name in after and before[name] != after[name]]
    gone, new = [name for name in before if name not in after], [name for name in after if name not in before]
    parts = [f"{name}: {clip(text(before[name]), 60)} -> {clip(text(after[name]), 60)}" for name in changed[:3]]
    if gone or new:
        parts.append(f"{', '.join(gone) or 'nothing'} -> {', '.join(new) or 'nothing'}")
    return Repair(
        tool=inner or first.tool,
        phase="planning" if is_planning(first, phases) else "execution",
        rejected=[action.step for action in rejected],
        accepted=accepted.step,
        changed="; ".join(map(str, parts)),
    )
