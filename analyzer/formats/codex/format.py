"""Codex rollouts: JSON lines of {timestamp, type, payload}, one file per thread.

`response_item` records are the conversation and the timeline is made of them; `event_msg` records repeat most of it for
the user interface and are read for what only they say: usage, status, and how calls ended. A thread that is resumed
goes on in its file, with its `session_meta` once more.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from analyzer.formats.codex.items import Items
from analyzer.formats.loading.interface import described, expressions_of, words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import dict_of, first_text, float_or_none, int_or_none, str_or_none, text_of
from analyzer.formats.record.reader import RecordFormat
from analyzer.formats.record.token_counts import RunningTotal, of_api
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import MAIN_LANE, Ending

_TYPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_BOOKKEEPING = frozenset({"world_state", "inter_agent_communication", "inter_agent_communication_metadata"})
_EVENTS = words_of(__file__)["silent_events"]
"""Events that repeat what the items say, or say nothing about the run."""
_SAYS = expressions_of(__file__)


class _Reader(Items):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._usage = RunningTotal()
        self._counted = 0
        self._threads: dict[str, None] = {}
        self._ends: list[tuple[str, dict[str, Any]]] = []
        self._heard: list[tuple[int, Message]] = []
        self._origin: tuple[str, str] | None = None
        """What is said of the thread that the beginning is a copy of, and where."""
        self._copied_at: float | None = None
        self._copied = Tokens()
        """The time that records have which were copied, until the first that has another."""

    def take(self, place: str, record: dict[str, Any]) -> None:
        kind, payload = str_or_none(record.get("type")), dict_of(record.get("payload"))
        if kind not in _TYPES or not payload:
            if kind in _TYPES:
                self.log.add(place, f"{kind} record without a payload; skipped")
            elif kind is not None or "record_type" not in record:
                self.unknown(place, "record type", kind, _BOOKKEEPING)
            return
        time = self.clock(record.get("timestamp"))
        if kind == "session_meta":
            self._meta(place, payload)
            self._copied_at = time if self._origin is not None else None
        elif kind == "turn_context":
            self.session.model = str_or_none(payload.get("model")) or self.session.model
            self.place(payload, cwd="working directory")
        elif kind == "response_item":
            if self.item(place, payload, time):
                self.ended()
        elif kind == "compacted":
            self.compaction("record", time)
        else:
            self._event(place, payload, time)
        if self._copied_at is not None and time == self._copied_at:
            self.copied, self._copied = len(self.session.events), self._usage.total()
        else:
            self._copied_at = None

    def close(self) -> None:
        session = self.session
        session.id = next(iter(self._threads), session.id)
        self.note_copies()
        if self._origin is not None and not session.copied_calls:
            self.log.add(*self._origin)
        if not any(isinstance(event, Message) and event.role == "user" for event in session.events):
            for place, message in reversed(self._heard):  # some records have the user's words as events only
                session.events.insert(place, message)
            self.users += len(self._heard)
        super().close()
        session.tokens, session.copied_tokens = self._usage.total(), self._copied
        for kind, event in self._ends:
            self._judge(kind, event)

    def _meta(self, place: str, meta: dict[str, Any]) -> None:
        session = self.session
        thread = first_text(meta, "id", "session_id")
        if thread and self._threads and thread not in self._threads:
            what = f"from here on records of thread {thread} were copied into this one; they are read as its own"
            self._origin = self._origin or (place, what)
            session.copied_from = session.copied_from or thread
            return
        if thread:
            self._threads[thread] = None
        session.agent_version = str_or_none(meta.get("cli_version")) or session.agent_version
        self.place(meta, cwd="working directory")
        self.place(dict_of(meta.get("git")), branch="git branch")
        spawn = dict_of(value_at(meta, ("source.subagent.thread_spawn", "source.subAgent.thread_spawn")))
        for about in (meta, spawn):
            self.place(about, parent_thread_id="sub-agent of")
        if origin := str_or_none(meta.get("forked_from_id")):
            session.environment.setdefault("forked from", origin)
            session.copied_from = origin
            self._origin = place, f"forked from thread {origin}, whose records up to there are repeated here"
        self.place(spawn, agent_role="role", agent_nickname="role")
        self.place(meta, agent_role="role")

    def _event(self, place: str, event: dict[str, Any], time: float | None) -> None:
        kind = str_or_none(event.get("type"))
        if kind == "token_count":
            self._count(dict_of(event.get("info")))
        elif kind == "user_message" and (text := text_of(event.get("message"))):
            self._heard.append((len(self.session.events), Message("user", text, time)))
        elif kind in ("task_started", "turn_started"):
            self.ended()
        elif kind in ("task_complete", "turn_complete"):
            self.session.recorded_status = self.session.recorded_status or "task_complete"
        elif kind == "turn_aborted":
            reason = str_or_none(event.get("reason")) or "interrupted"
            if _SAYS["limit"].search(reason) or reason.endswith("_limited"):
                self.ended(reason, Ending.LIMIT, reason.replace("_", " "))
            else:
                self.ended("turn_aborted", Ending.CANCELLED, f"The turn was aborted: {reason}.")
            if reason == "interrupted":
                self.note("[interrupted by user]", time)
        elif kind == "error":
            said = string_at(event, ("message", "error.message")) or "Codex reports an error."
            about = f"{said} {text_of(event.get('codex_error_info'))} {text_of(value_at(event, 'error.kind'))}"
            self.ended("error", Ending.LIMIT if _SAYS["limit"].search(about) else Ending.CRASHED, said)
        elif kind == "context_compacted":
            self.compaction("event", time)
        elif kind == "thread_rolled_back":
            self._take_back(place, int_or_none(event.get("num_turns")))
        elif kind in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end"):
            self._ends.append((kind, event))
        elif kind is None or not any(fnmatchcase(kind, word) for word in _EVENTS):
            self.unknown(place, "event type", kind)

    def _take_back(self, place: str, turns: int | None) -> None:
        """Leave the last turns of the user, with all that came of them."""
        events = self.session.events
        turn = "user", MAIN_LANE
        asked = [at for at, one in enumerate(events) if isinstance(one, Message) and (one.role, one.lane) == turn]
        if turns is None or turns < 1 or not asked:
            self.log.add(place, "the user took back some turns: the steps are kept, but the agent no longer saw them")
            return
        self.leave(asked[-min(turns, len(asked))])

    def _count(self, info: dict[str, Any]) -> None:
        counts = of_api(dict_of(info.get("total_token_usage")))
        # After an overflow Codex writes a total that stands for "the window is full" and counts nothing.
        if not counts.input and not counts.output:
            return
        spent = self._usage.take(counts)
        last = of_api(dict_of(info.get("last_token_usage")))
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
        failed: bool | None = None
        if kind == "patch_apply_end" and isinstance(event.get("success"), bool):
            failed = not event["success"]
        elif kind == "mcp_tool_call_end" and (outcome := dict_of(event.get("result"))):
            failed = "Err" in outcome or value_at(outcome, ("Ok.isError", "Ok.is_error")) is True
        code = int_or_none(event.get("exit_code")) if kind == "exec_command_end" else None
        result.exit_code = (None if code == -1 else code) if result.exit_code is None else result.exit_code
        result.is_error = failed if result.is_error is None else result.is_error
        whole, nanos = (float_or_none(value_at(event, f"duration.{unit}")) for unit in ("secs", "nanos"))
        if result.duration is None and whole is not None and kind != "patch_apply_end":
            result.duration = max(0.0, whole + (nanos or 0.0) / 1e9)


class Codex(RecordFormat):
    """Rollouts of the Codex agent, as kept under `~/.codex/sessions`."""

    reader = _Reader

    def is_own(self, value: object) -> bool:
        """Whether a record has a rollout's type and a payload."""
        return str_or_none(dict_of(value).get("type")) in _TYPES and bool(dict_of(dict_of(value).get("payload")))


FORMAT = described(__file__, Codex)
