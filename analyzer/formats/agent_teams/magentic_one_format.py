"""Magentic-One runs: a bare JSON list of messages whose role names the agent (`Orchestrator (thought)`, `WebSurfer`,
...)."""

from __future__ import annotations

from typing import Any

from analyzer.formats.agent_teams.orchestrator import is_orchestrated, read_dialogue
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat
from analyzer.model.session import Session


class MagenticOne(ObjectFormat):
    """Reads one dialogue as one session."""

    name = "magentic-one"
    title = "Magentic-One"
    versions = "role and content lists"
    not_recorded = ("times", "tokens and cost", "the agents' own tool calls", "error flags", "exit codes")
    nothing = "message of a Magentic-One team"

    def is_own(self, value: object) -> bool:
        """Whether it's a list in which an orchestrator speaks."""
        return isinstance(value, list) and is_orchestrated(value)

    def is_readable(self, value: object) -> bool:
        """Whether it's a list with any object."""
        return isinstance(value, list) and any(isinstance(item, dict) for item in value)

    def session(self, document: Document, value: list[Any]) -> Session:
        """The session that a dialogue is."""
        session = Session(document.stem, agent=self.title)
        read_dialogue(value, session)
        return session


FORMAT = MagenticOne()
"""The object that the registry lists."""
