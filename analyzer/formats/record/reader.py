"""What formats of one record after another have in common: a session is filled while they're gone through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import count
from typing import Any

from analyzer.formats.container.document import Document, Record
from analyzer.formats.loading.interface import FileLog, SessionsFormat
from analyzer.formats.record.fields import arguments_of, bool_or_none, is_naive, parse_time, str_or_none
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.records import opened, records_of
from analyzer.formats.record.usage import Meter
from analyzer.formats.record.warnings import NAMELESS_CALL, WarningLog
from analyzer.model.session import Message, Role, Session, ToolCall, ToolResult
from analyzer.model.words import BRANCH, MAIN_LANE, Ending

_FAILED = dict.fromkeys(("error", "failed", "failure", "fail"), True) | dict.fromkeys(
    ("success", "succeeded", "ok", "passed", "solved"), False
)
"""Words for how a run came out."""


class RecordReader:
    """Fills one session. `users` and `answers` count what the user and the model said in it, `made` the calls that were
    numbered."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.log = WarningLog()
        self.meter = Meter(session.events)
        self.users = self.answers = self.made = 0
        self.branch = ""
        """The lane of a record that lies on an abandoned branch."""
        self.copied = 0
        """How many events at the beginning are copies of another session's."""

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        raise NotImplementedError

    def about(self, facts: dict[str, Any]) -> None:
        """Take in what a file holds beside the records."""

    def all_of(self, records: Iterable[tuple[str, Any]]) -> Session:
        """Return the session that records with their places make up."""
        for place, record in records:
            self.take(place, record)
        return self.closed()

    def closed(self) -> Session:
        """Return the session, with what is known at the end filled in."""
        self.close()
        return self.session

    def close(self) -> None:
        """Fill in what is known at the end: what was counted, and what could not be read."""
        session = self.session
        session.user_messages, session.assistant_messages = self.users, self.answers
        self.note_copies()
        if self.meter.used:
            session.tokens = self.meter.tokens()
            session.cost_usd = self.meter.cost() if session.cost_usd is None else session.cost_usd
            self.meter.settle()
        session.warnings += self.log.warnings()

    def note_copies(self) -> None:
        """Write down what of the session is a copy, before its events are put in another order."""
        if self.copied and not self.session.copied_calls:
            mine = (event for event in self.session.events[: self.copied] if isinstance(event, ToolCall))
            self.session.copied_calls = sum(call.lane == MAIN_LANE for call in mine)
            self.session.copied_tokens = self.meter.tokens(self.copied)

    def leave(self, first: int) -> None:
        """Take what the main lane did from the `first` event on for a branch that was left: whoever went back no longer
        saw it."""
        events = self.session.events
        taken = {event.lane for event in events}
        lane = next(name for number in count(1) if (name := f"{BRANCH}{number}") not in taken)
        for event in events[first:]:
            if event.lane == MAIN_LANE:
                event.lane = lane
                self.users -= isinstance(event, Message) and event.role == "user"

    def clock(self, *values: object) -> float | None:
        """Return a record's time, the first of the values that is one, after widening the session's span by it.

        One time without a zone makes the session's clock naive: from then on nobody can say how its times lie to one
        another.
        """
        session = self.session
        for value in values:
            if (time := parse_time(value)) is not None:
                session.naive_clock = session.naive_clock or is_naive(value)
                session.started_at = time if session.started_at is None else min(session.started_at, time)
                session.ended_at = time if session.ended_at is None else max(session.ended_at, time)
                return time
        return None

    def place(self, record: dict[str, Any], **labels: str) -> None:
        """Note what a record says of the surroundings under some keys, each by its label; what is known stays."""
        for key, label in labels.items():
            if text := str_or_none(record.get(key)):
                self.session.environment.setdefault(label, text)

    def say(self, text: str, time: float | None = None, lane: str = MAIN_LANE, *, thought: bool = False) -> None:
        """What the agent says or thinks."""
        self.session.say(Message("assistant", text, time, lane, thought))

    def note(self, text: str, time: float | None = None, lane: str = MAIN_LANE, role: Role = "harness") -> None:
        """What the program around the agent says."""
        self.session.say(Message(role, text, time, lane))

    def heard(self, text: str, time: float | None = None) -> bool:
        """What the user says, unless it's blank; the first of it is the task."""
        said = bool(text.strip())
        if said:
            self.users += 1
            self.session.task = self.session.task or issue_of(text)
        self.session.say(Message("user", text, time))
        return said

    def call(
        self,
        place: str,
        call_id: object,
        name: object,
        arguments: object,
        time: float | None = None,
        lane: str = MAIN_LANE,
        batch: str | None = None,
    ) -> ToolCall:
        """A call; one without a name is remarked on."""
        tool = str_or_none(name)
        if tool is None:
            self.log.add(place, NAMELESS_CALL)
        made = ToolCall(str_or_none(call_id), tool or "unknown", arguments_of(arguments), time, lane, batch)
        self.session.events.append(made)
        return made

    def numbered(self, name: str) -> str:
        """The name of the next call, with its number, where the log gives calls no ids or the same ones."""
        self.made += 1
        return f"{name}{self.made}"

    def result(
        self, call_id: object, text: str, failed: object = None, time: float | None = None, lane: str = MAIN_LANE
    ) -> ToolResult:
        """What came back for a call; `failed` counts where it's true or false."""
        result = ToolResult(str_or_none(call_id), text, bool_or_none(failed), time=time, lane=lane)
        self.session.events.append(result)
        return result

    def unknown(self, place: str, what: str, kind: object, silent: Collection[str] = ()) -> None:
        """Remark on a record or a part of a kind that isn't known, unless it's one that says nothing."""
        if not isinstance(kind, str):
            self.log.add(place, f"no {what}; skipped")
        elif kind not in silent:
            self.log.add(place, f"unknown {what} {kind[:60]!r}; skipped")

    def verdict(self, solved: object, score: float | None = None, what: str = "score") -> None:
        """Note how the log says that the run came out: whether the task was solved, or a word for that, and what it was
        worth, which the log calls `what`."""
        session, word = self.session, str_or_none(solved)
        failed = not solved if isinstance(solved, bool) else _FAILED.get((word or "").casefold())
        worth = f"{what} {score:g}" if score is not None else None
        session.recorded_status = word or worth or (None if failed is None else "unsolved" if failed else "solved")
        if failed is not None:
            session.ending = Ending.UNSOLVED if failed else Ending.SOLVED
            said = str(solved).lower() if isinstance(solved, bool) else word
            session.ending_detail = ", ".join(filter(None, (f"the log's own verdict is {said}", worth)))

    def ended(self, status: str | None = None, ending: Ending | None = None, detail: str | None = None) -> None:
        """Note how the session ended; nothing of it where it goes on."""
        self.session.recorded_status, self.session.ending, self.session.ending_detail = status, ending, detail


