"""Tar archives as bundles. Nothing is ever extracted: members are read into memory, one by one."""

from __future__ import annotations

import io
import posixpath
import tarfile
from contextlib import AbstractContextManager, closing
from typing import IO, Any

from analyzer.formats.container.bundle import MOST_MEMBERS, ArchiveBundle, check_length
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning

_DAMAGE = (tarfile.TarError, OSError, EOFError, ValueError, OverflowError)


class TarBundle(ArchiveBundle):
    """The regular files of a tar archive.

    Links, devices, sparse files and members whose names lead out of the archive are left out and named in `warnings`;
    of several members of one name the last counts, as it does for tar. What members hold together is limited, whatever
    their headers claim.
    """

    def __init__(self, source: bytes | IO[bytes], where: str, warnings: list[ReadWarning]) -> None:
        super().__init__(where)
        try:
            stream = io.BytesIO(source) if isinstance(source, bytes) else source
            self._archive = tarfile.open(fileobj=stream, mode="r:", errors="surrogateescape")  # noqa: SIM115 - open as long as the bundle is
        except _DAMAGE as error:
            raise UnreadableInput(f"is a damaged tar archive: {error}.", where=where) from None
        count = 0
        while (entry := self._next(warnings)) is not None:
            count += 1
            if count > MOST_MEMBERS:
                raise UnreadableInput(f"has more than {MOST_MEMBERS} members; not read.", where=where)
            if entry.isdir():
                continue
            check_length(entry.name, where)
            name = posixpath.normpath(entry.name)
            if not entry.isreg() or entry.issparse() or name.startswith(("/", "../")) or name in ("..", "."):
                what = "a link, a device, a sparse file or a name outside of the archive; left out"
                warnings.append(ReadWarning(entry.name[:300], what))
            else:
                self._entries[name] = entry

    def _next(self, warnings: list[ReadWarning]) -> tarfile.TarInfo | None:
        try:
            entry = self._archive.next()
            # The archive keeps a list of all members; ours is enough.
            self._archive.members.clear()  # type: ignore[attr-defined]
        except _DAMAGE as error:
            what = f"cut off or damaged ({error}); what comes after that is missing"
            warnings.append(ReadWarning("tar archive", what))
            return None
        return entry

    def _opened(self, entry: Any) -> AbstractContextManager[IO[bytes]]:
        member = self._archive.extractfile(entry)
        assert member is not None
        return closing(member)
