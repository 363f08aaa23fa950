"""The sessions that agents on this machine recorded last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from analyzer.audit.figures.tasks import project_of
from analyzer.audit.run import Engine, Watcher, run
from analyzer.audit.settings import Settings
from analyzer.audit.sources.discover import discover
from analyzer.audit.sources.log_folders import ALL, folders_of
from analyzer.audit.sources.source import Source
from analyzer.audit.store.store import Store
from analyzer.model.errors import AnalyzerError, UnreadableInput
from analyzer.model.struct import Struct

_ROUNDS = 5
"""How many times as many files are read as sessions are asked for, where a project is meant."""


class Latest(Struct, frozen=True):
    """A session by the file that holds it; `session` is its id where the file holds several."""

    path: str
    session: str | None
    agent: str | None
    started_at: float | None


def newest_files(agents: Sequence[str]) -> list[Source]:
    """What these agents, or all, have recorded on this machine, the file that changed last first. Raises
    `AnalyzerError` where there's nothing."""
    return sorted(discover(folders_of(agents or (ALL,))), key=lambda source: (-source.changed, source.key))


def latest(number: int, agents: Sequence[str] = (), project: str | None = None) -> Latest:
    """The session that was recorded last, or the one before it, and so on; only of these agents, and of the project
    of this name, the last folder of its working directory. Raises `AnalyzerError` where there are fewer."""
    found = 0
    for found, place in enumerate(_sessions(agents, project), 1):
        if found == number:
            return place
    of = f" of the project {project!r}" if project else ""
    hint = "`analyze-session audit folders` lists where agents keep their sessions on this machine."
    raise AnalyzerError(f"there are {found} sessions{of}, and number {number} was asked for.", hint=hint)


def _sessions(agents: Sequence[str], project: str | None) -> Iterator[Latest]:
    from analyzer.formats import load

    for source in newest_files(agents):
        try:
            sessions = load(source.path).sessions
        except UnreadableInput:
            continue
        for session in sorted(sessions, key=lambda one: one.ended_at or one.started_at or 0.0, reverse=True):
            if _is_of(project_of(session.environment), project):
                name = session.id if len(sessions) > 1 else None
                yield Latest(source.path, name, session.agent, session.started_at)


def _is_of(project: str | None, wanted: str | None) -> bool:
    """Whether a session's project is the one that is wanted; `.` is that of the current folder."""
    name = Path.cwd().name if wanted == "." else wanted
    return name is None or (project or "").casefold() == name.casefold()


def recent_sessions(
    count: int,
    folder: Path,
    engine: Engine,
    watcher: Watcher | None = None,
    *,
    agents: Sequence[str] = (),
    project: str | None = None,
) -> list[dict[str, Any]]:
    """The sessions that were recorded last, at most so many, as rows of the table `sessions`, the latest first. What is
    found is kept in `folder`, so that only what is new is judged the next time."""
    files = newest_files(agents)
    changed = {source.key: source.changed for source in files}
    found: list[dict[str, Any]] = []
    for rounds in range(1, _ROUNDS + 1):
        paths = [source.path for source in files[: rounds * count]]
        run(paths, folder, Settings(), engine, watcher)
        with Store.open(folder) as store:
            found = [row for row in store.records("sessions") if _is_of(row["project"], project)]
        if len(found) >= count or len(paths) == len(files):
            break
    return sorted(found, key=lambda row: (changed[row["path"]], row["started_at"] or ""), reverse=True)[:count]
