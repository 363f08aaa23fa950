"""What `codex exec --json` prints: JSON lines of thread, turn and item events, without times.

An item is written when it starts, when it changes and when it ends, under one id; it's one call however often it's
written.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from analyzer.formats.loading.interface import described
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.token_counts import RunningTotal
from analyzer.model.session import Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import Ending, Mark
from analyzer.text.expressions import compiled

_ITEMS = frozenset({"item.started", "item.updated", "item.completed"})
_SILENT = frozenset({"item.plan.delta", "request_user_input"})
_SHELL = compiled(r"(?:\S*/)?(?:ba|z|da)?sh -l?c ")
_LIMIT = compiled(r"usage limit|rate limit|context window|budget|quota", re.IGNORECASE)


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._usage = RunningTotal()
        self._run = 0
        self._seen: set[str] = set()

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one event."""
        kind = str_or_none(record.get("type"))
        session = self.session
        if kind in _ITEMS:
            self._item(place, kind, dict_of(record.get("item")))
        elif kind == "thread.started" and str_or_none(record.get("thread_id")):
            self._run += 1  # A thread that goes on numbers its items from the start.
        elif kind == "turn.started":
            self.ended()
        elif kind == "turn.completed":
            # An error before it was one that a retry got over.
            self.ended("turn.completed")
            keys, usage = ("input_tokens", "output_tokens", "cached_input_tokens"), dict_of(record.get("usage"))
            self._usage.take(Tokens(*(int_or_none(usage.get(key)) for key in keys)))
        elif kind in ("turn.failed", "error"):
            said = str_or_none(dict_of(record.get("error")).get("message")) or str_or_none(record.get("message"))
            ending = Ending.LIMIT if said and _LIMIT.search(said) else Ending.CRASHED
            self.ended(kind, ending, said or session.ending_detail)
        else:
            self.unknown(place, "event type", kind, _SILENT)

    def close(self) -> None:
        """Fill in what is known at the end."""
        super().close()
        self.session.tokens, self.session.user_messages = self._usage.total(), None

    def _item(self, place: str, event: str, item: dict[str, Any]) -> None:
        kind = str_or_none(item.get("type"))
        recorded = str_or_none(item.get("id"))
        key = f"{self._run}:{recorded}" if recorded else f"{self._run}:{place}"
        ended = event == "item.completed"
        if kind in ("agent_message", "reasoning", "plan", "error"):
            text = text_of(item.get("text", item.get("message")))
            self.answers += ended and kind == "agent_message"
            if ended and kind == "error":
                self.note(text)
            elif ended:
                self.say(text, thought=kind == "reasoning")
        elif (call := _call_of(kind, item)) is not None:
            if key not in self._seen:
                self._seen.add(key)
                self.session.events.append(ToolCall(key, *call))
            if ended:
                self.session.events.append(_result_of(key, item))
        else:
            self.unknown(place, "item type", kind)


def _call_of(kind: str | None, item: dict[str, Any]) -> tuple[str, dict[str, Any] | str] | None:
    if kind == "command_execution":
        return "shell", {"command": _words(text_of(item.get("command")))}
    if kind == "file_change":
        changes = [dict_of(change) for change in list_of(item.get("changes"))]
        path = next((path for change in changes if (path := str_or_none(change.get("path")))), None)
        return "apply_patch", {"path": path, "changes": changes} if path else {"changes": changes}
    if kind == "mcp_tool_call":
        return f"mcp__{item.get('server', 'unknown')}__{item.get('tool', 'unknown')}", arguments_of(
            item.get("arguments")
        )
    if kind == "web_search":
        return "web_search", {"query": text_of(item.get("query"))}
    if kind == "todo_list":
        return "update_plan", {"plan": list_of(item.get("items"))}
    if kind == "collab_tool_call":
        return str_or_none(item.get("tool")) or "unknown", {
            key: item[key] for key in ("prompt", "receiver_thread_ids") if item.get(key)
        }
    return None


def _words(command: str) -> list[str] | str:
    """Return the words of a shell's call, as Codex had them before it joined them; any other command as it is."""
    if not _SHELL.match(command):
        return command
    try:
        return shlex.split(command)
    except ValueError:
        return command


def _result_of(key: str, item: dict[str, Any]) -> ToolResult:
    status = item.get("status")
    result = ToolResult(key, text_of(item.get("aggregated_output")), exit_code=int_or_none(item.get("exit_code")))
    if item.get("type") != "command_execution":
        result.text = text_of(dict_of(item.get("result")).get("content")) or text_of(
            dict_of(item.get("error")).get("message")
        )
    if status in ("failed", "completed") and item.get("type") != "command_execution":
        result.is_error = status == "failed"
    elif status == "failed" and result.exit_code is None:
        result.is_error = True
    if status == "declined":
        result.mark, result.is_error = Mark.DENIED, True
    return result


class CodexExecJson(RecordFormat):
    """The event stream of `codex exec --json`; every thread in it is a session."""

    reader = _Reader


FORMAT = described(__file__, CodexExecJson)
"""The object that the registry lists."""
