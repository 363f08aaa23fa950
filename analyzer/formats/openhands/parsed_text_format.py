"""Plain-text extracts of OpenHands runs: one line of a kind per iteration, thoughts with their actions or one of them
alone.

Nothing but the actions tells what was done, so an extract without them is refused.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.record.fields import arguments_of, str_or_none
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, ToolCall, ToolResult

_PART = re.compile(
    r"^(?:(Action|Result|Thought) at iteration (\d{1,6}): ?|Iteration (\d{1,6}): Thought=)", re.MULTILINE
)
_ACTION = re.compile(r"; Action=(?=\{)")
_RULE = re.compile(r"\n-{3,}\s*\Z")
_LONGEST_LITERAL = 1_000_000


class OpenHandsParsedText:
    """Reads one extract as one session."""

    name = "openhands-parsed-text"
    title = "OpenHands run, extracted as text"
    versions = "action and result texts"
    not_recorded: tuple[str, ...] = (
        "results of calls",
        "times",
        "model",
        "tokens and cost",
        "the task",
        "how the session ended",
    )

    def sniff(self, document: Document) -> bool:
        """Whether the text begins with an iteration."""
        return document.value is MISSING and _PART.match(document.text.lstrip()) is not None

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the run as far as the extract holds it."""
        text = document.text
        parts = list(_PART.finditer(text))
        session = Session(id=document.stem, agent="OpenHands")
        for number, part in enumerate(parts):
            end = parts[number + 1].start() if number + 1 < len(parts) else len(text)
            _add(session, part, _RULE.sub("", text[part.end() : end].rstrip()))
        if not any(True for _ in session.calls()):
            raise UnreadableInput(
                "is an extract of a run without its actions." if parts else "holds no iteration of a run.",
                where=document.name,
                hint="Name the extract that holds the actions.",
                foreign=bool(parts),
            )
        session.assistant_messages = sum(isinstance(event, Message) for event in session.events)
        yield session


FORMAT = OpenHandsParsedText()
"""The object that the registry lists."""


def _add(session: Session, part: re.Match[str], body: str) -> None:
    iteration = part[2] or part[3]
    thought, found, action = body, None, ""
    if part[1] is None:
        found = next(reversed(list(_ACTION.finditer(body))), None)
        thought, action = (body[: found.start()], body[found.end() :]) if found else (body, "")
    elif part[1] == "Action":
        thought, action = "", body
    elif part[1] == "Result":
        session.events.append(ToolResult(f"iteration-{iteration}", body))
        return
    if thought.strip():
        session.events.append(Message("assistant", thought.strip()))
    if action.strip():
        session.events.append(_call(action, f"iteration-{iteration}"))


def _call(action: str, call_id: str) -> ToolCall:
    value: Any = None
    if len(action) < _LONGEST_LITERAL:
        try:
            value = ast.literal_eval(action.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = None
    if not isinstance(value, dict):
        return ToolCall(call_id, "unknown", action)
    name = str_or_none(value.get("name")) or "unknown"
    return ToolCall(call_id, name, arguments_of(value.get("arguments")), task_done=name == "finish")
