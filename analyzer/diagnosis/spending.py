"""What a session took: by tool, by phase, and what of it brought nothing, each action for one reason."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Literal, get_args

from analyzer.diagnosis.alarms import loops_in
from analyzer.diagnosis.amounts import Amounts, bill_of, priced
from analyzer.diagnosis.case import Case
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.session import Session
from analyzer.model.session_summary import SessionSummary
from analyzer.model.spending import (
    CopiedPart,
    LaneStep,
    PhaseSpent,
    Spending,
    Spent,
    SubAgentTokens,
    ToolSpent,
    Waste,
    WasteKind,
)
from analyzer.model.words import MAIN_LANE, Kind, Repeat, Status
from analyzer.pricing import Prices
from analyzer.text.late import late
from analyzer.timeline import Timeline
from analyzer.timeline.calls.judging import is_query
from analyzer.timeline.calls.shell_line import asks_state
from analyzer.timeline.closing.user_answers import has_failed
from analyzer.timeline.context import LEAVES
from analyzer.workspace.difference import is_as_at_first

_COUNTED = late(r"<usage>\s*(?:[a-z_]+: *\d+\s+)*?total_tokens: *(\d{1,12})\s(?:[^<]*)</usage>\s*\Z")
_LONGEST_COUNT = 400
_LARGE = 1_000
"""A shorter result isn't worth naming as the largest."""
Phase = Literal["before the first change", "first to last change", "after the last change"]


def spending_of(case: Case, summary: SessionSummary, prices: Prices) -> Spending | None:
    """Where actions, time, tokens and money went; None for a session without actions, tokens and a recorded cost."""
    timeline = case.timeline
    session, actions = timeline.session, timeline.actions
    tokens = session.tokens
    if not actions and tokens.input is None and tokens.output is None and not session.cost_usd:
        return None
    amounts = Amounts(actions, session, prices, summary.started_at, summary.duration_seconds)
    bill = bill_of(session, prices, summary.started_at, partial=summary.tokens.output_is_partial)
    waste, wasted = _waste(case, amounts)
    return Spending(
        usd=bill.usd,
        basis=bill.basis,
        bound=bill.bound,
        tokens_bound="at least" if summary.tokens.output_is_partial else None,
        prices_as_of=prices.as_of if bill.basis == "list prices" else None,
        copied=_copied(session, prices, summary.started_at, priced_by_tokens=bill.basis == "list prices"),
        unpriced=bill.unpriced,
        all=amounts.of(actions),
        tools=list(_tools(actions, amounts)),
        answers=amounts.of_answers(),
        sub_agents=list(_sub_agents(actions)),
        phases=list(_phases(case, amounts)),
        waste=waste,
        wasted=wasted,
    )


def _copied(session: Session, prices: Prices, day: str | None, *, priced_by_tokens: bool) -> CopiedPart | None:
    """The part of a session that is a copy of another's beginning."""
    if session.copied_from is None or not session.copied_calls:
        return None
    own = session.tokens.without(session.copied_tokens)
    usd, _ = priced(own, {}, session.model, prices, day) if priced_by_tokens else (None, [])
    return CopiedPart(
        origin=session.copied_from,
        actions=session.copied_calls,
        input_tokens=session.copied_tokens.input,
        output_tokens=session.copied_tokens.output,
        own_usd=usd,
    )


