"""What `sed -i` and `perl -pi` do to a file, for the scripts that people write: substitute, delete, insert, append and
change, with line numbers or an expression for the address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from analyzer.commands.statements import unescaped
from analyzer.model.struct import Struct, replace
from analyzer.text.late import late
from analyzer.text.plain import holds_any
from analyzer.workspace.document import Document, lines_of, replaced, replaced_lines

_ADDRESS = r"(?:\d{1,7}|\$|/(?:\\.|[^/\\])+/)"
_COMMAND = late(rf"\s*(?P<first>{_ADDRESS})?(?:,(?P<last>{_ADDRESS}|\+\d{{1,6}}))?\s*(?P<verb>[sdiac])")
_LINES = {"n": "\n", "t": "\t"}
_MOST_KEPT = 256
"""Expressions and replacements that are kept: a command is the same for every line."""
_LONGEST_LINE = 5_000
_SHORT_LINE = 300
_REPEAT = late(r"(?<!\\)(?:[*+]|\{\d*,)")
_REPEATED_GROUP = late(r"(?<!\\)\)[*+?{]|\\\d")
_LEAST = 12
"""Characters of a text from which it's taken to stand only once in a file whose lines weren't shown."""


class Command(Struct, frozen=True):
    """One command of a script; `extended` says how its expressions are written."""

    verb: str
    first: str | None
    last: str | None
    text: str = ""
    pattern: str = ""
    flags: str = ""
    extended: bool = False


def parse(script: str, *, extended: bool = False) -> list[Command] | None:
    """The commands of a script, None for one that isn't understood."""
    commands: list[Command] = []
    place = 0
    while place < len(script):
        if script[place] in " \t\n;":
            place += 1
            continue
        found = _COMMAND.match(script, place)
        if found is None:
            return None
        verb, first, last = found["verb"], found["first"], found["last"]
        place = found.end()
        if verb == "s":
            parts, place = _substitution(script, place)
            if parts is None:
                return None
            commands.append(Command("s", first, last, parts[1], parts[0], parts[2], extended))
        elif verb == "d":
            commands.append(Command("d", first, last, extended=extended))
        else:
            text = script[place:].lstrip()
            if "\\" in script[place : place + 3]:
                text = text.removeprefix("\\").removeprefix("\n")
            commands.append(Command(verb, first, last, unescaped(text, _LINES), extended=extended))
            place = len(script)
    return commands


def _substitution(script: str, place: int) -> tuple[tuple[str, str, str] | None, int]:
    if place >= len(script):
        return None, place
    sign = script[place]
    parts: list[str] = []
    current, place = "", place + 1
    while place < len(script) and len(parts) < 2:
        character = script[place]
        if character == "\\" and place + 1 < len(script):
            following = script[place + 1]
            current += following if following == sign and sign not in "|.*+?()[]{}^$" else character + following
            place += 2
            continue
        if character == sign:
            parts.append(current)
            current = ""
        else:
            current += character
        place += 1
    if len(parts) < 2:
        return None, place
    end = len(script) - len(script[place:].lstrip("gIiepmM0123456789"))
    return (parts[0], parts[1], script[place:end]), end


def applied(document: Document, commands: Sequence[Command]) -> Document | None:
    """The document after a script, None where the result isn't known."""
    for command in commands:
        if (made := _one(document, command)) is None:
            return None
        document = made
    return document


def _one(document: Document, command: Command) -> Document | None:
    numbers = _numbers(document, command)
    if command.verb != "s" and numbers is not None:
        return _at_numbers(document, *numbers, command)
    address = None
    if numbers is None and command.first is not None:
        if command.verb == "s" or command.last is not None:
            return None
        address = expression(command.first[1:-1].replace("\\/", "/"), extended=command.extended)
        if address is None:
            return None
    return _line_by_line(document, numbers, address, command)


def _at_numbers(document: Document, first: int, last: int, command: Command) -> Document | None:
    """The document after lines given by number were taken out, exchanged, or others put in beside them."""
    if command.verb == "d":
        return replaced_lines(document, first, last, "")
    if command.verb == "c":
        return replaced_lines(document, first, last, command.text + "\n")
    if first != last:
        return None
    at = first if command.verb == "i" else first + 1
    return replaced_lines(document, at, at - 1, command.text + "\n")


