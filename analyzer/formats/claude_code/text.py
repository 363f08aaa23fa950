"""What Claude Code's records, messages and blocks hold, so that one that holds something else is remarked on, and what
their texts mean: the program writes in the user's place and in the tools' place too.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.formats.record.fields import dict_of, first_text, float_or_none, int_or_none, str_or_none
from analyzer.formats.record.prompts import mark_of
from analyzer.formats.record.spoken_calls import cut_at
from analyzer.formats.record.warnings import forms
from analyzer.model.session import ToolResult
from analyzer.model.struct import Struct, field
from analyzer.model.words import Ending, Mark

_WORDS = words_of(__file__)
MESSAGE = forms(_WORDS["forms"])["message"]
INTERRUPTED = "[Request interrupted by user"
"""What a user record says when the user stopped the agent."""

_SAYS = expressions_of(__file__)
_PROGRAM_COMMANDS = frozenset(_WORDS["program_commands"])
"""Slash commands that steer the program; any other one is a prompt to the agent."""

_ERROR_OPEN, _ERROR_CLOSE = "<tool_use_error>", "</tool_use_error>"


def is_said(value: object) -> bool:
    """Whether the value is a record of something that the user or the agent said or did."""
    record = dict_of(value)
    return record.get("type") in ("user", "assistant") and "content" in dict_of(record.get("message"))


def is_record(value: object) -> bool:
    """Whether the value is a record that only Claude Code writes."""
    record = dict_of(value)
    kind = record.get("type")
    if kind == "summary":
        return "leafUuid" in record and "summary" in record
    if kind == "file-history-snapshot":
        return "messageId" in record and "snapshot" in record
    if "sessionId" not in record:
        return False
    if kind in ("user", "assistant"):
        return "uuid" in record and is_said(record)
    return (kind == "queue-operation" and "operation" in record) or ("parentUuid" in record and "isSidechain" in record)


def own_id(value: object) -> str | None:
    """Return an id that tells things apart: stores that redact logs put one text in place of every id."""
    text = str_or_none(value)
    return None if text is None or "redacted" in text.lower() or "trimmed" in text.lower() else text


def is_block(block: object, kind: str) -> bool:
    """Whether a content block is of a kind, perhaps with something before its name."""
    return str(dict_of(block).get("type")).endswith(kind)


class Spoken(Struct):
    """One text of a user record, taken apart: the user's words, what the program added, and a slash command in it.

    `words` holds the prompt that a slash command with arguments is; `command` holds any slash command that is a prompt.
    """

    words: str = ""
    asides: list[str] = field(default_factory=list)
    command: str | None = None


def take_apart(text: str) -> Spoken:
    """Tell the user's words in a text from the program's."""
    words, asides = text, list[str]()
    for tag in _WORDS["asides"]:
        words, found = cut_at(words, tag)
        asides += found
    spoken = Spoken(words.strip(), asides)
    if not _SAYS["harness"].match(words):
        return spoken
    name, arguments = _SAYS["command_name"].search(words), _SAYS["command_arguments"].search(words)
    given = arguments[1].strip() if arguments else ""
    if name and name[1].strip().lstrip("/") not in _PROGRAM_COMMANDS:
        spoken.command = f"{name[1].strip()} {given}".strip()
    if spoken.command and given:
        spoken.words = spoken.command
    else:
        spoken.words = ""
        spoken.asides.append(words.strip())
    return spoken


def bare_result(text: str) -> tuple[str, bool]:
    """Return a result without the tags around an error and without a reminder that the program appended to it.

    The second value says whether there were error tags. A result that is nothing but a reminder stays as it is.
    """
    trimmed = text.rstrip()
    if trimmed.endswith("</system-reminder>") and (
        by_tool := trimmed[: max(trimmed.rfind("<system-reminder>"), 0)].rstrip()
    ):
        text = by_tool
    inner = text.strip()
    if not inner.startswith(_ERROR_OPEN):
        return text, False
    return inner.removeprefix(_ERROR_OPEN).removesuffix(_ERROR_CLOSE), True


def judge(result: ToolResult, detail: dict[str, Any], *, wrapped: bool) -> None:
    """Fill in what is known about a result beside its text: how long the tool took, where it measured that; a mark, of
    an error alone; and a command's exit code, as the text says for an error, 0 where it ran to its end without one."""
    units = {"durationMs": 1000, "totalDurationMs": 1000, "durationSeconds": 1}
    spans = ((float_or_none(detail.get(key)), unit) for key, unit in units.items())
    result.duration = next((span / unit for span, unit in spans if span is not None and span >= 0), None)
    if result.is_error:
        found = _SAYS["exit_code"].match(result.text)
        result.exit_code = int(found[1]) if found else None
    elif "stdout" in detail and "stderr" in detail and not any(detail.get(key) for key in _WORDS["unsure"]):
        result.exit_code = 0
    if detail.get("interrupted") is True:
        result.mark = Mark.INTERRUPTED
    elif result.is_error or wrapped:
        result.mark = mark_of(result.text)


def broken_off(text: str) -> tuple[Ending, str]:
    """Return what a session has come to that ends with this error of the model's service."""
    said = text.strip() or "The model's service answered with an error."
    return (Ending.LIMIT if _SAYS["limit"].match(said) else Ending.CRASHED), said


def api_error(record: dict[str, Any]) -> str:
    """Return the message of an `api_error` record, with the number of the attempt."""
    error = dict_of(record.get("error"))
    inner = dict_of(error.get("error"))
    said = [first_text(one, "message") for one in (dict_of(inner.get("error")), inner, error)]
    text = next(filter(None, (*said, first_text(record, "content"))), "The model's service answered with an error.")
    attempt, limit = int_or_none(record.get("retryAttempt")), int_or_none(record.get("maxRetries"))
    return f"{text} (attempt {attempt} of {limit})" if attempt and limit else text
