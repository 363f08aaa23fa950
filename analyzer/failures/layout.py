"""What recorders and harnesses put around an output and before its lines: tags, fences, headings, time stamps, numbers,
indentation."""

from __future__ import annotations

import re
import textwrap
from collections import Counter

from analyzer.text.late import late
from analyzer.text.markdown import only_fence
from analyzer.text.plain import plain

_TAGGED = late(r"\A\s*<(?P<tag>[A-Za-z][\w-]{1,30})>\n?(?P<body>.*?)\n?</(?P=tag)>\s*\Z", re.DOTALL)
_OUTPUT_TAGS = frozenset({"output", "stdout", "stderr", "result", "error", "tool_use_error", "tool_result", "response"})
_ERROR_TAGS = frozenset({"error", "tool_use_error"})
_ANNOUNCED = late(r"\A\s*[^\n]{0,120}\b(?:failed|error)\b[^\n]{0,80}:\s{0,4}\n\s{0,8}<error>", re.IGNORECASE)
"""A heading which says that the call failed and that the error follows."""
_HEADING = late(
    r"(?:(?:Command|Script|Code) executed(?: successfully)?\.?|(?:[Ss]td)?[Oo]utput:|(?:[Ss]td|STD)(?:out|err|OUT"
    r"|ERR):|\[?std(?:out"
    r"|err)\]?:?|Chunk ID: \S{1,80}|Wall time: [\d.]{1,12} ?\w{0,8}|Original token count: \d{1,9}|Total output "
    r"lines: \d{1,9}|Command: [^\n]{0,1000}|Directory: [^\n]{0,400})[ \t]*\n"
)
_CLOSING = late(
    r"\n(?:\((?:Open file|Current directory|Interrupted|Background PIDs): [^\n]{0,400}\)|\[(?:Current|Working) "
    r"(?:working )?directory: [^\n]{0,400}\]|\[Python interpreter: [^\n]{0,400}\]|(?:Error|Background PIDs|Process "
    r"Group PGID|Signal|Stderr|Stdout): \((?:none|empty)\)|Exit [Cc]ode: -?\d{1,10}|[\w@~/:.-]{0,60}[$#>])[ \t]*\Z"
)
_MOST_LINES = 10
_ESCAPED = (("\\r\\n", "\n"), ("\\n", "\n"), ("\\t", "\t"), ('\\"', '"'))
_FORMS = (
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?Z| ?[+-]\d\d:?\d\d)?\]?(?: |$)",
    r"\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?(?: |$)",
    r"(?:std(?:out|err)|out|err)(?::| ?\|)(?: |$)",
    r"[\w.-]{1,40} {0,20} \|(?: |$)",
    r"[>|│](?: |$)",
    r" {0,8}\d{1,7}(?:\t|→| ?[|│:](?: |$))",
)
"""What may stand before every line of an output; the last one are line numbers."""
_PREFIXES = tuple(map(late, _FORMS))
_PREFIX = late("|".join(f"(?:{form})" for form in _FORMS))

_LABEL = late(r"\[(?!(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\])[A-Za-z][\w./:@-]{0,40}\]")
"""The name of a process or package in brackets; levels are a part of what loggers and builds print."""
_LEAST_LABELLED = 3
_TASK = late(
    r"^(?:@?[\w.-]{1,60}(?:/[\w.-]{1,60}){0,4}[ :#])(?:[\w-]{1,20}:){0,2}"
    r"(?:test|build|lint|check|typecheck|type-check|dev|compile|ci)(?:[:-][\w-]{1,20})?: ?",
    re.MULTILINE,
)


def unwrapped(text: str) -> tuple[str, bool]:
    """A text out of the tags, fences, headings and closing lines around it, and whether a tag says that it's an
    error."""
    flagged = "<error>" in text[:300] and _ANNOUNCED.match(text) is not None
    if flagged:
        text = text.partition("<error>")[2].partition("</error>")[0].strip("\n")
    for _ in range(3):
        before = text
        if "<" in text[:200] and (tagged := _TAGGED.match(text)) is not None and tagged["tag"].lower() in _OUTPUT_TAGS:
            flagged = flagged or tagged["tag"].lower() in _ERROR_TAGS
            text = tagged["body"]
        if "```" in text[:20] and (fenced := only_fence(text)) is not None:
            text = fenced.code.removesuffix("\n")
        for _ in range(_MOST_LINES):
            heading = _HEADING.match(text)
            if heading is None:
                break
            text = text[heading.end() :].removeprefix("Output: ")
        for _ in range(_MOST_LINES):
            closing = _CLOSING.search(text, max(0, len(text) - 500))
            if closing is None:
                break
            text = text[: closing.start()]
        if text == before:
            break
    return text, flagged


def as_printed(text: str, *, shown: bool, numbered: bool, keeps_numbers: bool) -> str:
    """A text with real line ends where they're escaped, and without what stands before every line of it. Of what a tool
    shows (`shown` and `numbered`) all that several lines begin with is a part, and where the reader itself numbers the
    lines (`keeps_numbers`) their numbers."""
    data = text.lstrip().startswith('{"')  # in its values line ends are escaped
    if "\\n" in text and "\n" not in text.strip() and text.count("\\n") > 1 and not data:
        for escaped, printed in _ESCAPED:
            text = text.replace(escaped, printed)
        text = plain(text)
    if shown and numbered and "\n" in text.strip():
        return text
    if text[:1] in (" ", "\t"):
        text = textwrap.dedent(text)
    lines = text.split("\n")
    prefixes = _PREFIXES[:-1] if keeps_numbers else _PREFIXES
    for number, prefix in enumerate(prefixes if _PREFIX.match(lines[0]) else ()):
        if prefix.match(lines[0]) is None:
            continue
        rows = [line for line in lines if line.strip()]
        if all(prefix.match(row) for row in rows) and (number < len(_PREFIXES) - 1 or _counts_up(rows)):
            return textwrap.dedent("\n".join(prefix.sub("", line, count=1) for line in lines))
    return _without_label(_without_tasks(text) if ": " in text else text, lines)


def _without_tasks(text: str) -> str:
    """A text without the name of the package and the task that a runner of several packages puts before the lines of
    each."""
    counted = Counter(found[0] for found in _TASK.finditer(text))
    often = {label for label, count in counted.items() if count >= _LEAST_LABELLED}
    return _TASK.sub(lambda found: "" if found[0] in often else found[0], text) if often else text


def _without_label(text: str, lines: list[str]) -> str:
    """A text without the label that stands before every line of it."""
    label = _LABEL.match(lines[0])
    rows = [line for line in lines if line.strip()]
    if label is None or len(rows) < _LEAST_LABELLED or not all(row.startswith(label.group()) for row in rows):
        return text
    return "\n".join(line.removeprefix(label.group()).removeprefix(" ") for line in lines)


def only_line(text: str) -> str:
    """The line of a text that is one numbered line; empty for all others."""
    line = text.strip("\n")
    found = _PREFIXES[-1].match(line) if "\n" not in line else None
    return line[found.end() :] if found is not None and _counts_up([line]) else ""


def _counts_up(rows: list[str]) -> bool:
    """Whether the lines are numbered from 1: what is cut out of the middle of a file is no output."""
    numbers = [int(found.group()) for row in rows if (found := re.search(r"\d+", row))]
    return numbers[:1] == [1] and numbers == sorted(numbers)
