"""One file as far as the log knows it: its whole text, or windows of it and the changes that were made to it.

Documents never change; each edit makes a new one. The token of a document names its content: equal content has equal
tokens, whether it was reached by an edit, by the edit's inverse, or written whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from analyzer.model.struct import Struct, replace
from analyzer.text.names import digest
from analyzer.workspace.fragments import Fragment, composed, exchanged, row_of

BASE = "base"
"""The token of a file as it was before the session changed it."""
ABSENT = "absent"
"""The token of a file that doesn't exist."""
_MOST_TOKENS = 128
"""Texts whose tokens are kept: the same few are asked for again and again."""


class Window(Struct, frozen=True):
    """Consecutive lines of a file whose numbers are known; `start` counts from 1."""

    start: int
    lines: tuple[str, ...]

    @property
    def end(self) -> int:
        """The number of the line after the last."""
        return self.start + len(self.lines)


class Document(Struct, frozen=True):
    """A file at one moment. `text` is the whole text where it's known; else `windows` are the parts that were shown and
    `fragments` what was changed since the content that `origin` names."""

    origin: str = BASE
    text: str | None = None
    windows: tuple[Window, ...] = ()
    fragments: tuple[Fragment, ...] = ()
    exists: bool = True

    @property
    def token(self) -> str:
        """The name of the content."""
        if not self.exists:
            return ABSENT
        if self.text is not None:
            return content_token(self.text)
        if not self.fragments:
            return self.origin
        rows = sorted(row_of(fragment) for fragment in self.fragments)
        return "f" + digest(repr((self.origin, rows)))


def known_texts(document: Document) -> list[str]:
    """The parts of a file that are known: its whole text, what was shown of it, or what was put into it."""
    if document.text is not None:
        return [document.text]
    return ["\n".join(window.lines) for window in document.windows] or [entry.after for entry in document.fragments]


@lru_cache(maxsize=_MOST_TOKENS)
def content_token(text: str) -> str:
    """The token of a text; the kind of newline and a missing last one make no difference."""
    return "c" + digest(text.replace("\r\n", "\n").rstrip("\n"))


def whole(text: str) -> Document:
    """A file whose text is known."""
    return Document(text=text.replace("\r\n", "\n") if "\r\n" in text else text)


def replaced(document: Document, before: str, after: str, *, everywhere: bool = False) -> Document | None:
    """The document after a search and replace; None where it's known that `before` doesn't stand there."""
    before, after = before.replace("\r\n", "\n"), after.replace("\r\n", "\n")
    if document.text is not None:
        if before and before not in document.text and before.endswith("\n") and not document.text.endswith("\n"):
            # A listing doesn't show whether the last line ends.
            document = replace(document, text=document.text + "\n")
        if not before or not document.text or before not in document.text:
            return None
        return replace(document, text=document.text.replace(before, after, -1 if everywhere else 1))
    if everywhere:
        return _replaced_everywhere(document, before, after)
    place = _find(document.windows, before)
    if place is None:
        shifts = before.count("\n") != after.count("\n")
        windows = () if shifts else tuple(w for w in document.windows if not _may_overlap(w, before))
        fragments = composed(document.fragments, Fragment(before, after))
        return replace(document, windows=windows, fragments=fragments)
    index, offset = place
    window = document.windows[index]
    text = "\n".join(window.lines)
    line = window.start + text.count("\n", 0, offset)
    changed = Window(window.start, tuple((text[:offset] + after + text[offset + len(before) :]).split("\n")))
    delta = after.count("\n") - before.count("\n")
    fragment = _framed(document.windows, Fragment(before, after, line), before.count("\n") + 1)
    behind = document.windows[index + 1 :]
    moved = tuple(replace(entry, start=entry.start + delta) for entry in behind) if delta else behind
    fragments = composed(_shifted(document.fragments, line, delta), fragment)
    return replace(document, windows=(*document.windows[:index], changed, *moved), fragments=fragments)


def put_at_end(document: Document, text: str) -> Document:
    """The document after lines were put in at the end of a file of which the end isn't known."""
    for index, fragment in enumerate(document.fragments):
        if fragment.at_end and not fragment.before:
            longer = replace(fragment, after=fragment.after + text)
            return replace(document, fragments=exchanged(document.fragments, index, longer))
    return replace(document, fragments=(*document.fragments, Fragment("", text, at_end=True)))


