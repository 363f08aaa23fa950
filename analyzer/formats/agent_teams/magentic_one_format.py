"""Magentic-One runs: a bare JSON list of messages whose role names the agent (`Orchestrator (thought)`, `WebSurfer`,
...)."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.agent_teams.orchestrator import is_orchestrated, read_dialogue
from analyzer.formats.container.document import Document
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session


class MagenticOne:
    """Reads one dialogue as one session."""

    name = "magentic-one"
    title = "Magentic-One"
    versions = "role and content lists"
    not_recorded: tuple[str, ...] = (
        "times",
        "tokens and cost",
        "the agents' own tool calls",
        "error flags",
        "exit codes",
    )

    def sniff(self, document: Document) -> bool:
        """Whether the document is a list in which an orchestrator speaks."""
        return isinstance(document.value, list) and is_orchestrated(document.value)

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the file's one session."""
        if not isinstance(document.value, list) or not any(isinstance(item, dict) for item in document.value):
            raise UnreadableInput("holds no message of a Magentic-One team.", where=document.name)
        session, warning_log = Session(id=document.stem, agent=self.title), WarningLog()
        read_dialogue(document.value, session, warning_log)
        session.warnings = warning_log.warnings()
        yield session


FORMAT = MagenticOne()
"""The object that the registry lists."""
