"""The agent stops before the task is done and says so, or submits nothing.

What it flags
    A last message (or the text of the call that ends the session) in which the agent says that it couldn't do the task,
    that it leaves the change (and made none) to others or to later, that it's giving up, that it left a placeholder
    instead, that it needs something that the task names and that isn't there (at a lower severity), or in which it asks
    the user for files that it could have read itself (`said-so`); and a session that is submitted without a single
    successful edit although the task asks for a change to code (`handed-in-nothing`).

Why it matters
    The run was paid for and produced nothing. The agent's last message often names the obstacle that has to be
    removed before the next run.

What it does not flag
    Sessions ended by a limit (including one that was announced to the agent, or is recorded next to a verdict), a
    crash, the harness or the user, or judged to be right; work that is done except for something beyond the
    agent's reach (tests that couldn't be run, a missing permission, a push that was refused); a refusal that rules
    demand; questions, reviews and plans, which need no edit; a change that turned out to exist already.

Options
    nothing: also report work that is submitted without any edit (true).
    actions: how many actions a session without edits must have (1).

Example:
    After 33 steps the call `finish` says "I am unable to make the necessary changes to the parser".

"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Unpack

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.table import Given, new_finding
from analyzer.detectors.signals.advice import edit_again
from analyzer.detectors.signals.loop_words import is_spoken
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.detectors.signals.wanted import (
    CODE,
    NEEDLESS,
    NO_EDIT,
    may_change,
    wants_change,
    wants_change_around,
)
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Meta
from analyzer.model.words import MAIN_LANE, Ending, FailureKind, Kind, Severity
from analyzer.speech.acts import Act
from analyzer.speech.heard import first_with, heard
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.plain import holds_any
from analyzer.timeline.closing.ending import (
    asked_for,
    claim_of,
    closing_words,
    ended_by_others,
    handed_in,
    limit_beside,
    own_verdict,
    still_going,
)


class GaveUpOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    nothing: bool = True
    """Also report work that is handed in without any edit."""
    actions: Annotated[int, Meta(ge=1)] = 1
    """How many actions a session without edits must have."""


OPTIONS = GaveUpOptions()
_LOOKS = (Kind.READ, Kind.SEARCH)
_WORD = late(r"[a-z]{4,}")
_TELLING = 3
"""Words of a message by which it's known that it is handed on."""
_OUT_OF_STEPS = ("this is the last step,", "this is the last step and", "this is my last step", "out of steps")
"""How an agent says that it must end because it may take no more steps."""


def detect(facts: Facts, options: GaveUpOptions) -> Iterable[Finding]:
    """The words, or the lack of any work."""
    session = facts.timeline.session
    actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
    if not actions or ended_by_others(session) or session.ending is Ending.SOLVED or still_going(session):
        return
    if limit_beside(facts.timeline) is not None:
        return
    last = actions[-1]
    closing, verdict = closing_words(facts.timeline, last), own_verdict(last)
    if holds_any(f"{last.said}\n{closing}".lower(), _OUT_OF_STEPS):
        return
    reported = f"{verdict.argument}: {verdict.value}" if verdict is not None and not verdict.partly else None
    could_look = any(action.kind in _LOOKS and action.failure is None for action in actions)
    asks = [Act.ASKS_FOR_INPUT] if could_look and not any(action.accepted_edits for action in actions) else []
    quote = first_with(closing, Act.GIVES_UP, *asks) or reported
    if _all_turned_down(actions):
        quote = quote or next((one.quote for one in heard(closing)[:1] if one.does(Act.NOT_DONE)), None)
    if quote and facts.delivery.files and first_with(closing, Act.DONE) is not None:
        yield _said_so(facts, actions, quote, "left-a-part", severity=Severity.LOW, confidence=0.5)
    elif quote and (told := _answered_so(actions, quote)) is not None:
        by: Given = {"slots": {"step": told.step}, "severity": Severity.MEDIUM, "confidence": 0.75}
        yield _said_so(facts, actions, quote, "stopped-by", **by)
    elif quote:
        yield _said_so(facts, actions, quote, "stopped", confidence=0.75)
    elif options.nothing and len(actions) >= options.actions and _nothing(facts, actions, closing):
        edits = sum(bool(action.operation.edits) or action.kind is Kind.EDIT for action in actions)
        open_end = first_with(closing, Act.ABSENT, Act.ASKS_TO_SUPPLY)
        if open_end is not None and not edits:
            yield _said_so(facts, actions, open_end, "missed-something")
            return
        yield _finding(
            facts,
            actions,
            "gave-up/handed-in-nothing",
            clip(closing, 300) or f"{last.tool}: {clip(last.operation.target, 200)}",
            {0: "", 2: "both-refused"}.get(edits, "all-refused"),
            slots={"submitted": int(handed_in(session, last)), "edits": edits, "tool": json.dumps(last.tool)},
        )
    elif (put_off := _left_to_others(facts, closing)) is not None:
        yield _said_so(facts, actions, put_off, "put-off")


