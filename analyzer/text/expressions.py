"""Compiled expressions and tables, kept where Python keeps the byte code of this package, or in the user's cache folder
where it keeps none: to compile those that a small log needs takes a fifth of what it takes from start to end.

What is kept of an expression is the program that `re` makes of it, and the literals that every match needs
(`required`): looking for these first is many times faster than the expression. `re` has no public way to take such a
program out and put it back. What is taken out is therefore compared with what `re.compile` makes before it's kept; it's
put back only by the very build of Python that it comes from, out of a file whose digest is right; and whatever can't be
had in this way is compiled. Of a table in TOML what it was read as is kept.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from array import array
from collections.abc import Callable, Collection
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from analyzer.text.required import Formula, code_of, function_of, required

_Key = tuple[str, int]
_Entry = tuple[int, int, dict[str, int], bytes, Formula | None, bytes]
"""An expression's flags, the number and the names of its groups, its program, the literals that it needs, and the code
that looks for them."""
_TABLE = -1
"""In place of the flags of an expression: what is kept is a table, under the digest of its text."""
_MOST = 4_000
"""Entries in a file: one with more isn't added to but replaced by what this run compiled."""
_ERRORS = (ArithmeticError, AttributeError, ImportError, LookupError, RuntimeError, TypeError, ValueError)
"""What it raises to take out or put back what this Python doesn't know, `re.error` among them (before 3.13 it's an
`Exception` like any other)."""


class KeptExpressions:
    """Expressions that earlier runs compiled, in `file`; None where nothing is kept. Of a `private` file only what
    belongs to the user is read, and its folder is made for the user alone.

    Only expressions of the code are to be kept, never one that is made of what a session says.
    """

    def __init__(self, file: Path | None, *, private: bool = False) -> None:
        self._file = file
        self._private = private
        self._entries: dict[_Key, Any] | None = None
        self._missed: set[_Key] = set()
        self._tables: dict[_Key, dict[str, Any]] = {}

    def pattern(self, source: str, flags: int = 0) -> re.Pattern[str]:
        """What `re.compile(source, flags)` returns."""
        entry = self._entry(source, int(flags))
        if entry is not None:
            try:
                return _put_back(source, entry)
            except _ERRORS:
                pass
        return re.compile(source, flags)

    def required(self, source: str, flags: int = 0) -> tuple[Formula, Callable[[Collection[str]], bool]] | None:
        """What `required(source, flags)` returns, and what says whether it holds for a text or a set of literals; None
        where it's known of no literals that the expression needs them."""
        entry = self._entry(source, int(flags))
        formula = required(source, int(flags)) if entry is None else entry[-2]
        if formula is None:
            return None
        return formula, function_of(code_of(formula) if entry is None else marshal.loads(entry[-1]))

    def table(self, text: str) -> dict[str, Any]:
        """What `tomllib.loads(text)` returns. Raises what that raises."""
        key = sha256(text.encode()).hexdigest(), _TABLE
        if self._entries is None:
            self._entries = self._read()
        found: dict[str, Any] | None = self._entries.get(key) or self._tables.get(key)
        if found is None:
            found = self._tables[key] = import_module("tomllib").loads(text)
        return found

    def write(self) -> None:
        """Add to the file what was asked for and isn't there, unless it can't be written, or lies among Python's byte
        code and Python writes none."""
        if self._file is None or not (self._missed or self._tables) or (sys.dont_write_bytecode and not self._private):
            return
        from analyzer.atomic import replacing

        # Another program may have added to it meanwhile; what is lost when two write at once is added by the next one.
        made = {**{key: _taken_out(*key) for key in sorted(self._missed)}, **self._tables}
        entries = {**self._read(), **made}
        if len(entries) > _MOST:
            entries = made
        try:
            content = marshal.dumps(entries)
            self._file.parent.mkdir(0o700 if self._private else 0o777, parents=True, exist_ok=True)
            with replacing(self._file) as stream:
                stream.write(_digest(content) + content)
        except (OSError, ValueError):
            return
        self._missed.clear()
        self._tables.clear()

    def _entry(self, source: str, flags: int) -> _Entry | None:
        if self._entries is None:
            self._entries = self._read()
        try:
            entry: _Entry | None = self._entries[source, flags]
        except KeyError:
            self._missed.add((source, flags))
            return None
        return entry

    def _read(self) -> dict[_Key, Any]:
        """What is in the file; nothing where another Python, another version of this code or somebody else wrote it, or
        where it's damaged."""
        if self._file is None:
            return {}
        try:
            with self._file.open("rb") as stream:
                # On Windows nobody else can write to the folder.
                foreign = self._private and os.name == "posix" and os.fstat(stream.fileno()).st_uid != os.getuid()
                data = b"" if foreign else stream.read()
            content = memoryview(data)[_DIGEST:]
            if not content or data[:_DIGEST] != _digest(content):
                return {}
            entries: dict[_Key, Any] = marshal.loads(content)
        except (OSError, EOFError, *_ERRORS):
            return {}
        return entries


