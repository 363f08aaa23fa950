"""The byte code of our templates, kept where Python keeps that of this package: to compile them takes a tenth of what a
small log takes from start to end."""

from __future__ import annotations

import pickle
import sys
from functools import cached_property
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

import analyzer

_FOLDED = ("report", "text")
"""The packages of ours whose functions a template may call with constants, which is done once, when it's compiled."""


class KeptTemplates(jinja2.BytecodeCache):
    """One file for each template in `folder`. What can't be read or written there is compiled again, and nothing is
    written where Python is to write no byte code."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket from its file, where there's one of the same template and the same code of ours."""
        try:
            with self._file(bucket).open("rb") as stream:
                bucket.load_bytecode(stream)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the file of a template that was compiled."""
        if sys.dont_write_bytecode:
            return
        from analyzer.atomic import replacing

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._file(bucket)) as stream:
                bucket.write_bytecode(stream)
        except OSError:
            return

    def get_source_checksum(self, source: str) -> str:
        """A digest of a template's text and of the state of what it may have been folded with."""
        return sha256(f"{self._code}\n{source}".encode()).hexdigest()

    @cached_property
    def _code(self) -> str:
        """Which version of our code there is: as Python does with byte code, by the sizes and times of its files."""
        package = Path(analyzer.__file__).parent
        files = sorted(file for name in _FOLDED for file in (package / name).rglob("*.py"))
        found = [(file.name, (state := file.stat()).st_size, state.st_mtime_ns) for file in files]
        return f"{analyzer.__version__} {found}"

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / f"template-{bucket.key}.{sys.implementation.cache_tag}.bin"


def kept_templates() -> KeptTemplates | None:
    """Where the byte code of our templates is kept; None where Python keeps none."""
    try:
        return KeptTemplates(Path(cache_from_source(__file__)).parent)
    except NotImplementedError:
        return None
