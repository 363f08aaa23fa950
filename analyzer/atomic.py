"""Write files so that each appears whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """A stream whose bytes take the place of `target` when the block ends, and are gone where it's left by an
    exception.

    An existing file keeps its permissions, a link its place; a device or a named pipe is written to directly, since
    replacing it would destroy it. Raises `OSError` where the folder can't be written to.
    """
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            yield stream
        return
    target = target.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(text: str, target: Path) -> None:
    """Put a text, in UTF-8, in the place of `target`; halves of surrogate pairs are replaced."""
    with replacing(target) as stream:
        stream.write(text.encode("utf-8", errors="replace"))


def _mode(target: Path) -> int:
    """The permissions that the file has or, as a new file, would get; a temporary file alone is for its owner only."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
