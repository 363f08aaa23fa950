"""The tool calls of one request: as the user was shown them, and as the model made them.

What was shown has exit codes and flags; the rounds have names, arguments and results. Ids join the two where both have
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import arguments_of, dict_of, float_or_none, int_or_none, list_of, text_of
from analyzer.model.session import ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Mark

_TOOL = "toolInvocationSerialized"
_DENIED = 0
_PREFIX = "copilot_"

Made = tuple[dict[str, Any], dict[str, Any], int | None]
"""One call: how it was shown, which call of the model it was, and in which round."""


def events_of(request: Row, time: float | None) -> Iterator[list[ToolCall | ToolResult]]:
    """The calls of a request in the order in which they were shown, and behind them those that weren't, each with its
    result where one was recorded."""
    results = dict_of(value_at(request, "result.metadata.toolCallResults"))
    for number, (shown, asked, turn) in enumerate(_made(request)):
        special, details = dict_of(shown.get("toolSpecificData")), dict_of(shown.get("resultDetails"))
        terminal = special if special.get("kind") == "terminal" else {}
        name = string_at(asked, "name") or string_at(shown, "toolId") or "unknown"
        inner = string_at(shown, "subAgentInvocationId")
        lane = f"agent-{inner[:8]}" if inner else MAIN_LANE
        batch = f"{request.place}, round {turn}" if turn is not None else None
        arguments = arguments_of(asked.get("arguments") if asked else details.get("input"))
        if not arguments and terminal:
            arguments = {"command": text_at(terminal, ("commandLine.original", "commandLine", "command"))}
        call = ToolCall(f"{request.place}.{number}", name.removeprefix(_PREFIX), arguments, time, lane, batch)
        result = _result(call, shown, terminal, results.get(str(asked.get("id"))))
        yield [call] if result is None else [call, result]


def _made(request: Row) -> list[Made]:
    shown = [one for one in map(dict_of, list_of(request.value.get("response"))) if one.get("kind") == _TOOL]
    turns = enumerate(map(dict_of, list_of(value_at(request, "result.metadata.toolCallRounds"))))
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
    return value.partition("__vscode")[0] if isinstance(value, str) else ""


def _result(call: ToolCall, shown: dict[str, Any], terminal: dict[str, Any], recorded: object) -> ToolResult | None:
    details, state = dict_of(shown.get("resultDetails")), dict_of(terminal.get("terminalCommandState"))
    parts = ["\n".join(filter(None, map(_text, list_of(dict_of(recorded).get("content")))))]
    parts += text_at(terminal, "terminalCommandOutput.text"), "\n".join(map(_text, list_of(details.get("output"))))
    text, code = next(filter(None, parts), ""), int_or_none(state.get("exitCode"))
    denied = shown.get("isConfirmed") is False or value_at(shown, "isConfirmed.type") == _DENIED
    if not text and code is None and not details and not denied and not isinstance(recorded, dict):
        return None
    result = ToolResult(call.id, text, exit_code=code, lane=call.lane, mark=Mark.DENIED if denied else None)
    flag = details.get("isError")
    result.is_error = flag if isinstance(flag, bool) and code is None else None
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
