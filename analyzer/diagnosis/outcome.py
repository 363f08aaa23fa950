"""How a session ended, with the evidence.

What the log records comes first where it's a fact (a limit, a crash, a judgement by somebody else than the agent). What
the agent says is a claim: it counts only together with a check that ran after the last change and passed.
"""

from __future__ import annotations

import re

from analyzer.detectors.unverified_success import HANDLES_FILES, changes_code
from analyzer.diagnosis.case import Case
from analyzer.model.action import Action
from analyzer.model.postmortem import Outcome
from analyzer.model.words import MAIN_LANE, Ending, Kind, LoopKind, OutcomeStatus, Severity
from analyzer.text.clip import clip
from analyzer.text.markdown import code
from analyzer.timeline.checks import is_check

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
_STILL_GOING = frozenset({"running", "in_progress", "in progress", "paused", "pending", "active"})
_FAILED_WORD = re.compile(r"^(?:fail|failed|give_?up|exit_forfeit|abort)$", re.IGNORECASE)


def outcome_of(case: Case) -> Outcome:
    """The outcome in one word, why, and the steps that show it."""
    session = case.timeline.session
    actions = [action for action in case.timeline.lane(MAIN_LANE) if not action.harness]
    stuck = _stuck(case)
    if stuck is not None:
        return stuck
    detail = clip(session.ending_detail, 200) if session.ending_detail else ""
    last = [actions[-1].step] if actions else []
    recorded = {
        Ending.STUCK: (OutcomeStatus.STUCK, 0.9, "the harness ended it as stuck"),
        Ending.CRASHED: (OutcomeStatus.CRASHED, 0.95, "the harness, the model's service or the environment broke"),
        Ending.LIMIT: (OutcomeStatus.LIMIT_REACHED, 0.95, "a limit ended the session"),
        Ending.CANCELLED: (OutcomeStatus.ABANDONED, 0.8, "the user interrupted it"),
        Ending.SOLVED: (OutcomeStatus.SUCCEEDED, 0.95, "the recorded evaluation says that the task was solved"),
        Ending.UNSOLVED: (OutcomeStatus.FAILED, 0.95, "the recorded evaluation says that the task was not solved"),
    }
    if session.ending in recorded:
        status, sure, why = recorded[session.ending]
        return Outcome(
            status=status,
            confidence=sure,
            reason=_sentence(f"{why}{f': {detail}' if detail else ''}"),
            evidence_steps=last,
        )
    return _from_evidence(case, actions)


def _refusal_handed_on(case: Case, actions: list[Action]) -> Outcome | None:
    """A failure where the last thing that was written is the answer of a model that says that it lacks its input."""
    lost = [
        finding
        for finding in case.findings
        if finding.detector == "lost-context" and finding.kind in ("not-passed-on", "not-received")
    ]
    edits = [action for action in actions if action.kind is Kind.EDIT and action.failure is None]
    if not lost or not edits:
        return None
    answers = {action.step: (action.result or "").strip()[:_AS_MUCH] for action in actions}
    texts = [edit.after or "" for edit in edits[-1].operation.edits]
    for finding in lost:
        answer = answers.get(finding.last_step, "")
        if answer and any(answer in text for text in texts):
            path = edits[-1].operation.path or edits[-1].operation.target
            return Outcome(
                status=OutcomeStatus.FAILED,
                confidence=0.75,
                reason=_sentence(
                    f"What step {edits[-1].step} writes last, to {code(clip(path, 80))}, is the answer of step "
                    f"{finding.last_step} that its input is missing"
                ),
                evidence_steps=[finding.last_step, edits[-1].step],
            )
    return None


