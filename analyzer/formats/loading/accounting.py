"""What of a transcript wasn't read: the texts at places of which nothing is in what its sessions say, and calls.

Nothing here knows a format. A text's place is made of the keys that lead to it and of the kinds of the objects that
hold it, so that a record of a kind that nobody knows has places of its own. A place counts as read where a line of one
of its texts is part of what a session holds. A format names the keys below which it leaves on purpose what it doesn't
read (`leaves`); whatever else wasn't read is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.formats.record.fields import json_or_none
from analyzer.formats.record.spoken_calls import call_of
from analyzer.model.session import Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.model.struct import Struct
from analyzer.text.late import late

_WORDS = words_of(__file__)
_KINDS: tuple[str, ...] = tuple(_WORDS["kinds"])
_LEFT = frozenset[str](_WORDS["left"])
_SPANS: tuple[str, ...] = tuple(_WORDS["spans"])
_LEAST_TEXT, _LEAST_LINE = 6, 6
_MOST_LINES, _MOST_TRIED, _LONGEST, _LONGEST_QUOTE = 12, 40, 4_000, 60
_PIECE = late(r"[^<>{}\[\]:\"']{8,400}")
_LONG_ID, _DIGITS_OF_ID = 12, 4
_MARKED = expressions_of(__file__)["marked"]
_GIVEN = tuple(f"{key}{end}".encode() for key in ("arguments", "args", "input", "parameters") for end in ('"', "\\"))
"""How a key ends under which a call has what it's given."""
_FEWEST_CALLS, _MOST_BYTES = 3, 64 << 20
"""Fewer calls may be an example."""
_LONGEST_KIND, _DEEPEST, _MOST_TOLD = 60, 24, 10


class Account(Struct, frozen=True):
    """How many places of texts a transcript has, how many of them weren't read, and what is said of those."""

    places: int
    missed: int
    unread: tuple[ReadWarning, ...]


class _Place(Struct):
    """The texts of one place: how many there are, whether one was read, how many were looked up in vain, and the first
    with where it stands."""

    texts: int = 0
    read: bool = False
    tried: int = 0
    where: str = ""
    first: str = ""


def account(
    document: Document, sessions: Iterable[Session], leaves: Collection[str], kinds: Collection[str] = ()
) -> Account:
    """The account of a file of records, JSON or text. `leaves` are the keys below which its format leaves on purpose
    what it doesn't read, some of them joined by dots where only one of several places is meant, or `type=WORD` for all
    that objects of a kind hold; `kinds` are keys under which its objects say of which kind they are, beside the usual
    ones."""
    known = tuple(dict.fromkeys((*_KINDS, *kinds)))
    held, places = _Held(sessions), dict[str, _Place]()
    for where, value in _values(document):
        for path, text in _texts(value, known):
            place = places.setdefault(path, _Place())
            place.texts += 1
            if place.read or place.tried >= _MOST_TRIED:
                continue
            place.read, place.tried = text in held, place.tried + 1
            if not place.first:
                place.where, place.first = where, text
    left = [f".{key}." for key in (*_LEFT, *leaves)]
    unread = {
        path: place
        for path, place in places.items()
        if not place.read and not any(key in path or key in _bare(path) for key in left)
    }
    told: list[ReadWarning] = []
    for path, place in unread.items():
        what = f"nothing was read of what {_bare(path).strip('.')[-80:]!r} holds: {place.first[:_LONGEST_QUOTE]!r}"
        many = f" ({place.texts} texts, first here)" if place.texts > 1 else ""
        told.append(ReadWarning(place.where, what + many))
    if len(told) > _MOST_TOLD:
        more = f"{len(told) - _MOST_TOLD} more kinds of texts of which nothing was read"
        told[_MOST_TOLD:] = [ReadWarning(told[_MOST_TOLD].where, more)]
    return Account(len(places), len(unread), tuple(told))


def unread_calls(document: Document, sessions: Iterable[Session], leaves: Collection[str]) -> ReadWarning | None:
    """That a file holds more blocks that look like calls and weren't read than calls that were; None for any other."""
    names = [call.name for session in sessions for call in session.calls()]
    known, left, found = set(names), _LEFT.union(leaves), list[tuple[str, str]]()
    kinds = tuple((key, word) for key, _, word in (each.partition("=") for each in left) if word)
    for where, value in _values(document, _GIVEN):
        found += ((where, name) for name in _called(value, left, kinds) if name not in known)
    if not found and document.value is MISSING:
        text = document.text
        found = [(f"line {text.count(chr(10), 0, mark.start()) + 1}", mark[0]) for mark in _MARKED.finditer(text)]
    if len(found) < _FEWEST_CALLS or len(found) <= len(names):
        return None
    what = f"{len(found)} blocks look like calls and weren't read, such as {found[0][1][:_LONGEST_QUOTE]!r}"
    return ReadWarning(found[0][0], what, hides_actions=True)


