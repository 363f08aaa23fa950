"""What databases of Crush need beyond `crush.toml`: their rows, the program's own shell, and how a session ends.

What a sub-agent cost is counted in its parent's cost as well. A command that the user runs in the program's own shell
is a row of the user's, and what it prints one of the assistant's that names no model and has no end: both are the
program's, since no model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, end_of, words_of
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, json_or_none, list_of, str_or_none
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Session
from analyzer.text.late import late

_FOLDER = late(r"\n*<cwd>(?P<folder>[^<\n]*)</cwd>\s*\Z")
"""Where the shell stands after a command, which the tool writes behind its output."""
_EXIT = late(r"^Exit code (-?\d{1,10})\s*\Z", re.MULTILINE)
_ENDINGS = words_of(__file__)["endings"]


class Crush(Declared):
    """Reads every session of a database in which something was said."""

    def sessions(self, document: Document, _log: FileLog) -> Iterator[Session]:
        """The sessions in the order in which they began."""
        database = document.database
        if database is not None and self.is_store(database):
            rows = list(database.rows("sessions", "created_at"))
            answers = database.rows("messages", "created_at", role="assistant")
            named = any(str_or_none(answer.get("model")) for answer in answers)
            for row in rows:
                yield self._session(database, row, _own_cost(row, rows), models_named=named)

    def _session(self, database: Database, row: dict[str, Any], cost: float | None, *, models_named: bool) -> Session:
        agent = "Crush" if database.has("messages", "provider") else "opencode (Go)"
        reader = self.reader(Session(str(row["id"]), agent=agent, title=str_or_none(row.get("title")), cost_usd=cost))
        reader.clock(row.get("created_at"))
        reader.place(row, parent_session_id="sub-agent of")
        summary, messages = str_or_none(row.get("summary_message_id")), []
        for message in database.rows("messages", "created_at", session_id=row["id"]):
            parts = json_or_none(str(message.get("parts")))
            of_summary = bool(message.get("is_summary_message")) or (message.get("id") == summary is not None)
            messages.append({**message, "parts": parts, **({"@summary": True} if of_summary else {})})
        for place in _of_shell(messages) if models_named else ():
            messages[place]["@shell"] = True
        return reader.all_of((f"{row['id']}, message {number}", message) for number, message in enumerate(messages))


def _own_cost(row: dict[str, Any], rows: list[dict[str, Any]]) -> float | None:
    """What a session cost without its sub-agents; None where nothing was counted."""
    total = cost_or_none(row.get("cost"))
    inner = [cost_or_none(one.get("cost")) or 0.0 for one in rows if one.get("parent_session_id") == row["id"]]
    return max(0.0, total - sum(inner)) if total else None


def _of_shell(messages: list[dict[str, Any]]) -> set[int]:
    """The places of the commands that the user ran in the program's own shell, and of what they printed."""
    found: set[int] = set()
    for place, message in enumerate(messages):
        asked = place and messages[place - 1].get("role") == "user"
        if asked and message.get("role") == "assistant" and str_or_none(message.get("model")) is None:
            kinds = [dict_of(part).get("type") for part in list_of(message["parts"])]
            found |= {place - 1, place} if kinds and all(kind == "text" for kind in kinds) else set()
    return found


class _Reader(RuleReader):
    def user(self, row: Row) -> None:
        """What the user's row says, unless it's a result beside it once more."""
        text, printed = text_at(row, "data.text"), list_of(value_at(row, "^parts[].data.content"))
        if not any(isinstance(said, str) and said and said in text for said in printed) and self.heard(text, self.time):
            self.ended()

    def written(self, row: Row) -> None:
        """Note a call whose row was written while the model wrote it."""
        self.last_call.unfinished = value_at(row, "data.finished") is False

    def told(self, row: Row) -> None:
        """Note of a result how long it took, and of a command's the exit code, without the folder behind it."""
        result, about = self.last_result, "data.metadata"
        started, ended = (float_or_none(value_at(row, f"{about}.{key}")) for key in ("start_time", "end_time"))
        if started is not None and ended is not None and ended >= started:
            result.duration = (ended - started) / 1000
        asked = self.calls.get(result.call_id)
        if asked is None or asked.name.lower() != "bash":
            return
        if folder := _FOLDER.search(result.text):
            result.text = result.text[: folder.start()]
            self.session.environment.setdefault("working directory", folder["folder"])
        found = _EXIT.search(result.text)
        result.exit_code = int_or_none(value_at(row, f"{about}.exit_code")) if found is None else int(found[1])
        # A command that failed comes back without the flag, which speaks of the tool.
        result.is_error = result.is_error or None

    def finished(self, row: Row) -> None:
        status = string_at(row, "data.reason")
        ending, detail = end_of(_ENDINGS, status)
        said = [text for key in ("data.message", "data.details") if (text := string_at(row, key))]
        self.ended(status, ending, ": ".join(said) if ending is not None and said else detail)


FORMAT = declared(__file__, _Reader, Crush)
