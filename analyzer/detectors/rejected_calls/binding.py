"""How the arguments of a call are bound: values that another parameter got than the call meant, and what a message says
of a call that doesn't fit the signature of the function behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Literal

from analyzer.model.action import Action
from analyzer.model.failure import Frame
from analyzer.model.struct import Struct
from analyzer.text.late import late
from analyzer.timeline.calls.arguments import read_value

_MULTIPLE = late(
    r"(?P<function>[\w.]{1,120})\(\) got multiple values for (?:keyword )?argument ['\"](?P<name>\w{1,60})['\"]"
)
_USED = late(
    r"(?:^|[\s:(])(?P<name>[A-Za-z_$]\w{0,60})(?:\.\w{1,60})+ is not (?:a function|iterable)"
    r"|(?P<alone>[A-Za-z_$]\w{0,60}) is not (?:a function|iterable)"
)
_ATTRIBUTE = late(r"'(?P<type>[A-Za-z_]\w{0,80})' object has no attribute '(?P<attribute>\w{1,60})'")
_CAST = late(
    r"[Oo]bject of type '(?P<net>[\w.+]{1,120})' cannot be converted to type"
    r"|class (?P<java>[\w.$]{1,120}) cannot be cast to"
)
_CALL = late(r"(?P<function>\w{1,60})\((?P<arguments>[^()\n]{1,200})\)")
_PARAMETER = late(r"\b([A-Za-z_]\w{0,60})(?:\[|\.\w)|\b([A-Za-z_]\w{0,60}) (?:must|should|has to|needs to) be\b")
"""A name that a line of code uses as an object, or that its message speaks of."""
_WRONG_TYPE = late(
    r"\b(?:is|not|got|received|has type|object of type|unsupported) ['\"]?(?:str|int|float|list|dict|tuple|bytes"
    r"|bool|NoneType)\b|'(?:str|int|float|list|dict|tuple|bytes|bool)' object"
)
_MISMATCH = late(
    r"(?P<function>[A-Za-z_<][\w.<>]{0,100})\(\) (?:"
    r"got an unexpected keyword argument ['\"](?P<unexpected>\w{1,60})['\"]"
    r"|missing \d{1,3} required (?:positional|keyword-only) arguments?: (?P<missing>['\"]\w{1,60}['\"](?:,? "
    r"(?:and )?['\"]\w{1,60}['\"]){0,12})"
    r"|takes (?:from )?(?:\d{1,3}|no)(?: to \d{1,3})? (?:positional )?arguments? but \d{1,3} (?:was|were) given"
    r"|takes (?:\d{1,3}|no) positional arguments?[^\n]{0,60} but \d{1,3}[^\n]{0,60} (?:was|were) given"
    r"|got multiple values for (?:keyword )?argument ['\"](?P<multiple>\w{1,60})['\"]"
    r"|got some positional-only arguments passed as keyword arguments: ['\"](?P<positional>\w{1,60})"
    r")|\bTypeError: (?:missing a required (?:positional-only |keyword-only )?argument: ['\"](?P<bound>\w{1,60})"
    r"['\"]|got an unexpected keyword argument ['\"](?P<unbound>\w{1,60})['\"]|too many positional arguments$)",
    re.MULTILINE,
)
_BUILT_IN = frozenset({"str", "int", "float", "bool", "list", "dict", "tuple", "NoneType", "bytes", "set"})
_LONGEST = 100_000
_SEPARATOR = late(r"__|::|[./:]")

POSITION_LESSON = (
    "Optional parameters that can be passed by position are bound to the wrong one sooner or later. Keyword-only "
    "parameters make that an error at the call."
)


class Misbinding(Struct, frozen=True):
    """One misbinding: its kind, the parameters (none where only the type of what was bound is known), the function that
    was called, the frame that shows it, and what is passed by position there (empty where the trace doesn't show it).

    `context` is a value that the call doesn't give; `exchanged` are two values of the call in each other's place.
    """

    kind: Literal["context", "exchanged"]
    parameters: tuple[str, ...]
    function: str
    frame: Frame | None = None
    positional: tuple[str, ...] = ()
    sure: bool = True


def misbound(action: Action) -> Misbinding | None:
    """A parameter of a failing call that got a value which the call doesn't give for it."""
    failure = action.failure
    if failure is None or action.operation.command is not None:
        return None
    text = f"{failure.headline}\n{(action.result or '')[-4_000:]}"
    given = set(map(str, action.arguments)) if isinstance(action.arguments, Mapping) else set()
    twice = _MULTIPLE.search(text)
    if twice is not None and twice["name"] in given:
        frame = failure.frames[-1] if failure.frames else None
        return Misbinding("context", (twice["name"],), f"{twice['function']}()", frame, _positional(frame))
    cast = _CAST.search(failure.message)
    foreign = (cast["net"] or cast["java"]) if cast is not None else None
    if foreign is not None and not foreign.startswith(("System.", "java.")):
        return Misbinding("context", (), foreign, sure=False)
    raised = next((frame for frame in reversed(failure.frames) if _is_own(frame.function, action.tool)), None)
    if raised is None or not given:
        return None
    used = _USED.search(failure.message)
    name = (used["name"] or used["alone"]) if used is not None else None
    typed = _ATTRIBUTE.search(failure.message)
    if name is None and typed is not None and typed["type"] not in _BUILT_IN:
        owner = re.search(rf"\b([A-Za-z_]\w{{0,60}})\.{re.escape(typed['attribute'])}\b", raised.code or "")
        name = owner[1] if owner is not None else None
    if name is None or name in given or name in ("self", "this"):
        return None
    return Misbinding("context", (name,), f"{raised.function}()", raised, sure=False)


def passed_by_position(action: Action) -> Misbinding | None:
    """A parameter that holds a value of the wrong type, in a function whose caller passes arguments by position."""
    failure = action.failure
    if failure is None or failure.type not in ("TypeError", "AttributeError") or len(failure.frames) < 2:
        return None
    raised, caller = failure.frames[-1], failure.frames[-2]
    positional = _positional(caller, raised.function)
    used = [name for found in _PARAMETER.finditer(raised.code or "") for name in found.groups() if name is not None]
    said = [name for name in used if re.search(rf"\b{name}\b", failure.message)]
    name = next(iter(said), used[-1] if used else None)
    if name is None or not positional or name in (*positional, "self") or not _WRONG_TYPE.search(failure.message):
        return None
    return Misbinding("context", (name,), f"{raised.function}()", raised, positional, sure=False)


def exchanged(action: Action) -> Misbinding | None:
    """Two values of a call that its answer gives back in each other's place."""
    if action.failure is not None or not isinstance(action.arguments, Mapping):
        return None
    answer = action.result or ""
    if len(answer) > _LONGEST or answer.lstrip()[:1] != "{":
        return None
    given = {str(name): value for name, value in action.arguments.items() if isinstance(value, str | int | float)}
    for held in _objects(read_value(answer), 3):
        names = [name for name in given if name in held and not isinstance(held[name], dict | list)]
        for one, other in combinations(names, 2):
            if given[one] != given[other] and held[one] == given[other] and held[other] == given[one]:
                return Misbinding("exchanged", (one, other), action.tool)
    return None


def _positional(frame: Frame | None, function: str | None = None) -> tuple[str, ...]:
    """What the call in a frame, of that function where one is named, passes by position."""
    calls = _CALL.finditer(frame.code or "") if frame is not None else ()
    found = next((call for call in calls if function is None or call["function"] == function), None)
    if found is None:
        return ()
    words = [word.strip() for word in found["arguments"].split(",")]
    return tuple(word for word in words if word and "=" not in word and not word.startswith("**"))


def _is_own(function: str | None, tool: str) -> bool:
    """Whether a frame is in the tool's own function."""
    names = ((function or "").rsplit(".", 1)[-1], _SEPARATOR.split(tool)[-1])
    own, called = (re.sub(r"[^a-z0-9]", "", name.lower()) for name in names)
    return bool(function) and own == called


def _objects(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        if depth:
            for entry in list(value.values())[:30]:
                yield from _objects(entry, depth - 1)


class Mismatch(Struct, frozen=True):
    """What one message says: the function (None for a call that is bound to a signature, which names none), the
    argument that it doesn't know, those that it lacks, the one that it gets twice, and where the message begins and
    ends."""

    function: str | None
    unexpected: str | None
    missing: tuple[str, ...]
    twice: str | None
    start: int
    end: int


def mismatch_in(text: str) -> Mismatch | None:
    """The first such message in a text."""
    found = _MISMATCH.search(text)
    if found is None:
        return None
    missing = re.findall(r"\w+", (found["missing"] or found["bound"] or "").replace(" and ", " "))
    unexpected = found["unexpected"] or found["unbound"]
    return Mismatch(found["function"], unexpected, tuple(missing), found["multiple"], found.start(), found.end())
