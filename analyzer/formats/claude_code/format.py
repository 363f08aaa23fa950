"""Claude Code session logs: JSON lines, one record per line, one file per session."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.claude_code.reader import AGENT, Reader, is_record, is_said, records_of
from analyzer.formats.container.document import Document
from analyzer.formats.record.fields import list_of
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session


class ClaudeCode:
    """Session logs of Claude Code, as kept under `~/.claude/projects`."""

    name = "claude-code"
    title = AGENT
    versions = "2.0.14 to 2.1.181"
    not_recorded: tuple[str, ...] = ("cost", "how the session ended", "exit codes of commands in the background")

    def sniff(self, document: Document) -> bool:
        """Whether some record near the start is one that only Claude Code writes."""
        value = document.value
        if isinstance(value, dict):
            return is_record(value) or any(map(is_said, list_of(value.get("loglines"))[:5]))
        if isinstance(value, list):
            return any(map(is_record, value[:5]))
        return any(is_record(record.value) for record in document.head)

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the file's one session."""
        reader = Reader()
        for record in records_of(document, reader.warnings):
            reader.take(f"line {record.line}", record.value)
        if not reader.taken:
            raise UnreadableInput("holds no Claude Code record.", where=document.name)
        yield reader.session(document.stem)


FORMAT = ClaudeCode()
"""The object that the registry lists."""
