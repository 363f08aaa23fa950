"""A proposal of how to read a log that no format knows, tried on this log."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from analyzer.formats.container.decode import decode
from analyzer.formats.container.document import Document
from analyzer.formats.container.unpack import unpacked
from analyzer.formats.loading.load import STDIN
from analyzer.formats.loading.mapping.format import Mapped
from analyzer.formats.loading.mapping.propose import propose
from analyzer.formats.loading.mapping.toml import read_mapping, written
from analyzer.formats.loading.registry import sniff
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mapping as a file, what it reads of the log, and the format that would read the log without it."""

    file: str
    sessions: list[Session]
    known_as: str | None = None


def proposed(log: str) -> Proposal:
    """Propose a mapping for a log. Raises `UnreadableInput` where the log can't be read, or holds nothing that looks
    like calls of tools."""
    document = _document(log)
    mapping = propose(document)
    if mapping is None:
        raise UnreadableInput(
            "holds no records that look like calls of tools.",
            where=log,
            hint="docs/mapping.md says how to write a mapping by hand, docs/own-format.md what to log instead.",
        )
    known = sniff(document)
    file = written(mapping, Path(log).name)
    return Proposal(file, list(Mapped(mapping).read(document)), known.name if known is not None else None)


def read_by(log: str, file: str) -> Proposal:
    """Read a log by the mapping in a file."""
    return Proposal("", list(Mapped(read_mapping(file)).read(_document(log))))


def _document(log: str) -> Document:
    try:
        data = sys.stdin.buffer.read() if log == STDIN else Path(log).read_bytes()
    except FileNotFoundError:
        raise UnreadableInput("no such file.", where=log) from None
    except OSError as error:
        raise UnreadableInput(f"can't be read: {error.strerror or error}.", where=log) from error
    text, warnings = decode(unpacked(data, log, []), log)
    return Document(log, text, warnings)