def _called(value: Any, left: frozenset[str], kinds: Collection[tuple[str, str]], depth: int = 0) -> Iterator[str]:
    """The tools that objects within a value call, as they look. Descriptions of tools look the same. `left` are the
    keys and `kinds` the keys and words of objects that hold no calls."""
    if isinstance(value, str):
        value = json_or_none(value)
    if depth > _DEEPEST or not isinstance(value, dict | list):
        return
    if isinstance(value, dict):
        if any(value.get(key) == word for key, word in kinds):
            return
        span = any(key in value for key in _SPANS)
        if not span and (call := call_of(value)) is not None and " " not in call.name:
            yield call.name
            return
        value = [held for key, held in value.items() if key not in left]
    for held in value:
        if isinstance(held, dict | list) or (isinstance(held, str) and held[:1] in ("{", "[")):
            yield from _called(held, left, kinds, depth + 1)


class _Held:
    """What sessions say, to be asked whether a text is in it."""

    def __init__(self, sessions: Iterable[Session]) -> None:
        self._lines: set[str] = set()
        whole: list[str] = []
        for session in sessions:
            for text in _said(session):
                whole.append(text)
                self._lines.update(line.strip() for line in text.splitlines())
                self._lines.add(text.strip())
        self._whole = "\n".join(whole)

    def __contains__(self, text: str) -> bool:
        text = text.strip()
        if text in self._lines:
            return True
        lines = sorted((line.strip() for line in text[:_LONGEST].splitlines()), key=len, reverse=True)[:_MOST_LINES]
        if any(len(line) >= _LEAST_LINE and line in self._lines for line in lines):
            return True
        pieces = (piece.strip() for line in lines for piece in (line, *_PIECE.findall(line)))
        return any(len(piece) >= _LEAST_LINE and piece in self._whole for piece in pieces)


def _said(session: Session) -> Iterator[str]:
    said = (session.task, session.title, session.ending_detail, session.recorded_status, session.model, session.agent)
    yield from filter(None, said)
    yield from session.environment.values()
    for event in session.events:
        if isinstance(event, Message | ToolResult):
            yield event.text
        elif isinstance(event, ToolCall):
            yield event.name
            yield from (text for _, text in _texts(event.arguments, (), least=1))


def _values(document: Document, marks: Sequence[bytes] = (b"{",)) -> Iterator[tuple[str, Any]]:
    """The values of a document, each with where it stands: its lines that hold one of some texts, or the entries of its
    one list."""
    if document.value is MISSING:
        yield from ((record.place, record.value) for record in document.holding(marks, _MOST_BYTES))
    elif isinstance(document.value, list):
        yield from ((f"record {number}", value) for number, value in enumerate(document.value, 1))
    else:
        for key, value in document.value.items():
            if isinstance(value, list):
                yield from ((f"{key}[{number}]", {key: [inner]}) for number, inner in enumerate(value))
            else:
                yield str(key), {key: value}


def _texts(
    value: Any, kinds: Sequence[str], path: str = ".", depth: int = 0, least: int = _LEAST_TEXT
) -> Iterator[tuple[str, str]]:
    """The texts in a value with their places, those of JSON in a text among them; `kinds` are the keys of kinds."""
    if isinstance(value, str):
        opened = json_or_none(value) if value[:1] in ("{", "[") else None
        if isinstance(opened, dict | list):
            path, value = f'{path}".', opened
        elif len(value) >= least and (least == 1 or " " in value or "\n" in value):
            yield path, value
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        words = ((key, word) for key in kinds if isinstance(word := value.get(key), str))
        told = (pair for pair in words if 0 < len(pair[1]) <= _LONGEST_KIND and not set(pair[1]) & set(" .="))
        path += "".join(f"{key}={word}." for key, word in told)
        for key, inner in value.items():
            # What lies in lists of the same name however deep, as in a tree, is one place.
            again = path.endswith(f".{key}.[].")
            yield from _texts(
                inner, kinds, path.removesuffix("[].") if again else f"{path}{_key(key)}.", depth + 1, least
            )
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, kinds, f"{path}[].", depth + 1, least)


@lru_cache(10_000)
def _key(key: str) -> str:
    """A key as it is written in a place: a number or an id, under which one of several things is kept, as an entry."""
    return ".".join("[]" if _is_name(part) else part for part in key.split("."))


def _is_name(part: str) -> bool:
    digits = sum(sign.isdigit() for sign in part)
    return 0 < digits == len(part) or (len(part) >= _LONG_ID and digits >= _DIGITS_OF_ID and " " not in part)


def _bare(path: str) -> str:
    """A place as the keys that lead to it."""
    return "".join(f".{key}" for key in path.split(".") if key and key not in ("[]", '"') and "=" not in key) + "."
