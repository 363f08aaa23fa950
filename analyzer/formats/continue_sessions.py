"""Sessions of the Continue extension: one JSON object with a history of messages, each with the calls that it asked for
and what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.record.fields import arguments_of, dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.form import GIVEN, OBJECT, TEXT, Form
from analyzer.formats.record.task_prompt import issue_of
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.words import Mark

_ITEM = Form("an entry", {"message": OBJECT}, {"toolCallStates": (list,), "toolCallState": OBJECT})
_MESSAGE = Form("a message", {"content": (str, list)})
_STATE = Form("a call's state", {"status": TEXT, "toolCall": OBJECT}, {"output": (list,)})
_FUNCTION = Form("a call's function", {"name": TEXT}, {"arguments": GIVEN})
_ENDED = {"done": False, "errored": True, "canceled": None}
_OF_KIRO = frozenset({"autonomyMode", "sessionType", "contextUsagePercentage"})
"""Keys that only sessions of an editor have that grew out of it."""
_PENDING = ("generating", "generated", "calling")


class ContinueSessions:
    """Reads one session per file."""

    name = "continue"
    title = "Continue"
    versions = "sessions of 2024 without calls; calls as published"
    not_recorded: tuple[str, ...] = ("times", "tokens", "cost", "how the session ended", "exit codes")

    def sniff(self, document: Document) -> bool:
        """Whether the document is a session with its history."""
        value = dict_of(document.value)
        entries = value.get("history")
        if not isinstance(entries, list) or "sessionId" not in value or "workspaceDirectory" not in value:
            return False
        if not _OF_KIRO.isdisjoint(value):
            return False
        return any(isinstance(dict_of(entry).get("message"), dict) for entry in entries[:20])

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the session."""
        value = dict_of(document.value)
        session = Session(str_or_none(value.get("sessionId")) or document.stem, agent="Continue")
        session.title = str_or_none(value.get("title"))
        if folder := str_or_none(value.get("workspaceDirectory")):
            session.environment["working directory"] = folder
        reader = _Reader(session)
        for number, entry in enumerate(list_of(value.get("history")), 1):
            reader.take(f"entry {number}", entry)
        reader.close()
        if not session.events:
            raise UnreadableInput("holds no session of Continue.", where=document.name)
        yield session


FORMAT = ContinueSessions()
"""The object that the registry lists."""


class _Reader:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._log = WarningLog()
        self._users = self._answers = 0
        self._answered: set[str | None] = set()

    def take(self, place: str, value: object) -> None:
        """Take in one entry."""
        if not isinstance(value, dict):
            self._log.wrong_type(place, value, "an entry")
            return
        _ITEM.check(place, value, self._log)
        session, message = self._session, dict_of(value.get("message"))
        role, text = message.get("role"), text_of(message.get("content"))
        if message:
            _MESSAGE.check(place, message, self._log)
        if role == "user":
            self._users += bool(text.strip())
            session.task = session.task or (issue_of(text) if text.strip() else None)
            session.say(Message("user", text))
        elif role == "assistant":
            self._answers += 1
            logs = [dict_of(log) for log in list_of(value.get("promptLogs"))]
            model = next((name for log in logs if (name := str_or_none(log.get("modelTitle")))), None)
            session.model = model or session.model
            session.say(Message("assistant", text_of(dict_of(value.get("reasoning")).get("text")), thought=True))
            session.say(Message("assistant", text))
            states = list_of(value.get("toolCallStates")) or [
                value[key] for key in ("toolCallState",) if value.get(key)
            ]
            for state in states:
                self._call(place, state)
        elif role == "thinking":
            session.say(Message("assistant", text, thought=True))
        elif role == "tool":
            self._result(str_or_none(message.get("toolCallId")), text, None)
        elif role == "system":
            session.say(Message("system", text))
        elif message:
            self._log.add(place, f"message of an unknown role {str(role)[:60]!r}; skipped")

    def close(self) -> None:
        """Fill in what is known at the end."""
        self._session.user_messages, self._session.assistant_messages = self._users, self._answers
        self._session.warnings += self._log.warnings()

    def _call(self, place: str, value: object) -> None:
        state = dict_of(value)
        _STATE.check(place, state, self._log)
        call = dict_of(state.get("toolCall"))
        function = dict_of(call.get("function"))
        _FUNCTION.check(place, function, self._log)
        name, ident = (
            str_or_none(function.get("name")),
            str_or_none(state.get("toolCallId")) or str_or_none(call.get("id")),
        )
        if name is None:
            self._log.add(place, NAMELESS_CALL)
        given: Any = state.get("parsedArgs") if isinstance(state.get("parsedArgs"), dict) else function.get("arguments")
        self._session.events.append(ToolCall(ident, name or "unknown", arguments_of(given), batch=place))
        status = str_or_none(state.get("status"))
        if status in _ENDED:
            said = [text_of(dict_of(item).get("content")) for item in list_of(state.get("output"))]
            self._result(ident, "\n".join(filter(None, said)), _ENDED[str(status)], canceled=status == "canceled")
        elif status is not None and status not in _PENDING:
            self._log.add(place, f"unknown status of a call {status[:60]!r}; its result isn't read")

    def _result(self, ident: str | None, text: str, failed: bool | None, *, canceled: bool = False) -> None:
        """Add a result, which may be in the call's state and in a message of its own."""
        if ident is not None and ident in self._answered:
            return
        self._answered.add(ident)
        mark = Mark.INTERRUPTED if canceled else None
        self._session.events.append(ToolResult(ident, text, failed, mark=mark))
