"""What a transcript format is: a name, a way to recognise it and a way to read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from analyzer.formats.container.document import Document
from analyzer.formats.container.tree import Claim, Folder
from analyzer.model.session import Session


class Format(Protocol):
    """One transcript format, in one file.

    `sniff` looks at content, never at the name alone, is cheap (it may look at `document.value` and `document.head`,
    which are parsed once for all formats) and never raises. `read` yields one session per run of an agent, in file
    order; a record that it doesn't understand goes into the session's warnings, with its place. It raises
    `UnreadableInput` only when nothing can be read at all.
    """

    name: str
    """The short name used in reports and with `--input-format`."""
    title: str
    """The producer's name, for people."""
    versions: str
    """What was seen and read of it, for people: the producer's versions or the dialects. `as published` marks what was
    written from the producer's own description, since no recording was at hand."""
    not_recorded: tuple[str, ...]
    """What this format never records, so that "unknown" in a report can be explained."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is of this format."""
        ...

    def read(self, document: Document) -> Iterator[Session]:
        """The document's sessions."""
        ...


@runtime_checkable
class Layout(Protocol):
    """How a format's sessions lie in folders, for formats that read several files together.

    A format of another package has `claim` itself; ours have it in a module `layout`, so that a search through folders
    doesn't import the readers.
    """

    def claim(self, folder: Folder) -> Claim | None:
        """What of a folder the format reads together; None where it reads its files one by one, or not at all."""
        ...
