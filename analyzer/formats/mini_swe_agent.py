"""mini-swe-agent trajectories (`.traj.json`), v1 with fenced commands and v2 with tool calls.

One JSON object per run: the chat between model and harness. A command is a fenced block of an assistant message, or a
tool call; what it printed is the next message. The harness also answers replies that it can't parse, in the user's
role.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat, described, end_of, expressions_of, words_of
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.token_counts import of_api
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.words import Ending, Mark

_SAYS = expressions_of(__file__)
_NOT_EXECUTED = "action was not executed"
_ENDINGS = words_of(__file__)["endings"]
_ROLES = ("system", "user", "assistant", "response", "tool", "exit", "function_call_output")
_RESPONSE = "extra.response"


class MiniSweAgentFormat(ObjectFormat):
    """Reads one trajectory as one session."""

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The run that an object records."""
        stem = PurePath(document.name).name.removesuffix(".json").removesuffix(".traj") or document.name
        reader = _Reader(Session(string_at(value, "instance_id") or stem, agent="mini-swe-agent"))
        reader.begin(value)
        return reader.all_of(reader.log.objects(value["messages"], "messages[{}]", "a message", 0))


FORMAT = described(__file__, MiniSweAgentFormat)


class _Reader(RecordReader):
    """Goes through the chat once, with the calls that still wait for their result."""

    def begin(self, value: dict[str, Any]) -> None:
        """Take in what is recorded around the chat."""
        session, status = self.session, str_or_none(value_at(value, "info.exit_status"))
        session.agent_version = string_at(value, "info.mini_version")
        session.model = string_at(value, ("info.config.model.model_name", f"messages[].{_RESPONSE}.model"))
        session.cost_usd = float_or_none(value_at(value, "info.model_stats.instance_cost"))
        self.place(dict_of(value_at(value, "info.config.environment")), cwd="working directory", image="image")
        # Another status is the class name of whatever exception broke the run.
        trace = text_at(value, "info.traceback").strip().splitlines()
        broke = (Ending.CRASHED, trace[-1] if trace else status)
        self.ended(status, *(end_of(_ENDINGS, status) if status is None or status in _ENDINGS else broke))
        self.submission = text_at(value, "info.submission").strip()
        self.waiting: list[ToolCall] = []
        self.blocks: list[str] = []

    def take(self, place: str, record: dict[str, Any]) -> None:
        role = record.get("role") or record.get("type") or record.get("object")
        if role not in _ROLES:
            self.log.add(place, f"unknown role {str(role)[:60]!r}; read as an answer to the agent")
        # A service may stamp its answer when it begins it.
        stamps = ("extra.timestamp", f"{_RESPONSE}.created", f"{_RESPONSE}.created_at")
        time, text = self.clock(*(value_at(record, path) for path in stamps)), text_of(record.get("content"))
        if role in ("assistant", "response"):
            self.answers += 1
            self._assistant(record, text, time, place)
        elif role == "system":
            self.session.events.append(Message("system", text, time))
        elif self.session.task is None and not self.answers and text.strip():
            self.heard(text, time)
        else:
            self._reply(record, text or text_of(record.get("output")), time)

    def _assistant(self, message: dict[str, Any], text: str, time: float | None, batch: str) -> None:
        self.waiting, self.blocks = [], []
        usage = dict_of(value_at(message, f"{_RESPONSE}.usage"))
        costs = map(cost_or_none, (value_at(message, "extra.cost"), usage.get("cost")))
        self.meter.spent(of_api(usage), next((cost for cost in costs if cost is not None), None))
        records = [dict_of(record) for record in list_of(message.get("tool_calls"))]
        for item in map(dict_of, list_of(message.get("output"))):
            if item.get("type") == "function_call":
                records.append({"id": item.get("call_id") or item.get("id"), "function": item})
            elif item.get("type") == "message":
                text = "\n".join(filter(None, (text, text_of(item.get("content")))))
        found = None if records else _SAYS["block"].search(text)
        self.say((text[: found.start()] if found else text).strip().removeprefix("THOUGHT:").strip(), time)
        if found:
            self.blocks = _SAYS["block"].findall(text)
            runnable = _SAYS["action"].findall(text) or self.blocks
            self.waiting.append(self.call(batch, None, "bash", {"command": runnable[-1].strip()}, time))
        for record in records:
            name, given = string_at(record, "function.name") or "bash", value_at(record, "function.arguments")
            self.waiting.append(self.call(batch, record.get("id"), name, given, time, batch=batch))
        for call in self.waiting:
            command = call.arguments if isinstance(call.arguments, str) else text_of(call.arguments.get("command"))
            call.task_done = bool(_SAYS["final"].search(command))

    def _reply(self, message: dict[str, Any], text: str, time: float | None) -> None:
        interruption = str(value_at(message, "extra.interrupt_type"))
        done = next((call for call in self.waiting if call.task_done), None)
        if message.get("role") == "exit":
            # What the run handed in is the result of the command that handed it in.
            if done is None:
                self.note(text, time)
            else:
                self.waiting.remove(done)
                self.result(done.id, text, time=time)
        elif interruption == "UserRejection" or _SAYS["denied"].match(text):
            self.users += 1
            self._answer_all(text, time, None, Mark.DENIED)
        elif interruption.startswith("User"):
            self.users += 1
            self.session.events.append(Message("user", text, time))
        elif self._is_rejected(text, interruption):
            for call in self.waiting:
                call.task_done = False
                call.arguments = {"command": "\n".join(self.blocks)} if self.blocks else call.arguments
            self._answer_all(text, time, True, Mark.REJECTED)
        elif self.waiting:
            self._answer(message, text, time)
        else:
            self.note(text, time)

    def _is_rejected(self, text: str, interruption: str) -> bool:
        if not self.waiting or (text.strip() and text.strip() == self.submission):
            return False
        if interruption == "FormatError":
            return True
        if _SAYS["return_code"].match(text) or _SAYS["timed_out"].match(text) or _SAYS["exit_code"].search(text):
            return False
        return bool(self.blocks) and (len(self.blocks) != 1 or bool(_SAYS["format_error"].match(text.lstrip())))

    def _answer_all(self, text: str, time: float | None, is_error: bool | None, mark: Mark) -> None:
        results = [ToolResult(call.id, text, is_error, time=time, mark=mark) for call in self.waiting]
        self.session.events += results or [Message("harness", text, time)]
        self.waiting = []

    def _answer(self, message: dict[str, Any], text: str, time: float | None) -> None:
        call_id = string_at(message, ("tool_call_id", "call_id"))
        call = next((call for call in self.waiting if call.id == call_id), self.waiting[0])
        self.waiting.remove(call)
        result, code = self.result(call.id, text, time=time), int_or_none(value_at(message, "extra.returncode"))
        tagged, bracketed = _SAYS["return_code"].match(text), _SAYS["exit_code"].search(text)
        found = tagged or bracketed
        if _SAYS["timed_out"].match(text):
            output = _SAYS["output_at_timeout"].search(text)
            told = f"The last command … timed out and has been killed.\n{output[1]}".rstrip() if output else None
            result.text = _joined(text) if told is None else told
            result.is_error, result.mark = True, Mark.TIMEOUT
        elif found:
            code = int(found[1]) if code is None else code
            rest = text[found.end() :] if tagged else text[: found.start()].removesuffix("\n")
            output = _SAYS["output"].match(rest) if tagged else None
            result.text = output[1] if output else _joined(rest) if tagged else rest
        trouble = string_at(message, "extra.exception_info")
        if trouble and "timed out" in trouble:
            result.is_error, result.mark = True, Mark.TIMEOUT
        result.exit_code = None if trouble and code == -1 else code
        if found or value_at(message, "extra.returncode") is not None:
            # An ordinary result of the closing command says that it didn't close the run.
            call.task_done = call.task_done and bool(trouble and _NOT_EXECUTED in trouble)


def _joined(text: str) -> str:
    """Join head and tail of an output that the harness cut, with its note of how much is missing between them."""
    cut = _SAYS["elided"].search(text)
    return f"{cut[1]}\n[{cut[2]}]\n{cut[3]}" if cut else text
