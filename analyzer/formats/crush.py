"""Sessions of Crush, and of the opencode written in Go from which it came: an SQLite database in each project.

All sessions of the project are rows of one table, their messages rows of another, each with its parts as JSON. A
sub-agent is a session that names its parent; what it cost is counted in the parent's cost as well.

A command that the user runs in the program's own shell is a row of the user's, and what it prints one of the
assistant's that names no model and has no end: both are the program's, since no model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, json_or_none, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import take_time
from analyzer.formats.record.usage import asked_by, cost_or_none
from analyzer.model.session import Compaction, Message, Session, ToolResult
from analyzer.model.words import Ending
from analyzer.text.expressions import compiled

_SILENT = frozenset({"image_url", "binary"})
_FOLDER = compiled(r"\n*<cwd>(?P<folder>[^<\n]*)</cwd>\s*\Z")
"""Where the shell stands after a command, which the tool writes behind its output."""
_EXIT = compiled(r"^Exit code (-?\d{1,10})\s*\Z", re.MULTILINE)
_DENIED = "permission_denied"
_ENDINGS = {
    "canceled": (Ending.CANCELLED, "the user stopped the agent"),
    "cancelled": (Ending.CANCELLED, "the user stopped the agent"),
    "error": (Ending.CRASHED, "the model's service failed"),
    "max_tokens": (Ending.LIMIT, "the model's answer was cut off at its longest"),
    _DENIED: (Ending.CANCELLED, "the user denied a permission"),
}


class Crush(SessionsFormat):
    """Reads every session of a database in which something was said."""

    name = "crush"
    title = "Crush, opencode in Go"
    versions = "databases of 2025, and of 2025 to 2026 of the ancestor"
    not_recorded = (
        "tokens (only those of the last request)",
        "the working directory before the first command",
        "exit codes, unless the result's text has them",
    )
    nothing = "message of Crush"
    said_something = True

    def sniff(self, document: Document) -> bool:
        """Whether the document is a database with these tables."""
        database = document.database
        return (
            database is not None
            and database.has("sessions", "id", "message_count")
            and database.has("messages", "session_id", "role", "parts")
        )

    def sessions(self, document: Document, _log: FileLog) -> Iterator[Session]:
        """The sessions in the order in which they began."""
        database = document.database
        if database is not None and self.sniff(document):
            rows = list(database.rows("sessions", "created_at"))
            named = any(map(_names_model, database.rows("messages", "created_at", role="assistant")))
            for row in rows:
                yield _session(database, row, _own_cost(row, rows), models_named=named)


FORMAT = Crush()
"""The object that the registry lists."""


def _own_cost(row: dict[str, Any], rows: list[dict[str, Any]]) -> float | None:
    """What a session cost without its sub-agents; None where nothing was counted."""
    total = cost_or_none(row.get("cost"))
    inner = [cost_or_none(one.get("cost")) or 0.0 for one in rows if one.get("parent_session_id") == row["id"]]
    return max(0.0, total - sum(inner)) if total else None


def _names_model(message: dict[str, Any]) -> bool:
    return bool((str_or_none(message.get("model")) or "").strip())


def _of_shell(messages: list[dict[str, Any]]) -> set[int]:
    """The places of the commands that the user ran in the program's own shell, and of what they printed."""
    found: set[int] = set()
    for place, message in enumerate(messages):
        if message.get("role") != "assistant" or _names_model(message) or not place:
            continue
        parts = json_or_none(text_of(message.get("parts")))
        kinds = [dict_of(part).get("type") for part in parts] if isinstance(parts, list) else []
        if kinds and set(kinds) == {"text"} and messages[place - 1].get("role") == "user":
            found |= {place - 1, place}
    return found


def _session(database: Database, row: dict[str, Any], cost: float | None, *, models_named: bool) -> Session:
    agent = "Crush" if database.has("messages", "provider") else "opencode (Go)"
    session = Session(str(row["id"]), agent=agent, title=str_or_none(row.get("title")), cost_usd=cost)
    take_time(session, row.get("created_at"))
    if parent := str_or_none(row.get("parent_session_id")):
        session.environment["sub-agent of"] = parent
    reader = _Reader(session, str_or_none(row.get("summary_message_id")))
    messages = list(database.rows("messages", "created_at", session_id=row["id"]))
    of_shell = _of_shell(messages) if models_named else set()
    for number, message in enumerate(messages):
        reader.message(f"{session.id}, message {number}", message, of_shell=number in of_shell)
    reader.close()
    return session