def replaced_lines(document: Document, first: int, last: int, after: str) -> Document | None:
    """The document after the lines `first` to `last` (inclusive; `last` below `first` inserts in front of `first`) gave
    way to `after`; an empty text takes them out. None where it's known that there are no such lines."""
    after = after.replace("\r\n", "\n")
    new = after.removesuffix("\n").split("\n") if after else []
    if document.text is not None:
        lines = document.text.split("\n")
        closed = lines[-1] == "" and len(lines) > 1
        if closed:
            lines.pop()
        if first < 1 or first > len(lines) + 1:
            return None
        lines[first - 1 : max(last, first - 1)] = new
        return replace(document, text="\n".join(lines) + ("\n" if closed else ""))
    old = lines_of(document, first, last) if last >= first else []
    delta = len(new) - (max(last, first - 1) - first + 1)
    before = None if old is None else "".join(line + "\n" for line in old)
    fragment = Fragment(before, "".join(line + "\n" for line in new), first)
    fragment = _framed(document.windows, fragment, max(last, first - 1) - first + 1)
    windows: list[Window] = []
    for window in document.windows:
        if window.start < first:
            windows.append(Window(window.start, window.lines[: first - window.start]))
        if window.end > max(last, first - 1) + 1:
            skip = max(0, max(last, first - 1) + 1 - window.start)
            windows.append(Window(window.start + skip + delta, window.lines[skip:]))
    if new:
        windows.append(Window(first, tuple(new)))
    fragments = composed(_shifted(document.fragments, first, delta), fragment, by_line=True)
    return replace(document, windows=_joined(windows), fragments=fragments)


def lines_of(document: Document, first: int, last: int) -> list[str] | None:
    """The lines `first` to `last`, None unless all are known."""
    if document.text is not None:
        lines = document.text.split("\n")
        return lines[first - 1 : last] if first >= 1 and last <= len(lines) else None
    for window in document.windows:
        if window.start <= first and last < window.end:
            return list(window.lines[first - window.start : last - window.start + 1])
    return None


def shown(document: Document, start: int, lines: Sequence[str]) -> Document:
    """The document after some of its lines were seen; what was known of those lines gives way."""
    if document.text is not None or not lines:
        return document
    new = Window(start, tuple(lines))
    kept: list[Window] = []
    for window in document.windows:
        inside = window.start <= start and window.end >= new.end
        if inside and window.lines[start - window.start : new.end - window.start] == new.lines:
            return document
        if window.start < start:
            kept.append(Window(window.start, window.lines[: start - window.start]))
        if window.end > new.end:
            kept.append(Window(max(window.start, new.end), window.lines[max(0, new.end - window.start) :]))
    fragments = tuple(_placed(fragment, new) for fragment in document.fragments)
    return replace(document, windows=_joined([*kept, new]), fragments=fragments)


def _replaced_everywhere(document: Document, before: str, after: str) -> Document:
    keeps_lines = before.count("\n") == after.count("\n")
    windows = tuple(
        Window(window.start, tuple("\n".join(window.lines).replace(before, after).split("\n")))
        for window in document.windows
        if keeps_lines
    )
    new = Fragment(before, after, everywhere=True)
    return replace(document, windows=windows, fragments=composed(document.fragments, new))


def _find(windows: Sequence[Window], text: str) -> tuple[int, int] | None:
    """The window and the offset within it at which a text stands, if it stands exactly once."""
    found: tuple[int, int] | None = None
    if not text:
        return None
    for index, window in enumerate(windows):
        joined = "\n".join(window.lines)
        if (offset := joined.find(text)) >= 0:
            if found is not None or joined.find(text, offset + 1) >= 0:
                return None
            found = index, offset
    return found


def _may_overlap(window: Window, text: str) -> bool:
    first, last = text.split("\n", 1)[0], text.rsplit("\n", 1)[-1]
    return any((first and first in line) or (last and last in line) for line in (window.lines[0], window.lines[-1]))


def _shifted(fragments: Sequence[Fragment], line: int, delta: int) -> tuple[Fragment, ...]:
    if not delta:
        return tuple(fragments)
    return tuple(
        replace(entry, line=entry.line + delta) if entry.line is not None and entry.line > line else entry
        for entry in fragments
    )


def _framed(windows: Sequence[Window], fragment: Fragment, count: int) -> Fragment:
    """The change with up to three unchanged lines above and below it, as far as they're known."""
    line = fragment.line or 1
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    for window in windows:
        if window.start < line <= window.end:
            above = window.lines[max(0, line - 3 - window.start) : line - window.start]
        after = line + count
        if window.start <= after < window.end:
            below = window.lines[after - window.start : after + 3 - window.start]
    return replace(fragment, above=above, below=below)


def _placed(fragment: Fragment, window: Window) -> Fragment:
    """The change with its line, where the window shows it."""
    if fragment.line is not None or not fragment.after or fragment.everywhere:
        return fragment
    text = "\n".join(window.lines)
    offset = text.find(fragment.after.removesuffix("\n"))
    if offset < 0 or text.find(fragment.after, offset + 1) >= 0:
        return fragment
    line = window.start + text.count("\n", 0, offset)
    size = fragment.after.removesuffix("\n").count("\n") + 1
    return _framed([window], replace(fragment, line=line), size)


def _joined(windows: list[Window]) -> tuple[Window, ...]:
    """The windows in order, those that touch as one."""
    made: list[Window] = []
    for window in sorted((window for window in windows if window.lines), key=lambda entry: entry.start):
        if made and made[-1].end == window.start:
            made[-1] = Window(made[-1].start, made[-1].lines + window.lines)
        elif not made or made[-1].end < window.start:
            made.append(window)
    return tuple(made)
