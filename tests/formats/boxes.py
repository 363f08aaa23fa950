"""Folders in memory, for the tests of formats that read several files together."""

from __future__ import annotations

import json
from collections.abc import Mapping

from analyzer.formats.container.document import Document


class Box:
    """A bundle in memory: bytes are a file's content, anything else is written as JSON."""

    def __init__(self, files: Mapping[str, object]) -> None:
        self._files = {
            name: value if isinstance(value, bytes) else json.dumps(value).encode() for name, value in files.items()
        }

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._files))

    def read(self, name: str) -> bytes:
        return self._files[name]


def folder_of(files: Mapping[str, object]) -> Document:
    """The document that a folder with these files is."""
    return Document("folder", b"", bundle=Box(files))
