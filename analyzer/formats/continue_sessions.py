"""Sessions of the Continue extension: one JSON object with a history of messages, each with the calls that it asked for
and what came of them."""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat
from analyzer.formats.record.fields import dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.warnings import GIVEN, OBJECT, TEXT, Form
from analyzer.model.session import Session
from analyzer.model.words import Mark

_ITEM = Form("an entry", {"message": OBJECT}, {"toolCallStates": (list,), "toolCallState": OBJECT})
_MESSAGE = Form("a message", {"content": (str, list)})
_STATE = Form("a call's state", {"status": TEXT, "toolCall": OBJECT}, {"output": (list,)})
_FUNCTION = Form("a call's function", {"name": TEXT}, {"arguments": GIVEN})
_ENDED = {"done": False, "errored": True, "canceled": None}
_OF_KIRO = frozenset({"autonomyMode", "sessionType", "contextUsagePercentage"})
"""Keys that only sessions of an editor have that grew out of it."""
_PENDING = ("generating", "generated", "calling")


class ContinueSessions(ObjectFormat):
    """Reads one session per file."""

    name = "continue"
    title = "Continue"
    versions = "sessions of 2024 without calls; calls as published"
    not_recorded = ("times", "tokens", "cost", "how the session ended", "exit codes")
    nothing = "session of Continue"
    said_something = True

    def is_own(self, value: object) -> bool:
        """Whether an object is a session with its history."""
        found = dict_of(value)
        if not {"sessionId", "workspaceDirectory"} <= found.keys() or not _OF_KIRO.isdisjoint(found):
            return False
        return any(isinstance(dict_of(entry).get("message"), dict) for entry in list_of(found.get("history"))[:20])

    def is_readable(self, value: object) -> bool:
        """Whether it's an object: its entries hold what it says."""
        return isinstance(value, dict)

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The session that an object is."""
        reader = _Reader(Session(str_or_none(value.get("sessionId")) or document.stem, agent="Continue"))
        reader.session.title = str_or_none(value.get("title"))
        reader.place(value, workspaceDirectory="working directory")
        for number, entry in enumerate(list_of(value.get("history")), 1):
            reader.entry(f"entry {number}", entry)
        reader.close()
        return reader.session


FORMAT = ContinueSessions()
"""The object that the registry lists."""


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._answered: set[str | None] = set()

    def entry(self, place: str, value: object) -> None:
        """Take in one entry."""
        if not isinstance(value, dict):
            self.log.wrong_type(place, value, "an entry")
            return
        _ITEM.check(place, value, self.log)
        session, message = self.session, dict_of(value.get("message"))
        role, text = message.get("role"), text_of(message.get("content"))
        if message:
            _MESSAGE.check(place, message, self.log)
        if role == "user":
            self.heard(text)
        elif role == "assistant":
            self.answers += 1
            logs = [dict_of(log) for log in list_of(value.get("promptLogs"))]
            model = next((name for log in logs if (name := str_or_none(log.get("modelTitle")))), None)
            session.model = model or session.model
            self.say(text_of(dict_of(value.get("reasoning")).get("text")), thought=True)
            self.say(text)
            states = list_of(value.get("toolCallStates")) or [
                value[key] for key in ("toolCallState",) if value.get(key)
            ]
            for state in states:
                self._call(place, state)
        elif role == "thinking":
            self.say(text, thought=True)
        elif role == "tool":
            self._answer(str_or_none(message.get("toolCallId")), text, None)
        elif role == "system":
            self.note(text, role="system")
        elif message:
            self.unknown(place, "role", role)

    def _call(self, place: str, value: object) -> None:
        state = dict_of(value)
        _STATE.check(place, state, self.log)
        call = dict_of(state.get("toolCall"))
        function = dict_of(call.get("function"))
        _FUNCTION.check(place, function, self.log)
        ident = str_or_none(state.get("toolCallId")) or str_or_none(call.get("id"))
        given: Any = state.get("parsedArgs") if isinstance(state.get("parsedArgs"), dict) else function.get("arguments")
        self.call(place, ident, function.get("name"), given, batch=place)
        status = str_or_none(state.get("status"))
        if status in _ENDED:
            said = [text_of(dict_of(item).get("content")) for item in list_of(state.get("output"))]
            self._answer(ident, "\n".join(filter(None, said)), _ENDED[str(status)], canceled=status == "canceled")
        elif status is not None and status not in _PENDING:
            self.log.add(place, f"unknown status of a call {status[:60]!r}; its result isn't read")

    def _answer(self, ident: str | None, text: str, failed: bool | None, *, canceled: bool = False) -> None:
        """Add a result, which may be in the call's state and in a message of its own."""
        if ident is not None and ident in self._answered:
            return
        self._answered.add(ident)
        self.result(ident, text, failed).mark = Mark.INTERRUPTED if canceled else None
