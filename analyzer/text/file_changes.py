"""What was done to the files that a session delivers: changed, created, written or deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.model.postmortem import Deliverable
from analyzer.text.english import listed, plural


def file_changes(left: Deliverable, files: Sequence[str], shown: Callable[[str], str], most: int) -> str:
    """At most so many of some files with what was done to them, and how many more there are of which that is true:
    "Changed `a`, and created `b` and 2 more."."""
    created = [path for path in files if path in left.created]
    written = [path for path in files if path in left.written]
    deleted = [path for path in files if path in left.deleted]
    changed = [path for path in files if path not in (*created, *written, *deleted)]
    clauses = []
    for verb, paths in (("changed", changed), ("created", created), ("wrote", written), ("deleted", deleted)):
        kept, most = paths[:most], max(0, most - len(paths))
        rest = len(paths) - len(kept)
        if paths:
            more = [f"{rest} more" if kept else plural(rest, "file")] if rest else []
            clauses.append(f"{verb} {listed([*map(shown, kept), *more])}")
    text = ", ".join(clauses[:-1]) + (", and " if len(clauses) > 1 else "") + "".join(clauses[-1:])
    return f"{text[:1].upper()}{text[1:]}." if text else ""
