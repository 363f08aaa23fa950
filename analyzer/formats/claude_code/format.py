"""Claude Code session logs: JSON lines, one record per line, one file per session."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.claude_code.reader import Reader
from analyzer.formats.claude_code.text import is_record, is_said
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.fields import dict_of, list_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.model.session import Session


class ClaudeCode(SessionsFormat):
    """Session logs of Claude Code, as kept under `~/.claude/projects`."""

    def sniff(self, document: Document) -> bool:
        """Whether some record near the start is one that only Claude Code writes."""
        exported = list_of(dict_of(document.value).get("loglines"))
        return any(map(is_record, sample_of(document))) or any(map(is_said, exported[:5]))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        reader = Reader()
        for record in records_of(document, log.damage, "loglines"):
            reader.take(record.place, record.value)
        if reader.taken:
            yield reader.finish(document.stem)


FORMAT = described(__file__, ClaudeCode)
"""The object that the registry lists."""