def _answered_so(actions: Sequence[Action], quote: str) -> Action | None:
    """The last of the agent's calls, where it failed in words that the agent hands on: what it was to fetch isn't
    there, say."""
    failed = next((action for action in reversed(actions) if action.kind is not Kind.FINISH), None)
    if failed is None or failed.failure is None:
        return None
    told, said = (set(_WORD.findall(text.lower())) for text in (failed.failure.message, quote))
    return failed if len(told & said) >= max(_TELLING, len(told) / 2) else None


def _all_turned_down(actions: Sequence[Action]) -> bool:
    """Whether every tool answered that it can't, rather than broke off."""
    tried = [action for action in actions if action.kind is not Kind.FINISH]
    kinds = {one.failure.kind if one.failure is not None and one.operation.command is None else None for one in tried}
    return bool(tried) and kinds.isdisjoint((None, FailureKind.EXCEPTION))


def _task(facts: Facts) -> str:
    return (facts.timeline.session.task or "")[:20_000]


def _nothing(facts: Facts, actions: Sequence[Action], closing: str) -> bool:
    """Whether work is handed in that can't be any: the task wants code changed, and nothing that ran could have changed
    it."""
    task, last, history = _task(facts), actions[-1], facts.timeline.history
    ended = handed_in(facts.timeline.session, last) or claim_of(facts.timeline, actions) is not None
    if not ended or last.failure is not None or len(facts.timeline.lanes()) > 1:
        return False
    if any(action.compacted_before for action in actions):
        return False
    edits = (action for action in actions if action.kind is Kind.EDIT)
    if all(action.failure is None or action.accepted_edits for action in edits) and (
        not wants_change(task) or not CODE.search(task) or NO_EDIT.search(task[:400]) or NEEDLESS.search(closing)
    ):
        return False
    unknown = history is not None and any(taken.unknown for taken in history.taken)
    return not unknown and not any(map(may_change, actions))


def _left_to_others(facts: Facts, closing: str) -> str | None:
    """The sentence by which the agent leaves the change that was asked for to others or to later, having made none."""
    if not wants_change(asked_for(facts.timeline)[:20_000]) and not wants_change_around(facts):
        return None
    if NO_EDIT.search(_task(facts)[:400]) or NEEDLESS.search(closing) is not None:
        return None
    if facts.delivery.files or len(facts.timeline.lanes()) > 1:
        return None
    if (others := first_with(closing, Act.LEAVES_TO_OTHERS)) is not None:
        return others
    # A report of nothing begins with it.
    first = [said for said in heard(closing)[:1] if said.does(Act.NOT_DONE) and not said.does(Act.DONE, Act.ABSENT)]
    actions = facts.lane(MAIN_LANE)
    looked = any(action.kind in _LOOKS for action in actions)
    return first[0].quote if first and looked and not handed_in(facts.timeline.session, actions[-1]) else None


def _said_so(facts: Facts, actions: Sequence[Action], quote: str, words: str, **given: Unpack[Given]) -> Finding:
    """What the agent says of its end, and what it leaves behind where that's nothing but trials."""
    trials = [one.file for one in facts.delivery.scratch] if not facts.delivery.files else []
    if trials and words in ("stopped", "put-off"):
        words = f"{words}-with-trials"
    given["slots"] = {**given.get("slots", {}), "quote": quote, "actions": len(actions), "trials": trials[:3]}
    return _finding(facts, actions, "gave-up/said-so", quote, words, **given)


def _finding(
    facts: Facts, actions: Sequence[Action], name: str, quote: str, words: str, **given: Unpack[Given]
) -> Finding:
    last = actions[-1]
    trouble = next((action for action in reversed(actions) if action.failed and not is_spoken(action)), None)
    given["evidence"] = evidence = [Evidence(step=last.step, quote=clip(quote, 300))]
    if trouble is not None and trouble.failure is not None and last.step - trouble.step <= 10:
        evidence.insert(0, evidence_of(trouble))
        if trouble.failure.kind is FailureKind.EDIT_REFUSED and (again := edit_again([trouble])):
            given["advice"] = again[:1]
    return new_finding(
        name,
        words=words,
        steps=sorted({entry.step for entry in evidence}),
        cost=facts.cost(MAIN_LANE, actions[0].step, last.step),
        **given,
    )
