"""Parts of an audit for several machines that know nothing of each other."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path

from analyzer.audit.sources.source import Source, is_url
from analyzer.model.errors import AnalyzerError

SHARD = "shard"
"""The fact under which an audit remembers which part it is."""
_WRITTEN = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `of`, counted from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """The shard that is written as `3/8`. Raises `AnalyzerError` for anything else."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise AnalyzerError(f"{text!r} is no shard.", hint="Write I/N, such as 3/8: the third of eight parts.")
        made = cls(int(found[1]), int(found[2]))
        if not 1 <= made.number <= made.of:
            raise AnalyzerError(
                f"there is no part {made.number} of {made.of}.", hint=f"Parts are counted from 1 to {made.of}."
            )
        return made

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def choose(self, sources: Iterable[Source], paths: Sequence[str]) -> Iterator[Source]:
        """Those of the sources, found at these paths, that are this part.

        Every source belongs to exactly one of the `of` parts. Which one follows from its path below the named folder
        alone, so machines agree where they mount the same files at different places, and a new file moves no other one.
        Parts differ in size as chance wants: with a thousand files in each by about 30.
        """
        if self.of == 1:
            yield from sources
            return
        tops = sorted({_top(path) for path in paths}, key=len, reverse=True)
        for source in sources:
            if _hash(_below(source.path, tops)) % self.of == self.number - 1:
                yield source


def _top(path: str) -> str:
    """The folder that a path names: of a pattern what comes before its first wildcard, of a file the folder that holds
    it."""
    if is_url(path):
        name = path
        while has_magic(name):
            name = name.rpartition("/")[0]
        return name.rstrip("/")
    place = Path(path.removeprefix("file://")).expanduser().absolute()
    if not os.path.lexists(place):
        while has_magic(str(place)):
            place = place.parent
    if os.path.lexists(place) and not place.is_dir():
        place = place.parent
    return os.path.normpath(place)


def _below(path: str, tops: Sequence[str]) -> str:
    """The path from the innermost named folder on, with `/` between names."""
    for top in tops:
        if path.startswith(top.rstrip("/" + os.sep) + ("/" if is_url(top) else os.sep)):
            return path[len(top) :].replace(os.sep, "/").strip("/")
    return path


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()[:8], "big")
