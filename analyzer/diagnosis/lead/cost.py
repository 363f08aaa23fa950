"""What a session cost, and how much of that the main trouble took."""

from __future__ import annotations

from collections import Counter

from analyzer.diagnosis.case import Case, steps_text
from analyzer.model.action import Action
from analyzer.model.diagnosis import Statement
from analyzer.model.session_summary import SessionSummary
from analyzer.model.spending import Spending
from analyzer.model.words import MAIN_LANE, USER_LANE, Category, FailureKind, Kind
from analyzer.text.english import dollars, duration, listed, number, one_or_many, plural, time_taken
from analyzer.timeline.verification.checks import runs_checker

_NAMES: dict[Kind, tuple[str, str]] = {
    Kind.READ: ("read", ""),
    Kind.SEARCH: ("search", "searches"),
    Kind.EDIT: ("edit", ""),
    Kind.TEST: ("check", ""),
    Kind.RUN: ("run", ""),
    Kind.WAIT: ("wait", ""),
}
_BEFORE = frozenset({FailureKind.DENIED, FailureKind.CASCADE})


def cost_of(case: Case, summary: SessionSummary, spending: Spending | None) -> Statement | None:
    """Actions by kind, time, tokens and money as far as they're recorded, money else at list prices, and the share of
    the trouble. Of a session without an action only what its words took, where tokens or money are recorded."""
    actions = case.timeline.actions
    if not actions:
        return _of_words(summary)
    own = [action for action in actions if not action.harness]
    counts = Counter(Kind.TEST if runs_checker(action) else action.kind for action in own if not _never_ran(action))
    kinds = [
        f"{counts[kind]} {one_or_many(counts[kind], name, many)}"
        for kind, (name, many) in _NAMES.items()
        if counts[kind]
    ]
    others = sum(counts.values()) - sum(counts[kind] for kind in _NAMES)
    if others and kinds:
        kinds.append(one_or_many(others, "1 other", f"{others} others"))
    if len(own) > sum(counts.values()):
        kinds.append(f"{len(own) - sum(counts.values())} that never ran")
    if len(actions) > len(own):
        kinds.append(f"{len(actions) - len(own)} of the harness")
    parts = [f"{plural(len(actions), 'action')}{f' ({listed(kinds)})' if len(kinds) > 1 else ''}"]
    lanes = len(summary.lanes) - 1
    if lanes > 0:
        main, user = len(case.timeline.lane()), len(case.timeline.lane(USER_LANE))
        lanes -= user > 0
        elsewhere = [f"{user} of the user"] if user else []
        elsewhere += [f"{len(actions) - main - user} in {plural(lanes, 'lane')} of sub-agents"] if lanes else []
        parts[0] += f", {listed([f'{main} in the main lane', *elsewhere])}"
    if summary.sub_agents_read:
        parts.append(f"{plural(summary.sub_agents_read, 'sub-agent')} read")
    if summary.duration_seconds:
        parts.append(time_taken(summary.duration_seconds, summary.active_seconds))
    parts.extend(_tokens(summary))
    usd = summary.cost_usd
    if spending is not None and spending.basis == "list prices":
        usd = spending.usd
    if usd is not None:
        parts.append(dollars(usd, spending.bound if spending is not None else None))
        if spending is not None and spending.basis == "list prices":
            parts[-1] = f"{parts[-1]} at list prices"
    steps = [1, len(case.timeline.lane())] if case.timeline.lane() else []
    part = " The recording begins after a compaction; what came before it isn't counted."
    text = f"{', '.join(parts)}.{part if summary.begins_after_compaction else ''}{_trouble(case, spending)}"
    return Statement(part="cost", text=text, steps=steps)


def _of_words(summary: SessionSummary) -> Statement | None:
    parts = [*_tokens(summary), *([dollars(summary.cost_usd)] if summary.cost_usd else [])]
    if not parts or not any((summary.tokens.input, summary.tokens.output, summary.cost_usd)):
        return None
    if summary.duration_seconds:
        parts.insert(0, time_taken(summary.duration_seconds, summary.active_seconds))
    return Statement(part="cost", text=f"{', '.join(parts)}.", steps=[])


def _never_ran(action: Action) -> bool:
    """Whether a call was refused, held back or skipped before it did anything."""
    failure = action.failure
    if failure is not None and failure.is_decision and action.mark is None and action.kind in (Kind.OTHER, Kind.PLAN):
        return False  # what it showed was read and decided on
    return failure is not None and failure.kind in _BEFORE and failure.type != "Interrupted"


def _tokens(summary: SessionSummary) -> list[str]:
    counts = summary.tokens
    found = []
    if counts.input is not None:
        cached = f" ({number(counts.cached)} cached)" if counts.cached else ""
        found.append(f"{number(counts.input)} tokens in{cached}")
    if counts.output is not None:
        found.append(f"{'at least ' if counts.output_is_partial else ''}{number(counts.output)} tokens out")
    return found


def _trouble(case: Case, spending: Spending | None) -> str:
    main = case.main
    if main is None or main.cost.actions < 2 or main.category is not Category.LOOP or main.first_step < 1:
        return ""
    parts = [plural(main.cost.actions, "action")]
    if main.cost.seconds and main.cost.seconds >= 1:
        parts.append(duration(main.cost.seconds))
    if main.cost.tokens:
        least = f"{spending.tokens_bound} " if spending is not None and spending.tokens_bound else ""
        parts.append(f"{least}{number(main.cost.tokens)} tokens")
    if main.cost.usd and main.cost.usd >= 0.005:
        parts.append(dollars(main.cost.usd, spending.bound if spending is not None else None))
    lane = "" if main.lane == MAIN_LANE else f" of {main.lane}"
    spread = main.cost.actions < main.last_step - main.first_step + 1 and main.cost.actions >= len(main.steps)
    where = steps_text(main.steps) if spread else f"{main.first_step}-{main.last_step}"
    return f" Steps {where}{lane} took {', '.join(parts)} of it."