def _stuck(case: Case) -> Outcome | None:
    loop = case.loop
    if loop is None or loop.escaped or loop.lane != MAIN_LANE or loop.severity is not Severity.HIGH:
        return None
    session = case.timeline.session
    ended = f" ({clip(session.ending_detail, 120).rstrip('.')})" if session.ending_detail else ""
    name = {
        "alternating": loop.pattern,
        "repeated-error": "repeated error",
        "repeated-call": "repeated call",
        "cycle": "cycle",
    }.get(loop.kind) or loop.kind
    after = f"after step {loop.last_step}" if loop.last_step else "before the first step"
    where = after if loop.kind == LoopKind.MONOLOGUE else f"of steps {loop.first_step}-{loop.last_step}"
    what = "turns that say the same" if loop.kind == LoopKind.MONOLOGUE else "rounds with the same result"
    reason = f"It ended inside the {name} {where}, after {loop.rounds} {what}{ended}"
    return Outcome(
        status=OutcomeStatus.STUCK,
        confidence=round(min(0.95, loop.confidence), 2),
        reason=_sentence(reason),
        evidence_steps=[loop.last_step],
    )


def _from_evidence(case: Case, actions: list[Action]) -> Outcome:
    if not actions:
        return _unknown("The log holds no action", [])
    last, session = actions[-1], case.timeline.session
    closing = _closing(case, last)
    if (session.recorded_status or "").lower() in _STILL_GOING:
        return _unknown(f"The log stops while the session was still `{session.recorded_status}`", [last.step])
    verdict = _own_verdict(last)
    if verdict is not None:
        return Outcome(
            status=OutcomeStatus.FAILED,
            confidence=0.8,
            reason=f"The agent itself reports the task as {verdict}.",
            evidence_steps=[last.step],
        )
    gave_up = _GAVE_UP.search(closing)
    if gave_up or (last.kind is Kind.FINISH and _FAILED_WORD.match(last.tool)) or _failed_before_finish(actions):
        said = f': "{clip(_from_sentence(closing, gave_up.start()), 140)}"' if gave_up else ""
        return Outcome(
            status=OutcomeStatus.ABANDONED,
            confidence=0.7,
            reason=_sentence(f"The agent ended it without a result{said}"),
            evidence_steps=[last.step],
        )
    given_up = next(
        (finding for finding in case.findings if finding.detector == "gave-up" and finding.severity is Severity.HIGH),
        None,
    )
    if given_up is not None:
        return Outcome(
            status=OutcomeStatus.ABANDONED,
            confidence=round(given_up.confidence * 0.9, 2),
            reason=_sentence(given_up.title),
            evidence_steps=given_up.steps,
        )
    doubt = next((finding for finding in case.findings if finding.detector == "unverified-success"), None)
    if doubt is not None:
        if doubt.kind in ("failed-check", "only-scratch-files"):
            return Outcome(
                status=OutcomeStatus.FAILED, confidence=0.7, reason=_sentence(doubt.title), evidence_steps=doubt.steps
            )
        return _unknown(doubt.title, doubt.steps)
    refusal = _refusal_handed_on(case, actions)
    if refusal is not None:
        return refusal
    edits = [action for action in actions if action.kind is Kind.EDIT and action.failure is None]
    edited = [entry.path for edit in edits for entry in edit.operation.edits]
    checks = [action for action in actions if is_check(action, edited)]
    claimed = last.kind is Kind.FINISH or bool(closing)
    refused = [action for action in actions if action.kind is Kind.FINISH and action.failure is not None]
    if refused and last.kind is Kind.FINISH and last.failure is None:
        return Outcome(
            status=OutcomeStatus.SUCCEEDED,
            confidence=0.8,
            reason=(
                f"What was handed in at step {last.step} was accepted, after it had been refused at step "
                f"{refused[-1].step}."
            ),
            evidence_steps=[refused[-1].step, last.step],
        )
    if edits and claimed:
        to_code = [action for action in edits if _to_code(action)]
        changed = (to_code or edits)[-1]
        after = [action for action in checks if action.step > changed.step]
        tests = [action for action in after if action.kind is Kind.TEST and action.failure is None]
        final = (tests or after)[-1] if after else None
        if final is not None and final.failure is None:
            what = clip(final.operation.target, 100)
            return Outcome(
                status=OutcomeStatus.SUCCEEDED,
                confidence=0.8 if final.kind is Kind.TEST else 0.65,
                reason=_sentence(f"The last check after the last edit passed (step {final.step}: {code(what)})"),
                evidence_steps=[final.step],
            )
        ran = next((action for action in reversed(actions) if action.step > changed.step and _runs(action)), None)
        if final is None and to_code and ran is not None:
            return Outcome(
                status=OutcomeStatus.SUCCEEDED,
                confidence=0.4,
                reason=(
                    f"The agent reports that it is done; what ran after the last change to code (step {ran.step}: "
                    f"{code(clip(ran.operation.target, 80))}) isn't known to be a check."
                ),
                evidence_steps=[changed.step, ran.step],
            )
        if final is None and to_code:
            return _unknown(
                (
                    "The agent reports that it is done; no check is recorded after the last change to code (step "
                    f"{changed.step})"
                ),
                [changed.step],
            )
        if final is None:
            return Outcome(
                status=OutcomeStatus.SUCCEEDED,
                confidence=0.4,
                reason="The agent reports that it is done; no code that could have been run was changed.",
                evidence_steps=[edits[-1].step],
            )
    if last.failure is not None and not last.failure.expected:
        return Outcome(
            status=OutcomeStatus.FAILED,
            confidence=0.5,
            reason=_sentence(f"The last action failed (step {last.step}: {clip(last.failure.headline, 120)})"),
            evidence_steps=[last.step],
        )
    looked = all(action.kind in _LOOKING or is_check(action) for action in case.timeline.actions)
    if not edits and looked and closing and session.ending is not Ending.SUBMITTED and len(closing) > 200:
        return Outcome(
            status=OutcomeStatus.SUCCEEDED,
            confidence=0.5,
            reason=_answered(checks),
            evidence_steps=[last.step],
        )
    return _unknown("The session doesn't show whether the task was done", [last.step])


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


