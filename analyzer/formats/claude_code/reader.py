"""Claude Code's records, whichever file they come from, as one session.

One message of the model is written as several records, one per content block, which share `message.id` and repeat its
usage. Results come back in `user` records and are paired by id. Some versions write a sub-agent's messages into
`progress` records, others into records with `isSidechain`, in the same file or in one of their own.
"""

from __future__ import annotations

from sys import intern
from typing import Any

from analyzer.formats.claude_code import text as texts
from analyzer.formats.claude_code.text import is_block, own_id
from analyzer.formats.loading.interface import words_of
from analyzer.formats.record.fields import dict_of, int_or_none, parse_time, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.token_counts import of_claude
from analyzer.formats.record.usage import asked_by
from analyzer.model.session import Compaction, Message, Role, Session, ToolCall
from analyzer.model.words import MAIN_LANE, Ending

_BOOKKEEPING = frozenset(words_of(__file__)["bookkeeping"])
"""Record types in which nothing was said or done."""
_SYNTHETIC_MODEL = "<synthetic>"


class Reader(RecordReader):
    """Collects one session, record by record."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        session.agent = "Claude Code"
        self._events = session.events
        self._session_ids: dict[str, None] = {}
        self._uuids: dict[str, str] = {}
        self._seen: set[tuple[str, ...]] = set()
        self._texts: dict[str, str] = {}
        self._lanes: dict[str, str] = {}
        self._own_lanes: set[str] = set()
        self._models: dict[str, str] = {}
        self._prompts: dict[str, list[Message]] = {}
        self._answers: dict[str, set[str]] = {}
        self._commands: list[str] = []
        self._titles: dict[str, str] = {}
        self._summaries: list[tuple[str, object]] = []
        self._compacting = False
        self._queued: list[tuple[int, Message]] = []
        """What was put into the queue of prompts, each with its place among the events: where it was taken up, as the
        first `_taken_up` were, else put in."""
        self._taken_up = 0
        self._uuid: str | None = None
        self._after: dict[str, int] = {}
        """How many events there were behind each record."""
        self._end: tuple[Ending, str] | None = None

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Read one record; `place` says where it stands."""
        if not self._first_sight(record):
            return
        self._head(record)
        lane = self._lane(record)
        kind = record.get("type")
        if kind in ("user", "assistant"):
            self._own_lanes.add(lane)
            self._said(place, record, lane)
        elif kind == "system":
            self._system(record, lane)
        elif kind == "attachment":
            self._attachment(record, lane)
        elif kind == "progress":
            self._progress(place, record, lane)
        elif kind == "summary":
            if text := str_or_none(record.get("summary")):
                self._summaries.append((text, record.get("leafUuid")))
        elif kind in ("ai-title", "custom-title"):
            if text := str_or_none(record.get("aiTitle" if kind == "ai-title" else "customTitle")):
                self._titles[kind] = text
        elif kind == "queue-operation":
            self._queue(record, lane)
        elif not isinstance(kind, str):
            self.log.add(place, "record without a type; skipped")
        else:
            self.unknown(place, "record type", kind, _BOOKKEEPING)
        if self._uuid is not None:
            self._after[self._uuid] = len(self._events)
        if "forkedFrom" in record:
            self.copied = len(self._events)

    def close(self) -> None:
        """Fill in what is known at the end; the file's name is the session's id where its records know that name."""
        self.meter.settle()
        self.note_copies()
        main = next(iter(self._own_lanes)) if len(self._own_lanes) == 1 else MAIN_LANE
        session = self.session
        if main != MAIN_LANE:
            # A file with nothing but a sub-agent's records is that agent's own session.
            for event in self._events:
                if event.lane == main:
                    event.lane = MAIN_LANE
            for prompt in self._prompts.get(main, []):
                prompt.role = "user"
            session.environment["sub-agent"] = main.removeprefix("agent-")
        if session.id not in self._session_ids:
            session.id = next(iter(self._session_ids), session.id)
        session.model = self._models.get(main)
        self._say_queued()
        prompts = self._prompts.get(main, [])
        session.task = prompts[0].text if prompts else next(iter(self._commands), None)
        # A summary may describe another session: its own one ends in a record of this file.
        own = [text for text, leaf in self._summaries if isinstance(leaf, str) and leaf in self._uuids]
        session.title = self._titles.get("custom-title") or self._titles.get("ai-title") or (own[-1] if own else None)
        session.user_messages = len(prompts)
        session.assistant_messages = len(self._answers.get(main, ()))
        session.tokens, session.by_model = self.meter.tokens(), self.meter.by_model()
        session.ending, session.ending_detail = self._end or (None, None)
        session.warnings += self.log.warnings()

    def _first_sight(self, record: dict[str, Any]) -> bool:
        """Whether a record isn't a copy of another, which has its id and its time: a store may put one id in place of
        all."""
        uuid, time = own_id(record.get("uuid")), str(record.get("timestamp"))
        self._uuid = uuid
        known = self._uuids.get(uuid) if uuid is not None else None
        if uuid is not None and known is None:
            self._uuids[uuid] = time
        return known != time

    def _head(self, record: dict[str, Any]) -> None:
        session = self.session
        if session_id := str_or_none(record.get("sessionId")):
            self._session_ids.setdefault(session_id)
        session.agent_version = str_or_none(record.get("version")) or session.agent_version
        self.place(record, cwd="working directory", gitBranch="git branch")
        if origin := str_or_none(dict_of(record.get("forkedFrom")).get("sessionId")):
            session.environment.setdefault("forked from", origin)
            session.copied_from = session.copied_from or origin
        self.clock(record.get("timestamp"))

    def _lane(self, record: dict[str, Any]) -> str:
        if record.get("isSidechain") is not True:
            return MAIN_LANE
        uuid, parent, agent = own_id(record.get("uuid")), record.get("parentUuid"), own_id(record.get("agentId"))
        above = self._lanes.get(parent) if isinstance(parent, str) and not agent else None
        lane = above or f"agent-{agent or (uuid or 'unnamed')[:8]}"
        if uuid:
            self._lanes[uuid] = lane
        return lane

    def _progress(self, place: str, record: dict[str, Any], lane: str) -> None:
        """Read what a sub-agent says; it reports to whoever the record belongs to."""
        data = dict_of(record.get("data"))
        if data.get("type") != "agent_progress":
            return
        self._own_lanes.add(lane)
        inner = dict_of(data.get("message"))
        agent = own_id(data.get("agentId")) or (own_id(record.get("parentToolUseID")) or "unnamed")[-8:]
        if self._first_sight(inner):
            self._said(place, inner, f"agent-{agent}")

    def _said(self, place: str, record: dict[str, Any], lane: str) -> None:
        message = record.get("message")
        kind = record.get("type")
        if not isinstance(message, dict):
            self.log.add(place, "record without a message; skipped")
            return
        texts.MESSAGE.check(place, message, self.log)
        if kind == "assistant":
            self._assistant(place, record, message, lane)
        elif kind == "user":
            self._user(record, message, lane)

    def _assistant(self, place: str, record: dict[str, Any], message: dict[str, Any], lane: str) -> None:
        time = parse_time(record.get("timestamp"))
        content = message.get("content")
        from_service = record.get("isApiErrorMessage") is True
        if from_service or message.get("model") == _SYNTHETIC_MODEL:
            text = text_of(content)
            self._events.append(Message("harness", text, time, lane))
            if lane == MAIN_LANE and (from_service or text.startswith("API Error")):
                self._end = texts.broken_off(text)
            return
        message_id = own_id(message.get("id"))
        key = message_id or own_id(record.get("requestId")) or own_id(record.get("uuid")) or place
        if isinstance(message.get("usage"), dict):
            usage = message["usage"]
            self.meter.spent(of_claude(usage), lane=lane, name=key, model=str_or_none(message.get("model")))
            # What is answered faster costs more than the list says.
            self.session.cost_is_partial |= usage.get("speed") not in (None, "", "standard")
        if model := str_or_none(message.get("model")):
            self._models[lane] = model
        first = len(self._events)
        for block in content if isinstance(content, list) else [content]:
            if block is None or block == "" or self._repeats(block, message_id):
                continue
            self._answers.setdefault(lane, set()).add(key)
            if lane == MAIN_LANE:
                self._end = None
            self._block(place, block, Message("assistant", "", time, lane), key)
        asked_by(self._events, first, self._models.get(lane) if message.get("model") else None)

    def _repeats(self, block: object, message_id: str | None) -> bool:
        """Whether this block of this message was read before: resuming a session repeats records under new uuids."""
        own = own_id(dict_of(block).get("id"))
        if message_id is None or (own is None and is_block(block, "tool_use")):
            return False
        key = (message_id, str(dict_of(block).get("type")), own or text_of(block))
        known = key in self._seen
        self._seen.add(key)
        return known

    def _block(self, place: str, block: Any, said: Message, batch: str) -> None:
        if is_block(block, "tool_use"):
            call = self.call(place, block.get("id"), block.get("name"), block.get("input"), said.time, said.lane, batch)
            call.name = intern(call.name)
        elif is_block(block, "tool_result"):
            self._result(block, {}, said.time, said.lane)
        else:
            said.text, said.thought = self._once(text_of(block)), is_block(block, "thinking")
        if said.text.strip():
            self._events.append(said)

    def _user(self, record: dict[str, Any], message: dict[str, Any], lane: str) -> None:
        time = parse_time(record.get("timestamp"))
        content = message.get("content")
        blocks = content if isinstance(content, list) else [content]
        results = [dict_of(block) for block in blocks if is_block(block, "tool_result")]
        # toolUseResult belongs to the record: with several results nobody knows whose it is.
        detail = dict_of(record.get("toolUseResult")) if len(results) == 1 else {}
        for block in results:
            self._result(block, detail, time, lane)
        if record.get("isCompactSummary") is True:
            if not self._compacting:
                self._events.append(Compaction(time, lane))
            self._compacting = False
        hidden = any(record.get(key) is True for key in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"))
        if lane == MAIN_LANE and not hidden and not results:
            self._rewind(own_id(record.get("parentUuid")))
        said = [text_of(block) for block in blocks if not is_block(block, "tool_result")]
        self._words(said, time, lane, hidden=hidden, prompt=not results)

    def _rewind(self, parent: str | None) -> None:
        """Take what was done behind the record that a prompt follows for a branch that the user left: they went back to
        that record."""
        first = self._after.get(parent) if parent is not None else None
        left = [event for event in self._events[first:] if event.lane == MAIN_LANE] if first is not None else []
        if first is None or not any(
            isinstance(event, ToolCall)
            or (isinstance(event, Message) and event.role == "assistant" and not event.thought)
            for event in left
        ):
            return
        self.leave(first)
        asked = self._prompts.get(MAIN_LANE, [])
        self._prompts[MAIN_LANE] = [prompt for prompt in asked if prompt.lane == MAIN_LANE]

    def _words(self, said: list[str], time: float | None, lane: str, *, hidden: bool, prompt: bool) -> None:
        """Record the user's words, and apart from them what the program put beside them."""
        words: list[str] = []
        for text in filter(str.strip, said):
            if text.startswith(texts.INTERRUPTED) and not hidden:
                self._events.append(Message("user", text, time, lane))
                if lane == MAIN_LANE:
                    self._end = (Ending.CANCELLED, "The user interrupted the agent.")
                continue
            spoken = texts.Spoken("", [text]) if hidden else texts.take_apart(text)
            if spoken.command and lane == MAIN_LANE:
                self._commands.append(spoken.command)
            words.extend([spoken.words] if spoken.words else [])
            self._events.extend(Message("harness", aside, time, lane) for aside in spoken.asides)
        if not words:
            return
        message = Message("user" if lane == MAIN_LANE else "harness", "\n".join(words), time, lane)
        self._events.append(message)
        if prompt:
            self._prompts.setdefault(lane, []).append(message)
        if lane == MAIN_LANE:
            self._end = None

    def _result(self, block: dict[str, Any], detail: dict[str, Any], time: float | None, lane: str) -> None:
        call_id = str_or_none(block.get("tool_use_id"))
        text, wrapped = texts.bare_result(text_of(block.get("content")))
        text = self._once(text)
        if own_id(call_id) is not None:
            key = ("result", lane, call_id or "", text)
            if key in self._seen:
                return
            self._seen.add(key)
        texts.judge(self.result(call_id, text, block.get("is_error") is True, time, lane), detail, wrapped=wrapped)

    def _once(self, text: str) -> str:
        """The same text as one object: long sessions see the same files and the same answers over and over."""
        return self._texts.setdefault(text, text)

    def _system(self, record: dict[str, Any], lane: str) -> None:
        subtype = record.get("subtype")
        if subtype in ("compact_boundary", "microcompact_boundary"):
            about = dict_of(record.get("compactMetadata") or record.get("microcompactMetadata"))
            trigger = about.get("trigger")
            before, after = int_or_none(about.get("preTokens")), int_or_none(about.get("postTokens"))
            known = trigger if trigger in ("auto", "manual") else None
            self._events.append(Compaction(parse_time(record.get("timestamp")), lane, known, before, after))
            self._compacting = subtype == "compact_boundary"
        elif subtype == "api_error" and lane == MAIN_LANE:
            self._end = texts.broken_off(texts.api_error(record))

    def _queue(self, record: dict[str, Any], lane: str) -> None:
        text, operation = text_of(record.get("content")).strip(), record.get("operation")
        if operation == "popAll":
            del self._queued[self._taken_up :]  # taken back into the line where prompts are typed
        elif operation in ("dequeue", "remove") and self._taken_up < len(self._queued):
            self._queued[self._taken_up] = len(self._events), self._queued[self._taken_up][1]
            self._taken_up += 1
        elif operation == "enqueue" and text and not text.startswith("/"):
            role: Role = "harness" if text.startswith(("{", "<")) else "user"
            self._queued.append((len(self._events), Message(role, text, parse_time(record.get("timestamp")), lane)))

    def _say_queued(self) -> None:
        """Put in what was queued and taken up, where no other record says it."""
        said = [" ".join(event.text.split()) for event in self._events if isinstance(event, Message)]
        self._queued.sort(key=lambda entry: entry[0])
        for place, message in reversed(self._queued):
            words = " ".join(message.text.split())
            if not any(words in text for text in said):
                self._events.insert(place, message)
                said.append(words)
                if message.role == "user":
                    self._prompts.setdefault(message.lane, []).append(message)

    def _attachment(self, record: dict[str, Any], lane: str) -> None:
        attached = dict_of(record.get("attachment"))
        if attached.get("type") != "queued_command":
            return
        meta = True in (record.get("isMeta"), attached.get("isMeta"))
        hidden = meta or attached.get("commandMode") == "task-notification"
        said = text_of(attached.get("prompt") or attached.get("content"))
        self._words([said], parse_time(record.get("timestamp")), lane, hidden=hidden, prompt=True)
