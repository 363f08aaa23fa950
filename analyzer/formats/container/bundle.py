"""Files that hold other files: zip and tar archives, of which nothing is ever extracted, and directories.

A bundle may be one session in several files (an Inspect log, a conversation folder, a trial) or just a box of
transcripts. Its members are read one by one and never all at once, and what they unpack to is limited, whatever their
headers claim.
"""

from __future__ import annotations

import io
import os
import posixpath
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from analyzer.formats.container.content import MOST_HELD
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning

if TYPE_CHECKING:
    from tarfile import TarInfo

MOST_BYTES = 4 << 30
"""What all read members of one bundle together may unpack to, in bytes; they're never held at once."""
MOST_MEMBERS = 200_000
"""How many members a bundle may have."""
_LONGEST_PATH = 4_096
"""Characters of a member's path: file systems allow no more."""
_MOST_RATIO = 300
"""How much larger than its packed form a member may be once it's over a megabyte: transcripts pack to a tenth, bombs to
less."""


class Bundle(Protocol):
    """A box of named members."""

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names with `/` between parts, sorted."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of a member. Raises `UnreadableInput` when it's missing, damaged or too large."""
        ...


class ArchiveBundle:
    """The members of an archive by their names. They're read one by one, and what they hold together is limited."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._left = MOST_BYTES
        self._entries: dict[str, Any] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The members' names, sorted."""
        return tuple(sorted(self._entries))

    def read(self, name: str) -> bytes:
        """The bytes of a member, unpacked up to the limit."""
        place = f"{self._where}!{name}"
        if name not in self._entries:
            raise UnreadableInput("no such member of the archive.", where=place)
        entry = self._entries[name]
        limit = min(self._left, MOST_HELD, self._most(entry))
        try:
            with self._opened(entry) as member:
                data = bytes(member.read(limit + 1))
        except Exception as error:  # noqa: BLE001 - the libraries and their codecs raise whatever they like on damaged data
            raise UnreadableInput(f"can't be unpacked: {error}.", where=place) from None
        if len(data) > limit:
            raise UnreadableInput("unpacks to far more than a transcript does; not read.", where=place)
        self._left -= len(data)
        return data

    def _most(self, _entry: Any) -> int:
        """How many bytes a member may be."""
        return MOST_HELD

    def _opened(self, entry: Any) -> AbstractContextManager[IO[bytes]]:
        raise NotImplementedError


class ZipBundle(ArchiveBundle):
    """The members of a zip archive (stored, deflate, zstd and whatever else the zip library of this Python unpacks)."""

    def __init__(self, source: bytes | IO[bytes], where: str) -> None:
        super().__init__(where)
        if sys.version_info >= (3, 14):
            import zipfile
        else:
            from backports.zstd import zipfile

        try:
            self._archive = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
            entries = [entry for entry in self._archive.infolist() if not entry.is_dir()]
        except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError) as error:
            raise UnreadableInput(f"is a damaged zip archive: {error}.", where=where) from None
        if len(entries) > MOST_MEMBERS:
            raise UnreadableInput(f"has {len(entries)} members; more than {MOST_MEMBERS} are not read.", where=where)
        for entry in entries:
            _check_length(entry.filename, where)
        # Whatever a member's path claims, it goes from the archive on: `/a` and `../a` are `a`.
        inner = [posixpath.normpath(f"/{entry.filename}").lstrip("/") or "unnamed" for entry in entries]
        self._entries = dict(zip(_own_names(inner), entries, strict=True))

    def _most(self, entry: Any) -> int:
        return max(1 << 20, entry.compress_size * _MOST_RATIO) if entry.compress_size > 0 else MOST_HELD

    def _opened(self, entry: Any) -> AbstractContextManager[IO[bytes]]:
        return self._archive.open(entry)