def _own_verdict(last: Action) -> str | None:
    """What a call that ends the session says of the task in so many words, when that isn't success."""
    if last.kind is not Kind.FINISH or isinstance(last.arguments, str):
        return None
    said = next(
        (last.arguments[key] for key in ("task_completed", "success", "status", "completed") if key in last.arguments),
        None,
    )
    words = {
        "false": "not completed",
        "no": "not completed",
        "partial": "only partly completed",
        "failed": "failed",
        "failure": "failed",
    }
    return words.get(str(said).lower())


def _answered(checks: list[Action]) -> str:
    passed = [check.step for check in checks if check.failure is None]
    ran = (
        f" and {len(passed)} checks passed, the last at step {passed[-1]}"
        if len(passed) > 1
        else f" and a check passed at step {passed[0]}"
        if passed
        else ""
    )
    return (
        f"The agent answered at the end{ran}; it only looked around and changed nothing."
        if not ran
        else f"The agent answered at the end{ran}; it changed nothing."
    )


def _failed_before_finish(actions: list[Action]) -> bool:
    """Some harnesses let the agent say `fail` and submit afterwards."""
    ends = [action for action in actions[-3:] if action.kind is Kind.FINISH]
    return any(_FAILED_WORD.match(action.tool) for action in ends[-2:])


def _closing(case: Case, last: Action) -> str:
    """What the agent said last: after its last action, or with the call that ends the session."""
    if last.kind is Kind.FINISH:
        arguments = (
            last.arguments
            if isinstance(last.arguments, str)
            else " ".join(str(value) for value in last.arguments.values())
        )
        return f"{last.said}\n{arguments}"[:6_000]
    return case.timeline.closing()[:6_000]


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


def _unknown(reason: str, steps: list[int]) -> Outcome:
    return Outcome(status=OutcomeStatus.UNKNOWN, confidence=0.5, reason=_sentence(reason), evidence_steps=steps)


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
