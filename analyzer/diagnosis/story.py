"""What happened, in a few sentences, and the whole of it in one."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.detectors.episodes.episode import FAILING, REPORTED
from analyzer.diagnosis.case import Case, met_in, one_call
from analyzer.diagnosis.clues import Shape, shape_of
from analyzer.diagnosis.end import End
from analyzer.diagnosis.labels import at, bare_title, call_text, span_text
from analyzer.diagnosis.outcome_rows import lower, no_results, only_words
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.diagnosis import ANSWERED, EarlyStop
from analyzer.model.finding import Finding
from analyzer.model.ledger import LedgerEntry
from analyzer.model.postmortem import Outcome
from analyzer.model.session import Session
from analyzer.model.words import (
    Basis,
    Category,
    DeliverableKind,
    Kind,
    LoopKind,
    OutcomeStatus,
    Severity,
    Status,
)
from analyzer.text.clip import clip, clip_path, middle, quote, without_marks
from analyzer.text.english import file_changes, listed, one_or_many, times
from analyzer.text.markdown import code
from analyzer.timeline.closing.user_answers import only_answered
from analyzer.timeline.context import shown_in

_READ, _PREAMBLE = 4_000, 300
_NOT_FAILED = (OutcomeStatus.SUCCEEDED, OutcomeStatus.UNKNOWN)


def headline_of(end: End, outcome: Outcome, stop: EarlyStop, ledger: Sequence[LedgerEntry]) -> str:
    """The whole story in a sentence or two: what came out comes first, unless something speaks against it or the
    session failed."""
    case = end.case
    main = case.main
    hidden = next((warning for warning in case.timeline.warnings if warning.hides_actions), None)
    if hidden is not None and not case.timeline.actions:
        return f"No action was read from this file ({hidden.where}: {hidden.what.split(';')[0]})."
    if main is None:
        unread = "" if hidden is None else f" Not all actions are known: {hidden.what}."
        return f"{_calm(end, outcome, ledger)}{unread}"
    on_the_way = outcome.status in _NOT_FAILED and main.escaped and main.category is Category.LOOP
    trouble = _trouble(case, main, None if on_the_way else stop.detectable_at)
    if outcome.status in _NOT_FAILED and has(main, Trait.CONTRADICTS_REPORT) and main.severity is Severity.HIGH:
        return f"Don't rely on the agent's report. {trouble}"
    if outcome.status in _NOT_FAILED and has(main, Trait.WEAKENS_CHECK):
        return f"Don't rely on the checks that passed. {trouble}"
    if on_the_way:
        return f"{_calm(end, outcome, ledger)} On the way: {lower(trouble)}"
    return trouble


def _trouble(case: Case, main: Finding, detectable: int | None) -> str:
    """The main finding as a sentence."""
    shape = shape_of(case)
    stretches = f", {len(main.stretches) + 1} stretches in all" if main.stretches else ""
    known = f"{';' if main.escaped else ','} detectable from step {detectable}" if detectable is not None else ""
    early = f"{stretches}{known}" if main.category is Category.LOOP else ""
    if shape is Shape.WRONG_FILE and case.wrong_file is not None and case.wrong_file.fault is not None:
        edited = ", ".join(map(code, case.wrong_file.edited_instead[:2]))
        often = times(len(case.wrong_file.steps))
        ran = f"The agent edited {edited} and ran the same check {often}, and each time got an error"
        return f"{ran} that comes from {at(case.wrong_file.fault)}{early}."
    said = _what_happened(case, main, shape)
    if said:
        return f"{said}{left_by(main, case.lane)}{early}."
    return f"{main.title}." if not main.title.endswith(".") else main.title


def _what_happened(case: Case, main: Finding, shape: Shape) -> str:
    """The beginning of the sentence on what the agent was in; empty where the finding's title is all of it."""
    told, often = case.misread or case.explained, times(main.rounds or len(main.steps))
    if told is not None:
        return told.title.rstrip(".")
    if shape is Shape.REFUSED_EDIT:
        one = len({shown.group for step in main.steps if (shown := case.action(step).failure) is not None}) == 1
        return f"The agent sent edits of one file that the tool refused {often}{' for the same reason' if one else ''}"
    met = f"The agent met {code(middle(case.failure.headline, 110), 110)}" if case.failure else ""
    inside = met_in(case, main)
    if shape is Shape.FAILING_CALL and main.kind != "repeated-call" and met:
        return f"{met} {times(len(inside))}, through calls that could not work here"
    if shape is Shape.IDLE_CALL and (not one_call(case) or main.pattern == FAILING or case.edits):
        where = f" ({code(clip_path(case.edited_paths[0], 80))})" if case.edited_paths else ""
        return f"{bare_title(main)}{where}"
    if shape in (Shape.FAILING_CALL, Shape.IDLE_CALL):
        call = code(call_text(case.action(main.steps[-1]), 90))
        return f"The agent called {call} {often} and got the same answer each time"
    if shape is Shape.SAME_ERROR and met:
        # How often it came in all, and how often in the steps of the finding, where that's less.
        count = len(case.group.steps) if case.group is not None else 0
        within = f"{times(count)}, {len(inside)} of them in steps {main.first_step}-{main.last_step},"
        return f"{met} {times(len(inside)) if count <= len(inside) else within} without affecting its cause"
    return ""


