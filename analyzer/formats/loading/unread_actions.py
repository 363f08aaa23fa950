"""What the agent did, where it seems to be in a place from which no action was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.record.spoken_calls import CALL, spoken_calls
from analyzer.model.session import Message, ReadWarning, Session

_LOOKED_AT, _LONGEST, _LONGEST_QUOTE = 200, 20_000, 80
_DEEPEST, _MOST_TEXTS = 4, 2_000
_FEWEST, _NEAR = 2, 60


def remark(session: Session) -> ReadWarning | None:
    """The warning about a session without an action in whose messages calls seem to stand."""
    if any(session.calls()):
        return None
    said = (event.text for event in session.events if isinstance(event, Message) and event.role in _ROLES)
    quotes = [quote for text in islice(said, _LOOKED_AT) if (quote := _quote(text)) is not None]
    if len(quotes) < _FEWEST:
        return None
    what = f"{len(quotes)} of them seem to hold what the agent did ({quotes[0]!r}); no action was read"
    return ReadWarning("messages", what, hides_actions=True)


_ROLES = ("assistant", "harness", "system")


def hint_of(document: Document) -> str | None:
    """Which key of a file that no format knows seems to hold what the agent did, in a sentence."""
    value = [record.value for record in document.head] if document.value is MISSING else document.value
    keys: dict[str, list[str]] = {}
    for key, text in islice(_texts(value, "", 0), _MOST_TEXTS):
        if (quote := _quote(text)) is not None:
            keys.setdefault(key, []).append(quote)
    if not keys:
        return None
    key, quotes = max(keys.items(), key=lambda item: len(item[1]))
    return f"The key {key!r} seems to hold what the agent did ({quotes[0]!r})." if key else None


def _texts(value: Any, key: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif depth < _DEEPEST and isinstance(value, dict):
        for name, inner in islice(value.items(), _LOOKED_AT):
            yield from _texts(inner, str(name), depth + 1)
    elif depth < _DEEPEST and isinstance(value, list):
        yield from _of_list(value, key, depth)


def _of_list(values: Iterable[Any], key: str, depth: int) -> Iterator[tuple[str, str]]:
    for inner in islice(values, _LOOKED_AT):
        yield from _texts(inner, key, depth + 1)


def _quote(text: str) -> str | None:
    """The beginning of a call in a text; None where there's none."""
    part = text[:_LONGEST]
    if (sentence := CALL.search(part)) is not None and sentence.start() <= _NEAR:
        return sentence.group()[:_LONGEST_QUOTE]
    call = next((call for call in spoken_calls(part) if not call.fenced), None)
    return f"{call.name} {call.arguments}"[:_LONGEST_QUOTE] if call is not None else None
