"""What a file is that no format recognises, in a sentence, and what to do with it."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from itertools import islice
from typing import Any

from analyzer.formats.container.content import Content
from analyzer.formats.container.document import HEAD_RECORDS, MISSING, Document
from analyzer.formats.container.jsontext import NotJson, loads, loads_or
from analyzer.formats.container.wrapped import embedded
from analyzer.formats.loading.registry import formats
from analyzer.formats.record.fields import str_or_none
from analyzer.model.errors import UnreadableInput
from analyzer.text.english import listed, plural

_LOOKED_THROUGH = 64 << 20
_LONGEST_LINE = 4 << 20
_MOST_KEYS, _MOST_KINDS, _LONGEST_NAME = 8, 6, 40
_KINDS = ("type", "kind", "event", "method", "role")
_STAMP = re.compile(rb"\s*\[[^\]\n\"{}\[]*\]\s*[^\s,\]}]")


def not_recognised(document: Document, *, mapped: bool) -> UnreadableInput:
    """The error about a document that no format knows; `mapped` where a mapping was asked first."""
    known = ", ".join(entry.name for entry in formats())
    what, foreign, learnable = _what_it_is(document)
    hint = f"Known formats: {known}. Use --input-format to force one."
    if learnable:
        fits = "The mapping doesn't fit it. " if mapped else ""
        learn = f"analyze-session learn {shlex.quote(document.name)}"
        hint = f"{hint}\n{fits}If it's the log of an agent of your own: {learn}"
    return UnreadableInput(what, where=document.name, hint=hint, foreign=foreign)


def _what_it_is(document: Document) -> tuple[str, bool, bool]:
    """The sentence, whether the file is sound, and whether a mapping could read it."""
    if document.database is not None:
        if document.database.warnings:
            return f"is a damaged database: {document.database.damage()}.", False, False
        return "is a database, but none that a known agent keeps its sessions in.", True, True
    if document.value is not MISSING:
        sample = document.value
        sample = sample[0] if isinstance(sample, list) and sample else sample
        return f"is JSON, but no transcript of a known format{_keys([sample])}.", True, True
    return _lines_of(document.content) or _text_of(document)


def _lines_of(content: Content) -> tuple[str, bool, bool] | None:
    """The sentence about JSON lines; None where hardly any line is one."""
    every, values, seen = 0, 0, 0
    sample: list[Any] = []
    for line in content.lines(_LONGEST_LINE):
        seen += len(line) + 1 if line is not None else _LONGEST_LINE
        if line is not None and not line.strip():
            continue
        every += 1
        if line is not None and line.lstrip()[:1] in (b"{", b"["):
            if (value := loads_or(line)) is None:
                continue
            values += 1
            sample += [value] if len(sample) < HEAD_RECORDS else []
        if seen > _LOOKED_THROUGH:
            break
    if not values or (2 * values < every and not isinstance(sample[0], dict)):
        return None
    lines = plural(every, "line") if seen <= content.size + 1 and seen <= _LOOKED_THROUGH else "its beginning"
    sound = f"{lines}, all JSON" if values == every else f"{lines}, of which {values} can be parsed"
    lists = isinstance(sample[0], list) and all(isinstance(value, list) for value in sample)
    shape = _first_words(sample) if lists else _keys([value for value in sample if isinstance(value, dict)])
    return f"is JSON lines ({sound}), but no transcript of a known format{shape}.", True, not lists


def _text_of(document: Document) -> tuple[str, bool, bool]:
    """The sentence about what is no sequence of JSON lines: a text, with or without JSON in it, or damaged JSON."""
    head = document.beginning(_LONGEST_LINE)
    if head.lstrip()[:1] in (b"{", b"[") and not _STAMP.match(head):
        whole = len(head) >= document.content.size
        what = f"is damaged JSON: it can't be parsed as one value, nor as JSON lines{_fault(head, whole)}."
        return what, False, False
    objects = 0
    sample: list[Any] = []
    for _, _, text in islice(embedded(document.content), 100_000):
        objects += 1
        sample += [loads(text)] if len(sample) < HEAD_RECORDS else []
    if objects:
        held = f"with {plural(objects, 'JSON object')} in it, but no transcript of a known format"
        return f"is a text log {held}{_keys(sample)}.", True, False
    return "is text, but no transcript of a known format.", True, True


def _fault(data: bytes, whole: bool) -> str:
    """Where one JSON value ends too early, or stops being one."""
    try:
        loads(data)
    except NotJson as error:
        if error.deep:
            return f" ({error})"
        place = re.search(r"\(char (\d+)\)", str(error))
        text = data.decode("utf-8", "replace").rstrip()
        if whole and ("Unterminated string" in str(error) or (place and int(place[1]) >= len(text))):
            return " (it ends in the middle of a value: a truncated file?)"
        return f" ({error})" if whole else ""
    return ""


def _keys(sample: list[Any]) -> str:
    """The keys and the kinds of records, for a sentence."""
    records = [value for value in sample if isinstance(value, dict) and value]
    keys = sorted({str(key) for record in records[:1] for key in record})
    if not keys:
        return ""
    named = f"keys: {', '.join(keys[:_MOST_KEYS])}"
    for key in _KINDS:
        said = Counter(kind[:_LONGEST_NAME] for record in records if (kind := str_or_none(record.get(key))))
        if len(records) > 1 and said:
            return f" ({named}; {key}: {', '.join(word for word, _ in said.most_common(_MOST_KINDS))})"
    return f" ({named})"


def _first_words(lists: list[list[Any]]) -> str:
    """What the lists of a file of lists begin with, for a sentence."""
    said = Counter(word[:_LONGEST_NAME] for inner in lists if inner and isinstance(word := inner[0], str))
    names = [repr(word) for word, _ in said.most_common(_MOST_KINDS)]
    return f" (each a list that begins with {listed(names, 'or')})" if names else " (each a list)"
