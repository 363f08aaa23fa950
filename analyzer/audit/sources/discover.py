"""Paths -> sources: files, folders searched through, patterns, and URLs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from pathlib import Path
from urllib.parse import urlsplit

from analyzer.audit.sources.local import search, sources_of
from analyzer.audit.sources.names import TABLES, is_own, is_result
from analyzer.audit.sources.source import Source, is_url
from analyzer.model.errors import UnreadableInput
from analyzer.model.struct import replace


def discover(paths: Iterable[str]) -> Iterator[Source]:
    """The sources at or below the paths, each once and by path: files as named, folders searched through, patterns such
    as `runs/**/*.jsonl`, and URLs of what fsspec can open.

    Files that are one session together are one source. Hidden files and folders below a named one are left out. Raises
    `UnreadableInput` for a path at which there's nothing.
    """
    found: dict[str, Source] = {}
    files: dict[str, set[str]] = {}
    for path in paths:
        if is_url(path):
            from analyzer.audit.sources.remote import search_remote

            _take(found, search_remote(path))
        else:
            for place in _expanded(path):
                if place.is_dir():
                    _take(found, search(os.path.normpath(place.absolute())))
                else:
                    absolute = os.path.normpath(place.absolute())
                    files.setdefault(os.path.dirname(absolute), set()).add(os.path.basename(absolute))  # noqa: PTH119, PTH120
    for folder, names in files.items():
        _take(found, sources_of(folder, names))
    yield from _without_members(found)


def _take(found: dict[str, Source], sources: Iterable[Source]) -> None:
    for source in sources:
        have = found.get(source.path)
        if have is None:
            found[source.path] = source
        else:
            # With its sub-agents' files a session is more than without them, and what was named once was named.
            fuller = max((have, source), key=lambda entry: len(entry.members))
            found[source.path] = replace(fuller, named=have.named or source.named)


def _without_members(found: dict[str, Source]) -> Iterator[Source]:
    """The sources by path, but for those that are members of another one."""
    inside = {
        place for path, source in found.items() for name in source.members if (place := _inside(source, name)) != path
    }
    return (found[path] for path in sorted(found) if path not in inside)


def _is_ours(file: Path) -> bool:
    """Whether an audit wrote this file: whoever writes `**/*.json` doesn't mean its report."""
    above = file.parent
    return (is_own(file.name) and is_result(str(above))) or (above.name == TABLES and is_result(str(above.parent)))


def _inside(source: Source, name: str) -> str:
    return f"{source.root}/{name}" if source.is_remote else os.path.normpath(os.path.join(source.root, name))  # noqa: PTH118


def _expanded(path: str) -> list[Path]:
    place = Path(_of_file_url(path)).expanduser()
    if os.path.lexists(place):
        if not place.is_dir() and place.exists() and not place.is_file():
            raise UnreadableInput("is no regular file.", where=path)
        return [place]
    found = [Path(name) for name in sorted(glob(str(place), recursive=True))] if has_magic(str(place)) else []  # noqa: PTH207
    if not found:
        raise UnreadableInput("no such file or folder, and no pattern that fits any.", where=path)
    folders = {name for name in found if name.is_dir()}
    return [
        name
        for name in found
        if folders.isdisjoint(name.parents) and (name in folders or (name.is_file() and not _is_ours(name)))
    ]


def _of_file_url(path: str) -> str:
    if not path.startswith("file://"):
        return path
    from urllib.request import url2pathname

    parts = urlsplit(path)
    if parts.netloc not in ("", "localhost"):
        raise UnreadableInput(
            "names another machine; a file URL has no host.", where=path, hint="Write file:///folder/file."
        )
    return url2pathname(path.removeprefix("file://").removeprefix("localhost"))
