"""Gemini CLI chats: one JSON object of {sessionId, projectHash, messages}, or JSON lines of the same; also a single
message.

A call and its result are one record inside the model's message. In JSON lines a message is written again whenever it
changes: the last writing counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, parse_time, str_or_none, text_of
from analyzer.formats.record.function_responses import response_of, result_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import records_of, take_time
from analyzer.formats.record.usage import asked_by
from analyzer.formats.record.warnings import GIVEN, LIST, OBJECT, TEXT, Form
from analyzer.model.session import Compaction, Message, Session, Tokens
from analyzer.model.words import Ending
from analyzer.text.expressions import compiled

_MESSAGE = Form(
    "a message",
    {"content": (str, list, dict)},
    {"toolCalls": LIST, "thoughts": LIST, "tokens": OBJECT},
    frozenset({"id", "timestamp", "type", "model", "displayContent", "metadata"}),
)
_CALL = Form("a tool call", {"status": TEXT}, {"args": GIVEN, "result": (list, dict, str)})
_RESPONSE = Form("a function's response", {"response": (dict, str)})
_ENDED = ("success", "error", "cancelled")
_PENDING = ("validating", "scheduled", "executing", "awaiting_approval")
_NOTICES = frozenset({"info", "warning", "error"})
_OF_MODEL = frozenset({"toolCalls", "tokens", "thoughts", "model"})
_ATTACHED = "\n--- Content from referenced files ---"
_COMPRESSED = compiled(r"compressed from (\d{1,15}) to (\d{1,15}) tokens")


class GeminiCli(SessionsFormat):
    """A chat as kept under `~/.gemini/tmp/<project>/chats`."""

    name = "gemini-cli"
    title = "Gemini CLI chat"
    versions = "chats with projectHash"
    not_recorded = ("cost", "how the session ended", "working directory")
    nothing = "Gemini CLI chat"

    def sniff(self, document: Document) -> bool:
        """Whether the document is such a chat, its lines, or one message of the model."""
        value = document.value
        if value is MISSING:
            return any("projectHash" in record.value and "sessionId" in record.value for record in document.head[:5])
        record = dict_of(value)
        return ("projectHash" in record and isinstance(record.get("messages"), list)) or _is_answer(record)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one chat."""
        session = Session(document.stem, agent="Gemini CLI")
        header, messages = _parts(document, log)
        if not header and not messages:
            return
        session.id = str_or_none(header.get("sessionId")) or session.id
        session.title = str_or_none(header.get("summary"))
        for key in ("startTime", "lastUpdated"):
            take_time(session, header.get(key))
        folder = next((name for name in list_of(header.get("directories")) if isinstance(name, str)), None)
        if folder:
            session.environment["working directory"] = folder
        if header.get("kind") == "subagent":
            session.environment["role"] = "sub-agent"
        reader = _Reader(session)
        for place, message in messages:
            reader.message(place, message)
        reader.close()
        yield session


FORMAT = GeminiCli()


def _is_answer(record: dict[str, Any]) -> bool:
    return record.get("type") == "gemini" and {"id", "timestamp"} <= set(record) and not _OF_MODEL.isdisjoint(record)


