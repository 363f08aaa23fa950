"""What a result shows of a file: its lines with their numbers, and whether that is all of it. It's a file tool's
answer, or the output of `cat`, `sed -n 1,20p`, `head` and `nl`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from analyzer.commands.table import Does, does, file_act, is_silent
from analyzer.failures.envelope import printed
from analyzer.model.action import Action, Command
from analyzer.model.struct import Struct
from analyzer.model.words import Status
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.text.plain import holds_any, plain

_NUMBERED = late(r"^ {0,8}(\d{1,7})(?:(\t|→|\. |\||:| {2}| \| ?| (?=\S))(.*))?$", re.MULTILINE)
_TOTAL = late(r"^\[File: [^\n]{1,400}?\((?P<total>\d{1,7}) lines total", re.MULTILINE)
_CUT = late(
    r"^\W{0,8}(?:[\w ,:]{0,60}\b)?(?:truncat\w*|omitted|abbreviated|elided|clipped|skipped|more lines?"
    r"|too (?:large|long))\b|^\W*\.{3}\W*$",
    re.IGNORECASE,
)
"""A line that says that something was left out."""
_CUT_WORDS = (*names("truncat omitted abbreviated elided clipped skipped ..."), "more line", "too large", "too long")
_PROMPT = late(r"^\S{1,60}@[^\s:]{1,60}:\S{1,200} ?[#$] ?$")
_LONGEST_NOTE = 200
_MOST = 400_000
"""Characters of a result that are looked at."""
_LEAST_NUMBERED = 3
"""Lines that a numbered listing has at least, unless that is all there is."""
_TAGS = late(r"<(?:content>\n?|(?<![^\n]<)(?:(?:path|type)>[^\n]*\n|file>\n?))")
_REMINDER = late(r"\n*<(?P<tag>system-reminder|system_reminder)>[\s\S]*?</(?P=tag)>\s*")


class Lines(Struct, frozen=True):
    """Lines of a file, the first of which has the number `start`; `whole` if the file has no others, `alone` if the
    result shows no other numbered lines, `cut` if it speaks of something that was left out."""

    start: int
    lines: tuple[str, ...]
    whole: bool = False
    alone: bool = False
    cut: bool = False

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.start + len(self.lines) - 1

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def numbered(result: str, least: int = _LEAST_NUMBERED) -> Lines | None:
    """The longest numbered listing that a result shows; None where it shows none, or fewer than `least` lines that
    aren't all it has."""
    text = _without_wrapping(result)
    listed: list[tuple[str, str, str]] = _NUMBERED.findall(text)
    best: list[tuple[str, str]] = []
    current: list[tuple[str, str]] = []
    first = start = expected = 0
    for digits, sign, code in listed:
        number = int(digits)
        if not current or number != expected:
            if len(current) > len(best):
                best, start = current, first
            current, first = [], number
        current.append((sign, code))
        expected = number + 1
    if len(current) > len(best):
        best, start = current, first
    if not best:
        return None
    signs = {sign for sign, code in best if code and not code.isspace()}
    least = _LEAST_NUMBERED if signs == {" "} else least
    if len(signs) > 1 or (len(best) < least and (start != 1 or text.count("\n") > len(best) + 1)):
        return None
    codes = [code for _, code in best]
    # A blank behind the colon is none of the line's where it makes the depth of each line an odd one.
    if signs == {":"} and all((len(code) - len(code.lstrip(" "))) % 2 for code in codes if code):
        codes = [code[1:] for code in codes]
    total = _TOTAL.search(text) if "lines total" in text else None
    alone, cut = len(best) == len(listed), holds_any(_NUMBERED.sub("", text).lower(), _CUT_WORDS)
    complete = len(best) == int(total["total"]) if total is not None else alone and not cut
    return Lines(start, tuple(codes), start == 1 and complete, alone, cut)


def as_printed(result: str, start: int | None = 1, *, whole: bool = True) -> Lines | None:
    """A result that is nothing but the text of a file from the line `start` on; up to the place at which something was
    left out."""
    text = _without_wrapping(result)
    if start is None or not text.strip():
        return None
    lines = text.split("\n")
    while len(lines) > 1 and (not lines[-1] or _PROMPT.match(lines[-1])):
        lines.pop()
    if holds_any(text.lower(), _CUT_WORDS):
        gaps = (
            at
            for at, line in enumerate(lines)
            if len(line) < _LONGEST_NOTE and holds_any(line.lower(), _CUT_WORDS) and _CUT.match(line)
        )
        if (gap := next(gaps, None)) is not None:
            lines, whole = lines[: max(0, gap - 1)], False
    return Lines(start, tuple(lines), whole) if lines else None


