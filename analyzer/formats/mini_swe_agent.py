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
from analyzer.formats.record.fields import (
    dict_of,
    first_text,
    float_or_none,
    int_or_none,
    list_of,
    str_or_none,
    text_of,
)
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.token_counts import of_api
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.words import Ending, Mark

_SAYS = expressions_of(__file__)
_NOT_EXECUTED = "action was not executed"

_ENDINGS = words_of(__file__)["endings"]


class MiniSweAgentFormat(ObjectFormat):
    """Reads one trajectory as one session."""

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The run that an object records."""
        return _Reader(document, value).session


FORMAT = described(__file__, MiniSweAgentFormat)
_ROLES = ("system", "user", "assistant", "response", "tool", "exit", "function_call_output")


class _Reader(RecordReader):
    """Goes through the chat once, with the calls that still wait for their result."""

    def __init__(self, document: Document, value: dict[str, Any]) -> None:
        self.info = dict_of(value.get("info"))
        super().__init__(_header(document, value, self.info))
        self.place(dict_of(dict_of(self.info.get("config")).get("environment")), cwd="working directory", image="image")
        self.waiting: list[ToolCall] = []
        self.blocks: list[str] = []
        for place, message in self.log.objects(value["messages"], "messages[{}]", "a message", 0):
            role = message.get("role") or message.get("type") or message.get("object")
            if role not in _ROLES:
                self.log.add(place, f"unknown role {str(role)[:60]!r}; read as an answer to the agent")
            response = _response(message)
            # A service may stamp its answer when it begins it.
            stamp = dict_of(message.get("extra")).get("timestamp")
            time = self.clock(stamp, response.get("created"), response.get("created_at"))
            text = text_of(message.get("content"))
            if role in ("assistant", "response"):
                self.answers += 1
                self._assistant(message, text, time, place)
            elif role == "system":
                self.session.events.append(Message("system", text, time))
            elif self.session.task is None and not self.answers and text.strip():
                self.heard(text, time)
            else:
                self.users += self._reply(message, text or text_of(message.get("output")), time)
        self.close()

    def _assistant(self, message: dict[str, Any], text: str, time: float | None, batch: str) -> None:
        self.waiting, self.blocks = [], []
        usage = dict_of(_response(message).get("usage"))
        cost = cost_or_none(dict_of(message.get("extra")).get("cost"))
        self.meter.spent(of_api(usage), cost if cost is not None else cost_or_none(usage.get("cost")))
        records = [dict_of(record) for record in list_of(message.get("tool_calls"))]
        for item in map(dict_of, list_of(message.get("output"))):
            if item.get("type") == "function_call":
                records.append({"id": item.get("call_id") or item.get("id"), "function": item})
            elif item.get("type") == "message":
                text = "\n".join(part for part in (text, text_of(item.get("content"))) if part)
        found = None if records else _SAYS["block"].search(text)
        said = (text[: found.start()] if found else text).strip().removeprefix("THOUGHT:").strip()
        if said:
            self.session.events.append(Message("assistant", said, time))
        if found:
            self.blocks = _SAYS["block"].findall(text)
            runnable = _SAYS["action"].findall(text) or self.blocks
            self.waiting.append(self.call(batch, None, "bash", {"command": runnable[-1].strip()}, time))
        for record in records:
            function = dict_of(record.get("function"))
            name, given = str_or_none(function.get("name")) or "bash", function.get("arguments")
            self.waiting.append(self.call(batch, record.get("id"), name, given, time, batch=batch))
        for call in self.waiting:
            command = call.arguments if isinstance(call.arguments, str) else text_of(call.arguments.get("command"))
            call.task_done = bool(_SAYS["final"].search(command))

    def _reply(self, message: dict[str, Any], text: str, time: float | None) -> int:
        """Add what came back to the model. Returns how many messages of the user it holds."""
        extra = dict_of(message.get("extra"))
        interruption = extra.get("interrupt_type")
        denied = interruption == "UserRejection" or bool(_SAYS["denied"].match(text))
        if message.get("role") == "exit":
            # What the run handed in is the result of the command that handed it in.
            done = next((call for call in self.waiting if call.task_done), None)
            if done:
                self.waiting.remove(done)
                self.session.events.append(ToolResult(done.id, text, time=time))
            else:
                self.note(text, time)
        elif denied:
            self._answer_all(text, time, None, Mark.DENIED)
        elif isinstance(interruption, str) and interruption.startswith("User"):
            self.session.events.append(Message("user", text, time))
            return 1
        elif self._is_rejected(text, interruption):
            for call in self.waiting:
                call.task_done = False
                call.arguments = {"command": "\n".join(self.blocks)} if self.blocks else call.arguments
            self._answer_all(text, time, True, Mark.REJECTED)
        elif self.waiting:
            self._answer(message, text, extra, time)
        elif text.strip():
            self.session.events.append(Message("harness", text, time))
        return 1 if denied else 0

    def _is_rejected(self, text: str, interruption: object) -> bool:
        if not self.waiting or (text.strip() and text.strip() == text_of(self.info.get("submission")).strip()):
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

    def _answer(self, message: dict[str, Any], text: str, extra: dict[str, Any], time: float | None) -> None:
        call_id = first_text(message, "tool_call_id", "call_id")
        call = next((call for call in self.waiting if call.id == call_id), self.waiting[0])
        self.waiting.remove(call)
        result = ToolResult(call.id, text, time=time)
        code = int_or_none(extra.get("returncode"))
        tagged, bracketed = _SAYS["return_code"].match(text), _SAYS["exit_code"].search(text)
        if _SAYS["timed_out"].match(text):
            output = _SAYS["output_at_timeout"].search(text)
            told = f"The last command … timed out and has been killed.\n{output[1]}".rstrip() if output else None
            result.text = _joined(text) if told is None else told
            result.is_error, result.mark = True, Mark.TIMEOUT
        elif tagged:
            code = int(tagged[1]) if code is None else code
            rest = text[tagged.end() :]
            output = _SAYS["output"].match(rest)
            result.text = output[1] if output else _joined(rest)
        elif bracketed:
            code = int(bracketed[1]) if code is None else code
            result.text = text[: bracketed.start()].removesuffix("\n")
        trouble = str_or_none(extra.get("exception_info"))
        if trouble and "timed out" in trouble:
            result.is_error, result.mark = True, Mark.TIMEOUT
        result.exit_code = None if trouble and code == -1 else code
        if tagged or bracketed or extra.get("returncode") is not None:
            # An ordinary result of the closing command says that it didn't close the run.
            call.task_done = call.task_done and bool(trouble and _NOT_EXECUTED in trouble)
        self.session.events.append(result)


def _joined(text: str) -> str:
    """Join head and tail of an output that the harness cut, with its note of how much is missing between them."""
    cut = _SAYS["elided"].search(text)
    return f"{cut[1]}\n[{cut[2]}]\n{cut[3]}" if cut else text


def _header(document: Document, value: dict[str, Any], info: dict[str, Any]) -> Session:
    stem = PurePath(document.name).name.removesuffix(".json").removesuffix(".traj") or document.name
    session = Session(id=str_or_none(value.get("instance_id")) or stem, agent="mini-swe-agent")
    session.agent_version = str_or_none(info.get("mini_version"))
    config = dict_of(info.get("config"))
    named = (str_or_none(_response(message).get("model")) for message in map(dict_of, list_of(value.get("messages"))))
    session.model = str_or_none(dict_of(config.get("model")).get("model_name")) or next(filter(None, named), None)
    session.cost_usd = float_or_none(dict_of(info.get("model_stats")).get("instance_cost"))
    status = str_or_none(info.get("exit_status"))
    session.recorded_status = status
    if status in _ENDINGS:
        session.ending, session.ending_detail = end_of(_ENDINGS, status)
    elif status:  # the class name of whatever exception broke the run
        trace = text_of(info.get("traceback")).strip().splitlines()
        session.ending, session.ending_detail = Ending.CRASHED, trace[-1] if trace else status
    return session


def _response(message: dict[str, Any]) -> dict[str, Any]:
    return dict_of(dict_of(message.get("extra")).get("response"))
