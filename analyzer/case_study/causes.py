"""Why a run failed, in whole sentences, as far as its transcript shows it; what is inferred says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.words import capital, listed, place, times
from analyzer.model.action import Action
from analyzer.model.case_study import Reference, Run
from analyzer.model.failure import Frame
from analyzer.text.clip import clip
from analyzer.text.markdown import code

_UNEXPECTED = re.compile(r"unexpected (?:keyword )?argument:? ['\"`]?(\w{1,60})")
_REQUIRED = re.compile(
    r"(?:missing|requires?)\b[^\n'\"`]{0,60}?(?:argument|parameter|field|property)s?(?::? ['\"`]|: )(\w{1,60})"
    r"['\"`]?((?:,? ?(?:or|and|\|)? ?['\"`]\w{1,60}['\"`]){0,8})"
)
_QUOTED = re.compile(r"['\"`](\w{1,60})['\"`]")
_GIVEN = re.compile(r"\bgiven:[ \t]*([^\n]{1,300})")
_SIGNATURE = re.compile(
    r"(?P<function>[A-Za-z_][\w.]{0,120})\(\) (?:got an unexpected keyword argument ['\"](?P<unexpected>\w{1,60})['\"]"
    r"|missing \d{1,3} required (?:positional|keyword-only) arguments?: (?P<missing>['\"]\w{1,60}['\"][^\n]{0,200})"
    r"|(?P<number>takes [^\n]{1,80} (?:was|were) given)"
    r"|got multiple values for (?:keyword )?argument ['\"](?P<multiple>\w{1,60})['\"])"
)
_SUBSCRIPT = re.compile(r"\b([A-Za-z_]\w{0,60})(?:\[|\.\w)")
_PARAMETER = re.compile(r"\b([A-Za-z_]\w{0,60}) (?:must|should|has to|needs to) be\b")
_CALLED = re.compile(r"(?P<function>[A-Za-z_]\w{0,60})\((?P<arguments>[^()\n]{1,200})\)")
_WRONG_TYPE = re.compile(
    r"\b(?:is|not|got|received|has type|object of type|unsupported) ['\"]?(?:str|int|float|list|dict|tuple|bytes"
    r"|bool|NoneType)\b|'(?:str|int|float|list|dict|tuple|bytes|bool)' object"
)
_NAMED = {
    "argument-validation-loop": "argument-validation loop",
    "signature-mismatch": "signature mismatch",
    "lost-context": "lost context",
    "wrong-file": "wrong file edited",
    "unknown-tool": "unknown tool called",
    "unloaded-file": "edited a file that the run never loads",
    "environment-trouble": "trouble of the environment",
    "hang-and-timeouts": "hang",
    "edited-forbidden": "forbidden edit",
    "gave-up": "gave up",
    "no-progress": "no progress",
    "context-pressure": "context too full",
    "unverified-success": "success that nothing verified",
    "claims-against-evidence": "claim against the evidence",
    "weakened-tests": "weakened tests",
    "identical-error": "the same error again and again",
    "near-identical-error": "nearly the same error again and again",
}

_NAMED_KIND = {"missing-program": "missing program", "fenced-command": "command in words rather than a call"}
UNTOLD = ("check", "outcome")
"""The keys of causes that only say that the result is wrong."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The name of a cause, the failure's title, its explanation, and what to do about it. `names` are the arguments
    that it's about."""

    key: str
    title: str
    text: str
    hypothesis: bool
    proposed: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()


