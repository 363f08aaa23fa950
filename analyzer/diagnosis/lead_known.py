"""How it's known what came out: the verdict, the checks on the delivered state, and what could be judged at all.

What the checks that passed cover; the calls of the model that failed, which no action shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from analyzer.commands.runners import script
from analyzer.commands.table import Does, knows
from analyzer.diagnosis.end import End
from analyzer.diagnosis.grounding import grounding
from analyzer.diagnosis.labels import Said, call_text, numbered, of_them_expected, some
from analyzer.model.action import Action
from analyzer.model.diagnosis import ANSWERED
from analyzer.model.postmortem import Outcome
from analyzer.model.session import EMPTY_ANSWER, Message
from analyzer.model.words import MAIN_LANE, Basis, DeliverableKind, Ending, Kind, NotRun, OutcomeStatus, Status, whose
from analyzer.text.clip import clip, middle
from analyzer.text.english import capital, listed, one_or_many, plural, times
from analyzer.text.excerpts import informative_parts
from analyzer.text.markdown import code
from analyzer.timeline.closing.user_answers import not_ended, only_answered
from analyzer.timeline.verification.checks import in_hooks, passed_hooks, verb_of
from analyzer.timeline.verification.proof import Proof

_MOST_VALUES, _MOST_HOOKS = 3, 5


def known(end: End, outcome: Outcome, headline: str) -> Iterator[Said]:
    """The outcome with its reason where the headline doesn't give it, the best check, and the failed steps."""
    last = end.closing_message if end.actions and outcome.basis is Basis.CLAIM else None
    traced = grounding(end) if last is not None and last.is_value else None
    if traced is not None and traced.found:
        at = max(traced.found.values())
        yield f"A value from the result of step {at} was handed in.", [at]
    unknown = outcome.basis is Basis.NONE and outcome.status is OutcomeStatus.UNKNOWN
    if outcome.reason.rstrip(".") not in headline and not unknown and not headline.startswith(ANSWERED):
        unsure = outcome.confidence < 0.6 and outcome.status is not OutcomeStatus.UNKNOWN
        sure = f" (confidence {outcome.confidence:.0%})" if unsure else ""
        yield f"{outcome.reason.rstrip('.')}{sure}." if sure else outcome.reason, outcome.evidence_steps
    if not end.actions:
        return
    turned = end.turned
    if turned is not None and turned[0].step not in outcome.evidence_steps:
        check, failed = turned
        before = f"{code(call_text(check, 90), 90)} failed on the original code (step {failed.step})"
        yield f"{before} and passes on what was delivered (step {check.step}).", [failed.step, check.step]
    best = end.best if turned is None or turned[0] is not end.best else None
    changes = bool(end.edits or end.delivery.files)
    if best is not None and (in_hooks(best) or (changes and end.changed is None)):
        best = None  # no check speaks of what isn't code
    if best is not None and end.proof(best) > Proof.RAN and best.step not in outcome.evidence_steps:
        text = f"{code(call_text(best, 90), 90)} passed{' on the delivered state' * changes} at step {best.step}."
        yield text, [best.step]
    # No other sentence names the checks in the hooks of the last commit or push.
    ran = next((action for action in reversed(end.actions) if passed_hooks(action)), None)
    if ran is not None:
        names = some([code(clip(name, 40)) for name in passed_hooks(ran)], _MOST_HOOKS)
        whose = f"hooks of {code(verb_of(ran))}" if verb_of(ran) else "checks on the server"
        yield f"The {whose} passed at step {ran.step}: {names}.", [ran.step]


def made_up(end: End) -> Iterator[Said]:
    """The values of an answer, or of what is handed in, that nothing in the session holds."""
    left = end.deliverable if end.actions else None
    changed = not end.actions or bool(end.edits) or (left is not None and left.kind is DeliverableKind.CHANGE)
    handed_in = bool(end.actions) and end.closing_message is not None and end.closing_message.is_value
    traced = grounding(end) if handed_in or not changed else None
    if traced is not None and traced.missing:
        values = some([code(clip(value, 80)) for value in traced.missing], _MOST_VALUES)
        yield f"The last words name {values}, which no result and no message to the agent holds.", [end.last.step]


