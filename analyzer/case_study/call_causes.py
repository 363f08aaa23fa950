"""Causes that the traceback of a failing call shows: a call that doesn't fit the signature behind it, and an argument
bound to the wrong parameter."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analyzer.case_study.cause import Cause, at, where
from analyzer.case_study.first_failure import Trouble
from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import detector_with
from analyzer.detectors.signals.binding import Misbinding, exchanged, foreign_object, misbound
from analyzer.model.action import Action
from analyzer.model.failure import Frame
from analyzer.text.english import listed
from analyzer.text.markdown import code
from analyzer.timeline.references import as_text

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
_BY_NAME = "Pass the arguments of {tool} by name, and make what the program adds to them keyword-only."
_CONTEXT_LESSON = (
    "Optional parameters that can be passed by position are bound to the wrong one sooner or later. Keyword-only "
    "parameters make that an error at the call."
)
_EXCHANGED_LESSON = (
    "Two parameters of one type that are bound by position get each other's values, and nothing fails: pass arguments "
    "by name, and check the result, not the call."
)


def misbound_value(trouble: Trouble) -> Cause | None:
    """A value that was bound to another parameter than the call meant."""
    action = trouble.action
    if action is None:
        return None
    found = (exchanged(action) if trouble.phase == "result" else None) or misbound(action)
    if found is None:
        foreign = foreign_object(action)
        return _foreign(trouble, action, foreign) if foreign is not None else None
    tool = code(action.tool, 80)
    advice = (_BY_NAME.format(tool=tool),)
    if found.kind == "exchanged":
        return Cause(
            "exchanged-arguments",
            f"Two swapped arguments{at(trouble)}",
            _exchanged(found, action),
            False,
            advice,
            frozenset(found.parameters),
            _EXCHANGED_LESSON,
            (action.tool,),
        )
    return _misbound(trouble, _context(found, action), not found.sure, advice, found.parameters, (action.tool,))


def _misbound(
    trouble: Trouble,
    text: str,
    hypothesis: bool,
    advice: tuple[str, ...],
    names: Iterable[str] = (),
    functions: tuple[str, ...] = (),
    error: str = "An",
) -> Cause:
    title = f"{error} argument bound to the wrong parameter{at(trouble)}"
    return Cause("misbound-argument", title, text, hypothesis, advice, frozenset(names), _CONTEXT_LESSON, functions)


def _exchanged(found: Misbinding, action: Action) -> str:
    one, other = found.parameters
    given = action.arguments if not isinstance(action.arguments, str) else {}
    return (
        f"The call of {code(action.tool, 80)} gives {code(one)} = {code(as_text(given[one]), 80)} and {code(other)} = "
        f"{code(as_text(given[other]), 80)} (action {action.step}), and its answer has {code(one)} = "
        f"{code(as_text(given[other]), 80)} and {code(other)} = {code(as_text(given[one]), 80)}. Both values fit both "
        "parameters, so nothing failed: they were bound by position, in another order than that of the parameters."
    )


def _context(found: Misbinding, action: Action) -> str:
    name, function = code(found.parameters[0]), code(found.function)
    message = code(action.failure.headline, 160) if action.failure is not None else ""
    shown = found.frame
    raised = f" at {where(shown)}{f': {code(shown.code, 120)}' if shown.code else ''}" if shown is not None else ""
    if found.sure:
        passed = (
            f"passes {listed([code(word, 60) for word in found.positional])} by position as well"
            if found.positional
            else "passes something by position as well"
        )
        return (
            f"{function} gets {name} twice ({message}): the call gives it by name, and what makes the call{raised} "
            f"{passed}. The first parameter is {name}, so a value that isn't the call's was bound to it."
        )
    names = listed([code(str(given)) for given in action.arguments]) if action.arguments else "nothing"
    return (
        f"{message} is raised in {function}{raised}, over {name}. The call doesn't give {name} (action {action.step}: "
        f"{names}), so what it holds comes from whoever calls {function}: arguments are passed by position there, and "
        "one that the program adds, such as its context, took the place of the parameter that was left out."
    )


def _foreign(trouble: Trouble, action: Action, name: str) -> Cause:
    message = code(action.failure.headline, 200) if action.failure is not None else ""
    text = (
        f"{message}: no call can hold an object of type {code(name, 80)}, so the program added it to the arguments "
        f"of {code(action.tool, 80)}, and it was bound to a parameter that isn't its own."
    )
    advice = (_BY_NAME.format(tool=code(action.tool, 80)),)
    return _misbound(trouble, text, True, advice, functions=(action.tool,))


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
    return _misbound(trouble, text, True, advice, (name,), error=f"{failure.type}: an")


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
