"""Shorten a text to one line of a given length."""

from __future__ import annotations

from analyzer.text.late import late

_DRIVE = late(r"/[A-Za-z]:[/\\]")
_ENOUGH = 256
"""Characters of a text that are looked at first, beside twice as many as are wanted: putting a megabyte on one line
takes time, of which a cut line shows nothing."""


_BETWEEN = late(r"(?<=[.!?。])(?<!\d\.)[)\"'”’*_`]{0,2} (?=\S)")
"""What stands between two sentences on a line."""
_MARKS = late(
    r"(?m)^[ \t]{0,20}(?:#{1,6} {1,9}|(?:```|~~~).*$|\|?[ :|-]{3,400}$|(?P<item>[-*+] )(?=\S))"
    r"|(?P<code>`[^`\n]{1,500}`)"
    r"|\*\*(?=\S)|(?<=\S)\*\*|<!--[^<>]{0,500}-->|(?<!\w)!?\[(?P<link>[^\[\]\n]{0,200})\]\([^()\s]{0,500}\)"
)
"""What Markdown writes around words."""
_LEFT_OUT = "(…)"
"""What stands for the sentences that are left out between two parts."""
_WITHIN = 24
"""Characters by which a cut moves to fall between two words: a longer word is cut within."""


def one_line(text: str) -> str:
    """The text with every stretch of white space as one space."""
    return " ".join(text.split())


