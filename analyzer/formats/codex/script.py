"""The tool calls in a script of Codex, as far as they can be read without running it.

Newer versions let the model write JavaScript that calls the tools. What is written out in full is found: strings,
templates, objects, arrays, constants with such values, and loops over them. What a script works out while it runs is
not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from analyzer.text.expressions import compiled

_COMMENT = compiled(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_SPACE = compiled(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z))+", re.DOTALL)
_NAME = compiled(r"[A-Za-z_$][\w$]*")
_NUMBER = compiled(r"-?(?:0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)")
_CONSTANT = compiled(r"(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*")
_TOOL = compiled(r"tools\s*\.\s*([A-Za-z_$][\w$]*)\s*\(\s*")
_FOR_EACH = compiled(r"for\s*(?:await\s*)?\(\s*(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s+of\s+")
_MAPPED = compiled(r"\s*\.\s*(?:map|forEach)\s*\(\s*(?:async\s*)?\(?\s*([A-Za-z_$][\w$]*)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_DEEPEST = 40
_LONGEST = 2_000_000
"""Characters of a script that are read."""


@dataclass(slots=True)
class ScriptCall:
    """One call of a tool in a script. `argument` is None where it isn't written out."""

    tool: str
    argument: Any = None


@dataclass(slots=True)
class _Each:
    """What a loop variable stands for: each of these."""

    values: list[Any]


class _Unclear(Exception):
    """An expression whose value isn't written out."""


class _CutOff(Exception):
    """A template that doesn't end: nothing after it can be distinguished from it."""


def calls_of(script: str) -> list[ScriptCall]:
    """Return the tool calls of a script in the order in which they're written."""
    return _Scan(script[:_LONGEST]).run()


@dataclass(slots=True)
class _Scan:
    text: str
    names: dict[str, Any] = field(default_factory=dict)
    calls: list[ScriptCall] = field(default_factory=list)

    def run(self) -> list[ScriptCall]:
        position, size = 0, len(self.text)
        try:
            while position < size:
                position = self._step(position)
        except _CutOff:
            pass
        return self.calls

    def _step(self, at: int) -> int:
        """Look at what stands at one position and return the next one to look at."""
        character = self.text[at]
        if character == "/" and (comment := _COMMENT.match(self.text, at)):
            return comment.end()
        if character in "\"'`":
            return self._passed(at)
        if character == "[":
            return self._list(at)
        if not (character.isalpha() or character in "_$"):
            return at + 1
        if constant := _CONSTANT.match(self.text, at):
            return self._constant(constant)
        if loop := _FOR_EACH.match(self.text, at):
            return self._each(loop[1], loop.end())
        if call := _TOOL.match(self.text, at):
            return self._call(call)
        name = _NAME.match(self.text, at)
        if name is None:
            return at + 1
        if (mapped := _MAPPED.match(self.text, name.end())) and isinstance(self.names.get(name[0]), list):
            self.names[mapped[1]] = _Each(self.names[name[0]])
        return name.end()

    def _passed(self, at: int) -> int:
        try:
            return _Literal(self.text, at, self.names).string()[1]
        except _Unclear:
            return at + 1

    def _list(self, at: int) -> int:
        try:
            values, end = _Literal(self.text, at, self.names).value()
        except _Unclear:
            return at + 1
        if (mapped := _MAPPED.match(self.text, end)) and isinstance(values, list):
            self.names[mapped[1]] = _Each(values)
            return mapped.end()
        return end

    def _constant(self, found: re.Match[str]) -> int:
        try:
            value, end = _Literal(self.text, found.end(), self.names).value()
        except _Unclear:
            self.names.pop(found[1], None)
            return found.end()
        if isinstance(value, list) and _MAPPED.match(self.text, end):
            return found.end()
        self.names[found[1]] = value
        return end

    def _each(self, name: str, at: int) -> int:
        try:
            values, end = _Literal(self.text, at, self.names).value()
        except _Unclear:
            return at
        if isinstance(values, list):
            self.names[name] = _Each(values)
        return end

    def _call(self, found: re.Match[str]) -> int:
        try:
            argument, end = _Literal(self.text, found.end(), self.names).value()
        except _Unclear:
            self.calls.append(ScriptCall(found[1]))
            return found.end()
        except _CutOff:
            self.calls.append(ScriptCall(found[1]))
            raise
        for each in _spread(argument):
            self.calls.append(ScriptCall(found[1], each))
        return end


def _spread(argument: Any) -> list[Any]:
    """Return one argument for each round of the loop whose variable is in it."""
    if isinstance(argument, _Each):
        return list(argument.values)
    if isinstance(argument, dict):
        loops = {key: value for key, value in argument.items() if isinstance(value, _Each)}
        if loops:
            rounds = min(len(value.values) for value in loops.values())
            return [
                {**argument, **{key: value.values[number] for key, value in loops.items()}} for number in range(rounds)
            ]
    return [argument]


