"""What Antigravity's steps need beyond `antigravity.toml`: which call a tool that ran belongs to."""

from __future__ import annotations

import re
from collections import deque

from analyzer.formats.loading.interface import words_of
from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import dict_of, list_of, text_of
from analyzer.formats.record.warnings import forms
from analyzer.model.session import Session, ToolCall
from analyzer.model.words import Mark
from analyzer.text.late import late

_REQUEST = late(r"<USER_REQUEST>\s*(.*?)\s*</USER_REQUEST>", re.DOTALL)
_EXIT = late(r"exit(?:ed with)? code:? (-?\d{1,10})\b|The command (completed successfully)", re.IGNORECASE)
_DENIED, _STAMPS = "user denied", ("Created At: ", "Completed At: ")
"""What an error says of a call that the user refused, and how lines begin that only give times."""
_COMMAND, _REFUSED, _RUNS_ON = "RUN_COMMAND", "ERROR_MESSAGE", "RUNNING"
_CALL = forms(words_of(__file__)["forms"])["call"]


class _Reader(RuleReader):
    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._asked: deque[ToolCall] = deque()

    def user(self, row: Row) -> None:
        """Tell the user's request from what stands around it."""
        text = text_of(row.value.get("content"))
        found = _REQUEST.search(text)
        self.heard(found[1] if found else text, self.time)
        self.note(_REQUEST.sub("", text).strip() if found else "", self.time)

    def answer(self, row: Row) -> None:
        self._asked.clear()
        for call in map(dict_of, list_of(row.value.get("tool_calls"))):
            _CALL.check(row.place, call, self.log)
            self._asked.append(self._call(row.place, call.get("name"), call.get("args")))

    def _call(self, place: str, name: object, arguments: object) -> ToolCall:
        batch = f"answer {self.answers}"
        return self.call(place, self.numbered("call "), name, arguments, self.time, batch=batch)

    def ran(self, row: Row) -> None:
        """Add what a tool returned; where no answer asked for it, the step is all that is known of the call."""
        kind, status, text = row.value["type"], row.value.get("status"), text_of(row.value.get("content"))
        while text.startswith(_STAMPS):
            text = text.partition("\n")[2]
        if kind == _REFUSED and not self._asked:
            self.note(text, self.time)
            return
        call = self._asked.popleft() if self._asked else self._call("", kind.lower(), {})
        if status not in ("DONE", "ERROR", "CANCELED", "CANCELLED") and not (status == _RUNS_ON and text.strip()):
            return
        result = self.result(call.id, text or text_of(row.value.get("error")), time=self.time)
        if kind == _COMMAND:
            found = _EXIT.search(text[:400])
            result.exit_code = None if found is None else int(found[1]) if found[1] else 0
        failed = kind == _REFUSED or status == "ERROR"
        if status == "ERROR" and _DENIED in text[:400].lower():
            result.mark = Mark.DENIED
        result.is_error = True if failed else None if kind == _COMMAND or status == _RUNS_ON else False


FORMAT = declared(__file__, _Reader)
