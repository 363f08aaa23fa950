"""The dress of a result: what a recorder or a harness put around the text of it, taken off before anybody reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from analyzer.failures.evidence import Exposure, Reading
from analyzer.failures.layout import as_printed, unwrapped
from analyzer.model.words import Kind
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.text.plain import plain, without_notices

_LONGEST = 400_000
"""Characters of a result that are read: the first and last half of it where it's longer."""
_LONGEST_JSON = 2_000_000
_FIRST_LINE = late(
    r"\A\s*(?:\[?(?:[Ee]xit(?:_| )code:?|(?:The )?(?:[Pp]rocess|[Cc]ommand|[Ss]cript|[Cc]ode"
    r"|[Pp]rogram)\b[^\n]{0,40}? (?:exited|failed|finished) with (?:\w+ )?(?:exit )?code:?) "
    r"?(?P<code>-?\d{1,10})\b\]?[.:]?[^\S\n]*(?:\n|\Z)|<(?:returncode"
    r"|exit_code)>(?P<tagged>-?\d{1,10})</(?:returncode|exit_code)>[^\S\n]*(?:\n|\Z))"
)
_HEAD, _END = 400, 300
_MOST_ENVELOPES = 4
_HEADED = late(
    r"\A(?:(?:Chunk ID|Wall time|Command|Directory)[^\n]{0,300}\n){1,4}(?:Process exited with code|Exit [Cc]ode:) "
    r"(?P<code>-?\d{1,10})[^\S\n]*\n"
)
_LAST_LINE = late(
    r"(?:\A|\n)\W{0,3}(?:(?:The )?(?:command|process|program|script|shell|task)\b[^\n]{0,60}? (?:exited|finished"
    r"|completed|failed|terminated|ended|returned)(?: [^\n]{0,30}?)?(?:with )?(?:non-zero )?(?:exit )?(?:code"
    r"|status):? ?(?P<code>-?\d{1,10})\b|exit(?:ed)?(?: with)?[ _](?:code|status)[:=]? "
    r"?(?P<plain>-?\d{1,10})\b)[^\n]{0,20}\s*\Z",
    re.IGNORECASE,
)
"""The lines above and below an output by which harnesses name its exit code."""
_HINTS = ("xit", "returncode", "eturned", "inished", "ailed", "erminated", "nded", "ompleted")
_OUTPUTS = ("output", "stdout", "stderr", "result", "content", "aggregated_output", "text")
_STREAMS = ("stdout", "output")
"""What stands beside the errors of a program in the record of how it ran."""
_CODES = ("exit_code", "exitCode", "returncode", "return_code", "exit_status", "exitStatus")
_STATES = ("status", "state")
_STREAMS_ONLY = ("stdout", "aggregated_output")
_PROCESSES = frozenset({"pid", "process_id", "processId"})
_ASKING = ("$?", "${?}", "PIPESTATUS", "pipestatus", "$LASTEXITCODE", "%ERRORLEVEL%")
_ECHOED = late(
    r"\W{0,6}(?:[\w.-]{1,30}[ _-]{1,2})??(?:exit|rc|ret|retval|status|code|returned|result)[ _]?(?:code|status|was"
    r"|is)?\W{1,4}(?P<code>\d{1,3})\W{0,5}$",
    re.IGNORECASE,
)
"""A line such as `EXIT=1`, `exit code: 0`, `--- rc=2 ---`."""
_SURELY = compiled(r"(?:EXIT|RC|exit|rc)(?:[_ ]?(?:CODE|STATUS|code|status))?[=:]")
_BARE = compiled(r"\d{1,3}$")
_LAST_LINES = 3
_NUMBERERS, _NUMBERING = frozenset({"nl", "bat"}), compiled(r"-[A-Za-z]*n|--number")


def opened(reading: Reading) -> tuple[Reading, str]:
    """The result as it was printed, plain and without what was put around it, and with the exit code that stood there
    where the log doesn't have it apart."""
    text, code, flagged = reading.text or "", reading.exit_code, False
    for _ in range(_MOST_ENVELOPES):
        before = text
        text, found, flag = _out_of_json(text)
        text = plain(_bounded(text))
        whole = text
        text, named = _named_code(text)
        if not code and (wrapped := found or (named if text != whole else None)):
            code = wrapped  # a recorder that says 0 knows less than the wrapper around the output
        code = next((each for each in (code, found, named) if each is not None), None)
        text, tagged = unwrapped(text)
        text = as_printed(
            text,
            shown=reading.exposure is Exposure.SHOWN,
            numbered=reading.operation.command is None,
            keeps_numbers=_keeps_numbers(reading),
        )
        flagged = flagged or tagged or bool(flag)
        if text == before:
            break
    if flagged and not reading.is_error:
        reading = replace(reading, is_error=True)
    text = without_notices(text)
    if code is None or code == 0:
        reading, text, code = _without_echo(reading, text, code)
    return (reading if code == reading.exit_code else replace(reading, exit_code=code)), text


def unfinished(text: str) -> bool:
    """Whether a JSON record of how a command ran says that it still runs. What it has printed must be there under a
    name that only such records have, or beside the number of its process: a service that a command asks for the state
    of some job may answer with a `status` and an `output`, too."""
    if text.lstrip()[:1] != "{" or len(text) > _LONGEST_JSON or '"running"' not in text.casefold():
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    streams = any(isinstance(value.get(key), str) for key in _STREAMS_ONLY)
    process = isinstance(value.get("output"), str) and not _PROCESSES.isdisjoint(value)
    return (streams or process) and any(str(value.get(key)).casefold() == "running" for key in _STATES)


