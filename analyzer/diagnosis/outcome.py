"""How a session ended, with the evidence: an ordered list of rules, of which the first that applies decides.

What the log records comes first where it's a fact (a limit, a crash, a judgement by somebody else than the agent). What
the agent says is a claim: it counts only together with a check that ran after the last change and passed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from analyzer.detectors.engine.registry import first_with
from analyzer.detectors.engine.traits import Trait
from analyzer.diagnosis.case import Case
from analyzer.model.action import Action
from analyzer.model.finding import LostInput
from analyzer.model.postmortem import Outcome
from analyzer.model.words import MAIN_LANE, Ending, Kind, LoopKind, OutcomeStatus, Severity
from analyzer.text.clip import clip
from analyzer.text.markdown import code
from analyzer.timeline.checks import HANDLES_FILES, changes_code, is_check
from analyzer.timeline.ending import closing_words, handed_in, own_verdict, says_failed, still_going

_GAVE_UP = re.compile(
    r"\b(?:unable to (?:continue|proceed|complete|resolve|fix|find|get)|can(?:'t|not|no longer) (?:continue"
    r"|proceed|complete|be completed)|giv(?:e|ing) up|"
    r"stop(?:ping)? here|have(?:n't| not) (?:found|been able|managed)|outside the capabilities|could(?:n't| not) "
    r"(?:complete|finish|resolve|fix|get|find|make)|did(?:n't| not) (?:manage|succeed)|was(?:n't| not) able to"
    r"|am(?: not|n't) able to|"
    r"without (?:having )?(?:fix|resolv|solv)\w+|I(?:'m| am) (?:stuck|out of ideas))",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?]\s+|\n\s*")
_CLAUSE_END = re.compile(r"[,;:]\s+")
_WORD_END = re.compile(r"\s+")
_AS_MUCH = 200
"""Characters of an answer by which it's recognised in what is written later."""
_LEAD = 60
"""How many characters before the words that gave up are quoted at most, unless there is no space among them."""
_LOOKING = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.WAIT, Kind.FINISH})
_RECORDED = {
    Ending.STUCK: (OutcomeStatus.STUCK, 0.9, "the harness ended the session as stuck"),
    Ending.CRASHED: (OutcomeStatus.CRASHED, 0.95, "the harness, the model service or the environment broke"),
    Ending.LIMIT: (OutcomeStatus.LIMIT_REACHED, 0.95, "a limit ended the session"),
    Ending.CANCELLED: (OutcomeStatus.ABANDONED, 0.8, "the user interrupted the session"),
    Ending.SOLVED: (OutcomeStatus.SUCCEEDED, 0.95, "the recorded evaluation says that the task was solved"),
    Ending.UNSOLVED: (OutcomeStatus.FAILED, 0.95, "the recorded evaluation says that the task was not solved"),
}