def cause_of(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause:
    """The cause of the first failure of a run that mattered."""
    for tell in _TELLERS:
        cause = tell(trouble, run, loaded)
        if cause is not None:
            return cause
    return untold(trouble, run)


def _at(trouble: Trouble) -> str:
    """` at step 4, in planning`."""
    where = f" at {place(trouble.row.step)}" if trouble.row is not None else ""
    return f"{where}{', in planning' if trouble.phase == 'planning' else ''}"


def _message(trouble: Trouble) -> str:
    action = trouble.action
    return (
        f"{action.failure.headline}\n{(action.result or '')[-4_000:]}"
        if action is not None and action.failure is not None
        else ""
    )


def _validation(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:
    finding = trouble.finding
    if finding is None or finding.detector != "argument-validation-loop":
        return None
    said = "\n".join(evidence.quote for evidence in finding.evidence)
    unexpected = list(dict.fromkeys(_UNEXPECTED.findall(said)))
    wanted = list(
        dict.fromkeys(name for first, more in _REQUIRED.findall(said) for name in (first, *_QUOTED.findall(more)))
    )
    alternatives = len(wanted) > 1 and re.search(r"['\"`] (?:or|\|) ['\"`]|\w \| \w", said) is not None
    tool = f" to {code(trouble.row.tool, 80)}" if trouble.row is not None else ""
    parts = [f"{finding.title.rstrip('.')}."]
    if unexpected and wanted:
        given, expected = (
            listed([code(name) for name in names[:6]], "or" if names is wanted else "and")
            for names in (unexpected, wanted)
        )
        parts = [
            (
                f"The call gives {given}{tool}, and the validation accepts only {expected}; it turned that down "
                f"{times(len(finding.steps), 'time')} (actions {_steps(finding.steps)})."
            )
        ]
        if trouble.planned & set(unexpected):
            parts.append(f"{code(unexpected[0])} is the name that the plan uses as well.")
        if alternatives:
            parts.append(
                f"The definition has several names for one input ({expected}), so what describes the tool and "
                "what checks its arguments don't name the same one."
            )
    elif len(wanted) > 1 and not alternatives:
        parts.append(
            f"The answers ask for {listed([code(name) for name in wanted[:6]])} in turn, so no one name satisfies them."
        )
    results = "\n".join(
        (action.result or "")[-4_000:] for action in loaded.timeline.lane(finding.lane) if action.step in finding.steps
    )
    both = [
        name
        for name in wanted
        if any(
            re.search(rf"\b{re.escape(name)}\b", line) and not re.search(rf"of {re.escape(name)}\b", line)
            for line in _GIVEN.findall(results)
        )
    ]
    if both:
        parts.append(
            f"Even calls that give {listed([code(name) for name in both], 'or')} were turned down as lacking it."
        )
    repairs = run.conformance.repairs if run.conformance is not None else 0
    if repairs:
        parts.append(f"{capital(times(repairs, 'repair attempt'))} never brought the two together.")
    advice = [
        (
            "Give each input one name in the tool's definition, without aliases, and let the description, the "
            "validator and the method share that definition."
        )
    ]
    return Cause(
        finding.detector,
        f"{capital(_NAMED[finding.detector])}{_at(trouble)}",
        " ".join(parts),
        False,
        (*advice, *finding.advice),
        frozenset(unexpected),
    )


def _signature(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    found = _SIGNATURE.search(_message(trouble))
    if found is None:
        return None
    function = f"{found['function']}()"
    names = frozenset(filter(None, (found["unexpected"], found["multiple"], *_QUOTED.findall(found["missing"] or ""))))
    if found["unexpected"]:
        what = f"{code(function)} is called with {code(found['unexpected'])}, and its signature has no such parameter."
    elif found["missing"]:
        what = (
            f"{code(function)} is called without "
            f"{listed([code(name) for name in _QUOTED.findall(found['missing'])])}, which its signature demands."
        )
    elif found["multiple"]:
        what = f"{code(function)} gets {code(found['multiple'])} twice: by position and by name."
    else:
        what = f"{code(function)} {found['number']}."
    tool = f" of {code(trouble.row.tool, 80)}" if trouble.row is not None else ""
    what += (
        f" The definition{tool} and the method behind it don't fit together: the call passed the one and broke on "
        "the other."
    )
    called = _caller(trouble.action)
    if called is not None:
        what += f" The call is made at {_where(called)}" + (f": {code(called.code, 120)}." if called.code else ".")
    advice = (
        (
            "Change a tool's definition and its method together, and let a test bind each tool's declared arguments "
            "to its method (`inspect.signature(method).bind(...)`)."
        ),
    )
    return Cause("signature-mismatch", f"Signature mismatch{_at(trouble)}", what, False, advice, names)


def _misbound(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    """A value of the wrong type in a parameter, right after a call that passes arguments by position."""
    action = trouble.action
    failure = action.failure if action is not None else None
    if (
        failure is None
        or failure.type not in ("TypeError", "AttributeError")
        or len(failure.frames) < 2
        or not _WRONG_TYPE.search(failure.message)
    ):
        return None
    raised, caller = failure.frames[-1], failure.frames[-2]
    call = next((match for match in _CALLED.finditer(caller.code or "") if match["function"] == raised.function), None)
    used = [
        *_SUBSCRIPT.findall(raised.code or ""),
        *(word for word in _PARAMETER.findall(failure.message) if re.search(rf"\b{word}\b", raised.code or "")),
    ]
    if call is None or not used:
        return None
    positional = [word.strip() for word in call["arguments"].split(",") if "=" not in word]
    if not positional:
        return None
    name = next((entry for entry in used if re.search(rf"\b{re.escape(entry)}\b", failure.message)), used[-1])
    if name in positional or name == "self":
        return None
    text = (
        f"{code(failure.headline, 200)} is raised at {_where(raised)}, which uses {code(name)}: "
        f"{code(raised.code or '', 140)}. The call at {_where(caller)} passes "
        f"{listed([code(entry, 60) for entry in positional[:4]])} by position ({code(call.group(), 120)}), and "
        f"it seems to have been bound to {code(name)}."
    )
    advice = (
        (
            f"Make the parameters of {code((raised.function or 'the method') + '()')} keyword-only, and name the "
            f"arguments at {_where(caller)}."
        ),
    )
    return Cause(
        "misbound-argument",
        f"{failure.type}: an argument bound to the wrong parameter{_at(trouble)}",
        text,
        True,
        advice,
        frozenset((name,)),
    )


def _deprived(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    if trouble.deprived is None or trouble.row is None or trouble.action is None:
        return None
    whole = [reference for reference in trouble.row.references if reference.passed in ("passed-on", "unknown")]
    step, action = place(trouble.row.step), trouble.action
    advice = (
        (
            "Hand each step the history of the steps before it, and check right there that it arrives: a test with "
            "two steps and one reference is enough."
        ),
    )
    sure = False
    if len(whole) == len(trouble.row.references) and all(reference.passed == "passed-on" for reference in whole):
        held = listed([f"{code(_reference(reference))} in {code(reference.argument)}" for reference in whole[:3]])
        text = (
            f"The call of {step} holds {held} (action {action.step}), whole, and still it answers that it has "
            "nothing. So the data got as far as the call and no further: "
            "what it was answered from, such as the history of the earlier steps, didn't have it."
        )
        sure = False
    else:
        lost = [reference for reference in trouble.row.references if reference not in whole]
        text = (
            f"{_told(lost[0], step)} That is why it answers that it has nothing."
            if lost
            else f"{capital(step)} answers that it lacks the result of {place(whole[0].source)}."
        )
        sure = bool(lost)
    title = f"Lost context at {step}" + (": every step runs, the result is wrong" if trouble.phase == "result" else "")
    return Cause("lost-context", title, text, not sure, advice)


def _reference(reference: Reference) -> str:
    return f"$result.{reference.source}"


def _told(reference: Reference, step: str) -> str:
    """What became of a result that a step was to get."""
    what = f"{capital(step)} was to get the result of {place(reference.source)} in {code(reference.argument)}"
    share = f" ({reference.share:.0%})" if reference.share is not None and 0 < reference.share < 1 else ""
    ends = {
        "cut": f", and only a part of it arrived{share}.",
        "changed": f", and something else arrived{share}.",
        "not-substituted": f", and the reference itself arrived: the text {code(_reference(reference))}.",
        "lost": ", and nothing of it arrived.",
    }
    return what + ends.get(reference.passed, ".")


def _lost_reference(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    row = trouble.row
    lost = (
        next((entry for entry in row.references if entry.passed in ("cut", "changed", "not-substituted", "lost")), None)
        if row is not None
        else None
    )
    if (
        row is None
        or lost is None
        or (trouble.phase != "result" and trouble.action is not None and trouble.action.failed)
    ):
        return None
    how = {"cut": "cut", "changed": "changed", "not-substituted": "not put in", "lost": "lost"}[lost.passed]
    return Cause(
        "lost-reference",
        f"The result of {place(lost.source)} was {how} on its way to {place(row.step)}",
        _told(lost, place(row.step)),
        False,
        (
            (
                "Check, where references are put in, that the whole result arrives, and fail there rather than go on "
                "without it."
            ),
        ),
    )


def _from_finding(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    finding = trouble.finding
    if finding is None:
        return None
    diagnosis = run.post_mortem.diagnosis
    meant = {position for position in (diagnosis.cause, diagnosis.about) if position is not None}
    own = any(
        run.post_mortem.findings[position] is finding or run.post_mortem.findings[position] == finding
        for position in meant
    )
    text = diagnosis.root_cause if own and diagnosis.root_cause else f"{finding.title.rstrip('.')}."
    named = (
        _NAMED_KIND.get(finding.kind)
        or _NAMED.get(finding.detector)
        or finding.pattern
        or finding.kind.replace("-", " ")
    )
    failure = trouble.action.failure if trouble.action is not None else None
    if finding.category in ("loop", "error") and failure is not None:
        named = f"{clip(failure.headline, 90)}, {times(len(finding.steps), 'time')}"
    advice = tuple(finding.advice) or tuple(improvement.title for improvement in diagnosis.improvements[:2])
    # A loop or an error that comes back says how it looked; why it failed is then the diagnosis's inference.
    inferred = finding.confidence < 0.75 or finding.category in ("loop", "error")
    return Cause(f"{finding.detector}/{finding.kind}", f"{capital(named)}{_at(trouble)}", text, inferred, advice)


def _failing(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    action = trouble.action
    failure = action.failure if action is not None else None
    if action is None or failure is None:
        return None
    raised = next((frame for frame in reversed(failure.frames) if frame.role in ("project", "test")), None)
    text = (
        f"Action {action.step} ({code(f'{action.tool} {action.operation.target}'.strip(), 100)}) fails with "
        f"{code(failure.headline, 200)}."
    )
    if raised is not None:
        text += f" It is raised at {_where(raised)}" + (f": {code(raised.code, 140)}." if raised.code else ".")
    origin = failure.origin
    sure = origin is not None and origin.role != "unknown" and origin.confidence >= 0.75
    if origin is not None and origin.role != "unknown":
        text += f" Where it comes from: {origin.role} ({origin.reason})."
    return Cause(f"failure/{failure.kind}", f"{clip(failure.headline, 90)}{_at(trouble)}", text, not sure)


def _deviating(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:
    row = trouble.row
    if row is None:
        return None
    step, tool = place(row.step), code(row.tool, 80)
    if "missing" in row.deviations or (row.action is None and not row.done):
        ended = f" The run ended: {clip(run.post_mortem.outcome.reason, 200)}" if run.post_mortem.outcome.reason else ""
        planned = any(
            row.tool and row.tool.strip("*") in (action.result or "")
            for action in loaded.timeline.lane()[
                : max((run.conformance.planning_actions if run.conformance else []), default=0)
            ]
        )
        others = (
            [entry.action for entry in run.conformance.rows if entry.tool == row.tool and entry.action is not None]
            if run.conformance
            else []
        )
        # Arguments tell steps with one tool apart.
        never = (
            (
                f"was never called as it should be here; {tool} was called for other steps only "
                f"(action{'s' if len(others) > 1 else ''} {_steps(others)})"
            )
            if others
            else "was never called"
        )
        told = f"{capital(step)} ({tool}) was planned and {never}." if planned else f"{capital(step)} ({tool}) {never}."
        return Cause("missing-step", f"{capital(step)} left out", told + ended, True)
    wrong = [entry for entry in row.arguments if entry.renamed_to or entry.given != entry.expected]
    if "wrong-arguments" in row.deviations and wrong:
        first = wrong[0]
        given = (
            f"given as {code(first.renamed_to)}"
            if first.renamed_to
            else "not given"
            if first.given is None
            else f"{code(first.given, 160)}"
        )
        text = (
            f"{capital(step)} ({tool}) is called with other arguments than planned: {code(first.name)} should be "
            f"{code(first.expected, 160)} and is {given} (action {row.action})."
        )
        return Cause(
            "wrong-arguments",
            f"Wrong arguments at {step}",
            text,
            trouble.phase == "result",
            names=frozenset((first.name,)),
        )
    if "wrong-result" in row.deviations:
        return Cause(
            "wrong-result",
            f"Wrong result at {step}",
            f"{capital(step)} ({tool}) runs, and its result isn't what the plan wants of it (action {row.action}).",
            True,
        )
    return None


def untold(trouble: Trouble, run: Run) -> Cause:
    """The checks alone say that it failed; nothing in the transcript says why."""
    failed = [check.what for check in run.checks if check.passed is False]
    outcome = run.post_mortem.outcome
    what = "" if failed else f" {outcome.reason}"
    every = (
        "Every step of the plan was carried out, and the result is wrong"
        if run.conformance is not None and trouble.phase == "result"
        else "No step failed in a way that explains the result"
        if trouble.phase == "result"
        else "The run ended without a step that failed"
    )
    title = (
        "Wrong result, although every step ran"
        if run.conformance is not None and trouble.phase == "result"
        else "Wrong result"
        if trouble.phase == "result"
        else f"Ended as {str(outcome.status).replace('_', ' ')}"
    )
    return Cause(
        "outcome" if not failed else "check", title, f"The transcript by itself doesn't show it. {every}.{what}", False
    )


def _caller(action: Action | None) -> Frame | None:
    frames = action.failure.frames if action is not None and action.failure is not None else ()
    return frames[-1] if frames else None


def _where(frame: Frame) -> str:
    return code(f"{frame.file}:{frame.line}" if frame.line is not None else frame.file, 160)


def _steps(steps: list[int]) -> str:
    return ", ".join(map(str, steps[:8])) + (" ..." if len(steps) > 8 else "")


_TELLERS: tuple[Callable[[Trouble, Run, LoadedRun], Cause | None], ...] = (
    _validation,
    _signature,
    _misbound,
    _deprived,
    _lost_reference,
    _from_finding,
    _failing,
    _deviating,
)