def _without_wrapping(result: str) -> str:
    text = plain(result[:_MOST])
    if "reminder>" in text:
        text = _REMINDER.sub("\n", text)
    if "<content>" not in text and "<file>" not in text and "<path>" not in text[:20]:
        return text
    ends = [place for tag in ("</content>", "</file>") if (place := text.find(tag)) >= 0]
    return _TAGS.sub("", text[: min(ends)].removesuffix("\n") if ends else text)


_RANGE = late(r"^(?P<first>\d{1,7})(?:,(?P<last>\d{1,7}|\$|\+\d{1,7}))?p;?(?:\d+q)?$")
_CUTS = ("edit", "beginning")
_WRAPPERS = ("Here's the", '{"callId"', "[File:", "<path>", "Error")
_FOOTER = late(r"\n*\[[^\]\n]*(?:exit code|working directory|interpreter|finished)[^\]\n]*\]\s*$", re.IGNORECASE)


def shown_part(action: Action) -> tuple[str, Lines] | None:
    """The file whose text a result shows, as the call names it, with its lines; None where that can't be known."""
    if not action.result or action.status is Status.ERROR:
        return None
    return _of_line(action) if action.operation.command is not None else _of_tool(action, action.result)


def telling(action: Action) -> list[Command]:
    """The commands of a line that may print something."""
    return [command for command in action.operation.commands if not is_silent(command.program)]


def _of_line(action: Action) -> tuple[str, Lines] | None:
    commands = telling(action)
    if len(commands) == 2 and _numbers(commands[0]) and file_act(commands[1].program) in _CUTS:
        commands = commands[:1]
    if len(commands) != 1:
        return None
    command = commands[0]
    named = [word for word in command.args if not (word.startswith("-") or _RANGE.match(word) or word.isdigit())]
    if len(named) != 1 or any(sign in named[0] for sign in "*?$[{") or action.operation.writes:
        return None
    lines = _lines(command, printed(action.result or ""), action)
    return (named[0], lines) if lines is not None else None


def _of_tool(action: Action, result: str) -> tuple[str, Lines] | None:
    operation = action.operation
    if not operation.path or "://" in operation.path:
        return None
    limited = operation.lines is not None or (isinstance(action.arguments, Mapping) and "limit" in action.arguments)
    lines = numbered(result)
    if lines is None and (operation.lines is not None or not limited):
        start = operation.lines[0] if operation.lines is not None else 1
        lines = as_printed(result, start, whole=operation.lines is None)
        if lines is not None and not _reads_like_text(lines.lines):
            lines = None
    if lines is not None and limited and lines.whole:
        lines = Lines(lines.start, lines.lines, whole=False)
    return (operation.path, lines) if lines is not None else None


def _reads_like_text(lines: tuple[str, ...]) -> bool:
    """Whether what a reader without line numbers printed is the file, and not a wrapper around it."""
    first = lines[0].lstrip()
    if len(lines) == 1 and " file " in f" {first.lower()} ":
        return False  # a word of the reader about the file ("File unchanged since last read.")
    digits = sum(1 for line in lines if line.lstrip()[:1].isdigit())
    return digits * 2 < len(lines) + 1 and not first.startswith(_WRAPPERS)


def _numbers(command: Command) -> bool:
    """Whether a command puts a number before each line that it shows."""
    return bool(does(command.program, command.args) & Does.NUMBERS)


def _lines(command: Command, result: str, action: Action) -> Lines | None:
    while result.rstrip().endswith("]") and (stripped := _FOOTER.sub("", result)) != result:
        result = stripped
    act, args = file_act(command.program), command.args
    if _numbers(command):
        found = numbered(result)
        piped = len(action.operation.commands) > 1
        return Lines(found.start, found.lines, whole=False) if found is not None and piped else found
    if act == "whole" and not any(word.startswith("-") for word in args):
        return as_printed(result)
    if act == "beginning":
        return as_printed(result, whole=False)
    if act == "edit" and "-n" in args:
        span = next((match for word in args if (match := _RANGE.match(word))), None)
        if span is not None:
            return as_printed(result, int(span["first"]), whole=False)
    return None
