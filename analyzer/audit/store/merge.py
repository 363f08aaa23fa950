"""Parts of an audit for several machines that know nothing of each other, and one audit out of them."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from glob import has_magic
from pathlib import Path
from sqlite3 import Connection

from analyzer.audit.sources.source import DATABASE, Source, is_url
from analyzer.audit.store.forks import cover_named
from analyzer.audit.store.store import OF_SESSION
from analyzer.audit.store.tables import connect, writing
from analyzer.audit.store.texts import is_session_key
from analyzer.model.errors import AnalyzerError
from analyzer.model.struct import Struct
from analyzer.text.clip import clip

SHARD = "shard"
"""The fact under which an audit remembers which part it is."""
_WRITTEN = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*")


class Shard(Struct, frozen=True):
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
            digest = hashlib.sha256(_below(source.path, tops).encode("utf-8", "surrogateescape")).digest()
            if int.from_bytes(digest[:8], "big") % self.of == self.number - 1:
                yield source


def _top(path: str) -> str:
    """The folder that a path names: of a pattern what comes before its first wildcard, of a file the one around it."""
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


class Merged(Struct, frozen=True):
    """What was merged: how many files, how many of them had to be copied, and which parts weren't there, as `3/8`."""

    files: int
    copied: int
    missing: tuple[str, ...] = ()
    version: str = ""


def merge(parts: Sequence[Path], folder: Path) -> Merged:
    """Make the audit in `folder` cover what the audits in `parts` cover: the tables are those of one audit of all their
    files.

    Of a path that several parts cover the latest look is taken, of looks at the same moment the one with the greater
    digest. The order of the parts doesn't matter, and what the folder has already isn't copied again. Raises
    `AnalyzerError` where a part is no audit, is the folder itself, or was made with another version of the program or
    other settings than the rest.
    """
    places = sorted({os.path.realpath(part): part for part in parts}.values(), key=str)
    if not places:
        raise AnalyzerError("There is nothing to merge.", hint="Name the folders of the parts.")
    for place in places:
        if not (place / DATABASE).is_file():
            raise AnalyzerError(
                "holds no audit.", where=str(place), hint="Name folders that `analyze-session audit ... -o` has filled."
            )
        if os.path.realpath(place) == os.path.realpath(folder):
            raise AnalyzerError("is one of the parts itself.", where=str(folder), hint="Name another folder with -o.")
    for place in places:
        # Brings the tables of an older version up to date, and says what's wrong with a file that is no database.
        connect(place).close()
    folder.mkdir(parents=True, exist_ok=True)
    with closing(connect(folder)) as connection:
        return _merge(connection, places)


def _merge(connection: Connection, places: list[Path]) -> Merged:
    connection.execute("CREATE TEMP TABLE best (path TEXT PRIMARY KEY, checked INTEGER, sha256 TEXT, part INTEGER)")
    connection.execute("CREATE TEMP TABLE passed (session TEXT PRIMARY KEY)")
    connection.execute("CREATE TEMP TABLE wanted (path TEXT PRIMARY KEY)")
    versions: dict[str, Path] = {}
    shards: list[Shard] = []
    for number, place in enumerate(places):
        with _attached(connection, place):
            for (version,) in connection.execute(
                "SELECT DISTINCT version FROM part.stored_files WHERE covered ORDER BY 1"
            ):
                versions.setdefault(version, place)
            found = connection.execute("SELECT value FROM part.stored_facts WHERE name = ?", (SHARD,)).fetchone()
            if found is not None:
                shards.append(Shard.parse(found[0]))
            connection.execute(
                "INSERT INTO best SELECT path, checked_ns, sha256, ? FROM part.stored_files WHERE covered "
                "ON CONFLICT (path) DO UPDATE SET checked = excluded.checked, sha256 = excluded.sha256, "
                "part = excluded.part WHERE (excluded.checked, excluded.sha256) > (checked, sha256)",
                (number,),
            )
            for (key,) in connection.execute("SELECT session FROM part.stored_sessions"):
                if not is_session_key(str(key)):
                    hint = "Make the part again; this one was changed by other means than this program."
                    what = f"holds a session whose key is none: {clip(str(key), 60)!r}."
                    raise AnalyzerError(what, where=str(place), hint=hint)
    if len(versions) > 1:
        one, other, *_ = versions.values()
        what = f"was made with another version of the program, or with other settings, than {one}."
        if one == other:
            what = "holds results of several versions of the program or of its settings."
        hint = "Run the parts again with the same version of the program and the same settings; "
        raise AnalyzerError(what, where=str(other), hint=f"{hint}what is unchanged is kept.")
    copied = 0
    for number, place in enumerate(places):
        with _attached(connection, place):
            copied += _copy(connection, number)
    with writing(connection):
        cover_named(connection, "SELECT path FROM best")
        # What a part's filter left out stays left out.
        connection.execute(
            "UPDATE stored_sessions SET covered = 0 WHERE covered AND session NOT IN (SELECT session FROM passed)"
        )
        connection.execute("DELETE FROM stored_facts WHERE name = ?", (SHARD,))
    files = int(connection.execute("SELECT count(*) FROM best").fetchone()[0])
    # The parts that aren't there, where all that are there are parts of as many.
    there, counts = {shard.number for shard in shards}, {shard.of for shard in shards}
    of = shards[0].of if len(counts) == 1 else 0
    missing = tuple(f"{number}/{of}" for number in range(1, of + 1) if number not in there)
    return Merged(files, copied, missing, next(iter(versions), ""))


@contextmanager
def _attached(connection: Connection, place: Path) -> Iterator[None]:
    """The database of a part, called `part` inside the block."""
    connection.execute("ATTACH ? AS part", (str(place / DATABASE),))
    try:
        yield
    finally:
        connection.execute("DETACH part")


_WANTED = (
    """INSERT INTO passed SELECT session FROM part.stored_sessions s JOIN best USING (path)
WHERE best.part = ? AND s.covered""",
    """INSERT INTO wanted SELECT path FROM part.stored_files f JOIN best USING (path)
WHERE best.part = ? AND NOT EXISTS (SELECT 1 FROM main.stored_files h WHERE h.path = f.path
  AND (h.version, h.sha256, h.size_bytes, h.changed_ns, h.checked_ns)
    = (f.version, f.sha256, f.size_bytes, f.changed_ns, f.checked_ns))""",
)
"""The sessions of a part that its tables show, and the files of which the audit has another look, or none."""


def _copy(connection: Connection, number: int) -> int:
    """Copy the rows of the files of which this part has the best look, in one transaction; how many files."""
    connection.execute("DELETE FROM wanted")
    for statement in _WANTED:
        connection.execute(statement, (number,))
    there = "path IN (SELECT path FROM wanted)"
    with writing(connection):
        for side, change in (
            ("main", "DELETE FROM main.stored_{0}"),
            ("part", "INSERT INTO main.stored_{0} SELECT * FROM part.stored_{0}"),
        ):
            for table in OF_SESSION:
                sessions = f"SELECT session FROM {side}.stored_sessions WHERE {there}"
                connection.execute(f"{change.format(table)} WHERE session IN ({sessions})")
            for table in ("sessions", "problems", "files"):
                connection.execute(f"{change.format(table)} WHERE {there}")
        for table in ("files", "sessions"):
            connection.execute(f"UPDATE main.stored_{table} SET covered = 0 WHERE {there}")
    return int(connection.execute("SELECT count(*) FROM wanted").fetchone()[0])