def _parts(document: Document, log: FileLog) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """Return what is said about the chat, and its messages with their places."""
    value = document.value
    if isinstance(value, dict):
        if isinstance(value.get("messages"), list):
            return value, [(f"message {number}", message) for number, message in enumerate(value["messages"])]
        return ({}, [("message 0", value)]) if _is_answer(value) else ({}, [])
    header: dict[str, Any] = {}
    messages: dict[str, tuple[str, Any]] = {}
    for record in records_of(document, log.damage):
        place, item = record.place, record.value
        if isinstance(item.get("$set"), dict):
            header |= item["$set"]
        elif "$rewindTo" in item:
            what = (
                "the user went back to an earlier message: the steps after it are kept, but the agent no longer saw "
                "them"
            )
            log.add(place, what)
        elif isinstance(item.get("id"), str) and "type" in item:
            # A dict keeps the place of the first writing, and the value of the last.
            messages[item["id"]] = (messages.get(item["id"], (place, None))[0], item)
        elif "sessionId" in item or "projectHash" in item:
            header |= item
        else:
            log.add(place, "neither a message nor about the chat; skipped")
    whole = list_of(header.get("messages"))
    if whole and not messages:
        return header, [(f"message {number}", message) for number, message in enumerate(whole)]
    return header, list(messages.values())


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._calls = 0
        self._waiting = False

    def message(self, place: str, value: object) -> None:
        """Take in one message."""
        message = dict_of(value)
        kind = message.get("type")
        time = self.clock(message.get("timestamp"))
        text = _text(message.get("content"))
        if kind in ("user", "gemini"):
            _MESSAGE.check(place, message, self.log)
        if kind == "user":
            self._user(text, time)
        elif kind == "gemini":
            self._answer(place, message, text, time)
        elif isinstance(kind, str) and kind in _NOTICES:
            self._notice(kind, text, time)
        else:
            self.unknown(place, "message type", kind)

    def _user(self, text: str, time: float | None) -> None:
        words, marker, attached = text.partition(_ATTACHED)
        self.ended()
        self.users += not words.strip()
        # What begins with a slash is for the program, not for the model.
        self._waiting = self._waiting or not words.startswith("/")
        self.heard(words, time)
        if marker:
            self.note(attached, time)

    def _notice(self, kind: str, text: str, time: float | None) -> None:
        session = self.session
        if found := _COMPRESSED.search(text):
            session.events.append(Compaction(time, tokens_before=int(found[1]), tokens_after=int(found[2])))
        self.note(text, time)
        # The user interface tells its own troubles in the same way, between two turns of the model.
        if kind == "error" and (self._waiting or "API Error" in text):
            self.ended("error", Ending.CRASHED, text.strip() or None)
        elif text.startswith("Request cancelled"):
            self.ended("cancelled", Ending.CANCELLED, text.strip())

    def _answer(self, place: str, message: dict[str, Any], text: str, time: float | None) -> None:
        session = self.session
        self.ended()
        self.answers += 1
        self._waiting = bool(list_of(message.get("toolCalls")))
        session.model = str_or_none(message.get("model")) or session.model
        self.meter.spent(_tokens(dict_of(message.get("tokens"))))
        for thought in map(dict_of, list_of(message.get("thoughts"))):
            parts = [part for key in ("subject", "description") if (part := str_or_none(thought.get(key)))]
            self.session.say(
                Message("assistant", "\n".join(parts), parse_time(thought.get("timestamp")) or time, thought=True)
            )
        self.say(text, time)
        first = len(session.events)
        for call in list_of(message.get("toolCalls")):
            if isinstance(call, dict):
                self._call(place, call, time)
            else:
                self.log.add(place, "tool call that is no object; skipped")
        asked_by(session.events, first, str_or_none(message.get("model")))

    def _call(self, place: str, call: dict[str, Any], time: float | None) -> None:
        self._calls += 1
        call_id = f"{str_or_none(call.get('id')) or 'call'} #{self._calls}"
        self.call(place, call_id, call.get("name"), call.get("args"), time, batch=place)
        status = call.get("status")
        self._check(place, call, status)
        if status not in _ENDED:
            return
        text, error = response_of(call.get("result"))
        result = result_of(call_id, str_or_none(call.get("name")), status, text, error)
        noted = self.clock(call.get("timestamp"))
        # Some versions write the message down after its calls: that tells nothing of when these began.
        result.time = noted if noted is not None and (time is None or noted > time) else None
        if not result.text and status != "success":
            result.text = text_of(call.get("resultDisplay"))
        self.session.events.append(result)

    def _check(self, place: str, call: dict[str, Any], status: object) -> None:
        _CALL.check(place, call, self.log)
        if isinstance(status, str) and status not in (*_ENDED, *_PENDING):
            self.log.add(place, f"unknown status of a tool call {status[:60]!r}; its result isn't read")
        if "args" not in call:
            self.log.add(place, "a tool call without 'args'")
        if status == "success" and "result" not in call:
            self.log.add(place, "a tool call that succeeded without 'result'")
        for part in list_of(call.get("result")):
            answer = dict_of(part).get("functionResponse")
            if isinstance(answer, dict):
                _RESPONSE.check(place, answer, self.log)


def _text(content: object) -> str:
    """Return the text of a message's content: a text, or a list of parts of which only texts count."""
    if isinstance(content, list):
        return "".join(text_of(part.get("text")) if isinstance(part, dict) else text_of(part) for part in content)
    return text_of(content)


def _tokens(tokens: dict[str, Any]) -> Tokens:
    counts = {key: int_or_none(tokens.get(key)) for key in ("input", "tool", "output", "thoughts", "cached")}
    sent, said = counts["input"], counts["output"]
    return Tokens(
        None if sent is None else sent + (counts["tool"] or 0),
        None if said is None else said + (counts["thoughts"] or 0),
        counts["cached"],
    )
