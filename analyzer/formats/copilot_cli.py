"""GitHub Copilot CLI event logs: JSON lines of {type, data, id, timestamp, parentId}.

A call is recorded twice, as a request in the model's message and when it starts; it's one call. Sub-agents write into
the same file, with the id of the call that started them.
"""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.token_counts import RunningTotal, added
from analyzer.formats.record.usage import asked_by
from analyzer.formats.record.warnings import OBJECT, TEXT, WORDS, Form
from analyzer.model.session import Compaction, Message, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Mark
from analyzer.text.expressions import compiled

_EVENTS = frozenset({"user.message", "assistant.message", "tool.execution_start", "tool.execution_complete"})
_SILENT = compiled(
    r"(?:hook|permission|user_input|elicitation|external_tool|command|commands|exit_plan_mode|pending_messages"
    r"|sampling|mcp|skill|subagent"
    r"|capabilities|auto_mode_switch)\.\w+|assistant\.(?:turn_start|turn_end|intent|usage|streaming_delta"
    r"|\w+_delta|message_start)"
    r"|tool\.execution_(?:progress|partial_result)"
    r"|session\.(?:resume|info|warning|idle|model_change|mode_changed|plan_changed|workspace_file_changed"
    r"|title_changed|usage_\w+|handoff"
    r"|compaction_start|permissions_changed|context_changed|snapshot_rewind|import_legacy|remote_\w+"
    r"|background_\w+|auto_\w+|\w+_loaded"
    r"|tools_updated|custom_\w+|schedule_\w+)"
)
"""Events in which nothing was said or done, or that repeat what others say."""
_EXITED = compiled(r"\s*<(?:shellId: \S+ |command )?(?:completed|exited) with exit code (-?\d{1,10})>\s*\Z")
_LIMIT = compiled(r"rate.?limit|quota|context|budget|limit", re.IGNORECASE)
_REFUSED = compiled(r"denied|rejected|cancelled", re.IGNORECASE)


