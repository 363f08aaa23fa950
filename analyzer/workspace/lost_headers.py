"""Definitions whose first line an edit took out while the lines below it stayed where they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from analyzer.text.late import late
from analyzer.workspace.headers import indent_of, name_defined
from analyzer.workspace.places import Place
from analyzer.workspace.unreachable import follows_an_end, in_string

_COMMENT = late(r"^\s*(?:#(?!\[)|//|\*|/\*|--|<!--)")
_OPENS = late(r"(?:[:({\[,=|\\]|=>|->|\bdo|\bthen|\bbegin|\belse|\btry)\s*(?:(?:#|//).*)?$")
_STRING = late(r"^\s*[rbuf]?(?:\"\"\"|'''|\"|')")
_MOST_HEADER = 12
"""Lines over which the head of a definition may go."""


class Now(StrEnum):
    """What became of the lines that stayed."""

    UNREACHABLE = "unreachable"
    """They follow a statement that leaves the block."""
    STRAY = "stray"
    """They are indented below a line that opens no block."""
    JOINED = "joined"
    """They became part of what stands above them."""


@dataclass(slots=True, frozen=True)
class LostHeader:
    """A definition without its first line. `header` was taken out, `body` is the line below it that stayed, `above` the
    line that it follows now; `used` says whether the lines that were taken out use the name as well, `opened` the names
    that were put in for it."""

    name: str
    header: str
    body: str
    above: str
    now: Now
    used: bool
    opened: tuple[str, ...]
    line: int | None


def lost_headers(path: str, places: Iterable[Place]) -> Iterator[LostHeader]:
    """The definitions that a change of a file left without their first line."""
    for place in places:
        gone = [index for index, at in enumerate(place.stayed) if at is None]
        names = {index: name for index in gone if (name := name_defined(place.old[index])) is not None}
        if not names:
            continue
        opened = Counter(name for index in place.put_in if (name := name_defined(place.new[index])) is not None)
        taken = Counter(names.values())
        for index, name in names.items():
            found = _lost(path, place, index, name, tuple(opened)) if taken[name] > opened[name] else None
            if found is not None:
                yield found


def _lost(path: str, place: Place, index: int, name: str, opened: tuple[str, ...]) -> LostHeader | None:
    header = place.old[index]
    below = _body(place, index)
    if below is None:
        return None
    body, at = place.old[below], place.stayed[below]
    if at is None or indent_of(body) <= indent_of(header) or not _stays(place, below, indent_of(header)):
        return None
    above = next((number for number in range(at - 1, -1, -1) if place.new[number].strip()), None)
    if above is None or _COMMENT.match(body) is not None or len(body.strip()) < 3:
        return None
    now = _now(path, place, above, body, bool(opened))
    if now is None:
        return None
    removed = [place.old[number] for number, there in enumerate(place.stayed) if there is None and number != index]
    used = any(_word_in(name, line) for line in removed)
    line = place.line + at if place.line is not None else None
    return LostHeader(name, header.strip(), body, place.new[above], now, used, opened, line)


def _body(place: Place, index: int) -> int | None:
    """The first line of the body of a definition that begins at an old line."""
    depth = 0
    for number in range(index, min(len(place.old), index + _MOST_HEADER)):
        line = place.old[number]
        depth += line.count("(") - line.count(")")
        if depth > 0:
            continue
        following = range(number + 1, len(place.old))
        return next((later for later in following if place.old[later].strip()), None)
    return None


def _stays(place: Place, below: int, header: int) -> bool:
    """Whether all of the body that is known stayed, in one piece."""
    for number in range(below, len(place.old)):
        line = place.old[number]
        if line.strip() and indent_of(line) <= header:
            return True
        here, before = place.stayed[number], place.stayed[number - 1] if number > below else None
        if here is None or (before is not None and here != before + 1):
            return False
    return True


def _now(path: str, place: Place, above: int, body: str, opened: bool) -> Now | None:
    """What the lines have become below the line that they follow now; None where they may well belong there."""
    line = place.new[above]
    if follows_an_end(path, line, body):
        return Now.UNREACHABLE if not in_string(place.new[:above]) else None
    number = above
    while number > 0 and (
        _COMMENT.match(place.new[number]) or _STRING.match(place.new[number]) or not place.new[number].strip()
    ):
        number -= 1
    line = place.new[number]
    if _OPENS.search(line) is not None or name_defined(line) is not None or in_string(place.new[: above + 1]):
        return None
    if indent_of(body) > indent_of(line):
        ends = line.rstrip().endswith(("}", ";", "end")) or path.endswith((".py", ".pyi"))
        return Now.STRAY if ends and _balanced(place.new[: above + 1]) else None
    return Now.JOINED if not opened else None


def _balanced(lines: Sequence[str]) -> bool:
    """Whether no bracket is left open by the last of some lines."""
    text = "\n".join(lines[-10:])
    return all(text.count(opening) <= text.count(closing) for opening, closing in ("()", "[]"))


def _word_in(name: str, line: str) -> bool:
    at = line.find(name)
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before == "_") and not (after.isalnum() or after == "_"):
            return True
        at = line.find(name, at + 1)
    return False
