"""Put together what a session took: by tool, by phase, and what of it brought nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.spending.amounts import Amounts, priced
from analyzer.diagnosis.spending.wasted import waste_of
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.session_summary import SessionSummary
from analyzer.model.spending import LaneStep, PhaseSpent, Spending, SubAgentTokens, ToolSpent
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.pricing import Bound, Prices
from analyzer.text.expressions import compiled
from analyzer.timeline.closing.user_answers import has_failed

_COUNTED = compiled(r"<usage>\s*(?:[a-z_]+: *\d+\s+)*?total_tokens: *(\d{1,12})\s(?:[^<]*)</usage>\s*\Z")
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
    usd, unknown = session.cost_usd or None, list[str]()
    basis: Literal["recorded", "list prices"] | None = "recorded" if usd is not None else None
    bound: Literal["at least", "at most"] | None = "at least" if usd is not None and session.cost_is_partial else None
    if usd is None and tokens.input is not None:
        usd, unknown = priced(tokens, session.by_model, session.model, prices, summary.started_at)
        bounds = [
            *([Bound.AT_LEAST] if summary.tokens.output_is_partial else []),
            *([Bound.AT_MOST] if tokens.cached is None else []),
        ]
        usd = None if len(bounds) > 1 else usd
        if usd is not None:
            basis, bound = "list prices", bounds[0].value if bounds else None
    waste, wasted = waste_of(timeline, case.findings, amounts)
    return Spending(
        usd=usd,
        basis=basis,
        bound=bound,
        tokens_bound="at least" if summary.tokens.output_is_partial else None,
        prices_as_of=prices.as_of if basis == "list prices" else None,
        unpriced=unknown,
        all=amounts.of(actions),
        tools=list(_tools(actions, amounts)),
        answers=amounts.of_answers(),
        sub_agents=list(_sub_agents(actions)),
        phases=list(_phases(case, amounts)),
        waste=waste,
        wasted=wasted,
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
            slowest=_in_main(slowest) if slow else None,
            slowest_elsewhere=_elsewhere(slowest) if slow else None,
            slowest_seconds=slowest.duration if slow else None,
            largest=_in_main(largest) if large else None,
            largest_elsewhere=_elsewhere(largest) if large else None,
            largest_characters=_size(largest) if large else None,
        )


def _size(action: Action) -> int:
    """How many characters the result of an action has, without blanks around it, as its row says."""
    return len((action.result or "").strip())


def _in_main(action: Action) -> int | None:
    return action.step if action.lane == MAIN_LANE else None


def _elsewhere(action: Action) -> LaneStep | None:
    return LaneStep(lane=action.lane, step=action.step) if action.lane != MAIN_LANE else None


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
    edits = [
        number
        for number, action in enumerate(lane)
        if (action.kind is Kind.EDIT and action.accepted_edits) or delivery.changes_files(action)
    ]
    changes = [number for number, action in enumerate(lane) if delivery.changes_work(action)] or edits
    if not changes:
        return
    written = [number for number in edits if any(last_part(one.path) in left for one in lane[number].accepted_edits)]
    first, last = changes[0], max([*changes, *written]) + 1
    parts: tuple[tuple[Phase, Sequence[Action]], ...] = (
        ("before the first change", lane[:first]),
        ("first to last change", lane[first:last]),
        ("after the last change", lane[last:]),
    )
    for phase, actions in parts:
        if actions:
            yield PhaseSpent(
                **amounts.of(actions).model_dump(), phase=phase, first_step=actions[0].step, last_step=actions[-1].step
            )
