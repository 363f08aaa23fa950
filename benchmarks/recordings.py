"""The recordings that the oracle and the table of rent go through: both corpora, the labelled cases, the samples."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("ANALYZE_SESSION_CORPUS", ROOT.parent / "shared" / "corpus")).resolve().parent
"""The folder that holds `corpus`, `corpus2` and `cases`."""
_SUFFIXES = {
    ".json",
    ".jsonl",
    ".log",
    ".md",
    ".txt",
    ".db",
    ".sqlite",
    ".vscdb",
    ".eval",
    ".gz",
    ".zst",
    ".zip",
    ".traj",
}


@dataclass(frozen=True, slots=True)
class Recording:
    """A file, the name by which it's known on every machine, and the repository that it comes from."""

    path: Path
    name: str
    repository: str


def recordings(*, cases: bool = False) -> list[Recording]:
    """All recordings in the order of their names; with `cases` the labelled ones as well."""
    found = [
        *_of_corpus("corpus"),
        *_of_corpus("corpus2"),
        *_of_folder(ROOT, "sample_sessions"),
        *_of_folder(ROOT, "tests/data"),
    ]
    if cases:
        found += _of_folder(SHARED, "cases")
    return sorted(found, key=lambda recording: recording.name)


def sample(every: list[Recording], count: int) -> list[Recording]:
    """So many of the recordings, spread evenly over their names; all of them for a count of 0."""
    if not count or count >= len(every):
        return every
    return [every[number * len(every) // count] for number in range(count)]


def _of_corpus(name: str) -> Iterator[Recording]:
    folder = SHARED / name
    if not (folder / "MANIFEST.jsonl").is_file():
        return
    for line in (folder / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if (folder / row["path"]).is_file():
            yield Recording(folder / row["path"], f"{name}/{row['path']}", row.get("repo") or f"{name}/{row['format']}")


def _of_folder(root: Path, name: str) -> Iterator[Recording]:
    for path in sorted((root / name).rglob("*")):
        if path.is_file() and path.suffix in _SUFFIXES:
            inner = path.relative_to(root)
            yield Recording(path, inner.as_posix(), inner.parts[0] if name != "cases" else "/".join(inner.parts[:2]))
