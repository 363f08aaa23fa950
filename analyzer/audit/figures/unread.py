"""What an audit could not read, and what it left out on purpose."""

from __future__ import annotations

import pandas

from analyzer.audit.figures.counts import counted, records
from analyzer.audit.links import file_link
from analyzer.model.audit_report import ProblemLine, Unread

_MOST = 50
_WARNING = "warning"


def unread(
    files: pandas.DataFrame, problems: pandas.DataFrame, sessions: pandas.DataFrame, root: str | None, left_out: int
) -> Unread:
    """Problems by kind and the first of them, copies, files that are no transcripts, and how many sessions a filter
    left out. The tables have the names of the arguments."""
    hard = problems[problems["kind"] != _WARNING].sort_values(["path", "number"])
    foreign = files[files["state"] == "no transcript"]["path"].sort_values()
    return Unread(
        files=len(files),
        problems={entry.value: entry.sessions for entry in counted(hard.drop_duplicates(["path", "kind"])["kind"])},
        first=[
            ProblemLine(
                path=row["path"],
                link=file_link(row["path"], root),
                kind=row["kind"],
                place=row["place"],
                what=row["what"],
            )
            for row in records(hard.head(_MOST))
        ],
        warnings=int((problems["kind"] == _WARNING).sum()),
        warned=int(problems[problems["kind"] == _WARNING]["path"].nunique()),
        left_out=left_out,
        no_transcript=len(foreign),
        no_transcript_paths=[str(path) for path in foreign.head(_MOST)],
        copies=int(files["copy_of"].notna().sum()),
        empty=int((sessions["actions"] == 0).sum()),
    )