class _End:
    """A session as its end shows it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.session = case.timeline.session
        self.actions = [action for action in case.timeline.lane(MAIN_LANE) if not action.harness]
        self.edits = [action for action in self.actions if action.kind is Kind.EDIT and action.failure is None]
        self.edits_of_code = [action for action in self.edits if _to_code(action)]

    @cached_property
    def last(self) -> Action:
        return self.actions[-1]

    @cached_property
    def closing(self) -> str:
        """What the agent said last."""
        return closing_words(self.case.timeline, self.last)

    @cached_property
    def checks(self) -> list[Action]:
        """What checked the work, whenever it did."""
        edited = [entry.path for edit in self.edits for entry in edit.operation.edits]
        return [action for action in self.actions if is_check(action, edited)]

    @cached_property
    def reported_done(self) -> bool:
        """Whether the agent ended the session itself, or with words."""
        return handed_in(self.session, self.last) or bool(self.closing)

    @cached_property
    def changed(self) -> Action:
        """The last edit, of code where any was changed."""
        return (self.edits_of_code or self.edits)[-1]

    @cached_property
    def final_check(self) -> Action | None:
        """What checked the last edit: the last test that passed, else the last check."""
        after = [action for action in self.checks if action.step > self.changed.step]
        tests = [action for action in after if action.kind is Kind.TEST and action.failure is None]
        return next(reversed(tests or after), None)


def outcome_of(case: Case) -> Outcome:
    """The outcome in one word, why, and the steps that show it."""
    end = _End(case)
    for rule in _RULES:
        outcome = rule(end)
        if outcome is not None:
            return outcome
    if len(end.actions) > 1 and all(action.result is None for action in end.actions):
        return _unknown(f"No result of the {len(end.actions)} actions is recorded", end.last)
    return _unknown("The session doesn't show whether the task was completed", end.last)


def _stuck(end: _End) -> Outcome | None:
    """It ended inside a loop."""
    loop = end.case.loop
    if loop is None or loop.escaped or loop.lane != MAIN_LANE or loop.severity is not Severity.HIGH:
        return None
    detail = end.session.ending_detail
    ended = f" ({clip(detail, 120).rstrip('.')})" if detail else ""
    name = {
        "alternating": loop.pattern,
        "repeated-error": "repeated error",
        "repeated-call": "repeated call",
        "cycle": "cycle",
    }.get(loop.kind) or loop.kind
    after = f"after step {loop.last_step}" if loop.last_step else "before the first step"
    where = after if loop.kind == LoopKind.MONOLOGUE else f"of steps {loop.first_step}-{loop.last_step}"
    what = "turns with the same message" if loop.kind == LoopKind.MONOLOGUE else "rounds with the same result"
    reason = f"It ended inside the {name} {where}, after {loop.rounds} {what}{ended}"
    return _outcome(OutcomeStatus.STUCK, round(min(0.95, loop.confidence), 2), reason, loop.last_step)


def _recorded(end: _End) -> Outcome | None:
    """The log records how it ended, as a fact."""
    if end.session.ending not in _RECORDED:
        return None
    status, sure, why = _RECORDED[end.session.ending]
    detail = f": {clip(end.session.ending_detail, 200)}" if end.session.ending_detail else ""
    return _outcome(status, sure, f"{why}{detail}", *([end.last] if end.actions else []))


def _without_actions(end: _End) -> Outcome | None:
    return None if end.actions else _unknown("The log holds no action")


def _unfinished(end: _End) -> Outcome | None:
    """The log was written before the session ended."""
    if not still_going(end.session):
        return None
    return _unknown(f"The log stops while the session was still `{end.session.recorded_status}`", end.last)


def _own_verdict(end: _End) -> Outcome | None:
    """The agent itself says that the task isn't done."""
    verdict = own_verdict(end.last)
    if verdict is None:
        return None
    return _outcome(OutcomeStatus.FAILED, 0.8, f"The agent itself reports the task as {verdict.words}", end.last)


def _says_given_up(end: _End) -> Outcome | None:
    """The agent ends it without a result, in words or by the call for it, after which some harnesses submit."""
    gave_up = _GAVE_UP.search(end.closing)
    ends = [action for action in end.actions[-3:] if action.kind is Kind.FINISH]
    if gave_up is None and not any(says_failed(action) for action in ends[-2:]):
        return None
    said = f': "{clip(_from_sentence(end.closing, gave_up.start()), 140)}"' if gave_up else ""
    return _outcome(OutcomeStatus.ABANDONED, 0.7, f"The agent ended it without a result{said}", end.last)


def _given_up(end: _End) -> Outcome | None:
    """A finding says that the agent ended it without a result."""
    serious = (finding for finding in end.case.findings if finding.severity is Severity.HIGH)
    finding = first_with(serious, Trait.ENDS_WITHOUT_RESULT)
    if finding is None:
        return None
    return _outcome(OutcomeStatus.ABANDONED, round(finding.confidence * 0.9, 2), finding.title, *finding.steps)


def _doubtful(end: _End) -> Outcome | None:
    """A finding says that nothing that ran supports the claim."""
    finding = first_with(end.case.findings, Trait.DOUBTS_SUCCESS)
    if finding is None:
        return None
    if finding.kind in ("failed-check", "only-scratch-files"):
        return _outcome(OutcomeStatus.FAILED, 0.7, finding.title, *finding.steps)
    return _unknown(finding.title, *finding.steps)


def _refusal_handed_on(end: _End) -> Outcome | None:
    """The last thing that was written is an answer which says that it lacks its input."""
    lost = [finding.details.answered_at for finding in end.case.findings if isinstance(finding.details, LostInput)]
    if not lost or not end.edits:
        return None
    last = end.edits[-1]
    answers = {action.step: (action.result or "").strip()[:_AS_MUCH] for action in end.actions}
    texts = [edit.after or "" for edit in last.operation.edits]
    for step in lost:
        answer = answers.get(step, "")
        if answer and any(answer in text for text in texts):
            path = code(clip(last.operation.path or last.operation.target, 80))
            reason = (
                f"The last thing written, at step {last.step} to {path}, is the answer of step {step} that its "
                "input is missing"
            )
            return _outcome(OutcomeStatus.FAILED, 0.75, reason, step, last)
    return None


