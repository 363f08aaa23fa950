"""An OpenHands conversation kept as a folder: `base_state.json` and one file per event, or `trajectory.json` with
`events.json`, or the files of the events alone.

A conversation that was delegated has a folder of its own inside, and becomes a lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import PurePath

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, expressions_of
from analyzer.formats.openhands.events import Reader, events_in, is_event
from analyzer.formats.openhands.reader import AGENT
from analyzer.formats.record.fields import dict_of
from analyzer.model.session import ReadWarning, Session
from analyzer.text.english import listed

_STATES = ("base_state.json", "trajectory.json")
_EVENT_LISTS = ("events.json", "events.jsonl")
_SAYS = expressions_of(__file__)
_MOST_GAPS = 6


class OpenHandsFolder(SessionsFormat):
    """Reads one conversation folder as one session."""

    def sniff(self, document: Document) -> bool:
        """Whether the folder holds a conversation's state and its events, or nothing but events."""
        names = document.names
        if not any(name in names for name in _STATES):
            first = next(filter(_SAYS["bare_event"].fullmatch, names), None)
            return first is not None and is_event(document.member_value(first, []))
        return any(name in names for name in _EVENT_LISTS) or any(map(_SAYS["event"].fullmatch, names))

    def sessions(self, document: Document, _log: FileLog) -> Iterator[Session]:
        """The folder's one session."""
        # The event files with their numbers, by the folder of their conversation.
        found: dict[str, list[tuple[int, str]]] = {"": []}
        for name in document.names:
            if event := _SAYS["event"].fullmatch(name) or _SAYS["bare_event"].fullmatch(name):
                found.setdefault(event["folder"], []).append((int(event["number"]), name))
        session = _conversation(document, "", found.pop(""))
        for folder, numbered in found.items():
            delegated = _conversation(document, folder, numbered)
            for one in delegated.events:
                one.lane = f"agent-{PurePath(folder).name[:8]}"
            session.events += delegated.events
            session.warnings += delegated.warnings
        yield session


FORMAT = described(__file__, OpenHandsFolder)


def _holes(numbers: Iterable[int]) -> Iterator[ReadWarning]:
    """The warning about events whose numbers are left out between others, of numbers in their order."""
    gaps = [(one + 1, other - 1) for one, other in pairwise(numbers) if other - one > 1]
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in gaps[:_MOST_GAPS]]
    more = [f"{len(gaps) - _MOST_GAPS} more gaps"] if len(gaps) > _MOST_GAPS else []
    one = len(gaps) == 1 and gaps[0][0] == gaps[0][1]
    what = "event {} isn't in the folder: what it holds" if one else "events {} aren't in the folder: what they hold"
    if gaps:
        yield ReadWarning("events", f"{what.format(listed([*shown, *more]))} isn't known")


def _conversation(document: Document, folder: str, numbered: list[tuple[int, str]]) -> Session:
    reader = Reader(Session(id=PurePath(folder).name or document.stem, agent=AGENT))
    warnings = reader.session.warnings
    warnings += _holes(number for number, _ in sorted(numbered))
    for _, name in sorted(numbered):
        value = document.member_value(name, warnings)
        if value is not MISSING:
            reader.event(name, value)
    listed_in = next((folder + name for name in _EVENT_LISTS if folder + name in document.names), None)
    if not numbered and listed_in is not None:
        own: list[ReadWarning] = []
        member = document.member_or_none(listed_in, warnings)
        for place, event in events_in(member, own) if member is not None else ():
            reader.event(f"{listed_in}, {place}", event)
        warnings += [ReadWarning(f"{listed_in}, {warning.where}", warning.what) for warning in own]
    # The state is the last one, so what it says of the end counts after all events.
    if state := next((folder + name for name in _STATES if folder + name in document.names), None):
        reader.header(dict_of(document.member_value(state, warnings)))
    return reader.closed()