def printed(text: str) -> str:
    """What a command printed, out of what a recorder put around it: JSON, tags, lines that name the exit code."""
    for _ in range(_MOST_ENVELOPES):
        before = text
        text = _named_code(_out_of_json(text)[0])[0]
        if text.lstrip()[:1] == "<":
            text = unwrapped(text)[0]
        if text == before:
            break
    return text


def _keeps_numbers(reading: Reading) -> bool:
    """Whether the lines of a result may have been numbered by what was asked for: by a viewer, or by an option."""
    if reading.exposure is not Exposure.SHOWN:
        return False
    if reading.operation.command is None:
        return reading.operation.kind is Kind.READ
    return any(
        entry.program in _NUMBERERS or (entry.program == "cat" and any(map(_NUMBERING.match, entry.args)))
        for entry in reading.operation.commands
    )


def _named_code(text: str) -> tuple[str, int | None]:
    """The exit code that a line above or below an output names; the line above it is taken off."""
    if (first := _FIRST_LINE.match(text)) is not None:
        return text[first.end() :], int(first["code"] or first["tagged"])
    if (headed := _HEADED.match(text[:_HEAD])) is not None:
        return text, int(headed["code"])
    if any(hint in text[-_END:] for hint in _HINTS) and (last := _LAST_LINE.search(text[-_END:])) is not None:
        before = text[: max(0, len(text) - _END) + last.start()]
        return (text if before.strip() else before), int(last["code"] or last["plain"])
    return text, None


def _bounded(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[: _LONGEST // 2] + "\n" + text[-_LONGEST // 2 :]


def _out_of_json(text: str) -> tuple[str, int | None, bool | None]:
    """What a JSON envelope holds: the output, the exit code and the flag of an error, where it has them."""
    head = text[:2_000].lstrip()[:1]
    if head not in ("{", '"', "[") or len(text) > _LONGEST_JSON or not _may_be_envelope(head, text):
        return text, None, None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text, None, None
    if isinstance(value, str):
        return value, None, None
    flag = value.get("isError", value.get("is_error")) if isinstance(value, dict) else None
    inner = value.get("content") if isinstance(value, dict) and "content" in value else value
    if isinstance(inner, list) and inner and all(_is_part(part) for part in inner):
        return "\n".join(str(part.get("text") or "") for part in inner), None, flag if isinstance(flag, bool) else None
    if isinstance(value, dict) and _is_wrapper(value):
        return _output(value), _code(value), True if value.get("success") is False else None
    if isinstance(value, dict) and len(value) == 1 and isinstance(said := next(iter(value.values())), str):
        return (said, None, None) if next(iter(value)) in _OUTPUTS else (text, None, None)
    return text, None, None


def _may_be_envelope(head: str, text: str) -> bool:
    if head == "{":
        return any(f'"{key}"' in text for key in (*_CODES, "content", "stderr")) or any(
            text.lstrip("{ \n").startswith(f'"{key}"') for key in _OUTPUTS
        )
    return head == '"' or ('"type"' in text[:200] and '"text"' in text[:200])


def _is_part(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") in ("text", "image", "resource")


def _is_wrapper(value: Mapping[str, Any]) -> bool:
    streams = isinstance(value.get("stderr"), str) and any(isinstance(value.get(key), str) for key in _STREAMS)
    return streams or (_code(value) is not None and any(isinstance(value.get(key), str) for key in _OUTPUTS))


def _code(value: Mapping[str, Any]) -> int | None:
    for place in (value, value.get("metadata")):
        if isinstance(place, Mapping):
            for key in _CODES:
                if isinstance(code := place.get(key), int) and not isinstance(code, bool):
                    return code
    return None


def _output(value: Mapping[str, Any]) -> str:
    said = [part for key in _OUTPUTS if isinstance(part := value.get(key), str) and part.strip()]
    return "\n".join(dict.fromkeys(said))


def _without_echo(reading: Reading, text: str, code: int | None) -> tuple[Reading, str, int | None]:
    """The exit code that the command line itself asked the shell to print at its end, which is the code of what stands
    before that; nothing changes where there's none, or none but 0."""
    line = reading.operation.command or ""
    unseen = "echo" not in line or not any(word in line for word in _ASKING)
    if unseen and reading.exposure is Exposure.SHOWN:
        return reading, text, code
    asks_bare = any(f"echo {quote}{word}{quote}" in line for word in _ASKING for quote in ("", '"'))
    rows = text.rstrip().split("\n")
    for place in range(len(rows) - 1, max(-1, len(rows) - 1 - _LAST_LINES), -1):
        said = rows[place].strip()
        found = _ECHOED.match(said) if not unseen or (place == len(rows) - 1 and _SURELY.match(said)) else None
        if found is None and not (asks_bare and _BARE.match(said)):
            continue
        echoed = int(found["code"] if found is not None else said)
        if echoed == 0:
            break
        commands = reading.operation.commands
        while len(commands) > 1 and commands[-1].program in ("echo", "printf", "exit", "tail", "head"):
            commands = commands[:-1]
        operation = replace(reading.operation, commands=commands)
        return replace(reading, operation=operation), "\n".join([*rows[:place], *rows[place + 1 :]]), echoed
    return reading, text, code
