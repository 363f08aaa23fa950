"""The tool calls in a script of Codex, as far as they can be read without running it.

Newer versions let the model write JavaScript that calls the tools. What is written out in full is found: strings,
templates, numbers, objects and arrays, constants with such values, and loops over a constant list. What a script works
out while it runs is not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from analyzer.formats.loading.interface import expressions_of
from analyzer.model.struct import Struct

_SAYS = expressions_of(__file__)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_GOES_ON = "+.(?"
"""Behind a value, these say that something else is worked out from it."""
_DEEPEST, _LONGEST = 40, 2_000_000


class ScriptCall(Struct):
    """One call of a tool in a script. `argument` is None where it isn't written out."""

    tool: str
    argument: Any = None


class _Each(list[Any]):
    """What a loop variable stands for: each of these."""


def calls_of(script: str) -> list[ScriptCall]:
    """Return the tool calls of a script in the order in which they're written."""
    text, at = script[:_LONGEST], 0
    names: dict[str, Any] = dict(_WORDS)
    calls: list[ScriptCall] = []
    while found := _SAYS["found"].search(text, at):
        at = found.end()
        if isinstance(listed := names.get(found["list"] or found["of"] or ""), list):
            names[found["each"] or found["one"]] = _Each(listed)
        if not found["constant"] and not found["tool"]:
            continue
        try:
            value, end = _value(text, at, names, 0)
        except LookupError:
            value, end = None, at
            names.pop(found["constant"] or "", None)
        if found["tool"]:
            calls += [ScriptCall(found["tool"], each) for each in _spread(value)]
        elif end > at:
            names[found["constant"]] = value
        at = end
    return calls


def _spread(argument: Any) -> list[Any]:
    """One argument for each round of the loop whose variable is in it."""
    named = argument.items() if isinstance(argument, dict) else ()
    for key, values in ((key, value) for key, value in named if isinstance(value, _Each)):
        return [{**argument, key: value} for value in values]
    return argument if isinstance(argument, _Each) else [argument]


def _value(text: str, at: int, names: Mapping[str, Any], depth: int) -> tuple[Any, int]:
    """What is written out at a place, and where it ends. Raises a `LookupError` where it isn't."""
    part = _SAYS["part"].match(text, at)
    if part is None or depth > _DEEPEST:
        raise LookupError
    value: Any
    at = part.end()
    if part["string"] is not None:
        value = part["string"][1:-1] if part["raw"] else _unescaped(part["string"][1:-1])
    elif part["number"] is not None:
        digits = part["number"].replace("_", "")[:40].lower()
        whole = "x" in digits or not set(digits) & set(".e")
        value = int(digits, 16 if "x" in digits else 10) if whole else float(digits)
    elif part["name"] is not None:
        value = names[part["name"]]
    elif part["sign"] == "[":
        value = []
        while (part := _next(text, at))["sign"] != "]":
            inner, at = _value(text, at, names, depth + 1)
            value.append(inner)
            at = _behind(text, at, "]")
        at = part.end()
    elif part["sign"] == "{":
        value = {}
        while (part := _next(text, at))["sign"] != "}":
            key, at = part["name"] or _unescaped((part["string"] or "")[1:-1]), part.end()
            if (colon := _next(text, at))["sign"] == ":":
                value[key], at = _value(text, colon.end(), names, depth + 1)
            else:
                value[key] = names[key]
            at = _behind(text, at, "}")
        at = part.end()
    else:
        raise LookupError
    following = _SAYS["part"].match(text, at)
    if following is not None and (following["sign"] or " ") in _GOES_ON:
        raise LookupError
    return value, at


def _next(text: str, at: int) -> re.Match[str]:
    part = _SAYS["part"].match(text, at)
    if part is None:
        raise LookupError
    return part


def _behind(text: str, at: int, closing: str) -> int:
    """The place behind a comma; that of the closing bracket where this comes next."""
    part = _next(text, at)
    if part["sign"] not in (",", closing):
        raise LookupError
    return part.end() if part["sign"] == "," else at


def _unescaped(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        code = found[1] or found[2] or found[3]
        return chr(int(code, 16)) if code else _ESCAPES.get(found[4], found[4])

    # The halves of characters that were escaped as two are joined.
    return _SAYS["escaped"].sub(plain, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