def clip(text: str, limit: int) -> str:
    """`text` on one line, cut at `limit` characters with an ellipsis."""
    line = _on_one_line(text, limit)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def clip_words(text: str, limit: int) -> str:
    """`text` on one line, cut behind the last whole word within `limit` characters, with an ellipsis. A single word
    that is longer is cut within."""
    line = _on_one_line(text, limit)
    if len(line) <= limit:
        return line
    end = line.rfind(" ", limit // 2, limit)
    return line[: end if end > 0 else limit - 1].rstrip() + "…"


def middle(text: str, limit: int) -> str:
    """`text` on one line, cut in the middle: of an error the end says as much as the beginning."""
    line = _on_one_line(text, limit)
    if len(line) <= limit:
        return line
    tail = limit // 2
    end = _on_one_line(text, tail, end=True)[-tail:].lstrip() if tail else ""
    return f"{line[: limit - tail - 1].rstrip()}…{end}"


def both_ends(text: str, limit: int) -> str:
    """`text` on one line of about `limit` characters, or a third more: its beginning and, in whole sentences, its end,
    with a mark between them; the beginning alone where the last sentence is longer than two thirds of that. A sentence
    without its beginning could say the opposite."""
    line = _on_one_line(text, limit)
    if len(line) <= limit:
        return line
    end = _on_one_line(text, limit // 3, end=True)
    begins = [
        found.end() for found in _BETWEEN.finditer(end, max(0, len(end) - 2 * limit // 3)) if found.end() < len(end)
    ]
    last = next((begin for begin in begins if begin >= len(end) - limit // 3), begins[-1] if begins else None)
    if last is None:
        return clip_words(line, limit)
    behind = end[last:]
    room = max(limit - len(behind), 2 * limit // 3) - len(_LEFT_OUT)
    whole = [found.end() - 1 for found in _BETWEEN.finditer(line, 0, room + 2) if found.end() > room // 3]
    return f"{line[: whole[-1]] if whole else clip_words(line, room)} {_LEFT_OUT} {behind}"


def without_marks(text: str) -> str:
    """`text` without the marks of headings, emphasis, links, tables and fences. Items of a list keep a dot,
    and code its backticks."""
    return _MARKS.sub(lambda found: found["code"] or found["link"] or ("• " if found["item"] else ""), text)


def quote(text: str, least: int = 200) -> str:
    """`text` on one line, whole up to one and a half times `least` characters; a longer one is cut behind the first
    sentence that ends between these lengths, else between words, with an ellipsis."""
    most = least + least // 2
    line = _on_one_line(text, most)
    if len(line) <= most:
        return line
    end = _BETWEEN.search(line, least - 2, most)
    return f"{line[: end.end() - 1]} …" if end is not None else clip_words(line, most)


def around(text: str, start: int, end: int, limit: int) -> str:
    """What `text` says around its part from `start` to `end`, on one line of `limit` characters: the part with as much
    on both sides as fits, between words, and an ellipsis on each side that is cut."""
    reach = 2 * limit + _ENOUGH
    first, last = max(0, start - reach), min(len(text), end + reach)
    head, part, tail = (" ".join(piece.split()) for piece in (text[first:start], text[start:end], text[end:last]))
    gaps = text[start - 1 : start].isspace() or text[start : start + 1].isspace(), text[end : end + 1].isspace()
    head, tail = head + " " * (gaps[0] and bool(head)), " " * (gaps[1] and bool(tail)) + tail
    if len(part) >= limit:
        return (f"…{clip_words(part, limit - 1)}" if head else clip_words(part, limit)) if part else ""
    left = limit - len(part)
    before = min(len(head), max(left // 2, left - len(tail)))
    after = min(len(tail), left - before)
    if before < len(head) or first:
        head = "…" + head[_after(head, len(head) - before + 1) :]
    if after < len(tail) or last < len(text):
        tail = tail[: _before(tail, max(after - 1, 0))].rstrip() + "…"
    return f"{head}{part}{tail}"


def apart(one: str, other: str, limit: int) -> tuple[str, str]:
    """Two texts on a line each, cut around the first place at which they differ."""
    first, second = " ".join(one.split()), " ".join(other.split())
    if len(first) <= limit and len(second) <= limit:
        return first, second
    shortest = min(len(first), len(second))
    place = next((place for place in range(shortest) if first[place] != second[place]), shortest)
    return tuple(around(line, min(place, len(line) - 1), min(place + 1, len(line)), limit) for line in (first, second))  # type: ignore[return-value]


def clip_path(path: str, limit: int) -> str:
    """`path` on one line, cut in its middle: its first part, if that's short, and as many of its last parts as fit
    behind an ellipsis, for it's the file's name that tells which file it is. A path on one line that fits stays as it
    is, with a drive at its beginning rather than a slash before the drive."""
    if _DRIVE.match(path):
        path = path[1:]
    line = _on_one_line(path, limit, end=True)
    if len(line) <= limit:
        return line
    begin = one_line(path.lstrip()[: limit + 1])
    ends = [place for mark in "/\\" if 0 < (place := begin.find(mark, 1)) < limit // 3]
    head = begin[: min(ends) + 1] if ends else ""
    first = len(line) - limit + 1 + len(head)
    place = next((place for place in range(first, len(line)) if line[place] in "/\\"), -1)
    if place < 0:  # the name alone is longer than that
        first -= len(head)
        return "…" + line[next((place for place in range(first, len(line)) if line[place] in "/\\"), first) :]
    return f"{head}…{line[place:]}"


def _before(line: str, place: int) -> int:
    """The end of the last word that ends at a place or not far before it, else the place."""
    if line[place : place + 1].isspace():
        return place
    end = line.rfind(" ", max(1, place - _WITHIN), place)
    return end if end > place // 2 else place


def _after(line: str, place: int) -> int:
    """The beginning of the first word that begins at a place or not far behind it, else the place."""
    if place <= 0 or line[place - 1 : place].isspace():
        return max(place, 0)
    begin = line.find(" ", place, place + _WITHIN)
    return begin + 1 if 0 <= begin < (place + len(line)) / 2 else place


def _on_one_line(text: str, limit: int, *, end: bool = False) -> str:
    """`text` on one line, or so much of its beginning (or `end`) as shows that the line is longer than `limit`."""
    size = 2 * limit + _ENOUGH
    while size < len(text):
        line = " ".join((text[-size:] if end else text[:size]).split())
        if len(line) > limit:
            return line
        size *= 8
    return " ".join(text.split())
