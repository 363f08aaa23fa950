"""What of a run is planning, what carries the plan out, and what only looks around; whether a call's tool is the one
that a plan names; and which calls a run lost to rejections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

from analyzer.detectors.reference.expectations import changes
from analyzer.detectors.rejected_calls.argument_errors import argument_error_of, arguments_of, inner_tool, text
from analyzer.model.action import Action
from analyzer.model.case_study import Repair
from analyzer.model.scenario import Phases
from analyzer.model.words import CHANGE_NOTHING, Kind, Mark
from analyzer.text.clip import clip
from analyzer.timeline import Timeline

_SEPARATOR = re.compile(r"__|::|[./:]")
_WILD = re.compile(r"[*?\[]")


@lru_cache(maxsize=4096)
def name_matches(pattern: str, name: str) -> bool:
    """Whether `name` is what `pattern` names, `*` standing for any part of it.

    Case doesn't count, nor how a namespace is written (`files.write`, `files__write`, `mcp__files__write`), nor a
    namespace that only one of the two has.
    """
    wanted, given = _SEPARATOR.split(pattern.casefold()), _SEPARATOR.split(name.casefold())
    whole = ".".join(wanted)
    # A pattern is compiled, which takes long for a long one.
    if ".".join(given) == whole or (_WILD.search(whole) is not None and fnmatchcase(".".join(given), whole)):
        return True
    if "*" in pattern or "?" in pattern:
        return (
            len(wanted) < len(given)
            and fnmatchcase(".".join(given[-len(wanted) :]), ".".join(wanted))
            and not set(wanted) <= {"*"}
        )
    count = min(len(wanted), len(given))
    return wanted[-count:] == given[-count:]


_REFUSED = re.compile(
    r"[\"']?(?:valid|is_valid|approved|accepted|ok|success)[\"']?\s{0,3}[:=]\s{0,3}[\"']?false\b|\bplan (?:is "
    r"|was )?(?:invalid|rejected|refused|not valid)\b"
    r"|\b(?:invalid|rejected) plan\b|\b(?:plan|schema|argument) validation (?:failed|error)|\bvalidation "
    r"(?:failed|errors?\b)",
    re.IGNORECASE,
)
_NEVER_RAN = frozenset({Mark.DENIED, Mark.CASCADE, Mark.REJECTED, Mark.INTERRUPTED, Mark.TIMEOUT})


def split(timeline: Timeline, phases: Phases) -> tuple[list[Action], list[Action], int]:
    """The main lane's actions of the planning and of the execution, in order, and how often a call of planning came
    after a plan was refused, or after an action of the plan failed. Sub-agents' actions are in neither: who called
    them is."""
    planning: list[Action] = []
    execution: list[Action] = []
    repairs, refused = 0, False
    for action in timeline.lane():
        if action.harness:
            continue
        if is_planning(action, phases):
            planning.append(action)
            repairs += refused
            refused = fails(action, recorded=False) or bool(_REFUSED.search((action.result or "")[:20_000]))
        else:
            execution.append(action)
            # A to-do list that continues after a failure doesn't fix a plan; a planner that is named as such does.
            refused = refused or (bool(phases.planning) and fails(action, recorded=False))
    return planning, execution, repairs


def is_planning(action: Action, phases: Phases) -> bool:
    """Whether a call plans: by the scenario's names of tools, or by its kind where it gives none."""
    if phases.planning:
        return any(name_matches(pattern, action.tool) for pattern in phases.planning)
    return action.kind is Kind.PLAN


def is_look(action: Action) -> bool:
    """Whether an action changes nothing: it reads, searches, thinks, waits or ends the session, prints something, or
    its tool only asks by its name."""
    if action.kind is Kind.OTHER and action.operation.command is not None:
        return not action.operation.writes
    return action.kind in CHANGE_NOTHING or (
        action.kind is Kind.OTHER and not changes(_SEPARATOR.split(action.tool)[-1])
    )


def fails(action: Action, recorded: bool = True) -> bool:
    """Whether an action wasn't carried out with success. `recorded` says that the log holds results, so that one that's
    missing means a call that never came back."""
    if action.mark in _NEVER_RAN:
        return True
    if action.failure is not None:
        return not action.failure.expected
    return recorded and action.result is None and not action.task_done


def repairs_of(timeline: Timeline, phases: Phases) -> list[Repair]:
    """The calls that were rejected because of their arguments, and accepted in the end: per tool, the rejections in a
    row up to the call that was accepted."""
    found: list[Repair] = []
    waiting: dict[str, list[Action]] = {}
    for action in timeline.lane():
        if action.harness:
            continue
        if argument_error_of(action) is not None:
            waiting.setdefault(action.tool, []).append(action)
        elif action.tool in waiting and not action.failed:
            found.append(_repair(waiting.pop(action.tool), action, phases))
    return found[:20]


def _repair(rejected: Sequence[Action], accepted: Action, phases: Phases) -> Repair:
    first, inner = rejected[0], inner_tool(rejected[0])
    before, after = arguments_of(first, inner), arguments_of(accepted, inner)
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
        changed="; ".join(parts),
    )
