"""Logs of the Agent Client Protocol: the messages between an editor and its agent, one JSON-RPC object per line, or
only the agent's updates.

A program that keeps such a log may add a time to each line. Several sessions may go on at the same time.
"""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import arguments_of, dict_of, first_int, first_text, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import records_of
from analyzer.formats.record.usage import cost_or_none
from analyzer.formats.record.warnings import forms
from analyzer.model.session import Session, ToolCall, ToolResult
from analyzer.model.words import Ending, Mark
from analyzer.text.names import name_set

_CHUNKS = {"user_message_chunk": "user", "agent_message_chunk": "assistant", "agent_thought_chunk": "thought"}
_SAYS_NOTHING = name_set("available_commands_update current_mode_update config_option_update plan session_info_update")
_WORDS = words_of(__file__)
_FORMS = forms(_WORDS["forms"])
_OUTPUTS = ("output", "formatted_output", "stdout", "content", "error")
_REFUSALS = ("reject_once", "reject_always")
_SILENT = tuple(_WORDS["silent_methods"])
"""Beginnings of methods that say nothing of what the agent said or did."""
_TIMES = ("timestamp", "time", "ts")


class AgentClientProtocol(SessionsFormat):
    """Reads a session for each id that the log's updates and prompts have."""

    def sessions(self, document: Document, log: FileLog) -> list[Session]:
        """The sessions in the order in which they begin."""
        reader, known = _Reader(log), False
        for record in records_of(document, log.damage):
            known = known or self.is_own(record.value)
            reader.take(record.place, record.value)
        return reader.close() if known else []


class _Reader:
    def __init__(self, log: FileLog) -> None:
        self._sessions: dict[str, _Updates] = {}
        self._requests: dict[str, tuple[str, dict[str, Any]]] = {}
        self._agent: dict[str, Any] = {}
        self._folder: str | None = None
        self._log = log

    def take(self, place: str, record: dict[str, Any]) -> None:
        method, params = record.get("method"), dict_of(record.get("params"))
        if isinstance(method, str):
            if "id" in record:
                self._requests[str(record["id"])] = method, params
            self._called(place, record, method, params)
        elif "result" in record or "error" in record:
            self._answered(record, *self._requests.pop(str(record.get("id")), ("", {})))
        else:
            self._log.add(place, "no message of the protocol; skipped")

    def close(self) -> list[Session]:
        found = [updates.closed() for updates in self._sessions.values()]
        for session in found:
            session.agent = session.agent or string_at(self._agent, ("title", "name"))
            session.agent_version = string_at(self._agent, "version")
            if self._folder is not None:
                session.environment.setdefault("working directory", self._folder)
        return found

    def _of(self, params: dict[str, Any]) -> _Updates:
        name = str_or_none(params.get("sessionId")) or ""
        return self._sessions.setdefault(name, _Updates(name))

    def _called(self, place: str, record: dict[str, Any], method: str, params: dict[str, Any]) -> None:
        if method in ("session/update", "session/prompt"):
            updates = self._of(params)
            time = updates.clock(value_at(record, _TIMES))
            if method == "session/prompt":
                updates.prompt(params, time)
            else:
                updates.session.model = string_at(params, "_meta.modelId") or updates.session.model
                updates.update(place, dict_of(params.get("update")), time)
        elif method in ("session/new", "session/load", "session/resume"):
            self._folder = str_or_none(params.get("cwd")) or self._folder
        elif not method.startswith(_SILENT):
            self._log.add(place, f"unknown method {method[:60]!r}; skipped")

    def _answered(self, record: dict[str, Any], method: str, params: dict[str, Any]) -> None:
        result = dict_of(record.get("result"))
        if method == "initialize":
            self._agent = dict_of(result.get("agentInfo"))
        elif method == "session/prompt":
            self._of(params).stopped(result, dict_of(record.get("error")))
        elif method == "session/new" and str_or_none(result.get("sessionId")):
            self._of(result).session.model = string_at(result, "models.currentModelId")
        elif method == "session/request_permission":
            chosen, call_id = value_at(result, "outcome.optionId"), string_at(params, "toolCall.toolCallId")
            options = [one for one in map(dict_of, list_of(params.get("options"))) if one.get("optionId") == chosen]
            if chosen is not None and call_id is not None and any(one.get("kind") in _REFUSALS for one in options):
                self._of(params).refused(call_id)


