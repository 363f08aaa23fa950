"""Sources on other systems, through fsspec: listed like folders, read into memory. This is where fsspec lives."""

from __future__ import annotations

import hashlib
import posixpath
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from analyzer.audit.sources.source import Source, is_candidate, is_searched
from analyzer.formats.container.tree import PartBundle, Unit
from analyzer.formats.loading.folders import of_files, units
from analyzer.model.errors import AnalyzerError, UnreadableInput

if TYPE_CHECKING:
    from analyzer.model.session import Transcript

_MOST_BYTES = 4 << 30
_TIMES = ("mtime", "LastModified", "last_modified", "updated", "modified", "created", "timeModified")
_TAGS = ("ETag", "etag", "md5Hash", "crc32c", "generation", "version_id", "checksum", "content_hash")


def search_remote(url: str) -> Iterator[Source]:
    """The sources at or below a URL (which may be a pattern), by path. Raises `AnalyzerError` where fsspec, or the
    package for this kind of URL, isn't installed, and `UnreadableInput` where there's nothing."""
    system, place = _open(url)
    try:
        if "*" in place or "?" in place or "[" in place:
            found = set(map(str, system.glob(place)))
            found = {name for name in found if not any(name.startswith(f"{other.rstrip('/')}/") for other in found)}
        else:
            found = {place} if system.exists(place) else set()
        if not found:
            raise UnreadableInput("nothing is there, or it may not be read.", where=url)
        files: dict[str, list[str]] = {}
        for name in sorted(found):
            if system.isdir(name):
                tree = RemoteTree(system, name)
                yield from (tree.source(unit, named=False) for unit in units(tree))
            else:
                files.setdefault(posixpath.dirname(name), []).append(posixpath.basename(name))
        for folder, names in files.items():
            tree = RemoteTree(system, folder)
            yield from (tree.source(unit, named=True) for unit in of_files(tree, "", names))
    except (AnalyzerError, MemoryError):
        raise
    except Exception as error:
        raise UnreadableInput(f"can't be listed: {_reason(error)}.", where=url) from error


def sha256_at(url: str) -> str:
    """The SHA-256 of the bytes at a URL. Raises `UnreadableInput` where they can't be read."""
    return hashlib.sha256(_bytes(url)).hexdigest()


def load(source: Source, input_format: str | None = None) -> Transcript:
    """Read a source on another system. Raises `UnreadableInput` as `analyzer.formats.loading.load` does."""
    from analyzer.formats import load_bundle, load_bytes

    if source.members:
        return load_bundle(PartBundle(_Addresses(), source.root, source.members), source.path, input_format)
    return load_bytes(_bytes(source.path), source.path, input_format)


@contextmanager
def replacing_remote(url: str) -> Iterator[IO[bytes]]:
    """A stream whose bytes become the file at the URL when the block ends, and are gone where it's left by an
    exception: they're kept on this machine until then. Raises `AnalyzerError` where it can't be written."""
    system, place = _open(url)
    with tempfile.TemporaryDirectory(prefix="analyze-session-") as folder:
        local = Path(folder, "file")
        with local.open("wb") as stream:
            yield stream
        try:
            system.makedirs(posixpath.dirname(place), exist_ok=True)
            system.put_file(str(local), place)
        except Exception as error:
            raise AnalyzerError(f"can't be written: {_reason(error)}.", where=url) from error