class _Reader(RecordReader):
    def __init__(self, session: Session, summary: str | None) -> None:
        super().__init__(session)
        self._summary = summary
        self._tools: dict[str, str] = {}

    def message(self, place: str, message: dict[str, Any], *, of_shell: bool = False) -> None:
        """Take in one row of the messages; `of_shell` says that it's of the program's own shell."""
        session, role = self.session, message.get("role")
        time = take_time(session, message.get("created_at"))
        if role == "assistant":
            # The row is made when the model begins, and complete at the latest with its last change.
            written = [take_time(session, message.get(key)) for key in ("finished_at", "updated_at")]
            time = next((moment for moment in written if moment is not None), time)
        parts = json_or_none(text_of(message.get("parts")))
        if not isinstance(parts, list) or role not in ("user", "assistant", "tool"):
            self.log.add(place, "no message with parts of the user, the agent or a tool; skipped")
            return
        if of_shell:
            for text in (text_of(dict_of(dict_of(part).get("data")).get("text")) for part in parts):
                self.note(text, time)
            return
        if role == "assistant":
            self.answers += 1
            session.model = str_or_none(message.get("model")) or session.model
            self.ended()
        summary = bool(message.get("is_summary_message")) or (message.get("id") == self._summary is not None)
        if summary:
            session.events.append(Compaction(time))
        first = len(session.events)
        printed = [dict_of(dict_of(part).get("data")).get("content") for part in parts]
        for part in map(dict_of, parts):
            said = text_of(dict_of(part.get("data")).get("text"))
            # What the user's row says beside a result is the user's only where it isn't the result once more.
            if role != "user" or not any(isinstance(text, str) and text and text in said for text in printed):
                self._part(place, str(role), part, time, summary=summary)
        asked_by(session.events, first, str_or_none(message.get("model")))

    def _part(self, place: str, role: str, part: dict[str, Any], time: float | None, *, summary: bool) -> None:
        session, kind, data = self.session, part.get("type"), dict_of(part.get("data"))
        if kind == "text":
            text = text_of(data.get("text"))
            if summary or role != "user":
                self.session.say(Message("harness" if summary else "assistant", text, time))
            elif self.heard(text, time):
                self.ended()
        elif kind == "reasoning":
            self.say(text_of(data.get("thinking")), time, thought=True)
        elif kind == "tool_call":
            self._call(place, data, time)
        elif kind == "tool_result":
            session.events.append(self._result(data, time))
        elif kind == "finish":
            if role == "assistant":
                self._finish(data)
        else:
            self.unknown(place, "part", kind, _SILENT)

    def _call(self, place: str, data: dict[str, Any], time: float | None) -> None:
        call = self.call(
            place, data.get("id"), data.get("name"), data.get("input"), time, batch=f"answer {self.answers}"
        )
        # The row of a call is written while the model writes it.
        call.unfinished = data.get("finished") is False
        self._tools[str(call.id)] = str_or_none(data.get("name")) or ""

    def _result(self, data: dict[str, Any], time: float | None) -> ToolResult:
        call_id, text = str_or_none(data.get("tool_call_id")), text_of(data.get("content"))
        about = dict_of(json_or_none(text_of(data.get("metadata"))))
        shell = self._tools.get(str(call_id), "").lower() == "bash"
        if shell and (folder := _FOLDER.search(text)):
            text = text[: folder.start()]
            self.session.environment.setdefault("working directory", folder["folder"])
        failed = data.get("is_error")
        # A command that failed comes back without the flag, which speaks of the tool.
        result = ToolResult(call_id, text, True if failed is True else False if failed is False and not shell else None)
        result.time = time
        started, ended = float_or_none(about.get("start_time")), float_or_none(about.get("end_time"))
        if started is not None and ended is not None and ended >= started:
            result.duration = (ended - started) / 1000
        if shell:
            found = _EXIT.search(text)
            result.exit_code = int_or_none(about.get("exit_code")) if found is None else int(found[1])
        return result

    def _finish(self, data: dict[str, Any]) -> None:
        session = self.session
        session.recorded_status = reason = str_or_none(data.get("reason"))
        session.ending, session.ending_detail = _ENDINGS.get(reason or "", (None, None))
        said = [text for key in ("message", "details") if (text := str_or_none(data.get(key)))]
        if session.ending is not None and said:
            session.ending_detail = ": ".join(said)
