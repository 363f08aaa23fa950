"""opencode's folder of JSON files, which came before its database: a file for each session, message and part.

Newer folders have `session/<project>/<session>.json`, `message/<session>/<message>.json` and
`part/<message>/<part>.json`; in older ones all of it lies in `session/`, with the session's name in the parts' path as
well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.formats.record.fields import dict_of, parse_time
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import ReadWarning
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


def sessions_of_files(document: Document, warning_log: WarningLog) -> dict[str, dict[str, Any]]:
    """Every session of the folder, by id, as an object of {info, messages}."""
    assert document.bundle is not None
    return {
        session: _session(document, session, names, warning_log)
        for session, names in files_of_sessions(document.bundle.names).items()
    }


def _session(document: Document, name: str, names: list[str], warning_log: WarningLog) -> dict[str, Any]:
    info: dict[str, Any] = {"id": name}
    messages: list[dict[str, Any]] = []
    warnings: list[ReadWarning] = []
    for place in names:
        value = document.member_value(place, warnings)
        if not isinstance(value, dict):
            if value is not MISSING:
                warning_log.wrong_type(place, value, "an object")
            continue
        if _PART.fullmatch(place):
            if messages and messages[-1]["info"].get("id") == value.get("messageID", messages[-1]["info"].get("id")):
                messages[-1]["parts"].append(value)
            else:
                warning_log.add(place, "part of a message that can't be read; skipped")
        elif _MESSAGE.fullmatch(place):
            messages.append({"info": {"sessionID": name, **value}, "parts": []})
        else:
            info |= value
    for warning in warnings:
        warning_log.add(warning.where, warning.what)
    messages.sort(key=lambda message: parse_time(dict_of(message["info"].get("time")).get("created")) or 0.0)
    return {"info": info, "messages": messages}


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
