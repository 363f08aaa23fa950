"""Codex rollouts: JSON lines of {timestamp, type, payload}, one file per thread.

`response_item` records are the conversation and the timeline is made of them; `event_msg` records repeat most of it for
the user interface and are read for what only they say: usage, status, and how calls ended. A thread that is resumed
goes on in its file, with its `session_meta` once more.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Any

from analyzer.formats.codex.items import Items
from analyzer.formats.loading.interface import described, words_of
from analyzer.formats.record.fields import count_or_none, dict_of, float_or_none, int_or_none, str_or_none, text_of
from analyzer.formats.record.reader import RecordFormat
from analyzer.formats.record.token_counts import RunningTotal
from analyzer.model.session import Message, ReadWarning, Session, Tokens
from analyzer.model.words import Ending
from analyzer.text.expressions import compiled

_TYPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_BOOKKEEPING = frozenset({"world_state", "inter_agent_communication", "inter_agent_communication_metadata"})
_EVENTS = words_of(__file__)["silent_events"]
"""Events that repeat what the items say, or say nothing about the run."""
_LIMIT = compiled(r"usage[ _]limit|rate[ _]limit|context[ _]window|budget|quota|out of credits", re.IGNORECASE)


class _Reader(Items):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._usage = RunningTotal()
        self._counted = 0
        self._threads: dict[str, None] = {}
        self._ends: list[tuple[str, dict[str, Any]]] = []
        self._end: tuple[str, Ending | None, str | None] | None = None
        self._notes: list[ReadWarning] = []
        self._heard: list[tuple[int, Message]] = []

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        kind = str_or_none(record.get("type"))
        payload = dict_of(record.get("payload"))
        if kind not in _TYPES or not payload:
            if kind in _TYPES:
                self.log.add(place, f"{kind} record without a payload; skipped")
            elif kind is not None or "record_type" not in record:
                self.unknown(place, "record type", kind, _BOOKKEEPING)
            return
        time = self.clock(record.get("timestamp"))
        if kind == "session_meta":
            self._meta(place, payload)
        elif kind == "turn_context":
            self.session.model = str_or_none(payload.get("model")) or self.session.model
            self.place(payload, cwd="working directory")
        elif kind == "response_item":
            if self.item(place, payload, time):
                self._end = None
        elif kind == "compacted":
            self.compaction("record", time)
        else:
            self._event(place, payload, time)

    def close(self) -> None:
        """Fill in what is known at the end."""
        session = self.session
        session.id = next(iter(self._threads), session.id)
        session.warnings += self._notes
        if not any(isinstance(event, Message) and event.role == "user" for event in session.events):
            for place, message in reversed(self._heard):  # some records have the user's words as events only
                session.events.insert(place, message)
            self.users += len(self._heard)
        super().close()
        session.tokens = self._usage.total()
        for kind, event in self._ends:
            self._judge(kind, event)
        if self._end:
            self.ended(*self._end)

    def _meta(self, place: str, meta: dict[str, Any]) -> None:
        session = self.session
        thread = str_or_none(meta.get("id")) or str_or_none(meta.get("session_id"))
        if thread and self._threads and thread not in self._threads:
            what = f"from here on records of thread {thread} were copied into this one; they are read as its own"
            self._notes.append(ReadWarning(place, what))
            session.copied_from = session.copied_from or thread
            return
        if thread:
            self._threads[thread] = None
        session.agent_version = str_or_none(meta.get("cli_version")) or session.agent_version
        self.place(meta, cwd="working directory")
        self.place(dict_of(meta.get("git")), branch="git branch")
        source = meta.get("source")
        spawned = dict_of(dict_of(source).get("subagent")) or dict_of(dict_of(source).get("subAgent"))
        spawn = dict_of(spawned.get("thread_spawn"))
        for about in (meta, spawn):
            self.place(about, parent_thread_id="sub-agent of")
        if origin := str_or_none(meta.get("forked_from_id")):
            session.environment.setdefault("forked from", origin)
            session.copied_from = origin
            what = f"forked from thread {origin}, whose records up to there are repeated here"
            self._notes.append(ReadWarning(place, what))
        self.place(spawn, agent_role="role", agent_nickname="role")
        self.place(meta, agent_role="role")

    def _event(self, place: str, event: dict[str, Any], time: float | None) -> None:
        kind = str_or_none(event.get("type"))
        if kind == "token_count":
            self._count(dict_of(event.get("info")))
        elif kind == "user_message" and (text := text_of(event.get("message"))):
            self._heard.append((len(self.session.events), Message("user", text, time)))
        elif kind in ("task_started", "turn_started"):
            self._end = None
        elif kind in ("task_complete", "turn_complete"):
            if self._end is None:
                self._end = ("task_complete", None, None)
        elif kind == "turn_aborted":
            reason = str_or_none(event.get("reason")) or "interrupted"
            limited = _LIMIT.search(reason) is not None or reason.endswith("_limited")
            cancelled = ("turn_aborted", Ending.CANCELLED, f"The turn was aborted: {reason}.")
            self._end = (reason, Ending.LIMIT, reason.replace("_", " ")) if limited else cancelled
            if reason == "interrupted":
                self.session.events.append(Message("harness", "[interrupted by user]", time))
        elif kind == "error":
            inner = dict_of(event.get("error"))
            said = str_or_none(event.get("message")) or str_or_none(inner.get("message")) or "Codex reports an error."
            about = f"{said} {text_of(event.get('codex_error_info'))} {text_of(inner.get('kind'))}"
            self._end = ("error", Ending.LIMIT if _LIMIT.search(about) else Ending.CRASHED, said)
        elif kind == "context_compacted":
            self.compaction("event", time)
        elif kind == "thread_rolled_back":
            count = int_or_none(event.get("num_turns"))
            turns = "some turns" if count is None else "the last turn" if count == 1 else f"the last {count} turns"
            what = f"the user took back {turns}: the steps are kept, but the agent no longer saw them"
            self._notes.append(ReadWarning(place, what))
        elif kind in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end"):
            self._ends.append((kind, event))
        elif kind is None or not any(fnmatchcase(kind, word) for word in _EVENTS):
            self.unknown(place, "event type", kind)

    def _count(self, info: dict[str, Any]) -> None:
        counts = _counts(dict_of(info.get("total_token_usage")))
        # After an overflow Codex writes a total that stands for "the window is full" and counts nothing.
        if not counts.input and not counts.output:
            return
        spent = self._usage.take(counts)
        last = _counts(dict_of(info.get("last_token_usage")))
        if spent.input or spent.output:
            # A copied thread begins with what its original used; of that only the last request was made here.
            within = (last.input or 0) <= (spent.input or 0) and (last.output or 0) <= (spent.output or 0)
            copied = spent == counts and (last.input or last.output) and within
            self.meter.spent(last if copied else spent, since=self._counted)
            self._counted = len(self.session.events)

    def _judge(self, kind: str, event: dict[str, Any]) -> None:
        """Take in what an event says about a call's end beyond its output."""
        call_id = str_or_none(event.get("call_id"))
        result = self._results.get(call_id) if call_id else None
        if result is None or call_id is None or self._answered[call_id] > 1 or call_id in self._running:
            return
        code: int | None = None
        failed: bool | None = None
        if kind == "exec_command_end":
            code = int_or_none(event.get("exit_code"))
        elif kind == "patch_apply_end":
            failed = not event["success"] if isinstance(event.get("success"), bool) else None
        elif outcome := dict_of(event.get("result")):
            ok = dict_of(outcome.get("Ok"))
            failed = "Err" in outcome or ok.get("isError") is True or ok.get("is_error") is True
        result.exit_code = (None if code == -1 else code) if result.exit_code is None else result.exit_code
        result.is_error = failed if result.is_error is None else result.is_error
        took = dict_of(event.get("duration"))
        whole, nanos = float_or_none(took.get("secs")), float_or_none(took.get("nanos"))
        if result.duration is None and whole is not None and kind != "patch_apply_end":
            result.duration = max(0.0, whole + (nanos or 0.0) / 1e9)


def _counts(usage: dict[str, Any]) -> Tokens:
    return Tokens(*(count_or_none(usage.get(key)) for key in ("input_tokens", "output_tokens", "cached_input_tokens")))


class Codex(RecordFormat):
    """Rollouts of the Codex agent, as kept under `~/.codex/sessions`."""

    reader = _Reader

    def is_own(self, value: object) -> bool:
        """Whether a record has a rollout's type and a payload."""
        record = dict_of(value)
        return str_or_none(record.get("type")) in _TYPES and bool(dict_of(record.get("payload")))


FORMAT = described(__file__, Codex)