def _taken_out(source: str, flags: int) -> _Entry | None:
    """The program of an expression; None where it can't be had or isn't what `re.compile` makes."""
    try:
        compiler = import_module("re._compiler")
        tree = import_module("re._parser").parse(source, flags)
        state, program = tree.state, compiler._code(tree, flags)
        formula = required(source, flags)
        found: _Entry = (
            int(flags | state.flags),
            state.groups - 1,
            dict(state.groupdict),
            array("I", map(int, program)).tobytes(),
            formula,
            marshal.dumps(code_of(formula)) if formula is not None else b"",
        )
        again, plain = _put_back(source, found), re.compile(source, flags)
    except (re.error, OverflowError, *_ERRORS):
        return None
    same = again == plain and again.groups == plain.groups and again.groupindex == plain.groupindex
    return found if same else None


def _put_back(source: str, entry: _Entry) -> re.Pattern[str]:
    flags, groups, names, program, _, _ = entry
    numbered: list[str | None] = [None] * (groups + 1)
    for name, number in names.items():
        numbered[number] = name
    pattern: re.Pattern[str] = _machine().compile(
        source, flags, array("I", program).tolist(), groups, names, tuple(numbered)
    )
    return pattern


@cache
def _machine() -> Any:
    """What runs the programs. It takes a program apart before it accepts it, so that a wrong one is an error."""
    return import_module("_sre")


@cache
def _build() -> bytes:
    """Which Python this is, and which version of the code that says what is kept: as Python does with byte code, by the
    size and time of its file."""
    machine = _machine()
    code = Path(__file__).stat()
    version = f"{sys.version} {sys.byteorder} {machine.MAGIC} {machine.CODESIZE} {array('I').itemsize}"
    return f"{version} {code.st_size} {code.st_mtime_ns}".encode()


def _digest(content: bytes | memoryview) -> bytes:
    found = sha256(_build())
    found.update(content)
    return found.digest()


_DIGEST = sha256().digest_size


def kept_expressions() -> KeptExpressions:
    """The expressions that are kept beside the byte code or, where Python can't or mustn't write any there, in the
    user's cache folder."""
    name = f"expressions.{sys.implementation.cache_tag}.bin"
    try:
        folder = Path(cache_from_source(__file__)).parent
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if not sys.dont_write_bytecode and os.access(there, os.W_OK):
            return KeptExpressions(folder / name)
    except NotImplementedError:
        pass
    cache = cache_folder()
    return KeptExpressions(cache / name if cache is not None else None, private=True)


def cache_folder() -> Path | None:
    """The folder in which this program keeps for a user what it can make again; None where nothing says which it is."""
    given = Path(os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", ""))
    home = Path(os.path.expanduser("~"))  # noqa: PTH111
    if not given.is_absolute() and os.name != "nt":
        given = home / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return given / "analyze-session" if given.is_absolute() else None


KEPT = kept_expressions()
"""The expressions of this program."""
