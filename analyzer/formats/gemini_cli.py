"""What Gemini CLI's chats need beyond `gemini_cli.toml`: lines that are written again, notices, how calls ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, parse_time, text_of
from analyzer.formats.record.function_responses import response_of, result_of
from analyzer.formats.record.records import records_of
from analyzer.formats.record.warnings import unknown_kind
from analyzer.model.session import Compaction, Session, Tokens
from analyzer.model.words import BRANCH, Ending
from analyzer.text.late import late

_ENDED = ("success", "error", "cancelled")
_PENDING = ("validating", "scheduled", "executing", "awaiting_approval")
_ATTACHED = "\n--- Content from referenced files ---"
_COMPRESSED = late(r"compressed from (\d{1,15}) to (\d{1,15}) tokens")


class GeminiCli(Declared):
    """A chat as kept under `~/.gemini/tmp/<project>/chats`."""

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one chat."""
        value = document.value
        if isinstance(value, dict):
            header, found = (value, {}) if "messages" in value else ({}, {"": ("message 0", value)})
            left = dict[str, str]()
            known = isinstance(value.get("messages"), list) or self.is_own(value)
        else:
            header, found, left = _written(document, log)
            known = bool(header or found)
        if known:
            reader = self.reader(Session(document.stem, agent=self.agent))
            reader.take("header", {"@header": True, **header})
            whole = [(f"message {number}", message) for number, message in enumerate(list_of(header.get("messages")))]
            for key, (place, message) in found.items():
                reader.branch = left.get(key, "")
                reader.take(place, dict_of(message))
            yield reader.all_of((place, dict_of(message)) for place, message in (whole if not found else ()))


def _written(document: Document, log: FileLog) -> tuple[dict[str, Any], dict[str, tuple[str, Any]], dict[str, str]]:
    """What is said about the chat in lines, its messages with their places by their ids, and the branches of those
    behind which the user went back."""
    left: dict[str, str] = {}
    header: dict[str, Any] = {}
    messages: dict[str, tuple[str, Any]] = {}
    for record in records_of(document, log.damage):
        place, item = record.place, record.value
        if isinstance(item.get("$set"), dict):
            header |= item["$set"]
        elif "$rewindTo" in item:
            behind = list(messages)
            if item["$rewindTo"] in messages:
                lane = f"{BRANCH}{len(set(left.values())) + 1}"
                left |= {key: left.get(key, lane) for key in behind[behind.index(item["$rewindTo"]) + 1 :]}
            else:
                log.add(place, "the user went back to a message that isn't there; the steps are kept")
        elif isinstance(item.get("id"), str) and "type" in item:
            # A dict keeps the place of the first writing, and the value of the last.
            messages[item["id"]] = (messages.get(item["id"], (place, None))[0], item)
        elif "sessionId" in item or "projectHash" in item:
            header |= item
        else:
            log.add(place, "neither a message nor about the chat; skipped")
    return header, messages, left


class _Reader(RuleReader):
    _waiting = False

    def of_agent(self, _row: Row) -> None:
        self.session.environment["role"] = "sub-agent"

    def user(self, row: Row) -> None:
        """Tell what the user said from the files that go with it."""
        words, marker, attached = _text(row.value.get("content")).partition(_ATTACHED)
        self.users += not words.strip()
        # What begins with a slash is for the program, not for the model.
        self._waiting = self._waiting or not words.startswith("/")
        self.heard(words, self.time)
        self.note(attached if marker else "", self.time)

    def notice(self, row: Row) -> None:
        kind, text = row.value["type"], _text(row.value.get("content"))
        if found := _COMPRESSED.search(text):
            self.session.events.append(Compaction(self.time, tokens_before=int(found[1]), tokens_after=int(found[2])))
        self.note(text, self.time)
        # The user interface tells its own troubles in the same way, between two turns of the model.
        if kind == "error" and (self._waiting or "API Error" in text):
            self.ended("error", Ending.CRASHED, text.strip() or None)
        elif text.startswith("Request cancelled"):
            self.ended("cancelled", Ending.CANCELLED, text.strip())

    def answer(self, row: Row) -> None:
        """What the model thinks and says, and what it used."""
        message = row.value
        self._waiting = bool(list_of(message.get("toolCalls")))
        tokens = dict_of(message.get("tokens"))
        sent, said = _sum(tokens, "input", "tool"), _sum(tokens, "output", "thoughts")
        self.meter.spent(Tokens(sent, said, int_or_none(tokens.get("cached"))))
        for thought in map(dict_of, list_of(message.get("thoughts"))):
            text = "\n".join(filter(None, (string_at(thought, key) for key in ("subject", "description"))))
            self.say(text, parse_time(thought.get("timestamp")) or self.time, thought=True)
        self.say(_text(message.get("content")), self.time)

    def ran(self, row: Row) -> None:
        """Give a call, whose id may be used again, one of its own, and add what it returned where it has ended."""
        made, call, status = self.last_call, row.value, row.value.get("status")
        made.id = f"{string_at(row, 'id') or 'call'} #{self.made}"
        if status not in _ENDED:
            if isinstance(status, str) and status not in _PENDING:
                self.log.add(row.place, f"unknown status of a tool call {status[:60]!r}; its result isn't read")
            return
        text, error = response_of(call.get("result"))
        result = result_of(made.id, string_at(row, "name"), status, text, error)
        noted = self.clock(call.get("timestamp"))
        # Some versions write the message down after its calls: that tells nothing of when these began.
        result.time = noted if noted is not None and (self.time is None or noted > self.time) else None
        if not result.text and status != "success":
            result.text = text_of(call.get("resultDisplay"))
        self.session.events.append(result)


def _text(content: object) -> str:
    """Return the text of a message's content: a text, or a list of parts, of which texts and unknown ones count."""
    if isinstance(content, list):
        said = [part for part in content if not isinstance(part, dict) or "text" in part or unknown_kind(part)]
        return "".join(map(text_of, said))
    return text_of(content)


def _sum(tokens: dict[str, Any], of: str, more: str) -> int | None:
    count = int_or_none(tokens.get(of))
    return None if count is None else count + (int_or_none(tokens.get(more)) or 0)


FORMAT = declared(__file__, _Reader, GeminiCli)
