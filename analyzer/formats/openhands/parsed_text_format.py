"""Plain-text extracts of OpenHands runs: one line of a kind per iteration, thoughts with their actions or one of them
alone.

Nothing but the actions tells what was done, so an extract without them is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, expressions_of
from analyzer.formats.record.fields import arguments_of, dict_of, str_or_none
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.text.python_values import python_values

_HEAD = 4_000
"""How many characters may stand before the first iteration, all of them white space, and in its label."""
_SAYS = expressions_of(__file__)
_MOST_LABELS = 20
"""Labels that are looked at, from the last one: an action may quote some."""
_LONGEST_LITERAL = 1_000_000


class OpenHandsParsedText(SessionsFormat):
    """Reads one extract as one session. A result may have the action behind it that came next."""

    def sniff(self, document: Document) -> bool:
        """Whether the text begins with an iteration."""
        return document.value is MISSING and _SAYS["part"].match(document.opening(_HEAD).lstrip()) is not None

    def sessions(self, document: Document, _log: FileLog) -> Iterator[Session]:
        """The run as far as the extract holds it."""
        text = document.text
        parts = list(_SAYS["part"].finditer(text))
        session = Session(id=document.stem, agent="OpenHands")
        ends = [*(part.start() for part in parts[1:]), len(text)]
        for part, end in zip(parts, ends, strict=False):
            _add(session, part, _SAYS["rule"].sub("", text[part.end() : end].rstrip()))
        if not any(True for _ in session.calls()):
            what = "is an extract of a run without its actions." if parts else "holds no iteration of a run."
            hint = "Name the extract that holds the actions."
            raise UnreadableInput(what, where=document.name, hint=hint, foreign=bool(parts))
        session.assistant_messages = sum(isinstance(event, Message) for event in session.events)
        yield session


FORMAT = described(__file__, OpenHandsParsedText)


def _add(session: Session, part: re.Match[str], body: str) -> None:
    iteration = int(part[2] or part[3])
    before, action = ("", body) if part[1] == "Action" else _split(body, shown=part[1] == "Result")
    if part[1] == "Result":
        session.events.append(ToolResult(f"iteration-{iteration}", before))
        iteration += 1
    else:
        session.say(Message("assistant", before.strip()))
    if action.strip():
        value = _literal(action)
        name = str_or_none(dict_of(value).get("name")) or "unknown"
        given = arguments_of(value.get("arguments")) if isinstance(value, dict) else action
        session.events.append(ToolCall(f"iteration-{iteration}", name, given, task_done=name == "finish"))


def _split(body: str, *, shown: bool) -> tuple[str, str]:
    """Return what stands before the action of a part, and the action: the last value that is one whatever its label,
    else what is labelled as one and cut off, which a text that shows something else may hold as well."""
    labels = list(_SAYS["label"].finditer(body))
    for label in labels[: -_MOST_LABELS - 1 : -1]:
        rest = body[label.end() :]
        if rest.startswith("END"):
            return body[: label.start()], ""
        value = dict_of(_literal(rest))
        if str_or_none(value.get("name")) is not None and "arguments" in value:
            return body[: label.start()], rest
    named = [label for label in labels if not shown and label[1].casefold() == "action"]
    return (body[: named[-1].start()], body[named[-1].end() :]) if named else (body, "")


def _literal(text: str) -> Any:
    try:
        return python_values(text.strip()) if len(text) < _LONGEST_LITERAL else None
    except ValueError:
        return None