def _calm(end: End, outcome: Outcome, ledger: Sequence[LedgerEntry]) -> str:
    """What came out of a session, and what shows it."""
    case = end.case
    if not case.timeline.actions:
        said = only_words(case.timeline).reason
        return said if outcome.reason == said else f"{said} {outcome.reason}"
    made = [action for action in case.timeline.actions if not action.harness]
    if not made:
        return outcome.reason
    left, words = outcome.deliverable, end.closing_message if end.actions else None
    claimed = outcome.status is OutcomeStatus.UNKNOWN and outcome.basis in (Basis.CLAIM, Basis.DELIVERABLE, Basis.NONE)
    delivered = left is not None and left.kind is DeliverableKind.ANSWER
    untouched = (left is None and claimed) or (delivered and (claimed or outcome.basis is Basis.DELIVERABLE))
    if words is not None and untouched and not case.edits:
        # What stands before the first heading of a report announces it.
        begin = words.text.find("\n#", 0, _PREAMBLE) + 1
        return f'{ANSWERED} "{quote(without_marks(words.text[begin:_READ]))}"'
    unjudged = 0 if outcome.basis is Basis.VERDICT else sum(action.status is Status.UNKNOWN for action in made)
    if unjudged == len(made) and any(map(only_answered, made)):
        return f"{requests_text(case.timeline.session, made)} {outcome.reason}"
    if unjudged == len(made):
        if outcome.reason == f"{no_results(made)}.":
            return outcome.reason
        which = "result of the only action isn't" if len(made) == 1 else f"results of the {len(made)} actions aren't"
        return f"The {which} recorded, or can't be judged. {outcome.reason}"
    if outcome.basis is Basis.NONE and outcome.status is OutcomeStatus.UNKNOWN:
        return f"{_achieved(case, outcome, '')}{_of_earlier(ledger) or outcome.reason}"
    if outcome.status in _NOT_FAILED:
        return f"{_achieved(case, outcome, outcome.reason)}{outcome.reason}"
    return outcome.reason


def _of_earlier(ledger: Sequence[LedgerEntry]) -> str:
    """What is known of the last request that was worked on, where another one came behind it; else empty."""
    worked = [entry for entry in ledger if entry.first_step is not None]
    if not worked or worked[-1] is ledger[-1] or not worked[-1].known:
        return ""
    stopped = ledger[-1].reaction is not None and ledger[-1].reaction.kind == "interrupts"
    return f"{worked[-1].known}{' The last turn was interrupted before an answer.' if stopped else ''}"


def requests_text(session: Session, made: Sequence[Action]) -> str:
    """What is known of the requests to other agents, where all that is recorded is what these answered."""
    answered = [action for action in made if only_answered(action)]
    shown = dict.fromkeys(filter(None, (shown_in(session, action.result) for action in answered)))
    came = one_or_many(len(answered), "it", "them")
    rest = f"no other action shows what came of {came}"
    if shown:
        named = listed([code(clip(child, 60)) for child in shown])
        rest = f"what came of {came} is in {one_or_many(len(shown), 'session')} {named} of this file"
    whole = {2: "Both"}.get(len(made), f"All {len(made)}")
    share = whole if len(answered) == len(made) else f"{len(answered)} of {len(made)}"
    which = f"{share} requests to other agents" if len(made) > 1 else "The only request to another agent"
    return f"{which} {one_or_many(len(answered), 'was', 'were')} answered, and {rest}."


