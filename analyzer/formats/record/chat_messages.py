"""The messages of a plain chat, in the dialects of the common model APIs and of agent frameworks, as events."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    float_or_none,
    int_or_none,
    is_naive,
    list_of,
    parse_time,
    str_or_none,
    text_of,
)
from analyzer.formats.record.shapes.messages import plain
from analyzer.formats.record.token_counts import of_api
from analyzer.formats.record.usage import Meter, cost_or_none
from analyzer.formats.record.warnings import NAMELESS_CALL, WarningLog
from analyzer.model.session import EMPTY_ANSWER, Event, Message, ReadWarning, Role, ToolCall, ToolResult

_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
}
_RESULT_ROLES = frozenset({"tool", "function"})
_CALL_ITEMS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_RESULT_ITEMS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_OF_OTHER_FORMATS = frozenset({"parts", "kind", "raw", "action", "observation"})
_TIMES = ("timestamp", "created_at", "createdAt", "time")
_USAGE_LIMIT = 2**63 - 1


def is_message(value: object) -> bool:
    """Whether the value is a message, or an item that the responses API puts beside messages.

    Any role will do in a message that has a role and a content and nothing else: the agents of a team have roles of
    their own.
    """
    if plain(value) is not None:
        return True
    if not isinstance(value, dict) or not _OF_OTHER_FORMATS.isdisjoint(value):
        return False
    role, kind = value.get("role"), value.get("type")
    if isinstance(kind, str) and (kind in _CALL_ITEMS or kind in _RESULT_ITEMS):
        return "call_id" in value or "name" in value
    if kind == "reasoning":
        return "summary" in value or "encrypted_content" in value
    if not isinstance(role, str) or not role.strip():
        return False
    if role in _ROLES or role in _RESULT_ROLES:
        return not {"content", "tool_calls", "function_call"}.isdisjoint(value)
    return isinstance(value.get("content"), str) and value.keys() <= {"role", "content", "name"}


class Conversation:
    """Collects the events of one conversation, message by message."""

    def __init__(self, warnings: list[ReadWarning]) -> None:
        self.events: list[Event] = []
        self.user_messages = 0
        self.assistant_messages = 0
        self.task: str | None = None
        self.model: str | None = None
        self.first_time: float | None = None
        self.last_time: float | None = None
        self.naive = False
        self.usage: dict[str, Any] = {}
        self._used = Meter(self.events)
        self._warnings = warnings
        self._warning_log = WarningLog()
        self._batch = 0
        self._in_batch = False
        self._hollow: Message | None = None
        """What stands for the last message, where it was the model's and holds nothing."""

    def take(self, place: str, item: object) -> None:
        """Read one message, of a model's API or of a framework; `place` says where it stands."""
        found = plain(item)
        for message in [item] if found is None else found:
            self._take(place, message)

    def _take(self, place: str, item: object) -> None:
        if not isinstance(item, dict):
            self._warning_log.wrong_type(place, item, "a message")
            return
        time = self._clock(item)
        self._meter(item)
        kind, role = item.get("type"), item.get("role")
        if isinstance(kind, str) and kind in _CALL_ITEMS:
            self._hollow = None
            self._call_item(place, item, kind, time)
            return
        self._in_batch = False
        self._settle_hollow()
        if isinstance(kind, str) and kind in _RESULT_ITEMS:
            self._result(item, item.get("call_id"), item.get("output"), time)
        elif kind == "reasoning":
            self._say("assistant", text_of(item.get("summary")) or text_of(item.get("content")), time, thought=True)
        elif isinstance(role, str) and role in _RESULT_ROLES:
            self._result(item, item.get("tool_call_id"), item.get("content"), time)
        elif isinstance(role, str) and role.strip():
            self._message(place, item, role, time)
        else:
            self._warning_log.add(place, f"neither a message nor a known item (type {str(kind)[:60]!r})")

    def finish(self) -> None:
        """Give the calls what was used for them, and turn what was counted on the way into warnings."""
        self._settle_hollow()
        self._used.settle()
        self._warnings += self._warning_log.warnings()
        self._warning_log = WarningLog()

    def _clock(self, item: dict[str, Any]) -> float | None:
        for key in _TIMES:
            time = parse_time(item.get(key))
            if time is not None:
                self.naive = self.naive or is_naive(item[key])
                self.first_time = time if self.first_time is None else min(self.first_time, time)
                self.last_time = time if self.last_time is None else max(self.last_time, time)
                return time
        return None

    def _meter(self, item: dict[str, Any]) -> None:
        """Add up the usage that single messages carry."""
        self.model = str_or_none(item.get("model")) or self.model
        usage = dict_of(item.get("usage"))
        self._used.spent(of_api(usage), cost_or_none(usage.get("cost")))
        for key, value in usage.items():
            count = int_or_none(value)
            if count is not None and count >= 0:
                self.usage[key] = min(self.usage.get(key, 0) + count, _USAGE_LIMIT)

    def _message(self, place: str, item: dict[str, Any], role: str, time: float | None) -> None:
        speaker = _ROLES.get(role, "assistant")
        thought = role.rstrip().endswith("(thought)")
        if role not in _ROLES and "tool_calls" not in item and not isinstance(item.get("content"), str | list):
            self._warning_log.add(place, f"unknown role {role[:60]!r}; skipped")
            return
        if role not in _ROLES and not thought:
            self._warning_log.add(place, f"unknown role {role[:60]!r}; taken for the assistant's")
        self._batch += 1
        before = len(self.events)
        if speaker == "assistant":
            self.assistant_messages += 1
            self._say(speaker, text_of(item.get("reasoning_content") or item.get("reasoning")), time, thought=True)
        content = item.get("content")
        said: list[str] = []
        results = 0
        for block in content if isinstance(content, list) else [content]:
            kind = str(block.get("type")) if isinstance(block, dict) else "text"
            if isinstance(block, dict) and kind.endswith("tool_result"):
                results += 1
                self._result(block, block.get("tool_use_id"), block.get("content"), time)
            elif isinstance(block, dict) and kind.endswith("tool_use"):
                self._say(speaker, _joined(said), time, thought=thought)
                self._call(place, block.get("id"), block.get("name"), block.get("input"), time)
            elif isinstance(block, dict) and kind == "thinking":
                self._say(speaker, _joined(said), time, thought=thought)
                self._say(speaker, text_of(block), time, thought=True)
            else:
                said.append(text_of(block))
        text = _joined(said) or (text_of(item.get("refusal")) if speaker == "assistant" else "")
        self._say(speaker, text, time, thought=thought)
        if speaker == "user" and (text or not results):
            self.user_messages += 1
            self.task = self.task or str_or_none(text)
        self._calls_of(place, item, time)
        if speaker == "assistant" and len(self.events) == before and item.get("content") in ("", []):
            self._hollow = _nothing_in(item, time)

    def _settle_hollow(self) -> None:
        """Note an empty answer, after which no call came that belongs to it."""
        if self._hollow is not None:
            self.events.append(self._hollow)
        self._hollow = None

    def _calls_of(self, place: str, item: dict[str, Any], time: float | None) -> None:
        for call in list_of(item.get("tool_calls")):
            if not isinstance(call, dict):
                self._warning_log.wrong_type(place, call, "a tool call")
                continue
            function = dict_of(call.get("function")) or dict_of(call.get("custom")) or call
            arguments = next((function[key] for key in ("arguments", "input", "args") if key in function), None)
            self._call(place, call.get("id"), function.get("name"), arguments, time)
        legacy = item.get("function_call")
        if isinstance(legacy, dict):
            self._call(place, None, legacy.get("name"), legacy.get("arguments"), time)

    def _call_item(self, place: str, item: dict[str, Any], kind: str, time: float | None) -> None:
        if not self._in_batch:
            self._batch += 1
            self._in_batch = True
        arguments = next((item[key] for key in ("arguments", "input", "action") if key in item), None)
        name = item.get("name") or ("local_shell" if kind == "local_shell_call" else None)
        self._call(
            place, item.get("call_id") or item.get("id"), name, arguments, time, free_text=kind == "custom_tool_call"
        )

    def _call(
        self, place: str, call_id: object, name: object, value: object, time: float | None, *, free_text: bool = False
    ) -> None:
        tool = str_or_none(name)
        if tool is None:
            self._warning_log.add(place, NAMELESS_CALL)
        arguments = value if free_text and isinstance(value, str) else arguments_of(value)
        if isinstance(arguments, str) and not free_text:
            self._warning_log.add(place, "the arguments of a call are no JSON object; kept as text")
        self.events.append(
            ToolCall(str_or_none(call_id), tool or "unknown", arguments, time, batch=f"message-{self._batch}")
        )

    def _result(self, item: dict[str, Any], call_id: object, content: object, time: float | None) -> None:
        flags = (item.get(key) for key in ("is_error", "isError", "error"))
        is_error = next((flag for flag in flags if isinstance(flag, bool)), None)
        code = int_or_none(item.get("exit_code"))
        result = ToolResult(str_or_none(call_id), text_of(content), is_error, code, time)
        # A plain `score` may rate anything, such as how well a document fits a search.
        result.score = float_or_none(item.get("state_score"))
        self.events.append(result)

    def _say(self, role: Role, text: str, time: float | None, *, thought: bool = False) -> None:
        if text.strip():
            self.events.append(Message(role, text, time, thought=thought))


def _joined(said: list[str]) -> str:
    text = "\n".join(part for part in said if part)
    said.clear()
    return text


def _nothing_in(item: dict[str, Any], time: float | None) -> Message:
    """What stands for an answer that holds nothing: words that were taken out, where some were counted, else an empty
    answer."""
    if of_api(dict_of(item.get("usage"))).output:
        return Message("assistant", "", time, unrecorded=True)
    return Message("harness", EMPTY_ANSWER, time, failed=True)
