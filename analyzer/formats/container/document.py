"""A transcript's bytes, decoded once and looked at by every format.

A document is either one JSON value (whatever the file is called: `.jsonl` files that hold one pretty-printed object
exist), a stream of JSON lines, or plain text. Each view is made when first asked for; JSON lines are never held all at
once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from analyzer.formats.container.bundle import Bundle
from analyzer.formats.container.content import Content
from analyzer.formats.container.jsontext import NotJson, loads, loads_or, sequence
from analyzer.formats.container.unpack import decode
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, RecordCount
from analyzer.model.struct import Struct

if TYPE_CHECKING:
    from analyzer.formats.container.database import Database

HEAD_RECORDS = 40
"""How many records the sniffers may look at."""
_FIRST, _FEWEST = 1 << 16, 2
_LONGEST_CHARACTER = 4
"""Bytes of UTF-8."""
_KINDS = ("type", "kind", "record_type")
"""The keys under which records say what they are, in the order in which they're asked."""


MISSING: Any = object()
"""The value of a document that is not one JSON value."""


class Record(Struct, frozen=True):
    """One JSON line, or one entry of a list: its number, from 1, and its value; `lane` is the branch that it lies on
    where that isn't the one to the last record."""

    line: int
    value: Any
    unit: str = "line"
    lane: str = ""

    @property
    def place(self) -> str:
        """Where it stands, for warnings."""
        return f"{self.unit} {self.line}"


