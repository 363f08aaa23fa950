"""What a session cost: its actions by kind, time, tokens and money, and what of it stands out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.labels import Said, steps_text
from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.postmortem import TimelineRow
from analyzer.model.session_summary import SessionSummary
from analyzer.model.spending import CopiedPart, Spending
from analyzer.model.words import MAIN_LANE, USER_LANE, Category, FailureKind, Kind, ShownKind, whose
from analyzer.text.english import amounts, capital, dollars, duration, listed, number, one_or_many, plural, time_taken
from analyzer.text.markdown import code

_MUCH_USD, _LONG, _SHARE = 5.0, 3_600.0, 0.2
"""What stands out: USD, seconds of work, and the share of the actions that the trouble took."""
_NAMES: dict[ShownKind, tuple[str, str]] = {
    ShownKind.SEARCH: ("search", "searches"),
    ShownKind.BROWSE: ("browser action", ""),
    ShownKind.TEST: ("check", ""),
    ShownKind.DELEGATE: ("request to another agent", "requests to other agents"),
}
_OTHERS = frozenset({ShownKind.THINK, ShownKind.PLAN, ShownKind.FINISH, ShownKind.OTHER})
_BEFORE = frozenset({FailureKind.DENIED, FailureKind.CASCADE})


def counted(
    case: Case, summary: SessionSummary, spending: Spending | None, rows: Sequence[TimelineRow]
) -> Iterator[Said]:
    """Actions by kind, time, tokens and money as far as they're recorded, money else at list prices, and the share of
    the trouble. Of a session without an action only what its words took, where tokens or money are recorded."""
    actions = case.timeline.actions
    if not actions:
        yield from _of_words(summary)
        return
    own = [action for action in actions if not action.harness]
    ran = [row for row, action in zip(rows, actions, strict=True) if not action.harness and not _never_ran(action)]
    counts = Counter([ShownKind.TEST if row.checks else row.shown_kind for row in ran])
    named = (kind for kind in ShownKind if counts[kind] and kind not in _OTHERS)
    kinds = [plural(counts[kind], *_NAMES.get(kind, (kind, ""))) for kind in named]
    others = sum(counts[kind] for kind in _OTHERS)
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
        elsewhere += (
            [f"{len(actions) - main - user} in {plural(lanes, 'lane')} of {whose(summary.lanes)}"] if lanes else []
        )
        parts[0] += f", {listed([f'{main} in the main lane', *elsewhere])}"
    if summary.sub_agents_read:
        parts.append(f"{plural(summary.sub_agents_read, 'sub-agent')} read")
    if summary.duration_seconds:
        parts.append(time_taken(summary.duration_seconds, summary.active_seconds))
    parts.extend(_tokens(summary))
    listed_price = spending is not None and spending.basis == "list prices"
    usd = spending.usd if spending is not None and listed_price else summary.cost_usd
    if usd is not None:
        paid = dollars(usd, spending.bound if spending is not None else None)
        parts.append(f"{paid} at list prices" if listed_price else paid)
    copied = spending.copied if spending is not None else None
    if copied is not None:
        parts[-1] += f"; {_copied_part(copied, len(actions))}"
    steps = [1, len(case.timeline.lane())] if case.timeline.lane() else []
    part = " The recording begins after a compaction; what came before it isn't counted."
    yield f"{', '.join(parts)}.{part if summary.begins_after_compaction else ''}", steps
    trouble = case.main
    if trouble is not None and trouble.category is Category.LOOP and 1 < trouble.cost.actions < _SHARE * len(actions):
        yield f"{capital(listed(_of_trouble(trouble, len(actions), spending)))}.", trouble.steps[:20]


def _copied_part(copied: CopiedPart, actions: int) -> str:
    """What of a session's figures is a copy of another one's, and what it cost by itself."""
    used = f" with {number(copied.input_tokens)} tokens in" if copied.input_tokens else ""
    paid = f", which cost {dollars(copied.own_usd)}" if copied.own_usd is not None else ""
    first = one_or_many(copied.actions, "the first action", f"the first {copied.actions} actions")
    were, rest = one_or_many(copied.actions, "was", "were"), actions - copied.actions
    own = f"{rest} {one_or_many(rest, 'is', 'are')} its own{paid}"
    return f"{first}{used} {were} copied from session {code(copied.origin)}, {own}"


def _of_words(summary: SessionSummary) -> Iterator[Said]:
    parts = [time_taken(summary.duration_seconds, summary.active_seconds)] if summary.duration_seconds else []
    parts += [*_tokens(summary), *([dollars(summary.cost_usd)] if summary.cost_usd else [])]
    if any((summary.tokens.input, summary.tokens.output, summary.cost_usd)):
        yield f"{', '.join(parts)}.", []


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


def stands_out(case: Case, summary: SessionSummary, spending: Spending | None) -> Iterator[Said]:
    """What the trouble took, where that's a large part of the session, and a high price or a long time in all."""
    whole = len(case.timeline.actions)
    usd = spending.usd if spending is not None and spending.usd is not None else summary.cost_usd
    large = [dollars(usd, spending.bound if spending is not None else None)] if usd and usd >= _MUCH_USD else []
    taken = summary.active_seconds or summary.duration_seconds or 0
    large += [f"{duration(taken)} of work"] if taken >= _LONG else []
    main = case.main
    parts, steps = list[str](), [1, whole] if whole else []
    loop = main if main is not None and main.category is Category.LOOP and main.first_step > 0 else None
    if loop is not None and max(2, _SHARE * whole) <= loop.cost.actions < whole:
        parts, steps = _of_trouble(loop, whole, spending), loop.steps[:20]
    if parts:
        yield f"{capital(listed(parts))}{f', of {listed(large)} in all' if large else ''}.", steps
    elif large:
        yield f"{capital(listed(large))}.", steps


def _of_trouble(main: Finding, whole: int, spending: Spending | None) -> list[str]:
    spread = main.cost.actions < main.last_step - main.first_step + 1 and main.cost.actions >= len(main.steps)
    where = steps_text(main.steps) if spread else f"{main.first_step}-{main.last_step}"
    lane = "" if main.lane == MAIN_LANE else f" of {main.lane}"
    bounds = (spending.tokens_bound or "", spending.bound) if spending is not None else ()
    return [
        f"steps {where}{lane} took {main.cost.actions} of the {plural(whole, 'action')}",
        *amounts(main.cost, *bounds),
    ]
