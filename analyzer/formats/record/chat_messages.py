"""The messages of a plain chat, in the dialects of the common model APIs and of agent frameworks, as events."""

from __future__ import annotations

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
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.shapes.messages import plain
from analyzer.formats.record.token_counts import of_api
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import EMPTY_ANSWER, Message, Role, Session

ROLES: dict[str, Role] = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "model"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
}
"""The usual words for who said a message."""
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
    if role in ROLES or role in _RESULT_ROLES:
        return not {"content", "tool_calls", "function_call"}.isdisjoint(value)
    return isinstance(value.get("content"), str) and value.keys() <= {"role", "content", "name"}


class Conversation(RecordReader):
    """Fills a session with the messages of one conversation. `usage` adds up what single messages count, by key."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.usage: dict[str, Any] = {}
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
            self.log.wrong_type(place, item, "a message")
            return
        time = self.clock(*map(item.get, _TIMES))
        self._meter(item)
        kind, role = item.get("type"), item.get("role")
        if isinstance(kind, str) and kind in _CALL_ITEMS:
            self._hollow = None
            self._call_item(place, item, kind, time)
            return
        self._in_batch = False
        self._settle_hollow()
        if isinstance(kind, str) and kind in _RESULT_ITEMS:
            self._result(place, item, item.get("call_id"), item.get("output"), time)
        elif kind == "reasoning":
            self.say(text_of(item.get("summary")) or text_of(item.get("content")), time, thought=True)
        elif isinstance(role, str) and role in _RESULT_ROLES:
            self._result(place, item, item.get("tool_call_id"), item.get("content"), time)
        elif isinstance(role, str) and role.strip():
            self._message(place, item, role, time)
        else:
            self.log.add(place, f"neither a message nor a known item (type {str(kind)[:60]!r})")

    def close(self) -> None:
        """Fill in what is known at the end."""
        self._settle_hollow()
        cost = self.session.cost_usd
        super().close()
        self.session.tokens, self.session.cost_usd = of_api(self.usage), cost

    def _meter(self, item: dict[str, Any]) -> None:
        """Add up the usage that single messages carry."""
        self.session.model = str_or_none(item.get("model")) or self.session.model
        usage = dict_of(item.get("usage"))
        self.meter.spent(of_api(usage), cost_or_none(usage.get("cost")))
        for key, value in usage.items():
            count = int_or_none(value)
            if count is not None and count >= 0:
                self.usage[key] = min(self.usage.get(key, 0) + count, _USAGE_LIMIT)

    def _message(self, place: str, item: dict[str, Any], role: str, time: float | None) -> None:
        speaker = ROLES.get(role, "assistant")
        thought = role.rstrip().endswith("(thought)")
        if role not in ROLES and "tool_calls" not in item and not isinstance(item.get("content"), str | list):
            self.log.add(place, f"unknown role {role[:60]!r}; skipped")
            return
        if role not in ROLES and not thought:
            self.log.add(place, f"unknown role {role[:60]!r}; taken for the assistant's")
        self._batch += 1
        before = len(self.session.events)
        if speaker == "assistant":
            self.answers += 1
            self.session.say(
                Message(speaker, text_of(item.get("reasoning_content") or item.get("reasoning")), time, thought=True)
            )
        content = item.get("content")
        self.log.blocks(place, content)
        said: list[str] = []
        results = 0
        for block in content if isinstance(content, list) else [content]:
            kind = str(block.get("type")) if isinstance(block, dict) else "text"
            if isinstance(block, dict) and kind.endswith("tool_result"):
                results += 1
                self._result(place, block, block.get("tool_use_id"), block.get("content"), time)
            elif isinstance(block, dict) and kind.endswith("tool_use"):
                self.session.say(Message(speaker, _joined(said), time, thought=thought))
                self._call(place, block.get("id"), block.get("name"), block.get("input"), time)
            elif isinstance(block, dict) and kind == "thinking":
                self.session.say(Message(speaker, _joined(said), time, thought=thought))
                self.session.say(Message(speaker, text_of(block), time, thought=True))
            else:
                said.append(text_of(block))
        text = _joined(said) or (text_of(item.get("refusal")) if speaker == "assistant" else "")
        self.session.say(Message(speaker, text, time, thought=thought))
        if speaker == "user" and (text or not results):
            self.users += 1
            self.session.task = self.session.task or str_or_none(text)
        self._calls_of(place, item, time)
        if speaker == "assistant" and len(self.session.events) == before and item.get("content") in ("", []):
            # Words that were taken out, where some were counted, else an empty answer.
            counted = of_api(dict_of(item.get("usage"))).output
            taken_out = Message("assistant", "", time, unrecorded=True)
            self._hollow = taken_out if counted else Message("harness", EMPTY_ANSWER, time, failed=True)

    def _settle_hollow(self) -> None:
        """Note an empty answer, after which no call came that belongs to it."""
        if self._hollow is not None:
            self.session.events.append(self._hollow)
        self._hollow = None

    def _calls_of(self, place: str, item: dict[str, Any], time: float | None) -> None:
        for call in list_of(item.get("tool_calls")):
            if not isinstance(call, dict):
                self.log.wrong_type(place, call, "a tool call")
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
        arguments = value if free_text and isinstance(value, str) else arguments_of(value)
        if isinstance(arguments, str) and not free_text:
            self.log.add(place, "the arguments of a call are no JSON object; kept as text")
        self.call(place, call_id, name, None, time, batch=f"message-{self._batch}").arguments = arguments

    def _result(self, place: str, item: dict[str, Any], call_id: object, content: object, time: float | None) -> None:
        self.log.blocks(place, content, returned=True)
        flags = (item.get(key) for key in ("is_error", "isError", "error"))
        is_error = next((flag for flag in flags if isinstance(flag, bool)), None)
        result = self.result(call_id, text_of(content), is_error, time)
        result.exit_code = int_or_none(item.get("exit_code"))
        # A plain `score` may rate anything, such as how well a document fits a search.
        result.score = float_or_none(item.get("state_score"))


def _joined(said: list[str]) -> str:
    text = "\n".join(part for part in said if part)
    said.clear()
    return text
