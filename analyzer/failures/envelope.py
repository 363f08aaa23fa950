"""The dress of a result: what a recorder or a harness put around the text of it, taken off before anybody reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from analyzer.commands.table import Does, does, knows
from analyzer.failures.evidence import Exposure, Reading
from analyzer.failures.layout import as_printed, unwrapped
from analyzer.failures.messages.search import echoed_code, named_code
from analyzer.model.struct import replace
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.plain import holds_any, plain, without_notices
from analyzer.text.python_values import called_with, python_values

_LONGEST = 400_000
"""Characters of a result that are read: the first and last half of it where it's longer."""
_LONGEST_JSON = 2_000_000
_MOST_ENVELOPES = 4
_BEGINNING = 12
"""Characters at which it's seen whether an object is written in JSON or as Python does."""
_OUTPUTS = ("output", "stdout", "stderr", "result", "content", "aggregated_output", "text")
_STREAMS = ("stdout", "output")
"""What stands beside the errors of a program in the record of how it ran."""
_CODES = ("exit_code", "exitCode", "returncode", "return_code", "exit_status", "exitStatus")
_ASKING = ("$?", "${?}", "PIPESTATUS", "pipestatus", "$LASTEXITCODE", "%ERRORLEVEL%")
_LAST_LINES = 3
_FEW = 3
"""Members of an object that says no more than how a command ended."""
_CALLED = late(r"[A-Z]\w{1,60}\((?=\w{1,40}=)")
"""How a record of Python begins that is printed as the call that makes it."""
_DIFFERENCE = late(r"[<>](?: |$)|---$|\d[\d,]{0,20}[acd]\d|\\ ")
_MOST_OF_DIFFERENCE = 2_000


def opened(reading: Reading) -> tuple[Reading, str]:
    """The result as it was printed, plain and without what was put around it, and with the exit code that stood there
    where the log doesn't have it apart."""
    text, code, flagged = reading.text or "", reading.exit_code, False
    operation, shown = reading.operation, reading.exposure is Exposure.SHOWN
    unseen = operation.command is None
    # The lines of what is shown may have been numbered by what was asked for: by a viewer, or by an option.
    keeps_numbers = shown and (
        operation.kind is Kind.READ
        if unseen
        else any(does(entry.program, entry.args) & Does.NUMBERS for entry in operation.commands)
    )
    for _ in range(_MOST_ENVELOPES):
        before = text
        text, found, flag = _out_of_json(text)
        text = plain(text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}")
        whole = text
        text, named = named_code(text)
        if not code and (wrapped := found or (named if text != whole else None)):
            code = wrapped  # a recorder that says 0 knows less than the wrapper around the output
        code = next((each for each in (code, found, named) if each is not None), None)
        text, tagged = unwrapped(text)
        text = as_printed(text, shown=shown, numbered=unseen, keeps_numbers=keeps_numbers)
        flagged = flagged or tagged or bool(flag)
        if text == before:
            break
    if flagged and not reading.is_error:
        reading = replace(reading, is_error=True)
    text = without_notices(text)
    if code is None or code == 0:
        reading, text, code = _without_echo(reading, text, code)
    return (reading if code == reading.exit_code else replace(reading, exit_code=code)), text


def is_difference(text: str) -> bool:
    """Whether every line is one of a difference of two files, which show what they may."""
    lines = text.split("\n", _MOST_OF_DIFFERENCE)
    return text.startswith(("<", ">", *"123456789")) and all(map(_DIFFERENCE.match, filter(None, lines)))


@lru_cache(maxsize=64)
def printed(text: str) -> str:
    """What a command printed, out of what a recorder put around it: JSON, tags, lines that name the exit code."""
    for _ in range(_MOST_ENVELOPES):
        before = text
        text = named_code(_out_of_json(text)[0])[0]
        if text.lstrip()[:1] == "<":
            text = unwrapped(text)[0]
        if text == before:
            break
    return text


