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

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.signals.failure_advice import edit_again
from analyzer.detectors.signals.loop_words import is_spoken
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.detectors.signals.wanted import (
    A_CHANGE,
    CODE,
    NEEDLESS,
    NO_EDIT,
    may_change,
    wants_change,
    wants_change_around,
)
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.words import MAIN_LANE, Ending, FailureKind, Kind, Severity
from analyzer.speech.acts import Act
from analyzer.speech.heard import first_with, heard
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import listed
from analyzer.text.markdown import code
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


class GaveUpOptions(Options):
    """Options of this detector."""

    nothing: bool = True
    """Also report work that is handed in without any edit."""
    actions: int = Field(default=1, ge=1)
    """How many actions a session without edits must have."""


OPTIONS = GaveUpOptions.usual()


def detect(facts: Facts, options: GaveUpOptions) -> Iterable[Finding]:
    """The words, or the lack of any work."""
    session = facts.timeline.session
    actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
    if not actions or ended_by_others(session) or session.ending is Ending.SOLVED or still_going(session):
        return
    last = actions[-1]
    if limit_beside(facts.timeline) is not None:
        return
    closing = closing_words(facts.timeline, last)
    looks, verdict = _could_look(actions), own_verdict(last)
    reported = f"{verdict.argument}: {verdict.value}" if verdict is not None and not verdict.partly else None
    quote = first_with(closing, Act.GIVES_UP, *([Act.ASKS_FOR_INPUT] if looks else [])) or reported
    tried = [action for action in actions if action.kind is not Kind.FINISH]
    if tried and all(map(_turned_down, tried)):
        quote = quote or next((one.quote for one in heard(closing)[:1] if one.does(Act.NOT_DONE)), None)
    if quote:
        part = bool(facts.delivery.files) and first_with(closing, Act.DONE) is not None
        title = "leaves a part of the task undone" if part else "stops without completing the task"
        left = "" if part else _trials_left(facts)
        yield _finding(
            facts,
            "said-so",
            f'The agent {title}: "{clip(quote, 120)}"{left}',
            quote,
            actions,
            0.5 if part else 0.75,
            Severity.HIGH,
        )
    elif options.nothing and len(actions) >= options.actions and _nothing(facts, actions, closing):
        tried = [action for action in actions if action.operation.edits or action.kind is Kind.EDIT]
        words = {1: "the only edit was", 2: "both edits were"}
        refused = f"{words.get(len(tried), f'all {len(tried)} edits were')} rejected"
        what = refused if tried else "no file was changed"
        quote = clip(closing, 300) or f"{last.tool}: {clip(last.operation.target, 200)}"
        how = "submitted" if handed_in(session, last) else "reported as done"
        title = f"The task asks for a change, but the work is {how} although {what}"
        open_end = first_with(closing, Act.ABSENT, Act.ASKS_TO_SUPPLY)
        if open_end is not None and not tried:
            said = f'The agent ends without a change and says: "{clip(open_end, 120)}"'
            yield _finding(facts, "said-so", said, open_end, actions, 0.7)
            return
        yield _finding(facts, "handed-in-nothing", title, quote, actions, 0.7)
    elif (put_off := _left_to_others(facts, closing)) is not None:
        title = f'The agent ends without a change and says: "{clip(put_off, 160)}"{_trials_left(facts)}'
        yield _finding(facts, "said-so", title, put_off, actions, 0.7)


def _turned_down(action: Action) -> bool:
    """Whether a tool answered that it can't, rather than broke off."""
    failure = action.failure
    return failure is not None and failure.kind is not FailureKind.EXCEPTION and action.operation.command is None


def _could_look(actions: Sequence[Action]) -> bool:
    """Whether the agent could read files itself, and had changed nothing when it ended."""
    can_look = any(action.kind in (Kind.READ, Kind.SEARCH) and action.failure is None for action in actions)
    return can_look and not _done(actions)


def _done(actions: Sequence[Action]) -> bool:
    """Whether anything was changed."""
    return any(action.accepted_edits for action in actions)


