"""Claude Code session logs: JSON lines, one record per line, one file per session."""

from __future__ import annotations

from analyzer.formats.claude_code.reader import Reader
from analyzer.formats.claude_code.text import is_record, is_said
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import described
from analyzer.formats.record.fields import dict_of, list_of
from analyzer.formats.record.reader import RecordFormat
from analyzer.formats.record.records import sample_of


class ClaudeCode(RecordFormat):
    """Session logs of Claude Code, as kept under `~/.claude/projects`."""

    reader = Reader
    listed = "loglines"

    def is_readable(self, value: object) -> bool:
        """Whether a record has a type."""
        return isinstance(dict_of(value).get("type"), str)

    def sniff(self, document: Document) -> bool:
        """Whether some record near the start is one that only Claude Code writes."""
        exported = list_of(dict_of(document.value).get("loglines"))
        return any(map(is_record, sample_of(document))) or any(map(is_said, exported[:5]))


FORMAT = described(__file__, ClaudeCode)
