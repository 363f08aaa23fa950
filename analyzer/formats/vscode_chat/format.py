"""What chats of Visual Studio Code need beyond `format.toml`: the log of changes, and answers as they were shown.

What was shown of tool calls has exit codes and flags; the rounds, as the model made them, have names, arguments and
results. Ids join the two where both have them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, parse_time, text_of
from analyzer.formats.record.records import recorded_duration, records_of
from analyzer.formats.vscode_chat.mutation_log import replayed
from analyzer.model.session import Message, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Mark

_TOOL = "toolInvocationSerialized"
_DENIED, _CANCELLED = 0, 2
_PREFIX = "copilot_"
_STOPPED = "[request cancelled by the user]"
_Made = tuple[dict[str, Any], dict[str, Any], int | None]
"""One call: how it was shown, which call of the model it was, and in which round."""


class VsCodeChat(Declared):
    """Reads one session per file."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is such a session or the log of one."""
        if document.value is not MISSING:
            return self.is_own(document.value)
        return any(record.value.get("kind") == 0 and self.is_own(record.value.get("v")) for record in document.head[:3])

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        state = document.value
        if state is MISSING or dict_of(state).get("kind") == 0:
            state = replayed(records_of(document, log.damage), log)
        if not self.is_own(state):
            return
        name, title = string_at(state, "sessionId"), string_at(state, "customTitle")
        reader = self.reader(Session(name or document.stem, agent=self.agent, title=title))
        reader.clock(state.get("creationDate"))
        yield reader.all_of(reader.log.objects(state["requests"], "request {}", "a request", 0))


class _Reader(RuleReader):
    _said: list[str]
    _ended: float | None
    _events: Iterator[list[ToolCall | ToolResult]]

    def asked(self, row: Row) -> None:
        """What the user says, and when the answer was finished, with the calls in it."""
        value, time, message = row.value, self.time, row.value.get("message")
        parts = text_of(message) if isinstance(message, str) else value_at(message, "parts[].text")
        text = text_at(message, "text") or "".join(map(text_of, list_of(parts)))
        self.users += 1
        self.session.task = self.session.task or text.strip() or None
        self.session.say(Message("user", text, time, unrecorded=not text.strip()))
        self.meter.spent(Tokens(None, self._counted(row)))
        completed = value_at(row, "modelState.completedAt")
        self.clock(completed)
        total = value_at(row, "result.timings.totalElapsed")
        took = recorded_duration({"durationMs": value.get("elapsedMs"), "tookMs": total})
        # After the time that the log measured, else when it was put down as complete, else when it was asked for.
        self._ended = time + took if time is not None and took is not None else parse_time(completed) or time
        self._said = []
        self._events = _events_of(row, time)

    def _counted(self, row: Row) -> int | None:
        counts = (int_or_none(value_at(row, path)) for path in ("completionTokens", "result.metadata.outputTokens"))
        return next((count for count in counts if count is not None), None)

    def words(self, row: Row) -> None:
        self._said.append(text_of(row.value.get("content" if "content" in row.value else "value")))

    def tool(self, _row: Row) -> None:
        self._speak(self.time)
        self.session.events += next(self._events, ())

    def _speak(self, time: float | None) -> bool:
        """Say what was shown in pieces; whether it was anything."""
        text, self._said = "".join(self._said), []
        self.say(text, time)
        return bool(text.strip())

    def thought(self, row: Row) -> None:
        self._speak(self.time)
        self.say(text_at(row, "value"), self.time, thought=True)

    def answered(self, row: Row) -> None:
        """What is left of the answer, and how it ended."""
        session, ended, response = self.session, self._ended, bool(row.value.get("response"))
        for rest in self._events:
            session.events += rest
        spoke = self._speak(ended)
        self.answers += spoke or response
        if not spoke and self._counted(row):
            # What was counted was said; sanitized and cut logs keep the count.
            session.say(Message("assistant", "", ended, unrecorded=True))
            self.answers += not response
        self.ended()
        if value_at(row, "modelState.value") == _CANCELLED or row.value.get("isCanceled") is True:
            self.ended(None, Ending.CANCELLED, "the user stopped the agent")
            self.note(_STOPPED, ended)
        elif dict_of(value_at(row, "result.errorDetails")):
            self.ended(None, Ending.CRASHED, string_at(row, "result.errorDetails.message") or "the request failed")


def _events_of(request: Row, time: float | None) -> Iterator[list[ToolCall | ToolResult]]:
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


def _made(request: Row) -> list[_Made]:
    shown = [one for one in map(dict_of, list_of(request.value.get("response"))) if one.get("kind") == _TOOL]
    turns = enumerate(map(dict_of, list_of(value_at(request, "result.metadata.toolCallRounds"))))
    rounds = [(number, dict_of(call)) for number, turn in turns for call in list_of(turn.get("toolCalls"))]
    if not rounds:
        return [(one, {}, None) for one in shown]
    by_id = {_own(call.get("id")): (number, call) for number, call in rounds}
    if not any(_own(one.get("toolCallId")) in by_id for one in shown):
        beside = shown if len(shown) == len(rounds) else [{}] * len(rounds)
        return [(one, call, number) for one, (number, call) in zip(beside, rounds, strict=True)]
    found: list[_Made] = []
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
    result.duration = recorded_duration({"durationMs": state.get("duration")})
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


FORMAT = declared(__file__, _Reader, VsCodeChat)
