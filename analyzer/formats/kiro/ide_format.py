"""Kiro's editor: a session's history, and the executions that did the work.

The history of a session holds what the user said; of what the agent did it only names the executions, each a file of
its own with a list of actions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, words_of
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, parse_time, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import ReadWarning, Session
from analyzer.model.words import Mark
from analyzer.text.late import late

_TEXTS = ("output", "response", "message", "text", "content", "error", "errorMessage")
_WORDS = words_of(__file__)
_FAILED, _MARKS = _WORDS["failed"], {word: Mark(mark) for mark, words in _WORDS["marks"].items() for word in words}
"""What the words for the state of an action say of its call."""
_ON_IT = "On it."
"""What the history has in the place of an answer."""
_SESSIONS, _INDEX = "workspace-sessions", "sessions.json"
_WORKSPACE = late(r"[0-9a-f]{32}")
_EXECUTION = re.compile(rb'"executionId"\s*:\s*"([^"]{1,200})"')
_RUNS = b'"executions"'
_HEAD = 1 << 12


class KiroIde(SessionsFormat):
    """Reads a session with its executions, or an execution alone, as one session."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is an execution, or a history that names executions."""
        if document.bundle is not None:
            return any("history" in value and self.is_own(value) for value in _members(document, []).values())
        return self.is_own(document.value)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        values = {"the execution": document.value} if document.bundle is None else _members(document, log.damage)
        own = {name: value for name, value in values.items() if self.is_own(value)}
        executions = {str(value["executionId"]): (name, value) for name, value in own.items() if "actions" in value}
        history = next((value for value in own.values() if "history" in value), None)
        reader = _Reader(Session(document.stem, agent="Kiro"))
        if history is not None:
            reader.history(history, executions)
        for ident, (name, record) in executions.items():
            if history is None:
                reader.begin(ident, record)
            reader.take(name, record)
        yield reader.closed()


FORMAT = described(__file__, KiroIde)


def _members(document: Document, warnings: list[ReadWarning]) -> dict[str, Any]:
    assert document.bundle is not None
    named = ((name.rpartition("/")[2], name) for name in document.bundle.names[:200])
    names = (name for last, name in named if last.endswith(".json") or "." not in last)
    return {name: dict_of(document.member_value(name, warnings)) for name in names}


