"""Why a run failed, in whole sentences: what the detectors say of the failing call, then what the plan shows, then the
failure itself; what is inferred says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.plan_causes import deprived, deviating, lost_references, rejected
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.story import Cause, at, place
from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, detector_with, detectors
from analyzer.detectors.rejected_calls.binding import POSITION_LESSON, mismatch_in, passed_by_position
from analyzer.model.case_study import Run
from analyzer.model.failure import Frame
from analyzer.model.finding import Finding, LostValues, OtherCall, RejectedArguments
from analyzer.model.words import MAIN_LANE, Category
from analyzer.text.clip import clip
from analyzer.text.english import capital, listed, times
from analyzer.text.markdown import code

_SHAPE_LESSON = "A value that is passed on has to keep its type: a list that arrives as text fails at its first use."
_ONE_CONTRACT = (
    "Change a tool's definition and its method together, and add a test that binds each tool's declared arguments to "
    "its method (`inspect.signature(method).bind(...)`)."
)


def cause_of(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause:
    """The cause of the first failure of a run that mattered."""
    finding = _explaining(trouble, loaded)
    for rule in _RULES:
        cause = rule(trouble, run, finding)
        if cause is not None:
            return cause
    return deviating(trouble, run, loaded) or unexplained(trouble, run)


def _explaining(trouble: Trouble, loaded: LoadedRun) -> Finding | None:
    """What the detectors say of the failure, or of the call that shows it: that which explains it best. They are asked
    once more what a single call shows, since a step of the plan that fails once has failed."""
    known = [trouble.finding] if trouble.finding is not None else []
    for findings in (loaded.post_mortem.findings, _of_one_call(loaded)):
        about = (one for one in findings if one.lane == MAIN_LANE and trouble.step in one.steps)
        found = max([*known, *about], key=_rank, default=None)
        if found is not None and _rank(found):
            return found
    return trouble.finding


def _rank(finding: Finding) -> int:
    return declared(finding).first_failure_rank


def _of_one_call(loaded: LoadedRun) -> Iterable[Finding]:
    facts = Facts(loaded.timeline)
    for known in detectors():
        if known.once is not None:
            yield from known.with_options(known.once).detect(facts)


def _signature(trouble: Trouble, _run: Run, finding: Finding | None) -> Cause | None:
    """A call that the function behind it doesn't take."""
    failure = trouble.action.failure if trouble.action is not None else None
    if trouble.action is None or failure is None or _says_more(finding, trouble):
        return None
    said = mismatch_in(f"{failure.headline}\n{(trouble.action.result or '')[-4_000:]}")
    if said is None:
        return None
    function = f"{said.function}()" if said.function is not None else trouble.action.tool
    if said.unexpected:
        what = f"is called with {code(said.unexpected)}, but its signature has no such parameter."
    elif said.missing:
        what = f"is called without {listed([code(name) for name in said.missing])}, which its signature requires."
    elif said.twice:
        what = f"gets {code(said.twice)} twice: by position and by name."
    else:
        what = f"is called otherwise than its signature allows: {code(failure.headline, 160)}."
    tool = f" of {code(trouble.row.tool, 80)}" if trouble.row is not None else ""
    text = (
        f"{code(function)} {what} The definition{tool} and the method behind it disagree: the call passed the first "
        "and failed in the second."
    )
    if failure.frames:
        text += f" The call is made at {_shown(failure.frames[-1], 120)}"
    names = frozenset(filter(None, (said.unexpected, said.twice, *said.missing)))
    lesson = detector_with(Trait.BROKEN_CONTRACT).case_lesson
    return Cause("broken-contract", f"Signature mismatch{at(trouble)}", text, False, (_ONE_CONTRACT,), names, lesson)


def _says_more(finding: Finding | None, trouble: Trouble) -> bool:
    """Whether a detector says more of a failing call than its trace: that it's bound otherwise, or rejected again and
    again."""
    return finding is not None and (
        _rank(finding) > detector_with(Trait.BROKEN_CONTRACT).first_failure_rank
        or (finding is trouble.finding and isinstance(finding.details, RejectedArguments))
    )


def _by_position(trouble: Trouble, _run: Run, finding: Finding | None) -> Cause | None:
    """A value of the wrong type in a parameter, right after a call that passes arguments by position."""
    action = trouble.action
    found = passed_by_position(action) if action is not None and not _says_more(finding, trouble) else None
    if action is None or found is None or found.frame is None or action.failure is None:
        return None
    failure, caller, (name,) = action.failure, _where(action.failure.frames[-2]), found.parameters
    passed = listed([code(entry, 60) for entry in found.positional[:4]])
    call = f"{found.frame.function}({', '.join(found.positional)})"
    text = (
        f"{code(failure.headline, 200)} is raised at {_where(found.frame)}, which uses {code(name)}: "
        f"{code(found.frame.code or '', 140)}. The call at {caller} passes {passed} by position ({code(call, 120)}), "
        f"and it was probably bound to {code(name)}."
    )
    advice = f"Make the parameters of {code(found.function)} keyword-only, and name the arguments at {caller}."
    title = f"{failure.type}: an argument bound to the wrong parameter{at(trouble)}"
    return Cause("misbound-argument", title, text, True, (advice,), frozenset((name,)), POSITION_LESSON)


