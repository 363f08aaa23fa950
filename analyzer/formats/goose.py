"""What sessions of Goose need beyond `goose.toml`: its database, its times, and calls that the user declined."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, words_of
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import dict_of, json_or_none, list_of, str_or_none, text_of
from analyzer.model.session import Session, ToolResult
from analyzer.model.words import Mark

_WORDS = words_of(__file__)
_PARTS = tuple(_WORDS["parts"])
_KEYS = frozenset({"id", "role", "created", "content", "metadata"})
_DECLINED = "declined to run this tool"


class Goose(Declared):
    """Reads every session of a database in which something was said, and a file of lines as one."""

    def is_own(self, value: object) -> bool:
        """Whether a record is a message of Goose's, with nothing else."""
        kinds = [dict_of(part).get("type") for part in list_of(dict_of(value).get("content"))]
        known = super().is_own(value) and dict_of(value).keys() <= _KEYS
        return known and bool(kinds) and all(kind in _PARTS for kind in kinds)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The sessions in the order in which they began."""
        database = document.database
        if database is None or not self.is_store(database):
            yield from super().sessions(document, log)
            return
        for row in database.rows("sessions", "created_at"):
            reader = self.reader(Session(str(row["id"]), agent=self.agent))
            reader.take("header", row)
            messages = database.rows("messages", "created_timestamp", "id", session_id=row["id"])
            for number, message in enumerate(messages):
                record = {
                    "role": message.get("role"),
                    "content": json_or_none(text_of(message.get("content_json"))),
                    "created": message.get("created_timestamp"),
                    "metadata": json_or_none(text_of(message.get("metadata_json"))),
                }
                reader.take(f"{reader.session.id}, message {number}", record)
            yield reader.closed()


class _Reader(RuleReader):
    def times(self, row: Row) -> None:
        """When a session began and ended; times of the database are in UTC without saying so."""
        for key in ("created_at", "updated_at"):
            text = str_or_none(row.value.get(key))
            naive = text and text[-1].isdigit() and "+" not in text and " " in text
            self.clock(f"{text}+00:00" if naive else row.value.get(key))

    def declined(self, _row: Row) -> None:
        result = self.session.events[-1]
        if isinstance(result, ToolResult) and _DECLINED in result.text[:400]:
            result.mark = Mark.DENIED


FORMAT = declared(__file__, _Reader, Goose)