class _Reader(RecordReader):
    def history(self, value: dict[str, Any], executions: dict[str, tuple[str, dict[str, Any]]]) -> None:
        """Take in a history, with the executions that it names, which are none of the others any more."""
        session = self.session
        session.id = str_or_none(value.get("sessionId")) or session.id
        session.title, session.model = str_or_none(value.get("title")), str_or_none(value.get("selectedModel"))
        self.place(value, workspaceDirectory="working directory")
        for number, entry in enumerate(map(dict_of, list_of(value.get("history"))), 1):
            message, run = dict_of(entry.get("message")), str_or_none(entry.get("executionId"))
            text, role = text_of(message.get("content")), message.get("role")
            if role == "user":
                self.heard(text)
            elif role == "assistant":
                if run in executions:
                    self.take(*executions.pop(str(run)))
                elif run is not None:
                    self.log.add(f"entry {number}", "what the agent did is in a file that isn't here")
                if text.strip() != _ON_IT:
                    self.answers += bool(text.strip())
                    self.say(text)
            else:
                self.unknown(f"entry {number}", "role", role)

    def begin(self, ident: str, record: dict[str, Any]) -> None:
        """Take in what an execution alone was asked."""
        self.session.id = ident
        self.place(record, chatSessionId="part of session")
        given = map(dict_of, list_of(dict_of(dict_of(record.get("input")).get("data")).get("messages")))
        asked = [text_of(one.get("content")) for one in given if one.get("role") in ("user", "human")]
        self.heard("".join(asked[-1:]))

    def take(self, place: str, record: dict[str, Any]) -> None:
        session, status = self.session, str_or_none(record.get("status"))
        for key in ("startTime", "endTime"):
            self.clock(record.get(key))
        data = dict_of(dict_of(record.get("input")).get("data"))
        session.model = str_or_none(data.get("modelId")) or session.model
        for number, action in enumerate(map(dict_of, list_of(record.get("actions"))), 1):
            self._action(f"{place}, action {number}", action)
        self.ended(status or session.recorded_status, *end_of(_WORDS["endings"], status))

    def _action(self, place: str, action: dict[str, Any]) -> None:
        kind, given, out = str_or_none(action.get("actionType")), action.get("input"), action.get("output")
        time, said = self.clock(action.get("emittedAt")), _text(out)
        if kind is None:
            self.log.add(place, "action without a type; skipped")
        elif kind in ("say", "reasoning") and out is not None:
            self.answers += kind == "say"
            self.say(said, time, thought=kind == "reasoning")
        elif kind == "displayError":
            self.note(text_of(action.get("errorMessage")) or said, time)
        elif isinstance(given, dict | str) and given:
            self._acted(action, kind, given, time)
        elif out not in (None, "", {}):
            self.log.add(place, f"action {kind[:60]!r} with an output and no input; skipped")

    def _acted(self, action: dict[str, Any], kind: str, given: Any, time: float | None) -> None:
        about, call_id, out = dict_of(given), action.get("actionId"), action.get("output")
        named = str_or_none(about.get("toolName"))
        self.call("", call_id, named or kind, about.get("toolArgs") if named else given, time)
        state = (str_or_none(action.get("actionState")) or "").lower()
        failed, mark, ended = _FAILED.get(state), _MARKS.get(state), parse_time(action.get("endTime"))
        if out is None and not failed and mark is None:
            return
        result = self.result(call_id, _text(out) or text_of(action.get("errorMessage")), failed, ended or time)
        result.exit_code, result.mark = int_or_none(dict_of(out).get("exitCode")), mark
        if failed is False and result.exit_code is not None:
            result.is_error = None
        if ended is not None and time is not None and ended >= time:
            result.duration = ended - time


def _text(value: object) -> str:
    """The text of an output, which has it under one of several keys."""
    if isinstance(value, dict):
        value = next((value[key] for key in _TEXTS if value.get(key) not in (None, "")), None)
    return text_of(value)


def claim(folder: Folder) -> Claim | None:
    """Each session with the executions that its history names, and the others by themselves."""
    if folder.named or _SESSIONS not in folder.folders:
        return None
    workspaces = [name for name in folder.folders if _WORKSPACE.fullmatch(name)]
    runs = _runs(folder, workspaces)
    units = []
    taken: set[str] = set()
    for place in sorted(folder.tree.below(folder.place(_SESSIONS))):
        name = f"{_SESSIONS}/{place}"
        if not name.endswith(".json") or name.endswith(f"/{_INDEX}"):
            continue
        named = _EXECUTION.findall(folder.tree.read(folder.place(name)))
        found = tuple(dict.fromkeys(runs[run] for run in named if run in runs))
        taken.update(found)
        units.append(Unit(folder.place(name), folder.path, (name, *found)))
    units += [Unit(folder.place(name)) for name in sorted(runs.values()) if name not in taken]
    return Claim(tuple(units), frozenset(), frozenset({_SESSIONS, *workspaces})) if units else None


def _runs(folder: Folder, workspaces: list[str]) -> dict[bytes, str]:
    runs: dict[bytes, str] = {}
    for workspace in workspaces:
        for place in sorted(folder.tree.below(folder.place(workspace))):
            name = f"{workspace}/{place}"
            start = folder.tree.read(folder.place(name), _HEAD) if "." not in place.rpartition("/")[2] else b""
            found = _EXECUTION.search(start)
            if found is not None and _RUNS not in start[: found.start()]:
                runs.setdefault(found[1], name)
    return runs
