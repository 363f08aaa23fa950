"""Follow a transcript while it's being written, and raise findings as they become detectable."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from analyzer.formats import load
from analyzer.formats.loading.folders import session_at
from analyzer.guard import Alarm, Guard
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Message, Session, ToolCall
from analyzer.model.struct import Struct, field
from analyzer.redaction import Redactor, redact_session
from analyzer.timeline.pairing import pair


class _Seen(Struct):
    """One session as far as it was shown to its guard."""

    guard: Guard
    events: Counter[str] = field(default_factory=Counter)
    """How many of each lane: the files of sub-agents grow by themselves, and events are ordered by time."""
    calls: int = 0


class Follower:
    """Reads a growing transcript again whenever it has changed, and shows a guard per session what is new.

    `make` makes a guard for a session's task; with `redact` secrets are replaced before it sees anything. A call is
    shown as soon as its result is there, or something that came after it.
    """

    def __init__(
        self, path: str, make: Callable[[str], Guard], input_format: str | None = None, *, redact: bool = False
    ) -> None:
        self._path = path
        self._make = make
        self._format = input_format
        self._redactor = Redactor() if redact else None
        self._stamp: tuple[int, int, int] | None = None
        self._sessions: dict[str, _Seen] = {}
        self.problem: str | None = None
        """Why the file could not be read the last time; None if it could. A file that is being written may be whole a
        moment later."""

    @property
    def actions(self) -> int:
        """How many actions were shown so far, over all sessions and lanes."""
        return sum(seen.calls for seen in self._sessions.values())

    def poll(self, *, last: bool = False) -> Iterator[tuple[str, Alarm]]:
        """The session's id and the alarm for everything that is new since the last call. With `last`, calls that have
        no result yet are shown, too. Raises `UnreadableInput` when there's no such file."""
        stamp = _stamp(self._path)
        if stamp == self._stamp and not last:
            return
        self._stamp = stamp
        try:
            transcript = load(self._path, self._format)
        except UnreadableInput as error:
            self.problem = error.what
            return
        self.problem = None
        for session in transcript.sessions:
            if self._redactor is not None:
                redact_session(session, self._redactor)
            for alarm in self._show(session, last=last):
                yield session.id, alarm

    def _show(self, session: Session, *, last: bool) -> Iterator[Alarm]:
        seen = self._sessions.get(session.id)
        if seen is None or seen.events - Counter(event.lane for event in session.events):
            seen = self._sessions[session.id] = _Seen(self._make(session.task or ""))
        results = iter(pair(session.events).results)
        ends = {
            event.lane: position
            for position, event in enumerate(session.events)
            if isinstance(event, ToolCall | Message)
        }
        passed: Counter[str] = Counter()
        for position, event in enumerate(session.events):
            result = next(results) if isinstance(event, ToolCall) else None
            passed[event.lane] += 1
            # Of a lane in which a call waits for its result, nothing more is shown: one is more than was shown then.
            if passed[event.lane] != seen.events[event.lane] + 1:
                continue
            if isinstance(event, ToolCall):
                if result is None and ends[event.lane] == position and not last:
                    continue
                seen.calls += 1
                yield from seen.guard.take(event, result)
            elif isinstance(event, Message):
                yield from seen.guard.take_message(event)
            elif isinstance(event, Compaction):
                seen.guard.compacted(event.lane, by_user=event.trigger == "manual")
            seen.events[event.lane] += 1


def _stamp(path: str) -> tuple[int, int, int]:
    place = Path(path)
    if not place.exists():
        raise UnreadableInput("no such file.", where=path)
    session = session_at(place)
    if session is not None:
        files = [Path(os.path.abspath(place)).parent / name for name in session.members]  # noqa: PTH100
    elif place.is_dir():
        files = [Path(folder) / name for folder, _, names in os.walk(place) for name in names]
    else:
        found = place.stat()
        # What's written to a database is in its write-ahead log first.
        log = place.with_name(f"{place.name}-wal")
        beside = log.stat() if log.is_file() else None
        more, later = (beside.st_size, beside.st_mtime_ns) if beside is not None else (0, 0)
        return found.st_ino, found.st_size + more, max(found.st_mtime_ns, later)
    total = newest = count = 0
    for file in files:
        found = file.stat()
        total, newest, count = total + found.st_size, max(newest, found.st_mtime_ns), count + 1
    return count, total, newest