def _out_of_json(text: str) -> tuple[str, int | None, bool | None]:
    """What a JSON envelope holds: the output, the exit code and the flag of an error, where it has them."""
    head = text[:2_000].lstrip()[:1]
    if head.isupper() and text[-2:].strip()[-1:] == ")" and _CALLED.match(text.lstrip()) is not None:
        value = called_with(text)
        return (output_in(value), code_in(value), None) if _is_wrapper(value) else (text, None, None)
    if head not in ("{", '"', "[") or len(text) > _LONGEST_JSON or not _may_be_envelope(head, text):
        return text, None, None
    try:
        value = python_values(text) if "'" in text[:_BEGINNING] and '"' not in text[:_BEGINNING] else json.loads(text)
    except (ValueError, RecursionError):
        return text, None, None
    if isinstance(value, str):
        return value, None, None
    flag = value.get("isError", value.get("is_error")) if isinstance(value, dict) else None
    inner = value.get("content") if isinstance(value, dict) and "content" in value else value
    parts = inner if isinstance(inner, list) else []
    if parts and all(isinstance(part, dict) and part.get("type") in ("text", "image", "resource") for part in parts):
        return "\n".join(str(part.get("text") or "") for part in parts), None, flag if isinstance(flag, bool) else None
    if not isinstance(value, dict):
        return text, None, None
    if _is_wrapper(value):
        return output_in(value), code_in(value), True if value.get("success") is False else None
    if len(value) <= _FEW and {"status", "state"} & value.keys() and code_in(value) is not None:
        return "", code_in(value), None
    if len(value) == 1 and isinstance(said := next(iter(value.values())), str):
        return (said, None, None) if next(iter(value)) in _OUTPUTS else (text, None, None)
    return text, None, None


def _may_be_envelope(head: str, text: str) -> bool:
    if head == "{":
        return any(f'"{key}"' in text or f"'{key}'" in text for key in (*_CODES, "content", "stderr")) or any(
            text.lstrip("{ \n").startswith(f'"{key}"') for key in _OUTPUTS
        )
    return head == '"' or ('"type"' in text[:200] and '"text"' in text[:200])


def _is_wrapper(value: Mapping[str, Any]) -> bool:
    streams = isinstance(value.get("stderr"), str) and any(isinstance(value.get(key), str) for key in _STREAMS)
    # Several lines beside nothing but figures are what was printed.
    lines = "\n" in next((text for key in _STREAMS if isinstance(text := value.get(key), str)), "")
    bare = lines and sum(not isinstance(one, int | float | None) for one in value.values()) == 1
    told = bare or code_in(value) is not None or isinstance(value.get("metadata"), Mapping)
    return streams or (told and any(isinstance(value.get(key), str) for key in _OUTPUTS))


def code_in(value: Mapping[str, Any]) -> int | None:
    """The exit code in the record of how a program ran."""
    for place in (value, value.get("metadata")):
        if isinstance(place, Mapping):
            for key in _CODES:
                if isinstance(code := place.get(key), int) and not isinstance(code, bool):
                    return code
    return None


def output_in(value: Mapping[str, Any]) -> str:
    """What a program printed, by the record of how it ran."""
    said = [part for key in _OUTPUTS if isinstance(part := value.get(key), str) and part.strip()]
    return "\n".join(dict.fromkeys(said))


def _without_echo(reading: Reading, text: str, code: int | None) -> tuple[Reading, str, int | None]:
    """The exit code that the command line itself asked the shell to print at its end, which is the code of what stands
    before that; nothing changes where there's none, or none but 0."""
    line = reading.operation.command or ""
    unseen = "echo" not in line or not holds_any(line, _ASKING)
    if unseen and reading.exposure is Exposure.SHOWN:
        return reading, text, code
    asks_bare = any(f"echo {quote}{word}{quote}" in line for word in _ASKING for quote in ("", '"'))
    rows = text.rstrip().split("\n")
    for place in range(len(rows) - 1, max(-1, len(rows) - 1 - _LAST_LINES), -1):
        said = rows[place].strip()
        echoed = echoed_code(said, asked=not unseen, bare=asks_bare) if not unseen or place == len(rows) - 1 else None
        if echoed is None:
            continue
        if echoed == 0:
            break
        commands = reading.operation.commands
        while len(commands) > 1 and knows(commands[-1].program, Does.SPEAKS | Does.ARRANGES):
            commands = commands[:-1]
        operation = replace(reading.operation, commands=commands)
        return replace(reading, operation=operation), "\n".join([*rows[:place], *rows[place + 1 :]]), echoed
    return reading, text, code
