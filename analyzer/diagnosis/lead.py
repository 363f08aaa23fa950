"""The lead: the statements that say the whole session in a few lines, and which of them are on the first screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.end import End
from analyzer.diagnosis.labels import Said
from analyzer.diagnosis.lead_cost import counted, stands_out
from analyzer.diagnosis.lead_delivered import delivered, said_last
from analyzer.diagnosis.lead_known import covered, failed_calls, known, looked_at, made_up
from analyzer.diagnosis.root_cause import RootCause
from analyzer.diagnosis.story import requests_text
from analyzer.model.diagnosis import ANSWERED, Approach, Improvement, Part, Statement
from analyzer.model.ledger import LedgerEntry, Reaction
from analyzer.model.postmortem import Outcome, TimelineRow
from analyzer.model.session import Message, ToolCall
from analyzer.model.session_summary import SessionSummary
from analyzer.model.spending import Spending
from analyzer.model.words import MAIN_LANE, DeliverableKind, Severity, TurnKind
from analyzer.task.prose import own_words, sentences
from analyzer.text.clip import clip_path, one_line, quote, without_marks
from analyzer.text.english import listed, plural, times
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.sentences import repeats
from analyzer.timeline.closing.user_answers import only_answered

FIRST_SCREEN = 120
"""Words of the first screen with the headline; the task is always there, and what goes beyond is below."""
_LABEL = 3
"""Words that a row has besides its statement."""
_WORD = late(r"`[^`\n]{1,300}`\S*|\S+")
"""A word; a span of code is one."""
_STEP = late(r"\bsteps? \d", re.IGNORECASE)
_SAME = 60
"""Characters by which two quotations are the same."""
_WEIGHT: tuple[Part, ...] = ("asked", "wrong", "next", "known", "user", "said", "delivered", "cost")
"""The parts by what a reader needs first: the first statement of each is on the first screen as far as they fit."""


def lead_of(
    end: End,
    facts: tuple[SessionSummary, Spending | None, Sequence[TimelineRow]],
    outcome: Outcome,
    headline: str,
    cause: RootCause,
    contributing: Sequence[str],
    advice: tuple[Sequence[Approach], Sequence[Improvement]],
    ledger: Sequence[LedgerEntry],
) -> list[Statement]:
    """What was asked, delivered and shown, what went wrong, what the user thought, what it cost, and what to do
    next."""
    case = end.case
    asked = list(_asked(case, ledger))
    made = [action for action in case.timeline.actions if not action.harness]
    handed_on = headline.startswith(ANSWERED) and bool(made) and all(map(only_answered, made))
    requests = [(requests_text(case.timeline.session, made), [made[0].step])] if handed_on else []
    of_state = (*made_up(end), *requests, *known(end, outcome, headline), *covered(end, outcome))
    candidates = [
        *_stated("asked", asked),
        *_stated("delivered", delivered(end, outcome)),
        *_stated("said", said_last(end, outcome)),
        *_stated("known", (entry for entry in of_state if not repeats(entry[0], [headline]))),
        *(entry for entry in _wrong(case, cause, contributing) if not repeats(entry.text, [headline])),
        *_stated("user", reactions(ledger, asked[-1][0] if asked else "")),
        *_stated("cost", stands_out(case, *facts[:2])),
        *_next(case, *advice),
    ]
    first = _first(candidates, headline, outcome)
    marked = [entry.model_copy(update={"first": True}) if entry in first else entry for entry in candidates]
    about = case.cause or case.main
    steps, lane = (about.steps[:20], about.lane) if about is not None else ([], MAIN_LANE)
    more = [Statement(part="wrong", text=cause.more, steps=steps, lane=lane)] if cause.more else []
    of_steps, cost = _stated("steps", (*looked_at(end), *failed_calls(end))), _stated("cost", counted(case, *facts))
    return [*marked, *more, *of_steps, *cost]


def _stated(part: Part, entries: Iterable[Said]) -> Iterator[Statement]:
    return (Statement(part=part, text=text, steps=steps) for text, steps in entries)


def _first(said: Sequence[Statement], headline: str, outcome: Outcome) -> list[Statement]:
    """The statements of the first screen: of each part the first, by weight, as far as the words suffice. What the
    headline says of the user and of the files isn't said again, and closing words are only quoted where they are all
    that there is."""
    left, chosen = outcome.deliverable, list[Statement]()
    words = len(_WORD.findall(f"{outcome.words} {headline}"))
    named = left is None or any(code(clip_path(path, size)) in headline for path in left.files[:1] for size in (60, 70))
    answers = left is not None and left.kind in (DeliverableKind.ANSWER, DeliverableKind.NOTHING)
    quoted = headline.startswith(ANSWERED) or (left is not None and not answers)
    silent = {"user": "The user" in headline, "delivered": named, "said": quoted}
    for part in _WEIGHT:
        entry = next((entry for entry in said if entry.part == part and not silent.get(part)), None)
        size = len(_WORD.findall(entry.text)) + _LABEL if entry is not None else 0
        if entry is not None and (part == "asked" or words + size <= FIRST_SCREEN):
            chosen.append(entry)
            words += size
    return chosen


def _wrong(case: Case, cause: RootCause, contributing: Sequence[str]) -> Iterator[Statement]:
    said = [(cause.text, case.cause or case.main)] if cause.text else []
    others = [finding for finding in case.findings if finding not in (case.main, case.cause)]
    told = ((text, next((one for one in others if one.title.rstrip(".") in text), None)) for text in contributing)
    weighty = ((text, one) for text, one in told if one is None or one.severity.rank >= Severity.MEDIUM.rank)
    for text, about in (*said, *islice(weighty, 3)):
        steps, lane = (about.steps[:20], about.lane) if about is not None else ([], MAIN_LANE)
        yield Statement(part="wrong", text=text, steps=steps, lane=lane)


def _next(case: Case, proposals: Sequence[Approach], improvements: Sequence[Improvement]) -> Iterator[Statement]:
    last, lane = (case.main.last_step, case.main.lane) if case.main is not None else (0, MAIN_LANE)
    for proposal in proposals[:1]:
        yield Statement(part="next", text=f"{proposal.title}: {proposal.text}", steps=[max(1, last)], lane=lane)
    for item in improvements[: 1 - len(proposals[:1])]:
        text = f"{item.title.rstrip('.')}."
        if last >= 1 and _STEP.search(text) is None:
            text = f"{text.rstrip('.')} (step {last})."
        yield Statement(part="next", text=text, steps=[max(1, last)], lane=lane)


def _asked(case: Case, ledger: Sequence[LedgerEntry]) -> Iterator[Said]:
    """The last words by which the user asked for something, and how many turns there were."""
    before = (None, *(entry.reaction for entry in ledger))
    asked = [
        entry
        for entry, reaction in zip(ledger, before, strict=False)
        if entry.text and (entry.kind in _ASKS or (entry.kind is TurnKind.OTHER and _is_taken_up(entry, reaction)))
    ]
    if len(ledger) > 1 and asked:
        # The words with which a user ends a talk are answered by nothing.
        answered = [entry for entry in asked if entry.first_step is not None or entry.answer]
        last = (answered or asked)[-1]
        steps = [step for step in (last.first_step, last.last_step) if step is not None]
        which = "correction" if last.kind is TurnKind.CORRECTION else "request"
        text = f'The last {which} of {plural(len(ledger), "turn")}: "{_with_question(last.text)}"'
        yield text, list(dict.fromkeys(steps)) or [len(case.lane)][: len(case.lane)]
        return
    task = own_words((case.timeline.session.task or _first_words(case)).strip())
    text = f'"{_with_question(without_marks(task[:_READ]))}"' if task else "The words of the request aren't recorded."
    if task or any(message.unrecorded and message.role == "user" for message in case.timeline.messages):
        yield text, [1][: len(case.lane)]


def reactions(ledger: Sequence[LedgerEntry], asked: str) -> Iterator[Said]:
    """How often the user corrected or interrupted the agent, with the last words, unless what was `asked` has them."""
    by_kind = [[at for at in ledger if at.reaction is not None and at.reaction.kind in kinds] for kinds in _OBJECTIONS]
    corrected, stopped = by_kind
    parts = [f"corrected the agent {times(len(corrected))}"] if corrected else []
    parts += [f"interrupted {'it' if corrected else 'the agent'} {times(len(stopped))}"] if stopped else []
    if not parts:
        return
    last = max((*corrected[-1:], *stopped[-1:]), key=ledger.index)
    words = last.reaction.text if last.reaction is not None and last in corrected else ""
    words = "" if words[:_SAME] in asked else words
    said = f', the last time with "{words}"' if words and len(corrected) + len(stopped) > 1 else ""
    said = f': "{words}"' if words and not said else said
    steps = [entry.last_step for entry in (*corrected, *stopped) if entry.last_step is not None]
    yield f"The user {listed(parts)}{said}{'' if said else '.'}", sorted(set(steps))[:20]


_OBJECTIONS = (("corrects", "asks again"), ("interrupts",))
_READ = 4_000
"""Characters of a task that are looked at."""


def _is_taken_up(entry: LedgerEntry, reaction: Reaction | None) -> bool:
    """Whether words that ask for nothing known were worked on, or answered and no thanks for what was before."""
    thanks = reaction is not None and reaction.kind == "approves"
    return entry.first_step is not None or (bool(entry.answer) and not thanks)


def _with_question(task: str) -> str:
    """The beginning of a task, with its last question where that comes later."""
    shown = quote(task)
    asked = [one for one in sentences(task) if one.rstrip().endswith("?")] if "…" in shown and "?" not in shown else []
    question = one_line(asked[-1]) if asked else ""
    return f"{shown.rstrip(' …')} (…) {question}" if 0 < len(question) <= _QUESTION else shown


_QUESTION = 240
"""Characters of a question that is shown behind the beginning of a task."""
_ASKS = (TurnKind.REQUEST, TurnKind.CORRECTION)


def _first_words(case: Case) -> str:
    """What the user said before the first action; empty where that is not recorded."""
    for event in takewhile(lambda event: not isinstance(event, ToolCall), case.timeline.session.events):
        if isinstance(event, Message) and event.role == "user" and event.lane == MAIN_LANE:
            return event.text
    return ""
