"""A session of opencode: an object of {info, messages}, in which every message has parts.

A call and its result are one part. The result's state says whether the tool itself worked; a command that failed is in
the exit code. A sub-agent is a session of its own that names its parent.
"""

from __future__ import annotations

import re
from typing import Any

from analyzer.formats.loading.interface import end_of, words_of
from analyzer.formats.loading.mapping.values import string_at, tokens_of, value_at
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, parse_time, str_or_none, text_of
from analyzer.formats.record.prompts import mark_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.usage import asked_by, cost_or_none
from analyzer.formats.record.warnings import forms
from analyzer.model.rules import UsageRule
from analyzer.model.session import Compaction, Message, Role, Session
from analyzer.model.words import Ending
from analyzer.text.late import late
from analyzer.text.plain import is_blanked

_SILENT = frozenset({"step-finish", "snapshot", "patch", "file", "agent", "retry"})
_WORDS = words_of(__file__)
_FORMS = forms(_WORDS["forms"])
_ENDED = {"completed": "output", "error": "error"}
_SHELLS = frozenset({"bash", "shell"})
_NOTE = late(r"\s*<(bash|shell)_metadata>(?P<note>.*?)(?:</\1_metadata>|\Z)\s*", re.DOTALL)
_ENDINGS = _WORDS["endings"]
_USED = UsageRule(**_WORDS["usage"])


def is_message(value: object) -> bool:
    """Whether the value is a message with its parts."""
    message = dict_of(value)
    return isinstance(message.get("parts"), list) and "sessionID" in dict_of(message.get("info"))


def session_of(value: dict[str, Any], name: str) -> Session:
    """The session that an object of {info, messages} is; `name` is its id where it has none of its own."""
    session, info = Session(name, agent="opencode"), dict_of(value.get("info"))
    session.id = _own(info.get("id")) or session.id
    session.title, session.agent_version = _own(info.get("title")), str_or_none(info.get("version"))
    for key, label in (("directory", "working directory"), ("parentID", "sub-agent of")):
        if text := _own(info.get(key)):
            session.environment[label] = text
    session.started_at, session.ended_at = (parse_time(value_at(info, f"time.{key}")) for key in ("created", "updated"))
    messages = enumerate(list_of(value.get("messages")))
    return _Reader(session).all_of((f"message {number}", one) for number, one in messages)


def _own(value: object) -> str | None:
    """Return a text that isn't what a store wrote in place of it."""
    text = str_or_none(value)
    return None if text is not None and is_blanked(text) else text