def looked_at(end: End) -> Iterator[Said]:
    """Of a session without trouble: what the results say of their steps, and which of them failed."""
    made = [action for action in end.case.timeline.actions if not action.harness and end.case.main is None]
    if not made:
        return
    held_back = [not_ended(action) if action.failure is not None else None for action in made]
    failed = [action for action, why in zip(made, held_back, strict=True) if action.failure is not None and why is None]
    judged = sum(
        why is None and action.status is not Status.UNKNOWN for action, why in zip(made, held_back, strict=True)
    )
    all_known = len(made) - judged <= 1  # the call that ends a session has no result
    parts = [] if all_known else [f"{plural(judged, 'result')} of {plural(len(made), 'action')} could be judged"]
    if replies := sum(map(only_answered, made)):
        said = one_or_many(
            replies, "1 call was answered by another agent", f"{replies} calls were answered by other agents"
        )
        parts = [*(parts if judged else []), said]
    if failed:
        first = failed[0].failure
        known_end = first is not None and bool(first.message) and first.message in (end.session.ending_detail or "")
        shown = ""
        if first is not None and not known_end:
            at_first = "first " if len(failed) > 1 else ""
            shown = f", {at_first}{code(informative_parts(first.headline, 100, middle), 100)}"
        count = f"{len(failed)} of {plural(len(made), 'action')}" if all_known else str(len(failed))
        parts.append(f"{count} failed ({_places(failed)}{shown}){of_them_expected(failed)}")
    elif judged:
        parts.append("no action failed" if all_known else "none failed")
    for reason in NotRun:
        if skipped := [action for action, why in zip(made, held_back, strict=True) if why is reason]:
            was = one_or_many(len(skipped), "was", "were")
            parts.append(f"{plural(len(skipped), 'call')} {was} {reason} ({_places(skipped)})")
    steps = [action.step for action in failed if action.lane == MAIN_LANE][:20]
    if parts:
        yield f"{capital('; '.join(parts))}.", steps or [action.step for action in end.actions[-1:]]


def _places(actions: Sequence[Action]) -> str:
    """The steps of some actions: those of the main lane by number, those of sub-agents counted."""
    main = [action.step for action in actions if action.lane == MAIN_LANE]
    others = len(actions) - len(main)
    parts = [numbered(main, 5)] if main else []
    return listed([*parts, *([f"{others} of {whose(action.lane for action in actions)}"] if others else [])])


def failed_calls(end: End) -> Iterator[Said]:
    """How many calls of the model failed, with what was said most often, and how many of its answers were empty."""
    texts = [message.text for message in _messages(end) if message.failed]
    crash = end.session.ending_detail if end.session.ending is Ending.CRASHED else end.session.broke
    if texts and texts == [crash]:
        return  # which is the outcome's reason already
    said = [text for text in texts if text != EMPTY_ANSWER]
    empty = len(texts) - len(said)
    parts = []
    if said:
        words, count = Counter(informative_parts(text, 80, clip) for text in said).most_common(1)[0]
        often = f"{times(count)} " if len(said) > 1 else ""
        parts.append(f'{plural(len(said), "model call")} failed ({often}"{words}")')
    if empty:
        parts.append(f"{plural(empty, 'answer')} of the model {one_or_many(empty, 'was', 'were')} empty")
    if parts:
        yield f"{listed(parts)}.", [end.last.step] if end.actions else []


def _messages(end: End) -> list[Message]:
    return [event for event in end.session.events if isinstance(event, Message) and event.lane == MAIN_LANE]


_QUIET = Does.RECORDS | Does.HANDLES | Does.SHOWS | Does.ASKS
_INLINE = frozenset({"-c", "-e", "--eval", "-"})


def covered(end: End, outcome: Outcome) -> Iterator[Said]:
    """Of a change that is said to be done: that only the agent's own scripts ran on it."""
    claimed = outcome.status in (OutcomeStatus.SUCCEEDED, OutcomeStatus.UNKNOWN) and outcome.basis is not Basis.VERDICT
    if not claimed or not end.actions or end.changed is None or not end.reported_done:
        return
    ran = end.ran_on_delivered
    if not end.modified or not ran or not all(_is_own(end, action) for action in ran):
        return
    steps = [action.step for action in ran]
    given = sum(end.proofs.task_code.is_run_by(action) for action in ran)
    own = "the agent's own scripts and the code given in the task" if given else "the agent's own scripts"
    what = "the code given in the task" if given == len(ran) else own
    yield f"Only {what} ran on what was delivered ({numbered(steps, 6)}); no test of the project did.", steps[:20]


def _is_own(end: End, action: Action) -> bool:
    """Whether a call runs nothing but scripts that the agent wrote, or code that is in the call itself."""
    if action.kind not in (Kind.RUN, Kind.TEST) or action.operation.runner or action.operation.command is None:
        return False
    ran = [entry for entry in action.operation.commands if not knows(entry.program, _QUIET)]
    for entry in ran:
        name = script(entry)
        if name is not None:
            if not end.delivery.made_by_agent(name, action.operation.directory or action.directory):
                return False
        elif not knows(entry.program, Does.RUNTIME) or not (_INLINE & set(entry.args) or not entry.args):
            return False
    return bool(ran)
