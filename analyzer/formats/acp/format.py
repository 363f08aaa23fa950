"""Logs of the Agent Client Protocol: the messages between an editor and its agent, one JSON-RPC object per line, or
only the agent's updates.

A program that keeps such a log may add a time to each line. Several sessions may go on at the same time.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.acp.updates import SessionUpdates
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import dict_of, list_of, str_or_none
from analyzer.formats.record.records import records_of
from analyzer.model.session import Session

_REFUSALS = ("reject_once", "reject_always")
_SILENT = tuple(words_of(__file__)["silent_methods"])
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


FORMAT = described(__file__, AgentClientProtocol)


class _Reader:
    def __init__(self, log: FileLog) -> None:
        self._sessions: dict[str, SessionUpdates] = {}
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
        for entry in self._sessions.values():
            entry.close()
            session = entry.session
            session.agent = session.agent or string_at(self._agent, ("title", "name"))
            session.agent_version = string_at(self._agent, "version")
            if self._folder is not None:
                session.environment.setdefault("working directory", self._folder)
        return [entry.session for entry in self._sessions.values()]

    def _of(self, params: dict[str, Any]) -> SessionUpdates:
        name = str_or_none(params.get("sessionId")) or ""
        return self._sessions.setdefault(name, SessionUpdates(name))

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