class _Reader(RecordReader):
    _steps = _since = 0
    _compacting = False

    def take(self, place: str, record: object) -> None:
        message = dict_of(record)
        info = dict_of(message.get("info")) or message
        role, parts = info.get("role"), list(map(dict_of, list_of(message.get("parts"))))
        if role not in ("user", "assistant"):
            self.log.add(place, "message of neither the user nor the agent; skipped")
            return
        _FORMS["message"].check(place, message, self.log)
        time = parse_time(value_at(info, "time.created"))
        if role == "user":
            self._user(place, parts, time)
        else:
            self._assistant(place, info, parts, time)

    def _user(self, place: str, parts: list[dict[str, Any]], time: float | None) -> None:
        words = list[str]()
        for part in parts:
            kind, text = part.get("type"), "" if part.get("ignored") is True else text_of(part.get("text"))
            if kind == "text":
                _FORMS["text"].check(place, part, self.log)
            if kind == "text" and part.get("synthetic") is True:
                self.note(text, time)
            elif kind in ("text", "subtask"):
                words.append(text if kind == "text" else text_of(part.get("prompt")))
            elif kind == "compaction":
                self._compact(time, "auto" if part.get("auto") is True else "manual")
            else:
                self.unknown(place, "part type", kind, _SILENT)
        if self.heard("\n".join(filter(str.strip, words)), time):
            self.session.ending = self.session.ending_detail = None

    def _compact(self, time: float | None, trigger: str | None) -> None:
        self.session.events.append(Compaction(time, trigger=trigger))
        self._compacting = True

    def _assistant(self, place: str, info: dict[str, Any], parts: list[dict[str, Any]], time: float | None) -> None:
        session, summary = self.session, info.get("summary") is True
        if summary and not self._compacting:
            self._compact(time, None)
        self._compacting = False
        self.answers += 1
        self._steps += 1
        ended = parse_time(value_at(info, "time.completed"))
        if ended is not None and session.ended_at is not None:
            session.ended_at = max(session.ended_at, ended)  # the header may be older than the last answer
        model = str_or_none(info.get("modelID"))
        session.model = model or session.model
        self.place(dict_of(info.get("path")), cwd="working directory")
        self._since = first = len(session.events)
        # A message of several requests has the tokens of the last one only.
        several = sum(part.get("type") == "step-finish" for part in parts) > 1
        if not several:
            self._spend(info)
        for part in parts:
            self._part(place, part, time, summary=summary)
            if several and part.get("type") == "step-finish":
                self._spend(part)
        asked_by(session.events, first, model)
        session.recorded_status = str_or_none(info.get("finish"))
        session.ending = session.ending_detail = None
        if error := dict_of(info.get("error")):
            name = str_or_none(error.get("name")) or "error"
            self.ended(name, end_of(_ENDINGS, name)[0] or Ending.CRASHED, string_at(error, "data.message") or name)
        elif session.recorded_status == "length":
            session.ending, session.ending_detail = Ending.LIMIT, "the model's answer was cut off at its longest"

    def _spend(self, recorded: dict[str, Any]) -> None:
        # A cost of zero stands for a model whose price isn't known.
        tokens, cost = tokens_of(recorded, _USED), cost_or_none(recorded.get("cost")) or None
        self.meter.spent(tokens, cost, since=self._since)
        self._since = len(self.session.events)

    def _part(self, place: str, part: dict[str, Any], time: float | None, *, summary: bool) -> None:
        kind, text = part.get("type"), text_of(part.get("text"))
        started = parse_time(value_at(part, "time.start")) or time
        if kind in ("text", "reasoning"):
            _FORMS["text"].check(place, part, self.log)
            hidden = kind == "text" and (summary or part.get("synthetic") is True)
            role: Role = "harness" if hidden else "assistant"
            self.session.say(Message(role, text, started, thought=kind == "reasoning"))
        elif kind == "step-start":
            self._steps += 1
        elif kind == "tool":
            self._tool(place, part, time)
        elif kind == "compaction":
            self._compact(started, None)
        else:
            self.unknown(place, "part type", kind, _SILENT)

    def _tool(self, place: str, part: dict[str, Any], time: float | None) -> None:
        state = dict_of(part.get("state"))
        name, arguments = str_or_none(part.get("tool")), arguments_of(state.get("input"))
        _FORMS["tool"].check(place, part, self.log)
        status = state.get("status")
        if state:
            _FORMS["state"].check(place, state, self.log)
        if isinstance(status, str) and status not in (*_ENDED, "pending", "running"):
            self.log.add(place, f"unknown state of a tool {status[:60]!r}; its result isn't read")
        elif isinstance(status, str) and status in _ENDED and _ENDED[status] not in state:
            self.log.add(place, f"a tool's state {status!r} without {_ENDED[status]!r}")
        if name == "invalid" and isinstance(arguments, dict):
            name = str_or_none(arguments.get("tool")) or name
        started, ended = (parse_time(value_at(state, f"time.{key}")) for key in ("start", "end"))
        # Ids repeat where a store wrote one text in place of every id; a call and its result stand together anyhow.
        call_id = self.numbered(f"{_own(part.get('callID')) or 'call'} #")
        self.call(place, call_id, name, arguments, started or time, batch=f"step {self._steps}")
        if isinstance(status, str) and status in _ENDED:
            failed, tool = status == "error", str_or_none(part.get("tool"))
            text, shell = text_of(state.get("error" if failed else "output")), tool in _SHELLS
            # Without its own beginning the call has the time at which the model began its answer.
            back = ended if started is not None else None
            result = self.result(call_id, text, True if failed else None if shell else False, back)
            result.duration = max(0.0, ended - started) if started is not None and ended is not None else None
            result.exit_code = int_or_none(value_at(state, "metadata.exit")) if shell else None
            note = _NOTE.search(text) if shell else None
            result.mark = mark_of((note["note"] if note else text if failed or tool == "invalid" else "").lstrip())
