"""Thoughts that stand inside what was said, between tags that models write around them.

What an agent thinks isn't its answer, and what the model behind a simulated user thinks isn't the user's request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.model.session import Event, Message, Session
from analyzer.text.late import late

_OPENS = late(
    r"^[ \t]*<(?P<name>(?:[a-z]{1,20}:)?(?:think|thinking|thoughts?|reasoning|scratchpad|reflection))>",
    re.IGNORECASE | re.MULTILINE,
)
_LATE_CLOSE = late(r"^[ \t]*</(?:[a-z]{1,20}:)?think(?:ing)?>[ \t]*(?:\n|\Z)", re.IGNORECASE | re.MULTILINE)
_FENCE = late(r"^[ \t]*(?:```|~~~)", re.MULTILINE)


def split_thoughts(session: Session) -> None:
    """Make the thoughts inside messages of the agent thoughts of their own. Those that begin a message of the user are
    the words of the program that plays the user, and no part of the task."""
    session.events[:] = [piece for event in session.events for piece in _pieces(event)]
    if session.task is not None:
        parts = list(_leading(session.task))
        if any(thought for _, thought in parts):
            session.task = "".join(part for part, thought in parts if not thought).strip() or session.task


def _pieces(event: Event) -> Iterator[Event]:
    parts: list[tuple[str, bool]] = []
    if isinstance(event, Message) and not event.thought and "<" in event.text:
        split = {"assistant": _parts, "user": _leading}.get(event.role)
        parts = list(split(event.text)) if split is not None else []
    if not isinstance(event, Message) or not any(thought for _, thought in parts):
        yield event
        return
    kept = [(text.strip(), thought) for text, thought in parts if text.strip()] or [(event.text.strip(), True)]
    for number, (text, thought) in enumerate(kept, start=1):
        yield Message(
            "harness" if thought and event.role == "user" else event.role,
            text,
            event.time,
            event.lane,
            thought=thought and event.role == "assistant",
            usage=event.usage if number == len(kept) else None,
        )


def _leading(text: str) -> Iterator[tuple[str, bool]]:
    """A text of a user with the thought that begins it. A tag with more of its line behind its end is talked about."""
    text = text.lstrip()
    opened = _OPENS.match(text)
    closed = _end(text, opened) if opened is not None else None
    if opened is None or (closed is None and not text.startswith("\n", opened.end())):
        yield text, False
    elif closed is None:
        yield text[opened.end() :], True
    elif text[closed[1] :].lstrip(" \t")[:1] in ("\n", ""):
        yield text[opened.end() : closed[0]], True
        yield text[closed[1] :], False
    else:
        yield text, False


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """A text of an agent in pieces, each with whether it's a thought. Inside a fence a tag is an example; a thought
    whose beginning was a part of the prompt has only an end, and one that was cut off only a beginning."""
    position = seen = fences = 0
    unclosed: set[str] = set()
    for opened in _OPENS.finditer(text):
        fences += sum(1 for _ in _FENCE.finditer(text, seen, opened.start()))
        seen = opened.start()
        if opened.start() < position or fences % 2 or opened["name"] in unclosed:
            continue
        closed = _end(text, opened)
        if closed is None:
            unclosed.add(opened["name"])
            if text[: opened.start()].strip():
                continue
        yield text[position : opened.start()], False
        start, position = closed or (len(text), len(text))
        yield text[opened.end() : start], True
    late = _LATE_CLOSE.search(text) if not position else None
    if late is not None and len(_FENCE.findall(text, 0, late.start())) % 2 == 0:
        yield text[: late.start()], True
        position = late.end()
    yield text[position:], False


def _end(text: str, opened: re.Match[str]) -> tuple[int, int] | None:
    """Where the end of an opened tag stands: its beginning and what follows it."""
    tag = f"</{opened['name']}>"
    found = text.find(tag, opened.end())
    return (found, found + len(tag)) if found >= 0 else None