class Document:
    """The content of one transcript, with the warnings that came up while decoding it.

    `content` is text, bytes in UTF-8, or where they come from. For a zip archive or a directory `bundle`
    has the members and the content is empty; formats that are kept as several files look at `bundle.names` and read
    members with `member`. For an SQLite database `database` has the tables and the content is their outline.
    """

    def __init__(
        self,
        name: str,
        content: str | bytes | Content,
        warnings: list[ReadWarning] | None = None,
        bundle: Bundle | None = None,
        database: Database | None = None,
    ) -> None:
        self.name = name
        self.warnings = warnings if warnings is not None else []
        self.bundle = bundle
        self.database = database
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogatepass")
        self.content = Content(content) if isinstance(content, bytes) else content
        self._counts: dict[str, RecordCount] = {}

    def member_value(self, name: str, warnings: list[ReadWarning]) -> Any:
        """The JSON value of a member; `MISSING`, with a warning, where it can't be had or holds something else."""
        member = self.member_or_none(name, warnings)
        if member is not None and member.value is MISSING:
            warnings.append(ReadWarning(name, "not JSON; skipped"))
        return MISSING if member is None else member.value

    def member_or_none(self, name: str, warnings: list[ReadWarning]) -> Document | None:
        """A member as a document of its own; None, with a warning, where it can't be had."""
        try:
            return self.member(name)
        except UnreadableInput as error:
            warnings.append(ReadWarning(name, error.what))
            return None

    def member(self, name: str) -> Document:
        """A member of the document's bundle as a document of its own. Raises `UnreadableInput` where it can't be
        had."""
        if self.bundle is None:
            raise UnreadableInput("is one file, without members.", where=self.name)
        member = Document(f"{self.name}/{name}", *decode(self.bundle.read(name), f"{self.name}/{name}"))
        member._counts = self._counts
        return member

    def beginning(self, size: int) -> bytes:
        """The first `size` bytes or fewer, for a quick look."""
        return self.content.head(size)

    def opening(self, size: int) -> str:
        """The first `size` characters of the text or fewer, for which the rest isn't decoded."""
        return self.content.head(_LONGEST_CHARACTER * size).decode("utf-8", "replace")[:size]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its members; none of a single file."""
        return self.bundle.names if self.bundle is not None else ()

    @property
    def stem(self) -> str:
        """The file's name without directories and suffixes, the fallback for a session's id."""
        name = PurePath(self.name).name
        return name.split(".")[0] or name

    @cached_property
    def text(self) -> str:
        """All of it as text."""
        return self.content.read().decode("utf-8", "replace")

    @cached_property
    def value(self) -> Any:
        """The whole document as one JSON value, or MISSING."""
        start = self.content.head(_FIRST).lstrip()
        first, _, rest = start.partition(b"\n")
        # A first line that is a value by itself, with another after it, is none of one value.
        several = bool(rest.strip()) and loads_or(first, MISSING) is not MISSING
        if start[:1] not in (b"{", b"[") or several:
            return MISSING
        value = loads_or(self.content.read(), MISSING)
        of_lines = value is not MISSING or loads_or(next(iter(self.content.lines())) or b"", MISSING) is not MISSING
        return value if of_lines or start[:1] != b"{" else self._values()

    def _values(self) -> Any:
        """The objects that stand one after another, over several lines each; MISSING where the first isn't whole."""
        values, end = sequence(self.text)
        if len(values) < _FEWEST or not all(isinstance(value, dict) for value in values):
            return MISSING
        if end < len(self.text):
            what = "the text from here on is no JSON; skipped"
            self.warnings.append(ReadWarning(f"line {self.text.count(chr(10), 0, end) + 1}", what))
        return values

    @cached_property
    def head(self) -> list[Record]:
        """The first JSON objects of a document that is not one JSON value; empty for one that is."""
        if self.value is not MISSING:
            return []
        found: list[Record] = []
        for record in _records(self.content, []):
            found.append(record)
            if len(found) >= HEAD_RECORDS or record.line > 10 * HEAD_RECORDS:
                break
        return found

    def records(self, warnings: list[ReadWarning]) -> Iterator[Record]:
        """The JSON lines in order. A line that is no JSON object is reported in `warnings` with its number and
        skipped."""
        return self._counted(_records(self.content, warnings), warnings)

    def records_in(self, items: Iterable[object], warnings: list[ReadWarning]) -> Iterator[Record]:
        """The objects of a list that the document holds, numbered from 1. Anything else is reported in `warnings` and
        skipped."""
        records = (Record(number, item, "record") for number, item in enumerate(items, start=1))
        return self._counted((record for record in records if _is_object(record, warnings)), warnings)

    def holding(self, marks: Sequence[bytes], most: int) -> Iterator[Record]:
        """The JSON lines within the first `most` bytes that hold one of some texts, or the one value (with the number
        0) where it does."""
        if self.bundle is not None or self.database is not None:
            return
        if self.value is not MISSING:
            data = self.content.head(most)
            if any(mark in data for mark in marks):
                yield Record(0, self.value)
            return
        read = 0
        for number, line in enumerate(self.content.lines(), 1):
            read += len(line or b"") + 1
            if read > most:
                return
            marked = line is not None and line.lstrip()[:1] == b"{" and any(mark in line for mark in marks)
            if marked and (value := loads_or(line or b"")) is not None:
                yield Record(number, value)

    @property
    def count(self) -> RecordCount:
        """The records that were read of the document and its members, each once however often it was gone through."""
        total = RecordCount()
        for count in self._counts.values():
            total += count
        return total

    def _counted(self, records: Iterator[Record], warnings: list[ReadWarning]) -> Iterator[Record]:
        count = self._counts[self.name] = RecordCount()
        read, before = count.read, len(warnings)
        for record in records:
            count.skipped += len(warnings) - before
            read[next((word[:60] for word in map(record.value.get, _KINDS) if isinstance(word, str)), "")] += 1
            yield record
            before = len(warnings)
        count.skipped += len(warnings) - before


def _is_object(record: Record, warnings: list[ReadWarning]) -> bool:
    if not isinstance(record.value, dict):
        what = f"a JSON {type(record.value).__name__} where a record was expected; skipped"
        warnings.append(ReadWarning(record.place, what))
    return isinstance(record.value, dict)


def _records(content: Content, warnings: list[ReadWarning]) -> Iterator[Record]:
    read = 0
    for number, line in enumerate(content.lines(), 1):
        if line is None:
            warnings.append(ReadWarning(f"line {number}", "longer than a line can sensibly be; skipped"))
            continue
        read += len(line) + 1
        start = line.lstrip()[:1]
        if not start:
            continue
        if start not in b"{[":
            warnings.append(ReadWarning(f"line {number}", "not JSON; skipped"))
            continue
        try:
            value = loads(line)
        except NotJson as error:
            cut = "the file ends in the middle of this record" if read >= content.size else f"not JSON ({error})"
            why = str(error) if error.deep else cut
            warnings.append(ReadWarning(f"line {number}", f"{why}; skipped"))
            continue
        if _is_object(record := Record(number, value), warnings):
            yield record
