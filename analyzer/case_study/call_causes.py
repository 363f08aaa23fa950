"""Causes that the traceback of a failing call shows: a call that doesn't fit the signature behind it, and an argument
bound to the wrong parameter."""

from __future__ import annotations

import re

from analyzer.case_study.cause import Cause, at, where
from analyzer.case_study.first_failure import Trouble
from analyzer.detectors.engine.registry import detector_with
from analyzer.detectors.engine.traits import Trait
from analyzer.model.action import Action
from analyzer.model.failure import Frame
from analyzer.text.english import listed
from analyzer.text.markdown import code

_QUOTED = re.compile(r"['\"`](\w{1,60})['\"`]")
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


def signature_mismatch(trouble: Trouble) -> Cause | None:
    """A call that the function behind it doesn't take."""
    found = _SIGNATURE.search(_message(trouble))
    if found is None:
        return None
    function = f"{found['function']}()"
    names = frozenset(filter(None, (found["unexpected"], found["multiple"], *_QUOTED.findall(found["missing"] or ""))))
    if found["unexpected"]:
        what = f"{code(function)} is called with {code(found['unexpected'])}, but its signature has no such parameter."
    elif found["missing"]:
        what = (
            f"{code(function)} is called without "
            f"{listed([code(name) for name in _QUOTED.findall(found['missing'])])}, which its signature requires."
        )
    elif found["multiple"]:
        what = f"{code(function)} gets {code(found['multiple'])} twice: by position and by name."
    else:
        what = f"{code(function)} {found['number']}."
    tool = f" of {code(trouble.row.tool, 80)}" if trouble.row is not None else ""
    what += (
        f" The definition{tool} and the method behind it disagree: the call passed the first and failed in the second."
    )
    called = _caller(trouble.action)
    if called is not None:
        what += f" The call is made at {where(called)}" + (f": {code(called.code, 120)}." if called.code else ".")
    advice = (
        (
            "Change a tool's definition and its method together, and add a test that binds each tool's declared "
            "arguments "
            "to its method (`inspect.signature(method).bind(...)`)."
        ),
    )
    lesson = detector_with(Trait.BROKEN_CONTRACT).case_lesson
    return Cause("broken-contract", f"Signature mismatch{at(trouble)}", what, False, advice, names, lesson)


def misbound_argument(trouble: Trouble) -> Cause | None:
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
        f"{code(failure.headline, 200)} is raised at {where(raised)}, which uses {code(name)}: "
        f"{code(raised.code or '', 140)}. The call at {where(caller)} passes "
        f"{listed([code(entry, 60) for entry in positional[:4]])} by position ({code(call.group(), 120)}), and "
        f"it was probably bound to {code(name)}."
    )
    advice = (
        (
            f"Make the parameters of {code((raised.function or 'the method') + '()')} keyword-only, and name the "
            f"arguments at {where(caller)}."
        ),
    )
    return Cause(
        "misbound-argument",
        f"{failure.type}: an argument bound to the wrong parameter{at(trouble)}",
        text,
        True,
        advice,
        frozenset((name,)),
        (
            "Optional parameters that can be passed by position are bound to the wrong one sooner or later. "
            "Keyword-only parameters make that an error at the call."
        ),
    )


def _message(trouble: Trouble) -> str:
    action = trouble.action
    return (
        f"{action.failure.headline}\n{(action.result or '')[-4_000:]}"
        if action is not None and action.failure is not None
        else ""
    )


def _caller(action: Action | None) -> Frame | None:
    frames = action.failure.frames if action is not None and action.failure is not None else ()
    return frames[-1] if frames else None
