"""Plain chat JSON: the messages of a conversation as model APIs take and return them, without any harness around them.

A conversation is a list of messages or an object with such a list, under `messages` or deeper; a file holds one, a list
of them, or JSON lines (one message or one conversation per line). The dialects of the models' APIs are read, also
mixed: OpenAI chat completions (`tool_calls`, role `tool`), Anthropic messages (`tool_use`, `tool_result`) and OpenAI
responses (`function_call` and `function_call_output` items); and the messages of agent frameworks, by their shape (see
`analyzer.formats.record.shapes`). Where a conversation has no call of any of these, those that the agent writes into
its messages are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, expressions_of, words_of
from analyzer.formats.record.chat_messages import Conversation, is_message
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.formats.record.fields import dict_of, first_count, first_text, first_time, is_naive, name_or_none
from analyzer.formats.record.own_form import usage_of_other_models
from analyzer.formats.record.records import sample_of
from analyzer.formats.record.shapes.lists import MessageList, are_messages, message_lists
from analyzer.formats.record.token_counts import of_api
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import ReadWarning, Session, Tokens

_WORDS = words_of(__file__)
_OF_OTHER_FORMATS = frozenset(_WORDS["of_other_formats"])
"""Keys of an object that holds more than a chat, in some format of its own."""
_KEYS: dict[str, list[str]] = _WORDS["keys"]
"""The keys of what a header or the settings say, the likeliest first; of the blocks in which a header may stand the
last one that has a value counts."""
_OF_A_SESSION = frozenset(_WORDS["of_a_session"])
_DEEPEST = 3
_SAYS = expressions_of(__file__)

Item = tuple[str, Any]
"""A message with its place in the file."""


class Chat(SessionsFormat):
    """Conversations of messages with roles, of any agent."""

    def sniff(self, document: Document) -> bool:
        """Whether the document's elements really are messages, or conversations of such."""
        sample = sample_of(document)
        return are_messages(sample) or (bool(sample) and all(map(_is_conversation, sample)))

    def sessions(self, document: Document, log: FileLog) -> list[Session]:
        """One session per conversation."""
        conversations = list(_conversations(document, log.damage))
        found = [
            _session(document.stem if len(conversations) == 1 else f"{document.stem}-{number}", header, items)
            for number, (header, items) in enumerate(conversations, start=1)
        ]
        return found if any(session.events for session in found) else []


def _is_conversation(value: object) -> bool:
    if not isinstance(value, dict) or not _OF_OTHER_FORMATS.isdisjoint(value):
        return False
    return are_messages(value.get("messages")) or ("messages" not in value and bool(message_lists(value)))


def _conversations(document: Document, warnings: list[ReadWarning]) -> Iterator[tuple[dict[str, Any], list[Item]]]:
    value, unit = document.value, "record"
    places: list[Item]
    if value is MISSING:
        places = [(record.place, record.value) for record in document.records(warnings)]
    elif isinstance(value, list):
        unit = "message"
        places = [(f"{unit} {number}", item) for number, item in enumerate(value, start=1)]
    else:
        places = [(unit, value)]
    loose: list[Item] = []
    for place, item in places:
        if isinstance(item, dict) and isinstance(item.get("messages"), list):
            found = [MessageList("messages", "message", item["messages"], item)]
        else:
            found = [] if is_message(item) else message_lists(item)
        prefix = "" if len(places) == 1 else f"{place}, "
        for entry in found:
            numbered = enumerate(entry.items, start=1)
            yield entry.around, [(f"{prefix}{entry.place} {number}", message) for number, message in numbered]
        if not found:
            loose.append((place, item))
    if any(isinstance(item, dict) for _, item in loose):
        yield {}, loose


def _session(stem: str, header: dict[str, Any], items: list[Item]) -> Session:
    talk = Conversation(Session(stem))
    session = talk.all_of(items)
    session.definitions = agreed(definitions_in({key: value for key, value in header.items() if key != "messages"}))
    settings = {key: value for key, value in header.items() if key not in _KEYS["of_messages"]}
    # A block beside the messages may say something of the session itself.
    beside = [item for name in _KEYS["blocks"] for item in dict_of(header.get(name)).items()]
    nested = {key: value for key, value in beside if key in _OF_A_SESSION and value is not None}
    header = {**nested, **{key: value for key, value in header.items() if value is not None}}
    agent = dict_of(header.get("agent"))
    session.id = next(filter(None, map(name_or_none, map(header.get, _KEYS["id"]))), stem)
    session.agent = first_text(header, "agent") or first_text(agent, "name") or first_text(header, "agent_name")
    session.agent_version = first_text(header, "agent_version") or first_text(agent, "version")
    session.model = first_text(header, "model", "model_name") or session.model
    named, asked = first_text(header, "task"), session.task
    # What was asked for is in the header's words, unless they are one word, as ids are, and the conversation has more.
    session.task = asked if named is None or (asked is not None and len(named.split()) == 1) else named
    session.title = first_text(header, "title")
    session.started_at = first_time(header, *_KEYS["start"]) or session.started_at
    session.ended_at = first_time(header, *_KEYS["end"]) or session.ended_at
    session.naive_clock |= any(is_naive(header.get(key)) for key in (*_KEYS["start"], *_KEYS["end"]))
    session.tokens = of_api(dict_of(header.get("usage")) or talk.usage)
    session.recorded_status = first_text(header, "status")
    session.beside = usage_of_other_models(header.get("beside"))
    costs = (cost_or_none(header.get(key)) for key in ("cost_usd", "total_cost_usd", "cost"))
    session.cost_usd = next((cost for cost in costs if cost is not None), None)
    session.cost_is_partial = header.get("cost_is_partial") is True
    _take_settings(session, settings)
    return session


def _take_settings(session: Session, settings: dict[str, Any]) -> None:
    """Fill in what a session doesn't know yet. A program that counts nothing writes zeros, which stand for nothing."""
    own = _own(settings)
    model, folder = first_text(own, *_KEYS["model"]), first_text(own, *_KEYS["folder"])
    if session.model is None and model is not None and not any(map(str.isspace, model)):
        session.model = model
    if folder is not None:
        session.environment["working directory"] = folder
    if session.tokens == Tokens():
        sent, written = first_count(own, *_KEYS["sent"]), first_count(own, *_KEYS["written"])
        session.tokens = Tokens(sent, written) if sent or written else Tokens()
    if session.cost_usd is None:
        session.cost_usd = next(filter(None, (cost_or_none(own.get(key)) for key in _KEYS["cost"])), None)


def _own(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with those in the blocks that are the agent's own. The highest count; what two at one depth say in
    two ways isn't known."""
    own: dict[str, Any] = {}
    level: list[dict[str, Any]] = [settings]
    for _ in range(_DEEPEST):
        here: dict[str, Any] = {}
        for block in level:
            here |= {key: value if here.get(key, value) == value else None for key, value in block.items()}
        own = {**here, **own}
        blocks = (item for block in level for item in block.items())
        level = [value for key, value in blocks if isinstance(value, dict) and _SAYS["own"].fullmatch(str(key))]
    return own


FORMAT = described(__file__, Chat)