def _line_by_line(
    document: Document, numbers: tuple[int, int] | None, address: re.Pattern[str] | None, command: Command
) -> Document | None:
    """The document after the lines that are known were changed one by one. Where none of them is, the place is one that
    was never shown: then the text that a substitution looks for is taken to stand there."""
    whole = document.text.split("\n") if document.text is not None else None
    if numbers is not None:
        numbers = (numbers[0], min(numbers[1], len(whole))) if whole is not None else numbers
        if lines_of(document, *numbers) is None:
            return _literally(document, command, least=_LEAST)
    edits: list[tuple[int, list[str]]] = []
    shown = (enumerate(window.lines, window.start) for window in document.windows)
    for number, line in enumerate(whole, 1) if whole is not None else chain.from_iterable(shown):
        if whole is None and len(line) > _LONGEST_LINE:
            continue
        if numbers is not None and not numbers[0] <= number <= numbers[1]:
            continue
        found = address is None or (len(line) <= _limit_of(address.pattern) and address.search(line) is not None)
        new = _changed(line, command) if found else [line]
        if new is None and (whole is not None or numbers is not None):
            return None
        if new is not None and new != [line]:
            edits.append((number, new))
    if whole is not None:
        for number, lines in reversed(edits):
            whole[number - 1 : number] = lines
        return replace(document, text="\n".join(whole))
    made: Document | None = document
    for number, lines in reversed(edits):
        made = replaced_lines(made, number, number, "".join(f"{line}\n" for line in lines)) if made else None
    return made if edits or numbers is not None else _literally(document, command)


def _changed(line: str, command: Command) -> list[str] | None:
    """What a command makes of a line, None where that isn't known."""
    if command.verb == "s":
        made = _substituted_line(line, command) if line else line
        return made.split("\n") if made is not None else None
    return {"i": [command.text, line], "a": [line, command.text], "c": [command.text], "d": []}[command.verb]


def _literally(document: Document, command: Command, *, least: int = 0) -> Document | None:
    """The document after a substitution of a text by another one, in the only place or, without an address, in all."""
    literal = literal_of(command.pattern, extended=command.extended) if command.verb == "s" else None
    by_what_was_found = re.search(r"(?<!\\)&|\\\d", command.text) is not None
    if not literal or by_what_was_found or len(literal) < least:
        return None
    return replaced(document, literal, unescaped(command.text, _LINES), everywhere=command.first is None)


def _numbers(document: Document, command: Command) -> tuple[int, int] | None:
    """The lines that an address of numbers names."""
    if command.first is None or command.first.startswith("/"):
        return None
    count = len(document.text.rstrip("\n").split("\n")) if document.text is not None else None
    first = int(command.first) if command.first.isdigit() else count
    if first is None:
        return None
    if command.last is None:
        return first, first
    if command.last.startswith("+"):
        return first, first + int(command.last[1:])
    last = int(command.last) if command.last.isdigit() else count if command.last == "$" else None
    return (first, last) if last is not None else None


@lru_cache(maxsize=_MOST_KEPT)
def expression(pattern: str, *, extended: bool) -> re.Pattern[str] | None:
    """A basic or extended regular expression as one of Python's."""
    if not extended:
        pattern = re.sub(r"\\([(){}|+?])|([(){}|+?])", lambda match: match[1] or "\\" + match[2], pattern)
    pattern = pattern.replace("[[:space:]]", r"\s").replace("[[:alnum:]]", r"\w")
    if _limit_of(pattern) == 0:
        return None
    try:
        return re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


@lru_cache(maxsize=_MOST_KEPT)
def _limit_of(pattern: str) -> int:
    """Up to which length lines are searched for an expression that a session brings along: one that may take very long
    is looked for in short lines only, or not at all."""
    if _REPEATED_GROUP.search(pattern):
        return 0
    repeats = len(_REPEAT.findall(pattern))
    return _LONGEST_LINE if repeats < 2 else _SHORT_LINE if repeats == 2 else 0


@lru_cache(maxsize=_MOST_KEPT)
def _replacement(text: str) -> str:
    """The right side of a substitution as a template of Python's: `&` is all that was found."""
    return re.sub(r"\\(.)|(&)", lambda found: r"\g<0>" if found[2] else _escaped(found[1]), text, flags=re.DOTALL)


def _escaped(character: str) -> str:
    if character.isdigit():
        return rf"\g<{character}>"
    return {"n": "\n", "t": "\t", "\\": "\\\\"}.get(character, character)


def _substituted_line(line: str, command: Command) -> str | None:
    found = expression(command.pattern, extended=command.extended)
    if found is None or len(line) > _limit_of(found.pattern):
        return None
    try:
        return found.sub(_replacement(command.text), line, count=0 if "g" in command.flags else 1)
    except (re.error, IndexError):
        return None


def literal_of(pattern: str, *, extended: bool) -> str | None:
    """The text that a pattern finds if it holds no sign with a meaning."""
    plain = re.sub(r"\\([./\[\]*^$\"'])", "", pattern)
    if holds_any(plain, "\\*[]^$+?(){}|" if extended else "\\*[]^$"):
        return None
    return unescaped(pattern, {})
