"""What shells and programs say: by what is known to be said, or by the form of a program's own error message
(`unsqueeze: 'tides.db': No such volume`). Whether a shell was given a sentence instead of a command.

Only the form counts, not the words, where a program of the command line speaks of a word of that line and nothing else
came back. Without such a word (`unsqueeze: missing operand`) the message has to refuse something; otherwise nobody
knows what it reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.commands.table import Does, knows
from analyzer.failures.evidence import Evidence, Exposure, Indicates, Reading, Strength, first_line, span_of
from analyzer.failures.messages.search import first_of, telling_line
from analyzer.failures.messages.tables import ACCESS, CAUSES, PROGRAMS, SHELL, WRAPPERS, Message
from analyzer.model.action import Command, Operation
from analyzer.model.failure import Failure
from analyzer.model.struct import replace
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late
from analyzer.text.names import names

_OPENING = late(
    r"(?P<first>[IA]|[^\W\d_a-z][a-zà-öø-ÿ]{1,20}(?:['’][a-z]{1,3})?)[,.!:;]?"
    r"(?:\s{1,4}(?:[^\W\d_]{1,20}(?:['’-][^\W\d_]{1,15})?|[`\"'][^`\"'\n]{1,80}[`\"'])[,.!?:;)]{0,2}){3}(?=\s|$)"
)
"""A capitalised word and three more, none of them an option, a path or a setting."""
_SPOKEN = late(
    r"\b(?:the|an?|to|is|are|was|be|it|this|that|there|of|for|with|not|you|we|please|my|your)\b|[^\W\d_][.,:;!?]"
    r"(?:\s|$)",
    re.IGNORECASE,
)
"""What sentences have and commands seldom do."""
_NOT_RUN = late(
    r"^[^\n]{0,120}\b(?:not found|syntax error|unexpected EOF|parse error|unmatched)\b", re.IGNORECASE | re.MULTILINE
)
_LONGEST = 400
_LONGEST_RESULT = 4_000


def is_prose(line: str, result: str) -> bool:
    """Whether a command line is a sentence, and the shell's answer that it can't make anything of it: its first word is
    no program, or the line can't be read_known as a command at all."""
    line = line.lstrip()[:_LONGEST]
    found = _OPENING.match(line)
    if found is None or _SPOKEN.search(line, found.end("first")) is None:
        return False
    for said in _NOT_RUN.finditer(result[:_LONGEST_RESULT]):
        message = said.group()
        if "not found" not in message.casefold() or re.search(rf"\b{re.escape(found['first'])}\b", message):
            return True
    return False


_FEW = 5
"""Lines up to which a search that complains of a file has found nothing."""
_EDGE = 600
"""Characters at either end of what a tool answers in which a program may speak."""
_ALONE = {"git": ("fatal: ", FailureKind.OTHER, "GitError"), "jq": ("parse error: ", FailureKind.USAGE, "InvalidInput")}
"""How programs that show content begin when they can't, without their name."""


def read_known(reading: Reading, text: str) -> Iterator[Evidence]:
    """What the shell says, of which what speaks of the command line is sure, and else what a program says."""
    operation = reading.operation
    command = operation.command or ""
    whole = text
    if operation.command is None and text[:1] in ("{", "["):
        return  # data
    if operation.command is None and len(text) > 2 * _EDGE:
        text = f"{text[:_EDGE]}\n{text[-_EDGE:]}"  # what a tool answers speaks at its ends
    message = first_of(SHELL, text)
    if is_prose(command, text):
        said = "the shell was given a sentence instead of a command"
        prose = Failure(FailureKind.INVALID_CALL, "ProseInShell", said)
        sure = Strength.PLAIN if message is None else Strength.SURE
        yield Evidence("shell", (0, len(text)), sure, prose, own=True)
    if message is not None and (strength := _own(operation, message)) is not None:
        yield _evidence(reading, whole, "shell", strength, message)
    if operation.kind not in (Kind.READ, Kind.SEARCH) or reading.exposure is not Exposure.SHOWN:
        message = first_of(CAUSES, text) or first_of(PROGRAMS, text)
        if message is None and not (reading.is_error or reading.exit_code):
            message = first_of(WRAPPERS, text)
            if message is not None:
                message = replace(message, text=telling_line(text, command) or message.text)
        if message is not None:
            yield _evidence(reading, whole, "program", Strength.PLAIN, message)
        return
    message = first_of(ACCESS, text)
    if message is None:
        named = next((_ALONE[entry.program] for entry in operation.commands if entry.program in _ALONE), None)
        if named is not None and text.startswith(named[0]):
            failure = Failure(named[1], named[2], first_line(text))
            yield Evidence("program", span_of(text, failure.message), Strength.PLAIN, failure, own=True)
    elif _could_not_show(reading, message, text):
        yield _evidence(reading, whole, "program", Strength.PLAIN, message)


def _could_not_show(reading: Reading, message: Message, text: str) -> bool:
    """Whether one of the command's programs, or something about its files, says that it can't show what it should."""
    operation = reading.operation
    programs = {entry.program for entry in operation.commands}
    speaker = message.text.split(":", 1)[0].rsplit("/", 1)[-1]
    if speaker not in programs and not _speaks_of(operation.command or "", message.subject or "\0"):
        return False
    found = knows(speaker, Does.FILTERS) and len(operation.commands) == 1 and text.strip().count("\n") > _FEW
    return not found or (reading.exit_code or 0) > 1


def _own(operation: Operation, message: Message) -> Strength | None:
    """How sure it is that a shell's message is about this command line and not part of a text that the command
    shows."""
    if operation.kind not in (Kind.READ, Kind.SEARCH):
        return Strength.SURE if _speaks_of(operation.command or "", message.subject) else Strength.PLAIN
    if message.kind is FailureKind.COMMAND_NOT_FOUND:
        own = message.subject in {entry.program for entry in operation.commands}
    else:
        own = _speaks_of(operation.command or "", message.subject)
    return Strength.SURE if own else None


def _evidence(reading: Reading, whole: str, reader: str, strength: Strength, message: Message) -> Evidence:
    failure = Failure(message.kind, message.type, message.text, subject=message.masked_subject)
    own = reading.operation.command is not None
    start = message.start if own else max(0, whole.find(message.text))
    return Evidence(reader, (start, start + len(message.text)), strength, failure, own=own)


def _speaks_of(command: str, subject: str | None) -> bool:
    if subject is None or subject in command:
        return True
    return subject.strip("'\"`").rsplit("/", 1)[-1] in command


_LONGEST_FORM = 4_000
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
_SCRIPTS = names(".py .pl .rb .php .js .mjs .ts .sh .bash .zsh .ps1")


def read_form(reading: Reading, text: str) -> Iterator[Evidence]:
    """The first such line of a result that holds nothing else than what programs of the command line say."""
    operation = reading.operation
    if operation.command is None or not text or len(text) > _LONGEST_FORM:
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
    if script.endswith(_SCRIPTS):
        names.add(script.rsplit("/", 1)[-1])
    return names
