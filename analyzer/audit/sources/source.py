"""One thing to read: a file, or the files of one session; and which names a search through folders looks at."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable

from analyzer.formats.container.content import sha256_of
from analyzer.model.struct import Struct
from analyzer.text.names import name_set


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


TABLES = "tables"
"""The folder of an audit's exported tables."""
DATABASE = "audit.db"
"""The file in an audit's folder that holds its tables."""
DATABASES = (".db", ".sqlite", ".sqlite3", ".vscdb")
"""The suffixes of the databases that agents keep."""
_OWN = re.compile(r"audit\.db|search\.db|report\.\w+|index\.html|[0-9a-f]{16}\.\w+")
"""What an audit writes into its folder; earlier versions left an index for searches there."""
_NEVER = name_set(
    ".py .pyi .pyc .pyo .so .dll .dylib .o .a .c .h .cc .cpp .hpp .java .class .jar .go .rs .rb .php .js .mjs .ts "
    ".tsx .jsx .css .scss .html .htm .svg .png .jpg .jpeg .gif .webp .ico .bmp .pdf .mp3 .mp4 .mov .avi .wav .woff "
    ".woff2 .ttf .eot .db-wal .db-shm .lock .toml .cfg .ini .yml .yaml .sh .bat .ps1 .sql .csv .tsv .parquet .xlsx "
    ".docx .pptx .bin .exe .whl .egg .pack .idx .npy .npz .pt .pkl"
)
"""Suffixes of what is never a transcript; a search through folders doesn't open such files."""
_OF_PACKAGES = frozenset({"node_modules", "bower_components", "site-packages", "__pycache__"})
"""Folders full of other people's packages."""
_AIDER = frozenset({".aider.chat.history.md"})
"""What is hidden and a transcript all the same."""


def is_candidate(name: str) -> bool:
    """Whether a file of this name may be a transcript: no hidden one, and none of a suffix that no transcript has."""
    if name.startswith("."):
        return name in _AIDER
    return os.path.splitext(name)[1].lower() not in _NEVER  # noqa: PTH122


def is_searched(name: str) -> bool:
    """Whether a folder of this name is searched through: hidden ones, and those of installed packages, are not."""
    return not name.startswith(".") and name not in _OF_PACKAGES


def is_result(folder: str) -> bool:
    """Whether a folder holds what an audit wrote: its database, or the pages beside it."""
    return os.path.exists(os.path.join(folder, DATABASE)) or (  # noqa: PTH110, PTH118
        os.path.basename(folder) == "sessions" and os.path.exists(os.path.join(folder, os.pardir, DATABASE))  # noqa: PTH110, PTH118, PTH119
    )


def is_own(name: str) -> bool:
    """Whether a file in such a folder is called like the reports of an audit, which is no transcript."""
    return _OWN.fullmatch(name) is not None