def _tools(actions: Sequence[Action], amounts: Amounts) -> Iterator[ToolSpent]:
    by_tool: dict[str, list[Action]] = defaultdict(list)
    for action in actions:
        if not action.harness:
            by_tool[action.tool].append(action)
    for tool, calls in sorted(by_tool.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        slowest = max(calls, key=lambda action: (action.duration or 0.0, action.lane == MAIN_LANE))
        largest = max(calls, key=lambda action: (_size(action), action.lane == MAIN_LANE))
        slow, large = bool(slowest.duration), _size(largest) >= _LARGE
        yield ToolSpent(
            **amounts.of(calls).model_dump(),
            tool=tool,
            failed=sum(map(has_failed, calls)),
            **(_where("slowest", slowest) if slow else {}),
            slowest_seconds=slowest.duration if slow else None,
            **(_where("largest", largest) if large else {}),
            largest_characters=_size(largest) if large else None,
        )


def _size(action: Action) -> int:
    """How many characters the result of an action has, without blanks around it, as its row says."""
    return len((action.result or "").strip())


def _where(name: str, action: Action) -> dict[str, Any]:
    """The field for the step of an action in the main lane, or for its place in another one."""
    if action.lane == MAIN_LANE:
        return {name: action.step}
    return {f"{name}_elsewhere": LaneStep(lane=action.lane, step=action.step)}


def _sub_agents(actions: Sequence[Action]) -> Iterator[SubAgentTokens]:
    if any(action.usage is not None for action in actions if action.lane != MAIN_LANE):
        return
    for action in actions:
        if action.lane != MAIN_LANE or action.kind is not Kind.OTHER or not action.result:
            continue
        if (counted := _COUNTED.search(action.result[-_LONGEST_COUNT:])) is not None:
            yield SubAgentTokens(step=action.step, tokens=int(counted[1]))


def _phases(case: Case, amounts: Amounts) -> Iterator[PhaseSpent]:
    """The parts of the main lane by the changes: the first one of the project's code, pages and settings, deletions
    included, or of any file where there are none of these, and the last one of any file that is left."""
    lane, delivery = case.timeline.lane(), case.delivery
    left = {last_part(change.file) for change in delivery.files}
    edits = [one for one in lane if (one.kind is Kind.EDIT and one.accepted_edits) or delivery.changes_files(one)]
    changes = [action.step for action in lane if delivery.changes_work(action)] or [action.step for action in edits]
    if not changes:
        return
    written = [action.step for action in edits if any(last_part(one.path) in left for one in action.accepted_edits)]
    first, last = changes[0] - 1, max([*changes, *written])
    for phase, actions in zip(get_args(Phase), (lane[:first], lane[first:last], lane[last:]), strict=True):
        if actions:
            steps = {"first_step": actions[0].step, "last_step": actions[-1].step}
            yield PhaseSpent(**amounts.of(actions).model_dump(), phase=phase, **steps)


_OVERSIZED = 30_000
"""Characters of a result from which on it is oversized: some 8,000 tokens."""
_LONG = 1.0
"""Seconds from which on a call that asks for a state has waited for it."""
_PAUSES = late(
    r"wait|sleep|delay|block|timeout|yield|pause|duration|(?:^|_)(?:seconds|secs?|millis|ms)(?:$|_)", re.IGNORECASE
)


def _waste(case: Case, amounts: Amounts) -> tuple[list[Waste], Spent | None]:
    """The waste by reason, the most actions first, and all of it together, oversized results aside."""
    kinds, timeline = _kinds(case), case.timeline
    wasted = [(action, kinds[action.place]) for action in timeline.actions if action.place in kinds] if kinds else []
    of_kind = {kind: [action for action, own in wasted if own is kind] for kind in WasteKind}
    found = (_row(kind, actions, amounts) for kind, actions in of_kind.items() if actions)
    rows = sorted(found, key=lambda row: -row.actions)
    total = amounts.of(action for action, _ in wasted) if rows else None
    # What the harness did was shown to no model.
    large = [action for action in timeline.actions if len(action.result or "") > _OVERSIZED and not action.harness]
    if large:
        size = sum(len(action.result or "") for action in large)
        # What it took to ask for them isn't what their length costs later.
        unknown = {"seconds": None, "tokens": None, "usd": None, "characters": size}
        rows.append(_row(WasteKind.OVERSIZED, large, amounts).model_copy(update=unknown))
    return rows, total


def _kinds(case: Case) -> dict[tuple[str, int], WasteKind]:
    """The reason for each step that brought nothing; of several the first."""
    found: dict[tuple[str, int], WasteKind] = {}
    compacted: dict[str, int] = {}
    timeline = case.timeline
    lanes = {lane: timeline.lane(lane) for lane in timeline.lanes()}
    for loop in loops_in(case.findings):
        whole = loop.cost.actions == loop.last_step - loop.first_step + 1
        rounds = range(loop.first_step, loop.last_step + 1) if whole else loop.steps
        lost = set(case.avoidable(loop.lane, loop.detectable_at + 1, len(lanes[loop.lane])))
        found |= {(loop.lane, step): WasteKind.LOOP for step in rounds if step in lost}
    for action in timeline.actions:
        if action.compacted_before:
            compacted[action.lane] = action.step
        repeated = _repeated(action, lanes[action.lane], compacted.get(action.lane, 0)) if not action.harness else None
        if repeated is not None:
            found.setdefault(action.place, repeated)
    waits = (action.place for lane in lanes.values() for action in _waits(lane))
    return dict.fromkeys(waits, WasteKind.WAITING) | dict.fromkeys(_discarded(timeline), WasteKind.DISCARDED) | found


def _repeated(action: Action, lane: Sequence[Action], compacted: int) -> WasteKind | None:
    """Whether the action makes an earlier call again on the same state, to fail or to look again. What another tool
    than a read or a search looks at isn't known: its answer must be the same."""
    if action.repeats_as is not Repeat.SAME_CALL or action.repeats_step is None:
        return None
    if action.batch is not None and action.batch == lane[action.repeats_step - 1].batch:
        return None  # made at once, before anything came back
    if action.status is Status.ERROR:
        return WasteKind.RETRY
    # What goes on elsewhere may have changed between two looks, whatever the agent did.
    looks = action.kind in (Kind.READ, Kind.SEARCH) and not asks_state(action.operation)
    if action.kind is Kind.OTHER and action.operation.command is None and is_query(action):
        looks = bool(action.result) and lane[action.repeats_step - 1].keys.outcome == action.keys.outcome
    return WasteKind.REREAD if looks and action.repeats_step >= compacted else None


def _discarded(timeline: Timeline) -> list[tuple[str, int]]:
    """The accepted edits that changed only files that are in the end as they were at first."""
    history = timeline.history
    if history is None:
        return []
    changed = {(state.lane, state.step): state.changed for state in history.steps}
    edits = (action for action in timeline.actions if action.kind is Kind.EDIT and action.accepted_edits)
    same = cache(partial(is_as_at_first, history))
    return [edit.place for edit in edits if (paths := changed.get(edit.place)) and all(map(same, paths))]


def _row(kind: WasteKind, actions: Sequence[Action], amounts: Amounts) -> Waste:
    main = [action.step for action in actions if action.lane == MAIN_LANE]
    return Waste(**amounts.of(actions).model_dump(), kind=kind, steps=main, others=len(actions) - len(main))


def _waits(actions: Sequence[Action]) -> Iterator[Action]:
    """The actions of a lane that only waited. The first look at something isn't one of them."""
    asked: set[str] = set()
    for action in actions:
        if action.harness:
            continue
        if action.after_user or action.kind not in LEAVES:
            asked.clear()
        if action.kind is not Kind.WAIT:
            continue
        # A command is a wait only where it waits: its kind has that from the calls before it.
        if action.operation.commands or action.keys.call in asked or _pauses(action):
            yield action
        asked.add(action.keys.call)


def _pauses(action: Action) -> bool:
    """Whether a call of a tool was to wait by itself, or took as long as a wait."""
    long = action.duration is not None and action.duration >= _LONG
    named = action.arguments if isinstance(action.arguments, Mapping) else {}
    given = (str(name) for name, value in named.items() if value not in (False, 0, None, ""))
    return long or any(_PAUSES.search(name) is not None for name in (action.tool, *given))