def _nothing(facts: Facts, actions: Sequence[Action], closing: str) -> bool:
    """Whether work is handed in that can't be any: the task wants code changed, and nothing that ran could have changed
    it."""
    task = (facts.timeline.session.task or "")[:20_000]
    ended = handed_in(facts.timeline.session, actions[-1]) or claim_of(facts.timeline, actions) is not None
    done = ended and actions[-1].failure is None
    refused = any(
        action.kind is Kind.EDIT and action.failure is not None and not action.accepted_edits for action in actions
    )
    if not done or len(facts.timeline.lanes()) > 1 or any(action.compacted_before for action in actions):
        return False
    wanted = (
        wants_change(task) and CODE.search(task) and not NO_EDIT.search(task[:400]) and not NEEDLESS.search(closing)
    )
    if not (refused or wanted):
        return False
    history = facts.timeline.history
    unknown = history is not None and any(taken.unknown for taken in history.taken)
    return not unknown and not any(may_change(action) for action in actions)


def _left_to_others(facts: Facts, closing: str) -> str | None:
    """The sentence by which the agent leaves the change that was asked for to others or to later, having made none."""
    asked = asked_for(facts.timeline)[:20_000]
    if not wants_change(asked) and not wants_change_around(facts):
        return None
    if NO_EDIT.search((facts.timeline.session.task or "")[:400]) or NEEDLESS.search(closing) is not None:
        return None
    if facts.delivery.files or len(facts.timeline.lanes()) > 1:
        return None
    if (others := first_with(closing, Act.LEAVES_TO_OTHERS)) is not None:
        return others
    # A report of nothing begins with it.
    first = [said for said in heard(closing)[:1] if said.does(Act.NOT_DONE) and not said.does(Act.DONE, Act.ABSENT)]
    looked = not handed_in(facts.timeline.session, facts.lane(MAIN_LANE)[-1]) and any(
        action.kind in (Kind.READ, Kind.SEARCH) for action in facts.lane(MAIN_LANE)
    )
    return first[0].quote if first and looked else None


def _trials_left(facts: Facts) -> str:
    """What a session leaves behind, where that's nothing but trials."""
    delivery = facts.delivery
    if delivery.files or not delivery.scratch:
        return ""
    return f"; only its own experimental files are left ({_names([one.file for one in delivery.scratch])})"


def _names(files: Sequence[str]) -> str:
    return listed([code(clip_path(path, 60)) for path in files[:3]])


def _is_untried(facts: Facts, actions: Sequence[Action], said: str) -> bool:
    """Whether code is to be changed, by the task or by the words that give up, and no call tried to: none edits or
    writes a file."""
    task = (facts.timeline.session.task or "")[:20_000]
    wanted = (wants_change(task) or A_CHANGE.search(said)) and CODE.search(task) and not NO_EDIT.search(task[:400])
    several = len(actions) > 2 and len(facts.timeline.lanes()) == 1
    return bool(wanted) and several and not any(action.kind is Kind.EDIT or may_change(action) for action in actions)


def _finding(
    facts: Facts,
    kind: str,
    title: str,
    quote: str,
    actions: Sequence[Action],
    sure: float,
    severity: Severity = Severity.HIGH,
) -> Finding:
    last = actions[-1]
    trouble = next((action for action in reversed(actions) if action.failed and not is_spoken(action)), None)
    evidence = [Evidence(step=last.step, quote=clip(quote, 300))]
    advice = None
    if trouble is not None and trouble.failure is not None and last.step - trouble.step <= 10:
        evidence.insert(0, evidence_of(trouble))
        again = edit_again([trouble]) if trouble.failure.kind is FailureKind.EDIT_REFUSED else []
        advice = (
            again[0]
            if again
            else f"Remove what stopped it at step {trouble.step} ({clip(trouble.failure.headline, 100)}) before the "
            "next run."
        )
    elif kind == "handed-in-nothing":
        advice = (
            f"Reject {json.dumps(last.tool)} while the working tree is unchanged, and send the agent back to the task."
        )
    elif kind == "said-so" and _is_untried(facts, actions, quote):
        advice = f"Try the change before saying that it can't be made: none of the {len(actions)} actions edits a file."
    elif kind == "said-so" and _trials_left(facts):
        left = [change.file for change in facts.delivery.scratch]
        advice = f"Change what the task is about before ending: nothing but {_names(left)} is left."
    steps = sorted({entry.step for entry in evidence})
    return new_finding(
        f"gave-up/{kind}",
        severity=severity if sure > 0.5 else Severity.LOW,
        confidence=sure,
        title=title,
        steps=steps,
        detectable_at=last.step,
        evidence=evidence,
        advice=[advice] if advice is not None else [],
        cost=facts.cost(MAIN_LANE, actions[0].step, last.step),
    )
