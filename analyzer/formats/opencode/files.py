"""opencode's folder of JSON files, which came before its database: a file for each session, message and part.

Newer folders have `session/<project>/<session>.json`, `message/<session>/<message>.json` and
`part/<message>/<part>.json`; in older ones all of it lies in `session/`, with the session's name in the parts' path as
well.
"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.opencode.store import Store
from analyzer.formats.record.fields import dict_of, parse_time
from analyzer.text.expressions import compiled

_SESSION = compiled(r"session/[^/]+/(?P<session>[^/]+)\.json")
_MESSAGE = compiled(r"(?:session/)?message/(?P<session>[^/]+)/(?P<message>[^/]+)\.json")
_PART = compiled(r"(?:session/part/[^/]+|part)/(?P<message>[^/]+)/[^/]+\.json")


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
    assert document.bundle is not None
    for name in document.bundle.names:
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
