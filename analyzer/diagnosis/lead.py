"""The lead: the statements that say the whole session in a few lines, in reading order.

Those on the task and on the cost, with how much of it the main trouble took, are made here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.end import End
from analyzer.diagnosis.labels import Said, steps_text
from analyzer.diagnosis.lead_delivered import delivered
from analyzer.diagnosis.lead_known import covered, failed_calls, interrupted, known, looked_at, values_of_answer
from analyzer.model.action import Action
from analyzer.model.diagnosis import Approach, Improvement, Part, Statement
from analyzer.model.postmortem import Outcome, TimelineRow
from analyzer.model.session import Message, ToolCall
from analyzer.model.session_summary import SessionSummary
from analyzer.model.spending import Spending
from analyzer.model.words import MAIN_LANE, USER_LANE, Category, FailureKind, Kind, ShownKind
from analyzer.task.prose import own_words
from analyzer.text.clip import clip_words
from analyzer.text.english import dollars, duration, listed, number, one_or_many, plural, time_taken
from analyzer.text.expressions import compiled

MOST_WORDS = 340
"""Words of the lead with the headline, more or less; what goes beyond them is left to the sections."""
_WORD = compiled(r"\S+")
_STEP = compiled(r"\bsteps? \d", re.IGNORECASE)
_STEPS = compiled(r" \(steps? [^()]*\)")
_DROPPED_FIRST: tuple[Part, ...] = ("next", "wrong", "asked", "delivered", "known")
"""The parts of which all statements but the first go, in this order, until the lead is short enough."""


def lead_of(
    end: End,
    facts: tuple[SessionSummary, Spending | None, Sequence[TimelineRow]],
    outcome: Outcome,
    headline: str,
    cause: str | None,
    contributing: Sequence[str],
    advice: tuple[Sequence[Approach], Sequence[Improvement]],
) -> list[Statement]:
    """What was asked, delivered and shown, what went wrong, what it cost, and what to do next."""
    case = end.case
    shown = (*known(end, outcome, headline), *covered(end, outcome), *values_of_answer(end, outcome))
    of_parts: tuple[tuple[Part, Iterable[Said]], ...] = (
        ("asked", _asked(case)),
        ("delivered", delivered(end, outcome)),
        ("known", (*shown, *failed_calls(end), *interrupted(end), *looked_at(end))),
    )
    said = [Statement(part=part, text=text, steps=steps) for part, entries in of_parts for text, steps in entries]
    wrong = _wrong(case, cause, contributing)
    said.extend(entry for entry in wrong if _STEPS.sub("", entry.text).rstrip(". ") not in headline)
    said.extend(Statement(part="cost", text=text, steps=steps) for text, steps in _cost(case, *facts))
    return _fitting([*said, *_next(case, *advice)], len(_WORD.findall(headline)))


def _wrong(case: Case, cause: str | None, contributing: Sequence[str]) -> Iterator[Statement]:
    said = [(cause, case.cause or case.main)] if cause else []
    others = [finding for finding in case.findings if finding not in (case.main, case.cause)]
    told = ((text, next((one for one in others if one.title.rstrip(".") in text), None)) for text in contributing[:3])
    for text, about in (*said, *told):
        steps, lane = (about.steps[:20], about.lane) if about is not None else ([], MAIN_LANE)
        yield Statement(part="wrong", text=text, steps=steps, lane=lane)


def _next(case: Case, proposals: Sequence[Approach], improvements: Sequence[Improvement]) -> Iterator[Statement]:
    last, lane = (case.main.last_step, case.main.lane) if case.main is not None else (0, MAIN_LANE)
    for proposal in proposals[:2]:
        yield Statement(part="next", text=f"{proposal.title}: {proposal.text}", steps=[max(1, last)], lane=lane)
    for item in improvements[:1]:
        text = f"{item.title}. {item.impact}" if item.saves is not None else f"{item.title}."
        if last >= 1 and _STEP.search(text) is None:
            text = f"{text.rstrip('.')} (step {last})."
        yield Statement(part="next", text=text, steps=[max(1, last)], lane=lane)


def _fitting(said: list[Statement], words: int) -> list[Statement]:
    """The statements without the least weighty ones, as far as they would be too many words."""
    kept = list(said)
    for part in _DROPPED_FIRST:
        while words + sum(len(_WORD.findall(statement.text)) for statement in kept) > MOST_WORDS:
            own = [statement for statement in kept if statement.part == part]
            if len(own) < 2:
                break
            kept.remove(own[-1])
    return kept


def _asked(case: Case) -> Iterator[Said]:
    """The task; what the user said later is in the ledger."""
    task = own_words((case.timeline.session.task or _first_words(case)).strip())
    text = f'"{clip_words(task, 260)}"' if task else "The words of the request aren't recorded."
    if task or any(message.unrecorded and message.role == "user" for message in case.timeline.messages):
        yield text, [1][: len(case.lane)]


def _first_words(case: Case) -> str:
    """What the user said before the first action; empty where that is not recorded."""
    for event in takewhile(lambda event: not isinstance(event, ToolCall), case.timeline.session.events):
        if isinstance(event, Message) and event.role == "user" and event.lane == MAIN_LANE:
            return event.text
    return ""


_NAMES: dict[ShownKind, tuple[str, str]] = {
    ShownKind.SEARCH: ("search", "searches"),
    ShownKind.BROWSE: ("browser action", ""),
    ShownKind.TEST: ("check", ""),
    ShownKind.DELEGATE: ("request to another agent", "requests to other agents"),
}
_OTHERS = frozenset({ShownKind.THINK, ShownKind.PLAN, ShownKind.FINISH, ShownKind.OTHER})
_BEFORE = frozenset({FailureKind.DENIED, FailureKind.CASCADE})


def _cost(
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
        elsewhere += [f"{len(actions) - main - user} in {plural(lanes, 'lane')} of sub-agents"] if lanes else []
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
    steps = [1, len(case.timeline.lane())] if case.timeline.lane() else []
    part = " The recording begins after a compaction; what came before it isn't counted."
    yield f"{', '.join(parts)}.{part if summary.begins_after_compaction else ''}{_trouble(case, spending)}", steps


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
    return f" Of this, steps {where}{lane} took {', '.join(parts)}."
