"""OpenHands' logs of single requests to a model: the whole context sent, and the reply.

The context is the session up to that request, so the last log of a run holds all of it. Where a model can't call tools
itself, `raw_messages` has the conversation as it was before it was put into words.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat, described
from analyzer.formats.openhands.reader import answer_of
from analyzer.formats.record.chat_messages import Conversation, is_message
from analyzer.formats.record.fields import dict_of, list_of, parse_time, str_or_none
from analyzer.formats.record.usage import Meter, cost_or_none
from analyzer.model.session import Session, Tokens, ToolCall

_OF_A_REQUEST = frozenset({"kwargs", "latency_sec", "context_window", "raw_messages"})


class OpenHandsLlmLog(ObjectFormat):
    """Reads one request with its reply as one session."""

    def is_own(self, value: object) -> bool:
        """Whether an object has messages, the reply to them, and what else belongs to a request."""
        return self.is_readable(value) and not _OF_A_REQUEST.isdisjoint(dict_of(value)) and "response" in dict_of(value)

    def is_readable(self, value: object) -> bool:
        """Whether an object has messages."""
        return any(map(is_message, list_of(dict_of(value).get("messages"))[:5]))

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The session up to the request and its reply."""
        response = dict_of(value.get("response"))
        session = Session(str_or_none(response.get("id")) or document.stem, agent="OpenHands")
        talk = Conversation(session)
        messages = list_of(value.get("raw_messages")) or list_of(value.get("messages"))
        for number, message in enumerate(messages, start=1):
            talk.take(f"message {number}", message)
        before = len(session.events)
        for choice in list_of(response.get("choices"))[:1]:
            talk.take("response", dict_of(choice).get("message"))
        talk.close()
        used, cost = answer_of(response), cost_or_none(value.get("cost")) or None
        earlier = session.events[:before]
        first = not any(isinstance(event, ToolCall) or getattr(event, "role", "") == "assistant" for event in earlier)
        if used is not None:
            meter = Meter(session.events)
            meter.spent(used.tokens, cost, since=before)
            meter.settle()
        session.model = str_or_none(response.get("model")) or session.model
        session.started_at, session.ended_at = None, parse_time(value.get("timestamp"))
        session.tokens = used.tokens if used is not None and first else Tokens()
        session.cost_usd, session.cost_is_partial = cost, cost is not None and not first
        return session


FORMAT = described(__file__, OpenHandsLlmLog)
