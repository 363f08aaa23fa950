"""One thing to read: a file, or the files of one session."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from analyzer.formats.container.content import sha256_of
from analyzer.model.struct import Struct


class Source(Struct, frozen=True):
    """A file, or several that are one session, with the signature by which a change is noticed.

    `path` is absolute, or a URL. `members` are the paths, from the folder `root` on, of the files that belong to it;
    empty for a single file. `path` is that folder then, or the file of the session to which the others belong. `size`
    is in bytes, `changed` the time of the last change in nanoseconds since 1970, of several files the latest (of a URL
    a number that changes with its content). `named` is True where the user named the path itself, so that it must be
    readable.
    """

    path: str
    size: int
    changed: int
    members: tuple[str, ...] = ()
    named: bool = False
    root: str = ""

    @property
    def key(self) -> str:
        r"""The path as text that can be stored and shown: bytes that are no UTF-8 are written as `\xff`."""
        return self.path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

    @property
    def is_remote(self) -> bool:
        """Whether it's read through fsspec."""
        return is_url(self.path)


def is_url(path: str) -> bool:
    """Whether the path names a place on another system, such as `s3://bucket/runs`; a `file://` URL doesn't."""
    scheme, colon, _ = path.partition("://")
    return bool(colon) and scheme.replace("+", "").replace("-", "").isalnum() and scheme != "file"


def digest(source: Source) -> str:
    """The SHA-256 of a file's bytes, or of the names and digests of several files. Raises `OSError` where it can't be
    read, `UnreadableInput` where it's on another system."""
    digest_of: Callable[[str], str] = sha256_of
    if source.is_remote:
        from analyzer.audit.sources.remote import sha256_at

        digest_of = sha256_at
    if not source.members:
        return digest_of(source.path)
    total = hashlib.sha256()
    for name in source.members:
        total.update(f"{name}\0{digest_of(f'{source.root}/{name}')}\0".encode("utf-8", "surrogateescape"))
    return total.hexdigest()