class RemoteTree:
    """What lies below one place of a file system."""

    def __init__(self, system: Any, top: str) -> None:
        self._system = system
        self._top = top.rstrip("/")
        self.entries = cache(self._entries)
        self._facts: dict[str, dict[str, Any]] = {}

    def _entries(self, folder: str) -> tuple[list[str], list[str]]:
        files: set[str] = set()
        folders: set[str] = set()
        try:
            listed: list[dict[str, Any]] = self._system.ls(self._place(folder), detail=True)
        except FileNotFoundError:
            listed = []
        for entry in listed:
            place = str(entry["name"]).rstrip("/")
            name = posixpath.basename(place)
            # Object stores list the folder's own marker among what is in it.
            if not name or place == self._place(folder).rstrip("/"):
                continue
            self._facts[posixpath.join(folder, name)] = entry
            if entry.get("type") != "directory":
                files.update([name] if is_candidate(name) else [])
            elif is_searched(name):
                folders.add(name)
        return sorted(files), sorted(folders)

    def _place(self, path: str) -> str:
        return f"{self._top}/{path}" if path else self._top

    def below(self, folder: str) -> tuple[str, ...]:
        """All files below a folder."""
        top = self._place(folder)
        found: dict[str, dict[str, Any]] = self._system.find(top, detail=True)
        names = {str(place)[len(top) :].strip("/"): fact for place, fact in found.items()}
        self._facts.update((posixpath.join(folder, name), fact) for name, fact in names.items())
        return tuple(sorted(names))

    def read(self, path: str, size: int | None = None) -> bytes:
        """The beginning of a file."""
        try:
            return bytes(self._system.cat_file(self._place(path), start=0, end=size))
        except Exception:  # noqa: BLE001 - whoever reads the whole of it will say why it can't be read
            return b""

    def source(self, unit: Unit, *, named: bool) -> Source:
        """A unit of the tree as a source, its signature from what the system says of its files."""
        paths = [posixpath.join(unit.root, name) for name in unit.members] or [unit.path]
        for path in paths:
            if path not in self._facts:
                self._facts[path] = self._system.info(self._place(path))
        facts = [self._facts[path] for path in paths]
        size = sum(int(fact.get("size") or 0) for fact in facts)
        root = self._url(unit.root) if unit.members else ""
        return Source(self._url(unit.path), size, _changed(facts), unit.members, named, root)

    def _url(self, path: str) -> str:
        return str(self._system.unstrip_protocol(self._place(path)))


class _Addresses:
    """Everything that has an address, by that address: what a `PartBundle` below a URL reads from."""

    names: tuple[str, ...] = ()

    def read(self, name: str) -> bytes:
        """The bytes at an address."""
        return _bytes(name)


def _bytes(url: str) -> bytes:
    """A file's bytes; the last one is kept, since its digest is taken before it's read."""
    if url not in _LAST:
        _LAST.clear()
        try:
            system, place = _open(url)
        except AnalyzerError as error:
            # A worker on another machine may have other packages; that's this file's problem.
            raise UnreadableInput(error.what, where=url, hint=error.hint) from None
        try:
            if (system.size(place) or 0) > _MOST_BYTES:
                raise UnreadableInput("is too large to be read.", where=url)
            _LAST[url] = bytes(system.cat_file(place))
        except (AnalyzerError, MemoryError):
            raise
        except Exception as error:
            raise UnreadableInput(f"can't be read: {_reason(error)}.", where=url) from error
    return _LAST[url]


_LAST: dict[str, bytes] = {}


def _open(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]
    except ImportError:
        hint = "Install the extra: pip install 'analyze-session[remote]'."
        raise AnalyzerError("to read URLs, the package fsspec is needed.", where=url, hint=hint) from None
    try:
        system, place = url_to_fs(url)
    except ImportError as error:
        hint = "Install what it names, such as s3fs or gcsfs."
        raise AnalyzerError(f"this kind of URL needs another package: {error}", where=url, hint=hint) from None
    except ValueError as error:
        raise AnalyzerError(f"can't be opened: {error}.", where=url) from None
    return system, str(place)


def _changed(facts: list[dict[str, Any]]) -> int:
    """A number that changes with the content: from the tags that a store gives, else from times."""
    states = [next((str(fact[key]) for key in (*_TAGS, *_TIMES) if fact.get(key) is not None), "") for fact in facts]
    times = [_nanoseconds(next((fact[key] for key in _TIMES if fact.get(key) is not None), None)) for fact in facts]
    if not any(key in fact for fact in facts for key in _TAGS) and all(time is not None for time in times):
        return max(time for time in times if time is not None)
    # Smaller than any time, so that it's never taken for a change just now.
    return int.from_bytes(hashlib.sha256("\0".join(states).encode("utf-8", "replace")).digest()[:6], "big")


def _nanoseconds(value: object) -> int | None:
    if isinstance(value, datetime):
        return int(value.timestamp() * 1_000_000_000)
    return int(value * 1_000_000_000) if isinstance(value, int | float) else None


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
