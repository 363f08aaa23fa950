"""The tool calls of one request: as the user was shown them, and as the model made them.

What was shown has exit codes and flags; the rounds have names, arguments and results. Ids join the two where both have
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    float_or_none,
    int_or_none,
    list_of,
    str_or_none,
    text_of,
)
from analyzer.model.session import ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Mark

_DENIED = 0
_PREFIX = "copilot_"


Made = tuple[dict[str, Any], dict[str, Any], int | None]
"""One call: how it was shown, which call of the model it was, and in which round."""


def calls_made(shown: list[dict[str, Any]], metadata: dict[str, Any]) -> list[Made]:
    """The calls in the order in which they were shown, and behind them those that weren't."""
    turns = enumerate(map(dict_of, list_of(metadata.get("toolCallRounds"))))
    rounds = [(number, dict_of(call)) for number, turn in turns for call in list_of(turn.get("toolCalls"))]
    if not rounds:
        return [(one, {}, None) for one in shown]
    by_id = {_own(call.get("id")): (number, call) for number, call in rounds}
    if not any(_own(one.get("toolCallId")) in by_id for one in shown):
        beside = shown if len(shown) == len(rounds) else [{}] * len(rounds)
        return [(one, call, number) for one, (number, call) in zip(beside, rounds, strict=True)]
    found: list[Made] = []
    for one in shown:
        number, call = by_id.pop(_own(one.get("toolCallId")), (None, {}))
        found.append((one, call, number))
    return found + [({}, call, number) for number, call in by_id.values()]


def _own(value: object) -> str:
    """An id without what the editor put behind it to tell its tries apart."""
    return (str_or_none(value) or "").partition("__vscode")[0]


def events_of(made: Made, number: str, results: dict[str, Any], time: float | None) -> Iterator[ToolCall | ToolResult]:
    """The call, and its result where one was recorded."""
    shown, asked, turn = made
    special = dict_of(shown.get("toolSpecificData"))
    terminal = special if special.get("kind") == "terminal" else {}
    name = str_or_none(asked.get("name")) or str_or_none(shown.get("toolId")) or "unknown"
    lane = f"agent-{text[:8]}" if (text := str_or_none(shown.get("subAgentInvocationId"))) else MAIN_LANE
    batch = f"{number.partition('.')[0]}, round {turn}" if turn is not None else None
    details = dict_of(shown.get("resultDetails"))
    arguments = arguments_of(asked.get("arguments") if asked else details.get("input"))
    if not arguments and terminal:
        line = terminal.get("commandLine")
        arguments = {"command": text_of(dict_of(line).get("original") or line or terminal.get("command"))}
    yield ToolCall(number, name.removeprefix(_PREFIX), arguments, time, lane, batch)
    result = _result(number, shown, terminal, results.get(str(asked.get("id"))))
    if result is not None:
        result.lane = lane
        yield result


def _result(number: str, shown: dict[str, Any], terminal: dict[str, Any], recorded: object) -> ToolResult | None:
    details = dict_of(shown.get("resultDetails"))
    state = dict_of(terminal.get("terminalCommandState"))
    output = dict_of(terminal.get("terminalCommandOutput")).get("text")
    parts = [_text(part) for part in list_of(dict_of(recorded).get("content"))]
    texts = ["\n".join(filter(None, parts)), text_of(output), "\n".join(map(_text, list_of(details.get("output"))))]
    code = int_or_none(state.get("exitCode"))
    confirmed = shown.get("isConfirmed")
    denied = confirmed is False or dict_of(confirmed).get("type") == _DENIED
    if not any(texts) and code is None and not details and not denied and not isinstance(recorded, dict):
        return None
    result = ToolResult(number, next(filter(None, texts), ""), exit_code=code)
    flag = details.get("isError")
    result.is_error = flag if isinstance(flag, bool) and code is None else None
    result.mark = Mark.DENIED if denied else None
    milliseconds = float_or_none(state.get("duration"))
    result.duration = milliseconds / 1000 if milliseconds is not None and milliseconds >= 0 else None
    return result


def _text(part: object) -> str:
    """A part of a result: a text, or an element of a prompt whose texts lie in its leaves."""
    value = dict_of(part).get("value")
    if isinstance(value, dict):
        return "".join(_leaves(value, 0))
    return text_of(value if value is not None else part)


def _leaves(node: object, depth: int) -> Iterator[str]:
    if depth > 60:
        return
    if isinstance(node, dict):
        if isinstance(node.get("text"), str):
            yield node["text"]
        for key in ("node", "children"):
            yield from _leaves(node.get(key), depth + 1)
    elif isinstance(node, list):
        for inner in node:
            yield from _leaves(inner, depth + 1)