def _accepted(end: _End) -> Outcome | None:
    """What was handed in was accepted, after it had been refused."""
    refused = [action for action in end.actions if action.kind is Kind.FINISH and action.failure is not None]
    if not refused or end.last.kind is not Kind.FINISH or end.last.failure is not None:
        return None
    reason = f"The submission at step {end.last.step} was accepted, after a rejection at step {refused[-1].step}"
    return _outcome(OutcomeStatus.SUCCEEDED, 0.8, reason, refused[-1], end.last)


def _checked(end: _End) -> Outcome | None:
    """The last check after the last edit passed."""
    final = end.final_check if end.edits and end.reported_done else None
    if final is None or final.failure is not None:
        return None
    what = code(clip(final.operation.target, 100))
    sure = 0.8 if final.kind is Kind.TEST else 0.65
    reason = f"The last check after the last edit passed (step {final.step}: {what})"
    return _outcome(OutcomeStatus.SUCCEEDED, sure, reason, final)


def _unchecked(end: _End) -> Outcome | None:
    """The agent reports that it's done, and no check ran after the last edit."""
    if not end.edits or not end.reported_done or end.final_check is not None:
        return None
    changed = end.changed
    if not end.edits_of_code:
        reason = "The agent reports that it is done; no runnable code was changed"
        return _outcome(OutcomeStatus.SUCCEEDED, 0.4, reason, end.edits[-1])
    ran = next((action for action in reversed(end.actions) if action.step > changed.step and _runs(action)), None)
    if ran is None:
        reason = (
            "The agent reports that it is done; no check is recorded after the last change to code (step "
            f"{changed.step})"
        )
        return _unknown(reason, changed)
    reason = (
        f"The agent reports that it is done; what ran after the last change to code (step {ran.step}: "
        f"{code(clip(ran.operation.target, 80))}) isn't recognised as a check"
    )
    return _outcome(OutcomeStatus.SUCCEEDED, 0.4, reason, changed, ran)


def _last_failed(end: _End) -> Outcome | None:
    failure = end.last.failure
    if failure is None or failure.expected:
        return None
    reason = f"The last action failed (step {end.last.step}: {clip(failure.headline, 120)})"
    return _outcome(OutcomeStatus.FAILED, 0.5, reason, end.last)


def _answered(end: _End) -> Outcome | None:
    """The agent only looked around, and answered at length."""
    looked = all(action.kind in _LOOKING or is_check(action) for action in end.case.timeline.actions)
    if end.edits or not looked or end.session.ending is Ending.SUBMITTED or len(end.closing) <= 200:
        return None
    passed = [check.step for check in end.checks if check.failure is None]
    if not passed:
        reason = "The agent answered at the end; it only read and searched, and changed nothing"
    elif len(passed) == 1:
        reason = f"The agent answered at the end and a check passed at step {passed[0]}; it changed nothing"
    else:
        reason = (
            f"The agent answered at the end and {len(passed)} checks passed, the last at step {passed[-1]}; it changed "
            "nothing"
        )
    return _outcome(OutcomeStatus.SUCCEEDED, 0.5, reason, end.last)


_RULES: tuple[Callable[[_End], Outcome | None], ...] = (
    _stuck,
    _recorded,
    _without_actions,
    _unfinished,
    _own_verdict,
    _says_given_up,
    _given_up,
    _doubtful,
    _refusal_handed_on,
    _accepted,
    _checked,
    _unchecked,
    _last_failed,
    _answered,
)


def _to_code(action: Action) -> bool:
    """Whether an edit went to a file that looks like code: one with an extension that isn't a document's."""
    paths = [edit.path for edit in action.operation.edits]
    return changes_code(action) and any("." in path.rsplit("/", 1)[-1][1:] for path in paths)


def _runs(action: Action) -> bool:
    return (
        action.kind is Kind.RUN
        and action.failure is None
        and any(entry.program not in HANDLES_FILES for entry in action.operation.commands)
    )


def _from_sentence(text: str, position: int) -> str:
    """The text from the beginning of the sentence in which `position` lies; of a long one from the last clause, else
    the words that lead to it."""
    for boundary in (_SENTENCE_END, _CLAUSE_END, _WORD_END):
        near = [
            start
            for start in (0, *(found.end() for found in boundary.finditer(text, 0, position)))
            if position - start <= _LEAD
        ]
        if near:
            return text[near[0] :]
    return text[position:]


def _outcome(status: OutcomeStatus, sure: float, reason: str, *shown: Action | int) -> Outcome:
    steps = [entry if isinstance(entry, int) else entry.step for entry in shown]
    return Outcome(status=status, confidence=sure, reason=_sentence(reason), evidence_steps=steps)


def _unknown(reason: str, *shown: Action | int) -> Outcome:
    return _outcome(OutcomeStatus.UNKNOWN, 0.5, reason, *shown)


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
