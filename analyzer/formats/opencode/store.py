"""Sessions of opencode, put together from what is said of them, of their messages and of the parts of these.

A message and a part may be told again whenever they change: the last of each counts.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import str_or_none


class Store:
    """The sessions that were told of so far, by id, each an object of {info, messages}."""

    def __init__(self) -> None:
        self.sessions: dict[str, dict[str, Any]] = {}
        self.messages: dict[str, dict[str, Any]] = {}
        self._parts: dict[str, tuple[list[Any], int]] = {}

    def session(self, name: object) -> dict[str, Any]:
        """The session with this id."""
        return self.sessions.setdefault(str_or_none(name) or "session", {"info": {"id": name}, "messages": []})

    def message(self, name: object, session: object) -> dict[str, Any]:
        """The message with this id, which belongs to a session."""
        key = str_or_none(name) or f"message of {session}"
        if key not in self.messages:
            self.messages[key] = {"info": {"role": "assistant", "sessionID": session}, "parts": []}
            self.session(session)["messages"].append(self.messages[key])
        return self.messages[key]

    def part(self, part: dict[str, Any]) -> None:
        """Put a part into its message, in the place of what was told of it before."""
        key = str_or_none(part.get("id")) or f"part {len(self._parts)}"
        if key in self._parts:
            parts, at = self._parts[key]
            parts[at] = part
        else:
            parts = self.message(part.get("messageID"), part.get("sessionID"))["parts"]
            self._parts[key] = (parts, len(parts))
            parts.append(part)

    def remove_part(self, name: object) -> None:
        """Take a part back; the places of the others stay as they are."""
        parts, at = self._parts.pop(str(name), ([], 0))
        if at < len(parts):
            parts[at] = {"type": "snapshot"}

    def remove_message(self, name: object, session: object) -> None:
        """Take a message back."""
        message, messages = self.messages.pop(str(name), None), self.session(session)["messages"]
        if message in messages:
            messages.remove(message)
