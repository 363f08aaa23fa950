"""Trajectories of OpenClaw: what happened around each run of the agent, with the messages so far after each.

A run's record holds the messages that the model then had. Those of all runs together are the session; a message is
known by its time. The session's own file has the same messages, and is better where it's there.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.pi.format import EntryReader
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import records_of
from analyzer.model.session import ReadWarning, Session
from analyzer.model.words import Ending
from analyzer.text.english import plural

Json = dict[str, Any]


class Run:
    """Collects a run's records.

    The recorder keeps the first messages of a list only. What it says of the run apart from them is what the agent
    said, text by text, and which tools it called, each with a few words on it in place of its arguments.
    """

    def __init__(self, prompt_at: object) -> None:
        self.prompt_at = prompt_at
        self.ended_at: object = None
        self.prompt = ""
        self.messages: list[Json] = []
        self.cut = False
        self.about: Json = {}

    def tell(self, data: Json, at: object) -> None:
        """Take in a record that says how the run went."""
        self.about |= data
        self.prompt = text_of(data.get("finalPromptText")) or self.prompt
        self.ended_at = at

    def left_out(self) -> list[Json]:
        """The messages of a cut run that aren't recorded as such, as far as something is known of them: the prompt, and
        behind what is recorded the agent's words, each before one of its calls."""
        if not self.cut:
            return []
        recorded = [message for message in self.messages if message.get("role") == "assistant"]
        said = sum(map(_speaks, recorded))
        made = sum(len(_blocks(message, "toolCall")) for message in recorded)
        texts = [text for text in map(text_of, list_of(self.about.get("assistantTexts"))) if text.strip()][said:]
        tools = [entry for entry in map(dict_of, list_of(self.about.get("toolMetas"))) if entry.get("toolName")][made:]
        asked = any(message.get("role") == "user" for message in self.messages) or not self.prompt.strip()
        found = [] if asked else [{"role": "user", "content": self.prompt, "timestamp": self.prompt_at}]
        for text, entry in zip_longest(texts, tools):
            words = [] if text is None else [{"type": "text", "text": text}]
            # The last words may come after all calls: then the run's end is their time.
            at = self.ended_at if entry is None and text is texts[-1] else None
            found.append({"role": "assistant", "content": words + ([_call(entry)] if entry else []), "timestamp": at})
        return found


def _blocks(message: Json, kind: str) -> list[Json]:
    return [block for block in map(dict_of, list_of(message.get("content"))) if block.get("type") == kind]


def _speaks(message: Json) -> bool:
    content = message.get("content")
    return bool(text_of(_blocks(message, "text") if isinstance(content, list) else content).strip())


def _call(entry: Json) -> Json:
    # The words on a call are no arguments: they may be cut, and some say in words what a command does.
    about = str_or_none(entry.get("meta"))
    return {"type": "toolCall", "name": entry["toolName"], "arguments": {"description": about} if about else {}}


_ENDINGS = (("timedOut", Ending.LIMIT, "the run's time limit"), ("aborted", Ending.CANCELLED, "the run was aborted"))


class OpenClawTrajectory(SessionsFormat):
    """Reads one session per session id."""

    def sessions(self, document: Document, log: FileLog) -> list[Session]:
        """The sessions in the order in which they began."""
        traces: dict[str, _Trace] = {}
        for record in records_of(document, log.damage):
            if self.is_own(record.value):
                name = str_or_none(record.value.get("sessionId")) or document.stem
                traces.setdefault(name, _Trace(name)).take(record.place, record.value)
            else:
                log.damage.append(ReadWarning(record.place, "no record of a trajectory; skipped"))
        return [trace.session() for trace in traces.values()]


class _Trace:
    def __init__(self, name: str) -> None:
        self._session = Session(name, agent="OpenClaw")
        self._seen: set[str] = set()
        self._runs: dict[str, Run] = {}
        self._left = 0
        self._end: Json = {}

    def take(self, place: str, record: Json) -> None:
        session, data, kind, at = self._session, dict_of(record.get("data")), record.get("type"), record.get("ts")
        RecordReader(session).clock(at)
        session.model = str_or_none(record.get("modelId")) or session.model
        if folder := str_or_none(record.get("workspaceDir")):
            session.environment["working directory"] = folder
        run = self._runs.setdefault(str(record.get("runId")), Run(at))
        if kind == "model.completed":
            self._snapshot(run, data.get("messagesSnapshot"))
        if kind in ("model.completed", "trace.artifacts"):
            run.tell(data, at)
        elif kind == "prompt.submitted":
            run.prompt_at = at
        elif kind == "session.ended":
            self._end = data
        elif kind not in ("session.started", "trace.metadata", "context.compiled"):
            session.warnings.append(ReadWarning(place, f"unknown type of record {str(kind)[:60]!r}; skipped"))

    def _snapshot(self, run: Run, messages: object) -> None:
        """Take in the messages that the model had after a run. A message is the run's that has it first."""
        run.cut = not isinstance(messages, list)
        for message in filter(None, map(dict_of, list_of(messages))):
            key = f"{message.get('role')} {message.get('timestamp')} {message.get('toolCallId')}"
            if message.get("truncated") is True:
                run.cut = True
                self._left = max(0, (int_or_none(message.get("originalLength")) or 0) - len(self._seen))
            elif key not in self._seen:
                self._seen.add(key)
                run.messages.append(message)

    def session(self) -> Session:
        session, unread = self._session, 0
        messages: list[Json] = []
        for run in self._runs.values():
            left = run.left_out()
            unread += sum(len(_blocks(message, "toolCall")) for message in left)
            messages += (*run.messages, *left)
        entries = enumerate({"type": "message", "message": message} for message in messages)
        EntryReader(session).all_of((f"message {number}", entry) for number, entry in entries)
        if self._left:
            what = f"{plural(self._left, 'message')} of a run left out by the recorder"
            more = f"; of {plural(unread, 'call')} in them only the tool is recorded" if unread else ""
            session.warnings.append(ReadWarning("messagesSnapshot", what + more, hides_actions=True))
        final = list(self._runs.values())[-1].about.get("finalStatus")
        session.recorded_status = str_or_none(self._end.get("status")) or str_or_none(final) or session.recorded_status
        for key, ending, detail in _ENDINGS:
            if self._end.get(key) is True:
                session.ending, session.ending_detail = ending, detail
        return session


FORMAT = described(__file__, OpenClawTrajectory)
