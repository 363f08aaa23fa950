"""Sessions of opencode, put together from what is said of them, of their messages and of the parts of these; and the
folder of JSON files, which came before its database, with a file for each session, message and part.

Newer folders have `session/<project>/<session>.json`, `message/<session>/<message>.json` and
`part/<message>/<part>.json`; in older ones all of it lies in `session/`, with the session's name in the parts' path as
well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.record.fields import dict_of, parse_time, str_or_none
from analyzer.text.late import late

_SESSION = late(r"session/[^/]+/(?P<session>[^/]+)\.json")
_MESSAGE = late(r"(?:session/)?message/(?P<session>[^/]+)/(?P<message>[^/]+)\.json")
_PART = late(r"(?:session/part/[^/]+|part)/(?P<message>[^/]+)/[^/]+\.json")


class Store:
    """The sessions that are known so far, by id, each an object of {info, messages}. A message and a part are
    recorded again whenever they change: the last of each counts."""

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
        """Put a part into its message, in the place of what was known of it before."""
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


def files_of_sessions(names: Iterable[str]) -> dict[str, list[str]]:
    """The files of each session that has messages, by its id; first the one about itself, then each message with its
    parts. `names` are paths from the folder on."""
    own: dict[str, list[str]] = {}
    messages: dict[str, list[tuple[str, str]]] = {}
    parts: dict[str, list[str]] = {}
    for name in sorted(names):
        if found := _MESSAGE.fullmatch(name):
            messages.setdefault(found["session"], []).append((found["message"], name))
        elif found := _PART.fullmatch(name):
            parts.setdefault(found["message"], []).append(name)
        elif found := _SESSION.fullmatch(name):
            own.setdefault(found["session"], []).append(name)
    return {
        session: [*own.get(session, []), *(name for ident, file in listed for name in (file, *parts.get(ident, [])))]
        for session, listed in messages.items()
    }


def take_files(document: Document, store: Store, log: FileLog) -> None:
    """Take in the folder's files."""
    for name in document.names:
        session, message, part = (pattern.fullmatch(name) for pattern in (_SESSION, _MESSAGE, _PART))
        value = document.member_value(name, log.damage) if session or message or part else MISSING
        if value is MISSING:
            continue
        if not isinstance(value, dict):
            log.wrong_type(name, value, "an object")
        elif message:
            store.message(message["message"], message["session"])["info"] = {"sessionID": message["session"], **value}
        elif part and str(owner := value.get("messageID", part["message"])) not in store.messages:
            log.add(name, "part of a message that can't be read; skipped")
        elif part:
            store.part({**value, "messageID": owner})
        elif session:
            store.session(session["session"])["info"] |= value
    for one in store.sessions.values():
        one["messages"].sort(key=lambda message: parse_time(dict_of(message["info"].get("time")).get("created")) or 0.0)


_KEPT = ("session", "message", "part", "session_diff", "session_share", "project", "todo")


def claim(folder: Folder) -> Claim | None:
    """The folder with the folders of sessions, messages and parts: each session with what is its own."""
    if folder.named or not ("session" in folder.folders or {"message", "part"} <= set(folder.folders)):
        return None
    kept = frozenset(name for name in folder.folders if name in _KEPT)
    kinds = [kind for kind in ("session", "message", "part") if kind in folder.folders]
    names = [f"{kind}/{name}" for kind in kinds for name in folder.tree.below(folder.place(kind))]
    sessions = files_of_sessions(names)
    first = next((name for files in sessions.values() for name in files if "message/" in name), None)
    if first is None or not folder.holds(first, b'"role"'):
        return None
    units = tuple(Unit(folder.place(files[0]), folder.path, tuple(files)) for files in sessions.values())
    return Claim(units, frozenset(), kept)
