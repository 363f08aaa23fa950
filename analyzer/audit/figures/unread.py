"""What an audit could not read, and what it left out on purpose."""

from __future__ import annotations

from analyzer.audit.figures.counts import counted
from analyzer.audit.links import file_link
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_report import ProblemLine, Unread

_MOST = 50
_WARNING = "warning"


_KINDS = "SELECT kind, count(DISTINCT path) FROM problems WHERE kind <> ? GROUP BY kind"
_FIRST = "SELECT path, kind, place, what FROM problems WHERE kind <> ? ORDER BY path, number LIMIT ?"
_WARNED = "SELECT count(*), count(DISTINCT path) FROM problems WHERE kind = ?"
_FILES = "SELECT count(*), coalesce(sum(state = 'no transcript'), 0), count(copy_of) FROM files"
_FOREIGN = "SELECT path FROM files WHERE state = 'no transcript' ORDER BY path LIMIT ?"
_EMPTY = "SELECT count(*) FROM sessions WHERE actions = 0"


def unread(tables: Tables, root: str | None, left_out: int) -> Unread:
    """Problems by kind and the first of them, copies, files that are no transcripts, and how many sessions a filter
    left out."""
    files, foreign, copies = next(tables.rows(_FILES))
    warnings, warned = next(tables.rows(_WARNED, (_WARNING,)))
    kinds = counted(dict(tables.rows(_KINDS, (_WARNING,))))
    return Unread(
        files=files,
        problems={entry.value: entry.sessions for entry in kinds},
        first=[
            ProblemLine(path=path, link=file_link(path, root), kind=kind, place=place, what=what)
            for path, kind, place, what in tables.rows(_FIRST, (_WARNING, _MOST))
        ],
        warnings=warnings,
        warned=warned,
        left_out=left_out,
        no_transcript=foreign,
        no_transcript_paths=[path for (path,) in tables.rows(_FOREIGN, (_MOST,))],
        copies=copies,
        empty=tables.value(_EMPTY),
    )
