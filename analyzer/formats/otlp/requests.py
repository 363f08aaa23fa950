"""What the user asks of a trace: which of the messages that its first model was given is the request."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.formats.otlp.messages import Said, inputs_of
from analyzer.formats.otlp.recorded_messages import messages_of, value_of
from analyzer.formats.otlp.spans import Span
from analyzer.formats.record.fields import dict_of, list_of, text_of
from analyzer.model.session import Role

ROLES: dict[str, Role] = {"user": "user", "human": "user", "system": "system", "developer": "system"}
_ANSWERED = frozenset({"assistant", "ai", "model"})


def requested_by(span: Span) -> tuple[str, ...]:
    """What the user says in the input that the whole trace records of itself; empty where it records no messages.
    `span` is one of the trace's spans."""
    top = span
    for above in span.ancestors():
        top = above
    if top is span:
        return ()
    said = [(one.role, one.text) for one in inputs_of(top)]
    if not said:
        value = value_of(top.first("input.value", "traceloop.entity.input"))
        listed = value if isinstance(value, list) else list_of(dict_of(value).get("messages"))
        said = [(str(one.get("role")), text_of(one.get("content"))) for one in messages_of(listed, "user")]
    return tuple(text.strip() for role, text in said if ROLES.get(role) == "user" and text.strip())


def asked(messages: Sequence[Said], requested: Sequence[str]) -> tuple[str | None, frozenset[int]]:
    """The request among the messages of a trace's first input, None where it's the first thing that the user says, and
    the places of what the program put before it in the user's role: earlier turns, and instructions that aren't in
    what the trace itself was asked (`requested`)."""
    spoken = [place for place, one in enumerate(messages) if ROLES.get(one.role) == "user" and one.text.strip()]
    answers = [place for place, one in enumerate(messages) if one.role in _ANSWERED]
    later = [place for place in spoken if answers and place > answers[-1]]
    if answers and not later:
        return None, frozenset()
    now = later or spoken
    named = [place for place in now if messages[place].text.strip() in requested]
    if not answers and (not named or named[0] == now[0]):
        return None, frozenset()
    request = named[0] if named else now[0]
    return messages[request].text, frozenset(place for place in spoken if place < request)