_FORMS = {
    "user.message": Form("a user's message", {"content": WORDS}),
    "assistant.message": Form("an answer", {"content": WORDS}),
    "tool.execution_complete": Form("what a tool returned", may={"result": OBJECT, "error": (*OBJECT, *TEXT)}),
}
_RESULT = Form("a result", may={"content": WORDS, "detailedContent": WORDS})


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._calls: dict[str, ToolCall] = {}
        self._by_user: set[str] = set()
        self._refused: dict[str, Mark] = {}
        self._usage: dict[str, RunningTotal] = {}

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one event."""
        kind = record.get("type")
        data = record.get("data")
        if not isinstance(kind, str) or not isinstance(data, dict):
            self.log.add(place, "not an event of Copilot CLI; skipped")
            return
        time = self.clock(record.get("timestamp"))
        lane = self._lane(record, data)
        if kind in _FORMS:
            _FORMS[kind].check(place, data, self.log)
        if kind == "tool.execution_complete":
            _RESULT.check(place, dict_of(data.get("result")), self.log)
            if "result" not in data and "error" not in data:
                self.log.add(place, "what a tool returned without 'result' and 'error'")
        match kind:
            case "session.start":
                self._start(data)
            case "user.message":
                self._user(data, time, lane)
            case "assistant.message":
                self._assistant(place, data, time, lane)
            case "assistant.reasoning":
                self.say(text_of(data.get("content")), time, lane, thought=True)
            case "system.message":
                self.session.say(Message("system", text_of(data.get("content")), time, lane))
            case "system.notification":
                self.note(text_of(data.get("content")), time, lane)
            case "tool.user_requested":
                self._by_user.add(str(data.get("toolCallId")))
            case "tool.execution_start":
                self._call(place, data, time, lane, str_or_none(data.get("toolName")), batch=None)
            case "tool.execution_complete":
                self._complete(data, time)
            case "permission.completed":
                self._permission(data)
            case "session.truncation" | "session.compaction_complete":
                self._compaction(kind, data, time, lane)
            case _:
                self._of_session(place, kind, data)

    def close(self) -> None:
        """Fill in what is known at the end."""
        super().close()
        if self._usage:
            self.session.tokens = reduce(added, (usage.total() for usage in self._usage.values()))

    def _lane(self, record: dict[str, Any], data: dict[str, Any]) -> str:
        agent = (
            str_or_none(record.get("agentId"))
            or str_or_none(data.get("agentId"))
            or str_or_none(data.get("parentToolCallId"))
        )
        return f"agent-{agent[-8:]}" if agent else MAIN_LANE

    def _start(self, data: dict[str, Any]) -> None:
        session = self.session
        session.id = str_or_none(data.get("sessionId")) or session.id
        session.agent_version = str_or_none(data.get("copilotVersion")) or session.agent_version
        session.model = session.model or str_or_none(data.get("selectedModel"))
        self.place(dict_of(data.get("context")), cwd="working directory", branch="git branch")

    def _user(self, data: dict[str, Any], time: float | None, lane: str) -> None:
        text, source = text_of(data.get("content")), str_or_none(data.get("source"))
        if lane != MAIN_LANE or (source and source != "user"):
            self.note(text, time, lane)
            return
        self.ended()
        self.users += not text.strip()
        self.heard(text, time)

    def _assistant(self, place: str, data: dict[str, Any], time: float | None, lane: str) -> None:
        requests = [dict_of(request) for request in list_of(data.get("toolRequests"))]
        self.say(text_of(data.get("reasoningText")), time, lane, thought=True)
        self.say(text_of(data.get("content")), time, lane)
        if lane == MAIN_LANE:
            self.ended()
            self.answers += 1
            self.session.model = str_or_none(data.get("model")) or self.session.model
        count = int_or_none(data.get("outputTokens"))
        if count is not None and count >= 0:
            self.meter.spent(Tokens(output=count), lane=lane)
        batch, first = str_or_none(data.get("messageId")) or place, len(self.session.events)
        for number, request in enumerate(requests):
            self._call(f"{place}.{number}", request, time, lane, str_or_none(request.get("name")), batch)
        asked_by(self.session.events, first, str_or_none(data.get("model")))

    def _call(
        self, place: str, data: dict[str, Any], time: float | None, lane: str, name: str | None, batch: str | None
    ) -> None:
        call_id = str_or_none(data.get("toolCallId"))
        if call_id is not None and call_id in self._by_user:
            return
        known = self._calls.get(call_id) if call_id else None
        if known is not None:
            known.batch = known.batch or batch
            known.time = time if batch is None else known.time
            return
        call = self.call(place, call_id, name, data.get("arguments"), time, lane, batch)
        call.task_done = call.name == "task_complete"
        if call_id:
            self._calls[call_id] = call

    def _complete(self, data: dict[str, Any], time: float | None) -> None:
        call_id, error = str_or_none(data.get("toolCallId")), dict_of(data.get("error"))
        if call_id is not None and call_id in self._by_user:
            return
        call = self._calls.get(call_id) if call_id else None
        answered, success = dict_of(data.get("result")), data.get("success")
        text = (
            text_of(answered.get("content"))
            or text_of(answered.get("detailedContent"))
            or text_of(error.get("message"))
        )
        result = ToolResult(call_id, text, time=time, lane=call.lane if call else MAIN_LANE)
        result.is_error = not success if isinstance(success, bool) else None
        if ended := _EXITED.search(text):
            # The shell's number changes from call to call: with it, no two results would be equal.
            result.text, result.exit_code = text[: ended.start()], int(ended[1])
        code = text_of(error.get("code")).lower()
        if "timeout" in code:
            result.mark = Mark.TIMEOUT
        elif _REFUSED.search(code):
            result.mark = Mark.DENIED
        elif call_id in self._refused:
            result.mark = self._refused[call_id]
        self.session.events.append(result)

    def _permission(self, data: dict[str, Any]) -> None:
        kind, call_id = text_of(dict_of(data.get("result")).get("kind")), str_or_none(data.get("toolCallId"))
        if call_id and kind.startswith("denied"):
            self._refused[call_id] = Mark.DENIED
        elif call_id and kind.startswith(("cancel", "abort")):
            self._refused[call_id] = Mark.INTERRUPTED

    def _compaction(self, kind: str, data: dict[str, Any], time: float | None, lane: str) -> None:
        if data.get("success") is False:
            return
        names = ("preCompactionTokens", "postCompactionTokens")
        if kind == "session.truncation":
            names = ("preTruncationTokensInMessages", "postTruncationTokensInMessages")
        before, after = (int_or_none(data.get(name)) for name in names)
        self.session.events.append(Compaction(time, lane, None, before, after))

    def _of_session(self, place: str, kind: str, data: dict[str, Any]) -> None:
        session = self.session
        if kind == "session.shutdown":
            self._shutdown(data)
        elif kind == "session.error":
            said = str_or_none(data.get("message")) or "Copilot CLI reports an error."
            self.ended("error", Ending.LIMIT if _LIMIT.search(text_of(data.get("errorType"))) else Ending.CRASHED, said)
        elif kind == "abort":
            self.ended("abort", Ending.CANCELLED, f"Aborted: {str_or_none(data.get('reason')) or 'user initiated'}.")
        elif kind == "session.task_complete":
            session.recorded_status, session.ending = "task_complete", Ending.SUBMITTED
        elif not _SILENT.fullmatch(kind):
            self.unknown(place, "event type", kind)

    def _shutdown(self, data: dict[str, Any]) -> None:
        session, kind = self.session, str_or_none(data.get("shutdownType"))
        session.recorded_status = session.recorded_status or kind
        session.model = session.model or str_or_none(data.get("currentModel"))
        if kind == "error":
            session.ending = session.ending or Ending.CRASHED
            session.ending_detail = session.ending_detail or str_or_none(data.get("errorReason"))
        for model, metrics in dict_of(data.get("modelMetrics")).items():
            usage = dict_of(dict_of(metrics).get("usage"))
            counts = (int_or_none(usage.get(key)) for key in ("inputTokens", "outputTokens", "cacheReadTokens"))
            self._usage.setdefault(model, RunningTotal()).take(Tokens(*counts))


class CopilotCli(RecordFormat):
    """The `events.jsonl` of a Copilot CLI session."""

    name = "copilot-cli"
    title = agent = "GitHub Copilot CLI"
    versions = "session.start with copilotVersion"
    not_recorded = (
        "cost in money",
        "input tokens of a session that wasn't shut down, and of single steps",
    )
    nothing = "event of Copilot CLI"
    reader = _Reader

    def is_own(self, value: object) -> bool:
        """Whether a record is an event that only Copilot CLI writes."""
        record = dict_of(value)
        data = record.get("data")
        if not isinstance(data, dict) or not {"id", "timestamp"} <= set(record):
            return False
        kind = str_or_none(record.get("type"))
        if kind == "session.start":
            return "sessionId" in data and ("producer" in data or "copilotVersion" in data)
        return kind in _EVENTS and "parentId" in record and not {"content", "toolCallId"}.isdisjoint(data)


FORMAT = CopilotCli()