def _achieved(case: Case, outcome: Outcome, reason: str) -> str:
    """The files that a session changed, those that it edited most often first, as far as what is said of it doesn't
    name them; empty where it changed none."""
    left = outcome.deliverable
    if left is None or left.kind is not DeliverableKind.CHANGE:
        return ""
    files = [path for path in left.files if path not in left.scratch]
    if not files or all(code(clip_path(path, 60)) in reason for path in files):
        return ""
    edits = [edit.path for action in case.edits for edit in action.accepted_edits]
    files.sort(key=lambda path: -sum(same_file(path, edited) for edited in edits))
    return f"{file_changes(left, files, lambda path: code(clip_path(path, 70)), 2)} "


def story_of(case: Case) -> list[str]:
    """What happened in the main finding, in order, each sentence with its steps."""
    main = case.main
    if main is None:
        return []
    return _loop(case, main) if main.category is Category.LOOP else [f"{main.title.rstrip('.')} ({span_text(main)})."]


def _loop(case: Case, main: Finding) -> list[str]:
    often = times(main.rounds or 0)
    if main.kind == LoopKind.MONOLOGUE:
        where = f"After step {main.last_step}" if main.last_step else "Before the first step"
        what, then = "agent said the same thing", f"{often} (pattern: **monologue**) and made no call in between"
        if main.pattern == REPORTED:
            what, then = "harness reported the same thing", f"{often}, and nothing else happened"
        how = "reported" if main.pattern == REPORTED else "said"
        words = [f"What it {how}: {code(main.repeated, 200)}."] if main.repeated else []
        return [f"{where} the {what} {then}.", *words]
    before = _end(case, main)
    begins = f"From step {main.first_step} to step {main.last_step} the agent"
    if main.pattern == "repeated call":
        what = "the same call" if one_call(case) else "calls of one kind"
        return [f"{begins} made {what} {often} (pattern: **repeated call**) {before}."]
    pattern = main.pattern or main.kind
    said = [f"Steps {main.first_step}-{main.last_step}: **{pattern}**, {often}, {before}."]
    changes = [entry for entry in main.differed if not entry.startswith("not even")]
    if changes:
        said.append(f"The rounds made {listed(changes)}; the result stayed the same.")
    elif main.period == 1 and main.kind != LoopKind.RE_READ:
        said.append("Nothing changed from round to round.")
    return said


def _end(case: Case, main: Finding) -> str:
    if main.escaped:
        after = next((action for action in case.lane[main.last_step :] if not action.harness), None)
        did = f" (step {after.step}: {after.tool} {clip(after.operation.target, 60)})" if after is not None else ""
        return f"before it did something else{did}"
    detail, ending = case.timeline.session.ending_detail, case.timeline.session.ending
    if ending is not None and ending.value == "limit":
        return f"before a limit ended the session{f' ({clip(detail, 80).rstrip(chr(46))})' if detail else ''}"
    return "before the session ended"


def left_by(main: Finding, lane: Sequence[Action]) -> str:
    """How the agent left what a finding is about, as the end of a clause; empty where it didn't."""
    if not main.escaped:
        return ""
    if main.category is not Category.LOOP or overcome(main, lane):
        return ", then got out of it"
    return ", then went on with other things"


def overcome(main: Finding, lane: Sequence[Action]) -> bool:
    """Whether the error of a loop is gone: one of the calls that showed it succeeded later, or an edit of the same file
    where edits were refused, and it never showed again."""
    if main.group is None:
        return False
    showed = [action for action in lane if action.failure is not None and action.failure.group == main.group]
    in_loop = [action for action in showed if main.first_step <= action.step <= main.last_step]
    last = max((action.step for action in showed), default=main.last_step)
    calls = {action.keys.call_masked for action in in_loop}
    paths = {action.operation.path for action in in_loop if action.kind is Kind.EDIT and action.operation.path}
    later = [action for action in lane if action.step > last and action.status is Status.OK]
    edits = (action for action in later if action.kind is Kind.EDIT and action.accepted_edits)
    again = any(action.keys.call_masked in calls for action in later)
    return again or any(action.operation.path in paths for action in edits)
