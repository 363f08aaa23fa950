"""A program's own error message, known by its form: `unsqueeze: 'tides.db': No such volume`.

Only the form counts, not the words, where a program of the command line speaks of a word of that line and nothing else
came back. Without such a word (`unsqueeze: missing operand`) the message has to refuse something; otherwise nobody
knows what it reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Indicates, Reading, Strength, first_line
from analyzer.model.action import Command
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind
from analyzer.text.expressions import compiled
from analyzer.text.late import late

_LONGEST = 4_000
_LINE = late(r"(?:[^\s:]{0,200}/)?(?P<program>[\w.+-]{1,60})(?:\.exe)?: (?P<said>[^\n]{1,600})$")
_REPORT = late(
    r"^\W{0,3}(?:(?:ok|done|pass|passes|success\w*|valid|clean|fine|good|identical|yes|true|exists|all|matches|up)\b"
    r"(?! (?:in|by|at|on) )|binary file matches\b|pass \d|\d|(?:is )?(?:up[ -]to[ -]date|already|no changes?\b"
    r"|nothing to)|(?:[a-z]\w{0,30} )?(?!(?:fail|deni|refus|truncat|corrupt|damag|abort|reject|terminat|kill|clos|lock"
    r"|expir|exceed|requir|expect|interrupt|exhaust|malform|block|need|tim|overload)ed\b|(?:un|mis|dis|in|mal)\w+ed\b"
    r"|(?:missing|nothing|string)\b)\w{2,20}(?:ed|ing|written|wrote|built)\b)",
    re.IGNORECASE,
)
"""What a program says of an operand that it has dealt with, or is dealing with."""
_REMARKS = late(r"\b(?:warn(?:ing)?|note|notice|info|debug|hint|skipp\w+|ignor\w+)\b", re.IGNORECASE)
"""What a program remarks that goes on with its work."""
_REFUSES = late(
    r"\b(?:not|no|cannot|can['’]t|could ?n['’]t|unable|fail\w*|error|invalid|unknown|denied|refused|without|missing"
    r"|illegal|unrecogni[sz]ed|unexpected)\b",
    re.IGNORECASE,
)
_ABSENT = late(r"\b(?:no such (?:file|directory|path)|(?:does not|doesn['’]t) exist|not found)\b", re.IGNORECASE)
_NOT_THERE = FailureKind.NOT_FOUND, "NoSuchFileOrDirectory"
_ADVICE = late(r"(?:try|see|usage|for more|run|type)\b", re.IGNORECASE)
"""What a program advises below its message."""
_SCRIPT = compiled(r"\.(?:py|pl|rb|php|js|mjs|ts|sh|bash|zsh|ps1)$")


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """The first such line of a result that holds nothing else than what programs of the command line say."""
    operation = reading.operation
    if operation.command is None or not text or len(text) > _LONGEST:
        return
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    while len(lines) > 1 and _ADVICE.match(lines[-1]) is not None:
        lines.pop()
    speakers: set[str] = set().union(*map(_names, operation.commands))
    found = [_LINE.match(line) for line in lines]
    if not all(line is not None and line["program"] in speakers for line in found):
        return
    words = [word for command in operation.commands for given in command.args if (word := given.strip("'\"`"))]
    span, said = (0, len(text)), [line for line in found if line is not None]
    shown = next((line for line in said if _is_error(line["said"], words)), None)
    if shown is not None:
        absent = _ABSENT.search(shown["said"])
        kind, name = (FailureKind.OTHER, "ProgramError") if absent is None else _NOT_THERE
        yield Evidence("program", span, Strength.PLAIN, Failure(kind, name, first_line(shown.group())), own=True)
    elif all(_REPORT.match(line["said"]) is None for line in said):
        yield Evidence("program", span, Strength.PLAIN, own=True, says=Indicates.NOTHING)


def _is_error(said: str, words: list[str]) -> bool:
    """Whether a program says of a word of the command line what is wrong with it, or refuses something."""
    about = _about(said, words)
    if about is not None:
        before, behind = about
        if _REMARKS.search(f"{before} {behind}") is not None:
            return False
        return _REPORT.match(behind) is None or _REFUSES.search(behind) is not None
    return _REFUSES.search(said) is not None and _REMARKS.search(said) is None and _REPORT.match(said) is None


def _about(said: str, words: list[str]) -> tuple[str, str] | None:
    """What stands before a word of the command line that a colon follows, and what stands behind the colon."""
    for word in words:
        start = said.find(word)
        if start < 0 or (start and said[start - 1] not in " '\"`‘“/("):
            continue
        rest = said[start + len(word) :].lstrip("'\"`’”)")
        if rest.startswith(": ") and rest[2:].strip():
            return said[:start], rest[2:].strip()
    return None


def _names(command: Command) -> set[str]:
    """What a program may call itself: its name, or that of the script that an interpreter runs."""
    script = next((word for word in command.args if not word.startswith("-")), "")
    names = {command.program.removesuffix(".exe")}
    if _SCRIPT.search(script):
        names.add(script.rsplit("/", 1)[-1])
    return names