class RecordFormat(SessionsFormat):
    """A format that is read record by record: one session per file, unless records begin another run."""

    reader: Callable[[Session], RecordReader]
    beside: str | None = None
    """How the file is called that lies beside the records, in place of their suffix."""
    run: Mapping[str, Any] | None = None
    """Which records begin a run, `when` they hold something, and the `key` of its name."""

    def run_of(self, record: dict[str, Any]) -> str | None:
        """The name of the run that begins, or goes on, with a record; None for a record within a run."""
        from analyzer.formats.loading.mapping.values import holds, string_at

        run = self.run
        return string_at(record, run["key"]) if run is not None and holds(record, run["when"]) else None

    def sniff(self, document: Document) -> bool:
        """Whether one of the first records is the format's own."""
        lines = opened(document, self.beside)[0] if self.beside else document
        return (self.beside is None or lines.bundle is None) and super().sniff(lines)

    def sessions(self, document: Document, _log: FileLog) -> Iterable[Session]:
        """The session of each run."""
        lines, facts = opened(document, self.beside) if self.beside else (document, {})
        readers = [self.reader(Session(lines.stem, agent=self.agent))]
        current, known = None, False
        for record in self.records(lines, readers[0].session):
            if (name := self.run_of(record.value)) is not None:
                if current not in (None, name):
                    readers.append(self.reader(Session(lines.stem, agent=self.agent)))
                readers[-1].session.id = current = name
            known = known or self.is_readable(record.value)
            readers[-1].branch = record.lane
            readers[-1].take(record.place, record.value)
        for reader in readers if known else ():
            reader.about(facts)
            yield reader.closed()

    def records(self, document: Document, session: Session) -> Iterable[Record]:
        """The records that make up the session."""
        return records_of(document, session.warnings, self.listed)