def _from_finding(trouble: Trouble, run: Run, finding: Finding | None) -> Cause | None:
    if finding is None:
        return None
    diagnosis, known, details = run.post_mortem.diagnosis, declared(finding), finding.details
    meant = {position for position in (diagnosis.cause, diagnosis.about) if position is not None}
    own = any(run.post_mortem.findings[position] == finding for position in meant)
    text = diagnosis.root_cause if own and diagnosis.root_cause else f"{finding.title.rstrip('.')}."
    if isinstance(details, LostValues | OtherCall) and len(finding.differed) > 1:
        text += f" In all: {'; '.join(finding.differed[:6])}."
    failure = trouble.action.failure if trouble.action is not None else None
    if finding.category == Category.TOOL and failure is not None and failure.frames:
        text += f" It is raised at {_shown(failure.frames[-1], 140)}"
    named = known.cause_names_by_kind.get(finding.kind) or known.cause_name or finding.pattern
    title = f"{capital(named or finding.kind.replace('-', ' '))}{at(trouble)}"
    lesson, functions = known.case_lesson, tuple[str, ...]()
    if _rank(finding) and lesson is None and (guidance := known.guidance_for(finding.kind)) is not None:
        lesson = guidance.lesson
    if finding.category in ("loop", "error") and failure is not None:
        title = f"{clip(failure.headline, 90)}, {times(len(finding.steps))}{at(trouble)}"
    elif isinstance(details, LostValues):
        values = [value for value in details.values if value.step == trouble.step] or details.values
        source = next((row for row in run.rows if row.action is not None and row.action == values[0].source), None)
        functions = tuple(dict.fromkeys(value.tool for value in values))
        if values[0].fate == "shape":
            title, lesson = f"A value of the wrong shape passed on{at(trouble)}", _SHAPE_LESSON
        elif values[0].fate in ("empty", "invented") and source is not None:
            title = f"{capital(named or finding.kind)} of {place(source.step)}"
            functions = tuple(dict.fromkeys((source.tool, *functions)))
    # A loop or an error that comes back says how it looked; why it failed is then the diagnosis's inference.
    inferred = finding.confidence < 0.75 or finding.category in ("loop", "error")
    advice = tuple(finding.advice) or tuple(improvement.title for improvement in diagnosis.improvements[:2])
    key = f"{finding.detector}/{finding.pattern or finding.kind}"
    return Cause(key, title, text, inferred, advice, lesson=lesson, functions=functions)


def _failing(trouble: Trouble, _run: Run, _finding: Finding | None) -> Cause | None:
    action = trouble.action
    failure = action.failure if action is not None else None
    if action is None or failure is None:
        return None
    raised = next((frame for frame in reversed(failure.frames) if frame.role in ("project", "test")), None)
    called = code(f"{action.tool} {action.operation.target}".strip(), 100)
    text = f"Action {action.step} ({called}) fails with {code(failure.headline, 200)}."
    if raised is not None:
        text += f" It is raised at {_shown(raised, 140)}"
    origin = failure.origin
    sure = origin is not None and origin.role != "unknown" and origin.confidence >= 0.75
    if origin is not None and origin.role != "unknown":
        text += f" Where it comes from: {origin.role} ({origin.reason})."
    return Cause(f"failure/{failure.kind}", f"{clip(failure.headline, 90)}{at(trouble)}", text, not sure)


def unexplained(trouble: Trouble, run: Run) -> Cause:
    """The checks alone say that it failed; nothing in the transcript says why."""
    outcome, failed = run.post_mortem.outcome, any(check.passed is False for check in run.checks)
    title, every = f"Ended as {str(outcome.status).replace('_', ' ')}", "The run ended without a failed step"
    if trouble.phase == "result":
        title, every = "Wrong result", "No failed step explains the result"
        if run.conformance is not None:
            title = "Wrong result, although every step ran"
            every = "Every step of the plan was carried out, but the result is wrong"
    text = f"The transcript alone doesn't show it. {every}." + ("" if failed else f" {outcome.reason}")
    return Cause("check" if failed else "outcome", title, text, False)


def _where(frame: Frame) -> str:
    """A place in code, as a code span."""
    return code(f"{frame.file}:{frame.line}" if frame.line is not None else frame.file, 160)


def _shown(frame: Frame, most: int) -> str:
    """A place in code with its line, as the end of a sentence."""
    return _where(frame) + (f": {code(frame.code, most)}." if frame.code else ".")


_RULES: Sequence[Callable[[Trouble, Run, Finding | None], Cause | None]] = (
    _signature,
    _by_position,
    rejected,
    # What a detector says of the call itself holds whatever the plan shows.
    lambda trouble, run, finding: (
        _from_finding(trouble, run, finding) if finding is not None and finding.category == Category.TOOL else None
    ),
    deprived,
    lost_references,
    _from_finding,
    _failing,
)