class TarBundle(ArchiveBundle):
    """The regular files of a tar archive.

    Links, devices, sparse files and members whose names lead out of the archive are left out and named in `warnings`;
    of several members of one name the last counts, as it does for tar. What members hold together is limited, whatever
    their headers claim.
    """

    def __init__(self, source: bytes | IO[bytes], where: str, warnings: list[ReadWarning]) -> None:
        import tarfile

        super().__init__(where)
        self._damage = (tarfile.TarError, OSError, EOFError, ValueError, OverflowError)
        try:
            stream = io.BytesIO(source) if isinstance(source, bytes) else source
            self._archive = tarfile.open(fileobj=stream, mode="r:", errors="surrogateescape")  # noqa: SIM115 - open as long as the bundle is
        except self._damage as error:
            raise UnreadableInput(f"is a damaged tar archive: {error}.", where=where) from None
        count = 0
        while (entry := self._next(warnings)) is not None:
            count += 1
            if count > MOST_MEMBERS:
                raise UnreadableInput(f"has more than {MOST_MEMBERS} members; not read.", where=where)
            if entry.isdir():
                continue
            _check_length(entry.name, where)
            name = posixpath.normpath(entry.name)
            if not entry.isreg() or entry.issparse() or name.startswith(("/", "../")) or name in ("..", "."):
                what = "a link, a device, a sparse file or a name outside of the archive; left out"
                warnings.append(ReadWarning(entry.name[:300], what))
            else:
                self._entries[name] = entry

    def _next(self, warnings: list[ReadWarning]) -> TarInfo | None:
        try:
            entry = self._archive.next()
            # The archive keeps a list of all members; ours is enough.
            self._archive.members.clear()  # type: ignore[attr-defined]
        except self._damage as error:
            what = f"cut off or damaged ({error}); what comes after that is missing"
            warnings.append(ReadWarning("tar archive", what))
            return None
        return entry

    def _opened(self, entry: Any) -> AbstractContextManager[IO[bytes]]:
        member = self._archive.extractfile(entry)
        assert member is not None
        return closing(member)


def _check_length(name: str, where: str) -> None:
    """Raise `UnreadableInput` for a path that no file system could hold."""
    if len(name) > _LONGEST_PATH:
        raise UnreadableInput(f"has a member whose path has {len(name)} characters; not read.", where=where)


def _own_names(names: Iterable[str]) -> Iterator[str]:
    """The names, with a number behind one that comes again: an archive may hold several members of one name."""
    seen: Counter[str] = Counter()
    for name in names:
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"


class DirectoryBundle:
    """The files below a directory, or those `members` of it whose paths are given. Links to folders aren't
    followed."""

    def __init__(self, root: str | os.PathLike[str], members: Sequence[str] | None = None) -> None:
        self._root = Path(root)
        self._members = members

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Paths below the root, sorted."""
        if self._members is not None:
            return tuple(sorted(self._members))
        found: list[str] = []
        for place, directories, files in os.walk(self._root, followlinks=False):
            directories.sort()
            below = Path(place).relative_to(self._root).as_posix()
            prefix = "" if below == "." else f"{below}/"
            found.extend(prefix + name for name in sorted(files))
            if len(found) > MOST_MEMBERS:
                raise UnreadableInput(
                    f"holds more than {MOST_MEMBERS} files.", where=str(self._root), hint="Name a folder further down."
                )
        return tuple(sorted(found))

    @property
    def size(self) -> int:
        """The bytes of all files that are there."""
        return sum(path.stat().st_size for name in self.names if (path := self._root / name).is_file())

    def leaves(self, name: str) -> bool:
        """Whether a file is a link that leads out of the directory."""
        path = self._root / name
        return path.is_symlink() and not path.resolve().is_relative_to(self._root.resolve())

    def read(self, name: str) -> bytes:
        """The bytes of a file below the root."""
        path = self._root / name
        try:
            state = path.stat()
            if not stat.S_ISREG(state.st_mode):
                raise UnreadableInput("is no regular file; not read.", where=str(path))
            if state.st_size > MOST_HELD:
                raise UnreadableInput("is too large to be read.", where=str(path))
            return path.read_bytes()
        except OSError as error:
            raise UnreadableInput(f"can't be read: {error.strerror or error}.", where=str(path)) from None
