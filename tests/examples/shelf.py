"""Transcripts of the shelf agent: JSON lines, each a command with its output."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import Document
from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none, text_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session, ToolCall, ToolResult


class Shelf:
    """Reads one session per run."""

    name, title, versions = "shelf", "the shelf agent", "1.0"
    not_recorded: tuple[str, ...] = ("time of day", "tokens", "cost")

    def sniff(self, document: Document) -> bool:
        """Whether one of the first records is a command of a run."""
        return any({"run", "do"} <= dict_of(record).keys() for record in sample_of(document, 5))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the runs in the order in which they began."""
        warnings: list[ReadWarning] = []
        sessions: dict[str, Session] = {}
        for record in records_of(document, warnings):
            run, command = str_or_none(record.value.get("run")), str_or_none(record.value.get("do"))
            if run is None or command is None:
                warnings.append(ReadWarning(record.place, "no command of a run; skipped"))
                continue
            output, code = text_of(record.value.get("got")), int_or_none(record.value.get("code"))
            session = sessions.setdefault(run, Session(run, agent="shelf"))
            session.events.append(ToolCall(record.place, "bash", {"command": command}))
            session.events.append(ToolResult(record.place, output, exit_code=code))
        if not sessions:
            raise UnreadableInput("holds no command of a run.", where=document.name)
        next(iter(sessions.values())).warnings += warnings
        yield from sessions.values()


FORMAT = Shelf()
"""The object that the registry lists."""
