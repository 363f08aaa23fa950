"""opencode's database: tables of sessions, messages and parts, of which the last two hold the exported objects."""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.record.fields import dict_of, json_or_none, str_or_none

_INFO = {
    "parentID": "parent_id",
    "projectID": "project_id",
    "directory": "directory",
    "title": "title",
    "version": "version",
}


def is_store(database: Database) -> bool:
    """Whether the database has opencode's tables."""
    return (
        database.has("session", "id")
        and database.has("message", "id", "session_id", "data")
        and database.has("part", "message_id", "data")
    )


def sessions_of_store(database: Database) -> dict[str, dict[str, Any]]:
    """Every session of the database, by id, as an object of {info, messages}, in the order in which they began."""
    found: dict[str, dict[str, Any]] = {}
    for row in database.rows("session", "time_created", "id"):
        info = {key: row.get(column) for key, column in _INFO.items()} | {"id": row["id"]}
        info["time"] = {"created": row.get("time_created"), "updated": row.get("time_updated")}
        found[str(row["id"])] = {"info": info, "messages": []}
    messages: dict[str, dict[str, Any]] = {}
    for row in database.rows("message", "time_created", "id"):
        session = str(row["session_id"])
        message = {"info": _data(row) | {"id": row["id"], "sessionID": session}, "parts": []}
        messages[str(row["id"])] = message
        found.setdefault(session, {"info": {"id": session}, "messages": []})["messages"].append(message)
    for row in database.rows("part", "id"):
        if (owner := messages.get(str(row["message_id"]))) is not None:
            owner["parts"].append(_data(row) | {"id": row.get("id")})
    return found


def _data(row: dict[str, Any]) -> dict[str, Any]:
    return dict_of(json_or_none(str_or_none(row.get("data")) or "null"))