class _Updates(RecordReader):
    def __init__(self, name: str) -> None:
        super().__init__(Session(name))
        self._role = self._asked = ""
        self._said: list[str] = []
        self._time: float | None = None
        self._calls: dict[str, tuple[ToolCall, dict[str, Any]]] = {}
        self._results: dict[str, ToolResult] = {}
        self._denied: dict[str, ToolResult] = {}

    def prompt(self, params: dict[str, Any], time: float | None) -> None:
        self._flush()
        self._asked = "\n".join(filter(None, map(_said, list_of(params.get("prompt")))))
        self._user(self._asked, time)

    def update(self, place: str, update: dict[str, Any], time: float | None) -> None:
        kind = str(update.get("sessionUpdate"))
        if kind in _CHUNKS:
            _FORMS["chunk"].check(place, update, self.log)
            if _CHUNKS[kind] != self._role:
                self._flush()
                self._role, self._time = _CHUNKS[kind], time
            self._said.append(_said(update.get("content")))
            return
        self._flush()
        if kind in ("tool_call", "tool_call_update"):
            _FORMS["call"].check(place, update, self.log)
            self._call(update, time)
        elif kind == "usage_update":
            cost = dict_of(update.get("cost"))
            if cost.get("currency") == "USD":
                self.session.cost_usd = cost_or_none(cost.get("amount")) or self.session.cost_usd
        else:
            self.unknown(place, "update", kind, _SAYS_NOTHING)

    def refused(self, call_id: str) -> None:
        self._denied[call_id] = ToolResult(call_id, "", mark=Mark.DENIED)

    def stopped(self, result: dict[str, Any], error: dict[str, Any]) -> None:
        """The answer to a prompt: why the turn ended, or an error."""
        self._flush()
        reason, status = string_at(result, "stopReason"), self.session.recorded_status
        ending = (Ending.CRASHED, string_at(error, "message")) if error else end_of(_WORDS["endings"], reason)
        self.ended(status if error else reason or status, *ending)

    def close(self) -> None:
        self._flush()
        self.session.events += [entry for key, entry in self._denied.items() if key in self._calls]
        super().close()

    def _user(self, text: str, time: float | None) -> None:
        if self.heard(text, time):
            self.ended()

    def _flush(self) -> None:
        """Say what came in pieces. An agent may repeat what the client has sent it."""
        text, role, time = "".join(self._said), self._role, self._time
        self._said, self._role = [], ""
        if role == "user" and text.strip() != self._asked.strip():
            self._user(text, time)
        elif role == "assistant":
            self.answers += bool(text.strip())
            self.say(text, time)
        elif role == "thought":
            self.say(text, time, thought=True)

    def _call(self, update: dict[str, Any], time: float | None) -> None:
        """A call, or what is new of it: each report has only what changed."""
        call_id = str_or_none(update.get("toolCallId")) or f"call-{len(self._calls) + 1}"
        if call_id not in self._calls:
            self._calls[call_id] = self.call("", call_id, "unknown", {}, time), {}
        call, known = self._calls[call_id]
        known |= {key: value for key, value in update.items() if value is not None}
        # The tool's own name where the agent gives one beside the protocol, else the kind, else the title.
        named, kind = string_at(known, ("_meta.toolName", "_meta{}.toolName")), str(known.get("kind"))
        kind = kind if kind in _WORDS["kinds"] else ""
        call.name, call.arguments = named or kind or first_text(known, "title") or "unknown", _arguments_of(known)
        if known.get("status") in ("completed", "failed"):
            self._finish(call_id, known, time)

    def _finish(self, call_id: str, known: dict[str, Any], time: float | None) -> None:
        raw, content = known.get("rawOutput"), map(dict_of, list_of(known.get("content")))
        shown = text_of(raw)
        if isinstance(raw, dict):
            shown = first_text(raw, *_OUTPUTS) or json.dumps(raw, ensure_ascii=False)
        text = "\n".join(filter(None, (_said(part.get("content")) for part in content))) or shown
        if call_id not in self._results:
            self._results[call_id] = self.result(call_id, "", time=time)
            self._results[call_id].mark = Mark.DENIED if self._denied.pop(call_id, None) else None
        result = self._results[call_id]
        result.text, result.is_error = text, known["status"] == "failed"
        result.exit_code = first_int(dict_of(raw), "exit_code", "exitCode")


def _said(block: object) -> str:
    """The text of a block, or of a resource that is given with it."""
    resource = dict_of(dict_of(block).get("resource"))
    return text_of(resource.get("text")) or str_or_none(resource.get("uri")) or "" if resource else text_of(block)


def _arguments_of(known: dict[str, Any]) -> dict[str, Any] | str:
    """What the call was given; else what is shown of it: the change, the places, a command in its title."""
    if known.get("rawInput") and (given := arguments_of(known["rawInput"])):
        return given
    changes = [part for part in map(dict_of, list_of(known.get("content"))) if part.get("type") == "diff"]
    if len(changes) == 1:
        path, old, new = changes[0].get("path"), changes[0].get("oldText"), text_of(changes[0].get("newText"))
        return {"path": path, "old_str": old, "new_str": new} if old else {"path": path, "content": new}
    title = str_or_none(known.get("title")) or ""
    if title.startswith("`") and title.endswith("`") and len(title) > 2:
        return {"command": title[1:-1]}
    if places := list(filter(str_or_none, list_of(value_at(known, "locations[].path")))):
        return {"path": places[0]} if len(places) == 1 else {"paths": places}
    return {"title": title} if title else {}


FORMAT = described(__file__, AgentClientProtocol)