@dataclass(slots=True)
class _Literal:
    """Reads one expression that is written out in full."""

    text: str
    at: int
    names: Mapping[str, Any]
    depth: int = 0

    def value(self) -> tuple[Any, int]:
        """Return the value and where it ends. Raises `_Unclear` or `_CutOff`."""
        first = self._one()
        while self._peek() == "+":
            self.at += 1
            second = self._one()
            if not isinstance(first, str) or not isinstance(second, str):
                raise _Unclear
            first += second
        return first, self.at

    def _peek(self) -> str:
        if space := _SPACE.match(self.text, self.at):
            self.at = space.end()
        return self.text[self.at : self.at + 1]

    def _one(self) -> Any:
        character = self._peek()
        if character and character in "\"'`":
            text, self.at = self.string()
            return text
        if character in ("{", "["):
            self.depth += 1
            if self.depth > _DEEPEST:
                raise _Unclear
            found: Any = self._object() if character == "{" else self._array()
            self.depth -= 1
            return found
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return _number(number[0])
        name = _NAME.match(self.text, self.at)
        if name is None:
            raise _Unclear
        self.at = name.end()
        if name[0] == "String" and self.text.startswith(".raw`", self.at):
            self.at += len(".raw")
            text, self.at = self.string(raw=True)
            return text
        return self._named(name[0])

    def _named(self, name: str) -> Any:
        if self._peek() in (".", "(", "?") or (name not in _WORDS and name not in self.names):
            raise _Unclear
        return _WORDS[name] if name in _WORDS else self.names[name]

    def _object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.at += 1
        while (character := self._peek()) != "}":
            if character and character in "\"'`":
                key, self.at = self.string()
            elif name := _NAME.match(self.text, self.at):
                key, self.at = name[0], name.end()
            else:
                raise _Unclear
            if self._peek() == ":":
                self.at += 1
                found[key] = self._part()
            else:
                found[key] = self._named(key)
            self._separator("}")
        self.at += 1
        return found

    def _array(self) -> list[Any]:
        found: list[Any] = []
        self.at += 1
        while self._peek() != "]":
            found.append(self._part())
            self._separator("]")
        self.at += 1
        return found

    def _part(self) -> Any:
        return self.value()[0]

    def _separator(self, closing: str) -> None:
        character = self._peek()
        if character == ",":
            self.at += 1
        elif character != closing:
            raise _Unclear

    def string(self, *, raw: bool = False) -> tuple[str, int]:
        """Return the string at this position and where it ends; a template keeps its `${...}`. Raises `_Unclear` or
        `_CutOff`."""
        quote, at = self.text[self.at], self.at + 1
        parts: list[str] = []
        start = at
        while at < len(self.text):
            character = self.text[at]
            if character == quote:
                return _whole("".join([*parts, self.text[start:at]])), at + 1
            if character == "\n" and quote != "`":
                break
            if character == "\\" and not raw:
                parts.append(self.text[start:at])
                escaped, at = _escape(self.text, at + 1)
                parts.append(escaped)
                start = at
            elif character == "\\":
                at += 2
            elif character == "$" and quote == "`" and self.text.startswith("${", at):
                at = _end_of_hole(self.text, at + 2)
            else:
                at += 1
        raise _CutOff if quote == "`" else _Unclear


def _whole(text: str) -> str:
    """Join the halves of characters that were escaped as two."""
    if text.isascii() or not re.search("[\ud800-\udfff]", text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _number(digits: str) -> int | float:
    text = digits.replace("_", "")[:40]
    try:
        return (
            int(text, 0) if text.lstrip("-").isalnum() and "e" not in text.lower().removeprefix("0x") else float(text)
        )
    except ValueError:
        return 0


def _escape(text: str, at: int) -> tuple[str, int]:
    character = text[at : at + 1]
    for opening, digits in (("u", 4), ("x", 2)):
        if character == opening:
            code = text[at + 1 : at + 1 + digits]
            if re.fullmatch(r"[0-9a-fA-F]+", code) and len(code) == digits:
                return chr(int(code, 16)), at + 1 + digits
            wide = re.match(r"u\{([0-9a-fA-F]{1,6})\}", text[at : at + 10])
            if wide and int(wide[1], 16) < 0x110000:
                return chr(int(wide[1], 16)), at + wide.end()
    return _ESCAPES.get(character, character), at + 1


def _end_of_hole(text: str, at: int) -> int:
    depth = 1
    while at < len(text) and depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at
