"""The name that a failure says is missing."""

from __future__ import annotations

from analyzer.model.failure import Failure
from analyzer.text.late import late

_NAME = r"(?P<name>[A-Za-z_$][\w$]{1,80})"
_MISSING = tuple(
    late(pattern)
    for pattern in (
        rf"name ['\"`]{_NAME}['\"`] is not defined",
        rf"cannot import name ['\"`]{_NAME}['\"`]",
        rf"has no (?:attribute|member|exported member(?: named)?|method|property) ['\"`]{_NAME}['\"`]",
        rf"cannot find (?:\w+,? ){{0,4}}[`'\"]{_NAME}[`'\"]",
        rf"no (?:function|method|field|variant)[^`'\"]{{0,40}}[`'\"]{_NAME}[`'\"]",
        rf"Cannot find name ['\"`]{_NAME}['\"`]",
        rf"[Pp]roperty ['\"`]{_NAME}['\"`] does not exist",
        rf"[Ee]xport(?: named)? ['\"`]{_NAME}['\"`]",
        rf"undefined (?:local variable or method|method|constant|name|reference to|function|variable) [`'\"]?{_NAME}",
        rf"uninitialized constant (?:\w+::)*{_NAME}",
        rf"undefined: (?:\w+\.)?{_NAME}",
        rf"cannot find symbol:? ?(?:symbol: ?)?(?:method|variable|class)? ?{_NAME}",
        rf"(?:^|[\s.(]){_NAME}\)? is not (?:defined|a function|a constructor)",
        rf"Call to undefined (?:function|method) (?:[\w\\]+(?:::|->))?{_NAME}",
        rf"has no field or method {_NAME}",
        rf"[Uu]nresolved (?:reference|import|name)s?:? [`'\"]?(?:\w+(?:::|\.))*{_NAME}",
        rf"[‘'`]{_NAME}[’'] was not declared",
    )
)
_MODULE = late(r"(?:No module named|Cannot find module|Cannot resolve module) ['\"`]?(?P<name>[\w./@:-]{1,120})")


def missing_name(failure: Failure) -> str | None:
    """The name of a function, class, method or variable that the message says isn't there."""
    for pattern in _MISSING:
        found = pattern.search(failure.message)
        if found is not None and found["name"]:
            return found["name"]
    return None


def missing_module(failure: Failure) -> str | None:
    """The module that the message says can't be found."""
    found = _MODULE.search(failure.message)
    return found["name"].rstrip(".") if found else None
