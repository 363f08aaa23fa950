"""Chat sessions of Visual Studio Code: one object, or the log of its changes, which is replayed.

A session is a list of requests. Each has the user's message, the parts of the answer as they were shown (words,
thoughts, tool calls), and in its result the rounds of calls that the model made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat
from analyzer.formats.record.fields import (
    dict_of,
    float_or_none,
    int_or_none,
    list_of,
    parse_time,
    str_or_none,
    text_of,
)
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import take_time
from analyzer.formats.record.warnings import ANYTHING, GIVEN, LIST, OBJECT, TEXT, Form
from analyzer.formats.vscode_chat.mutation_log import replayed
from analyzer.formats.vscode_chat.tool_calls import calls_made, events_of
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending
from analyzer.text.names import name_set

_CALL = Form("a tool call", {"id": TEXT, "name": TEXT}, {"arguments": GIVEN})
_ROUND = Form("a round", {"toolCalls": LIST}, each={"toolCalls": _CALL})
_METADATA = Form(
    "a result's metadata", {}, {"toolCallRounds": LIST, "toolCallResults": OBJECT}, each={"toolCallRounds": _ROUND}
)
_RESULT = Form("a result", {}, {"metadata": OBJECT}, inner={"metadata": _METADATA})
_REQUEST = Form("a request", {"message": (str, dict)}, {"response": LIST, "result": OBJECT}, inner={"result": _RESULT})
_SAID = Form("the user's message", {"text": TEXT})
_SAID_IN_PARTS = Form("the user's message", {"parts": LIST})
_RETURNED = Form("a tool's result", {"content": LIST})
_PART = Form("a part of an answer", {"value": (str, list, dict)})
_OUTPUT = Form("a terminal's output", {"text": TEXT})
_SPECIAL = Form(
    "what is particular to a tool",
    {"kind": TEXT},
    {"terminalCommandOutput": OBJECT},
    inner={"terminalCommandOutput": _OUTPUT},
)
_DETAILS = Form("a result's details", {}, {"output": LIST, "input": ANYTHING}, frozenset({"isError"}))
_SHOWN = Form(
    "a shown tool call",
    {},
    {"toolSpecificData": OBJECT, "resultDetails": (dict, list)},
    name_set(
        """
        kind toolId toolCallId invocationMessage pastTenseMessage originMessage generatedTitle isConfirmed isComplete
        presentation source subAgentInvocationId isAttachedToThinking
        """
    ),
    {"toolSpecificData": _SPECIAL, "resultDetails": _DETAILS},
)
_TOOL = "toolInvocationSerialized"
_WORDS = (None, "markdownContent", "markdownVuln")
_WARNINGS = ("warning", "confirmation", "elicitation", "elicitationSerialized", "errorDetails")
_SILENT = name_set(
    """
    textEditGroup notebookEditGroup codeblockUri inlineReference undoStop prepareToolInvocation progressMessage
    progressTaskSerialized progressTask mcpServersStarting references command treeData codeCitation contentReference
    multiDiffData pullRequest extensions hook workspaceEdit externalEdit questionCarousel planReview disabledClaudeHooks
    autoModeResolution systemNotification
    """
)
_CANCELLED = 2
_STOPPED = "[request cancelled by the user]"
_TIMINGS = "timings"


class VsCodeChat(SessionsFormat):
    """Reads one session per file."""

    name = "vscode-chat"
    title = "GitHub Copilot Chat in VS Code"
    versions = "chat sessions of version 3 and their change logs (0.47), tool calls as published"
    not_recorded = (
        "cost",
        "input tokens",
        "times of single steps",
        "the working directory",
        "exit codes and results, unless the tool shows them",
    )

    nothing = "chat session of VS Code"

    def sniff(self, document: Document) -> bool:
        """Whether the document is such a session or the log of one."""
        if document.value is not MISSING:
            return _is_session(document.value)
        return any(record.value.get("kind") == 0 and _is_session(record.value.get("v")) for record in document.head[:3])

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        state = document.value
        if state is MISSING or dict_of(state).get("kind") == 0:
            one = state is not MISSING
            records = document.records_in([state], log.damage) if one else document.records(log.damage)
            state = replayed(records, log)
        if not _is_session(state):
            return
        reader = _Reader(Session(str_or_none(state.get("sessionId")) or document.stem, agent="GitHub Copilot Chat"))
        reader.session.title = str_or_none(state.get("customTitle"))
        reader.clock(state.get("creationDate"))
        for place, request in reader.log.objects(state["requests"], "request {}", "a request", 0):
            reader.request(place, request)
        reader.close()
        yield reader.session


FORMAT = VsCodeChat()
"""The object that the registry lists."""


def _is_session(value: object) -> bool:
    state = dict_of(value)
    about = {"creationDate", "responderUsername", "initialLocation", "lastMessageDate"}
    return isinstance(state.get("requests"), list) and "version" in state and bool(about & state.keys())


class _Reader(RecordReader):
    def request(self, place: str, value: dict[str, Any]) -> None:
        """Take in one request with its answer."""
        session = self.session
        time = take_time(session, value.get("timestamp"))
        result = dict_of(value.get("result"))
        metadata = dict_of(result.get("metadata"))
        self._check(place, value, metadata)
        session.agent_version = (
            str_or_none(dict_of(value.get("agent")).get("extensionVersion")) or session.agent_version
        )
        model = str_or_none(metadata.get("resolvedModel")) or str_or_none(value.get("modelId"))
        session.model = model or session.model
        message = value.get("message")
        said = dict_of(message)
        # Where a store keeps only the parts of the text, these follow one another.
        parts = "".join(text_of(dict_of(part).get("text")) for part in list_of(said.get("parts")))
        text = text_of(said.get("text", parts)) if said else text_of(message)
        self.users += 1
        session.task = session.task or text.strip() or None
        session.say(Message("user", text, time, unrecorded=not text.strip()))
        output = int_or_none(value.get("completionTokens"))
        output = output if output is not None else int_or_none(metadata.get("outputTokens"))
        self.meter.spent(Tokens(None, output))
        take_time(session, dict_of(value.get("modelState")).get("completedAt"))
        ended = _ended(value, result, time)
        spoke = self._answer(place, list_of(value.get("response")), metadata, (time, ended))
        self.answers += spoke or bool(value.get("response"))
        if not spoke and output:
            # What was counted was said; sanitized and cut logs keep the count.
            session.say(Message("assistant", "", ended, unrecorded=True))
            self.answers += not value.get("response")
        self._end(value, result, ended)

    def _check(self, place: str, request: dict[str, Any], metadata: dict[str, Any]) -> None:
        log = self.log
        _REQUEST.check(place, request, log)
        if isinstance(request.get("message"), dict):
            form = _SAID_IN_PARTS if "parts" in request["message"] and "text" not in request["message"] else _SAID
            form.check(place, request["message"], log)
        for _, returned in log.objects([*dict_of(metadata.get("toolCallResults")).values()], place, _RETURNED.what):
            _RETURNED.check(place, returned, log)
        for part in map(dict_of, list_of(request.get("response"))):
            if part.get("kind") in (_TOOL, None):
                (_SHOWN if part.get("kind") == _TOOL else _PART).check(place, part, log)

    def _answer(
        self, place: str, parts: list[Any], metadata: dict[str, Any], times: tuple[float | None, float | None]
    ) -> bool:
        """Take in an answer that was asked for and finished at some times; return whether it ends with words."""
        time, ended = times
        made = calls_made([part for part in map(dict_of, parts) if part.get("kind") == _TOOL], metadata)
        results = dict_of(metadata.get("toolCallResults"))
        events = [list(events_of(call, f"{place}.{number}", results, time)) for number, call in enumerate(made)]
        said: list[str] = []
        next_call = 0
        for part in map(dict_of, parts):
            kind = part.get("kind")
            if kind in _WORDS:
                said.append(text_of(part.get("content") if "content" in part else part.get("value")))
                continue
            if kind in ("thinking", _TOOL) and said:
                self.say("".join(said), time)
                said = []
            if kind == "thinking":
                self.say(text_of(part.get("value")), time, thought=True)
            elif kind == _TOOL:
                if next_call < len(events):
                    self.session.events += events[next_call]
                next_call += 1
            elif kind in _WARNINGS:
                self.note(text_of(part.get("content") or part.get("message")), time)
            else:
                self.unknown(place, "part of an answer", kind, _SILENT)
        for rest in events[next_call:]:
            self.session.events += rest
        last = "".join(said)
        self.say(last, ended)
        return bool(last.strip())

    def _end(self, request: dict[str, Any], result: dict[str, Any], ended: float | None) -> None:
        session, error = self.session, dict_of(result.get("errorDetails"))
        session.ending = session.ending_detail = None
        if dict_of(request.get("modelState")).get("value") == _CANCELLED or request.get("isCanceled") is True:
            session.ending, session.ending_detail = Ending.CANCELLED, "the user stopped the agent"
            self.note(_STOPPED, ended)
        elif error:
            session.ending = Ending.CRASHED
            session.ending_detail = str_or_none(error.get("message")) or "the request failed"


def _ended(request: dict[str, Any], result: dict[str, Any], began: float | None) -> float | None:
    """When the answer to a request was finished: after the time that the log measured, else when it was put down as
    complete, else when it was asked for."""
    measured = [request.get("elapsedMs"), dict_of(result.get(_TIMINGS)).get("totalElapsed")]
    milliseconds = next((one for one in map(float_or_none, measured) if one is not None and one >= 0), None)
    if began is not None and milliseconds is not None:
        return began + milliseconds / 1000
    return parse_time(dict_of(request.get("modelState")).get("completedAt")) or began
