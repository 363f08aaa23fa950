"""Cline's `ui_messages.json`: what the user saw, row by row, as one session.

A row that announces a tool is a call. Its result is in the request that follows, which holds what the model was sent;
where the request isn't there, what was shown of the result has to do.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.cline import text as texts
from analyzer.formats.loading.interface import end_of, words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import arguments_of, count_or_none, dict_of, int_or_none, json_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Compaction, Message, Role, Session, Tokens, ToolCall
from analyzer.model.words import Ending
from analyzer.text.late import late

_WORDS = words_of(__file__)
_CAPITAL = late(r"(?<=[a-z0-9])[A-Z]")
"""Where a word begins in the name of a tool that a row calls `inCamelCase`."""


class UiReader(RecordReader):
    """Goes through the rows once."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._open: list[tuple[ToolCall, str]] = []
        self._shown: dict[int, list[str]] = {}
        self._dropped: tuple[Any, ...] | None = None
        self._last_said = ""
        self._model: str | None = None
        self._cut_off = 0

    def read(self, rows: list[Any]) -> None:
        """Read the rows."""
        for place, row in self.log.objects(rows, "row {}", "a row", 0):
            self._row(place, row)
        self.close()

    def _row(self, place: str, row: dict[str, Any]) -> None:
        if row.get("type") not in ("say", "ask"):
            self.log.add(place, "no row that was said or asked; skipped")
            return
        kind = str(row.get("say") if row["type"] == "say" else row.get("ask"))
        session = self.session
        text, time = text_of(row.get("text")), self.clock(row.get("ts"))
        given = row.get("conversationHistoryDeletedRange")
        dropped = tuple(given) if isinstance(given, list) and given else None
        if dropped is not None and dropped != self._dropped:
            # Every row repeats which part of the conversation is no longer sent; a new part is a compaction.
            self._dropped = dropped
            session.events.append(Compaction(time, trigger="auto"))
        self._model = string_at(row, "modelInfo.modelId") or self._model
        session.model = self._model or session.model
        if kind == "api_req_started":
            self._request(dict_of(json_or_none(text)), time)
        elif kind in ("user_feedback", "task") or (kind == "text" and not self.users):
            self._user(text, time)
        elif kind in ("text", "reasoning"):
            self._say("assistant", text, time, thought=kind == "reasoning")
            self._say("assistant", text_of(row.get("reasoning")), time, thought=True)
        elif kind in _WORDS["output"]:
            if self._open:
                self._shown.setdefault(len(self._open) - 1, []).append(text)
        elif row.get("partial") is True and kind != "completion_result":
            self._cut_off += 1
        else:
            self._other(place, row, kind, text, time)

    def close(self) -> None:
        """Finish what is open at the end of the file."""
        self._settle("", None)
        if self._cut_off:
            self.log.add("rows", f"{self._cut_off} rows were cut off while they were written; left out")
        super().close()

    def _other(self, place: str, row: dict[str, Any], kind: str, text: str, time: float | None) -> None:
        about = dict_of(arguments_of(text))
        if kind == "tool":
            tool = string_at(about, "tool") or "unknown"
            if tool not in _WORDS["questions"]:
                name = _WORDS["tool_names"].get(tool) or _CAPITAL.sub(lambda capital: f"_{capital[0].lower()}", tool)
                self._made(name, _tool_arguments(about), time)

        elif kind == "use_mcp_server":
            if about.get("type") == "access_mcp_resource":
                self._made("access_mcp_resource", {"uri": about.get("uri")}, time)
            else:
                self._made("use_mcp_tool", {own: about.get(key) for own, key in _WORDS["mcp"].items()}, time)
        elif kind in ("browser_action", "load_mcp_documentation", "use_subagents"):
            self._made(kind, about, time)
        elif kind in _WORDS["spoken_calls"]:
            tool, key = _WORDS["spoken_calls"][kind]
            self._made(tool, {key: about.get(key) or text}, time)
        elif kind == "completion_result":
            if row["type"] == "say":
                self._made(texts.FINISH, {"result": text}, time)
            self.ended(None, Ending.SUBMITTED)
        elif kind == "resume_task":
            if self.session.ending is not Ending.CANCELLED:
                self.session.ending, self.session.ending_detail = None, "the task was left open"
        elif kind == "condense_context":
            counts = (value_at(row, f"contextCondense.{key}ContextTokens") for key in ("prev", "new"))
            before, after = (int_or_none(json_or_none(one) if isinstance(one, str) else one) for one in counts)
            self.session.events.append(Compaction(time, tokens_before=before, tokens_after=after))
        elif kind == "mistake_limit_reached":
            self.ended(None, Ending.LIMIT, "limit of mistakes in a row")
        elif kind == "api_req_failed":
            self.ended(None, Ending.CRASHED, text or "the model's service failed")
        elif kind in _WORDS["errors"]:
            self._say("harness", text, time)
        else:
            self.unknown(place, "kind of row", kind, _WORDS["noise"])

    def _say(self, role: Role, text: str, time: float | None, *, thought: bool = False) -> None:
        if text.strip() and text != self._last_said:
            self._last_said = text
            self.session.events.append(Message(role, text, time, thought=thought))
            # What was said of a request that is cancelled came before that.
            if role == "user" or self.session.ending is not Ending.CANCELLED:
                self.session.ending, self.session.ending_detail = None, None

    def _user(self, text: str, time: float | None) -> None:
        if not text.strip():
            return
        self.users += 1
        self.session.task = self.session.task or text.strip()
        self._last_said = ""
        self._say("user", text, time)

    def _made(self, tool: str, arguments: dict[str, Any], time: float | None) -> None:
        name, given = texts.named(tool, arguments)
        call = ToolCall(self.numbered("call-"), name, given, time, model=self._model, task_done=tool == texts.FINISH)
        call.batch = f"request-{self.answers}" if self.answers else None
        self._open.append((call, tool))
        self.session.events.append(call)
        self.session.ending, self.session.ending_detail = None, None

    def _request(self, about: dict[str, Any], time: float | None) -> None:
        # OpenAI counts what a cache served within the input, Anthropic apart from it.
        parts = ("tokensIn",) if about.get("apiProtocol") == "openai" else ("tokensIn", "cacheWrites", "cacheReads")
        given = [number for key in parts if (number := count_or_none(about.get(key))) is not None]
        output, read = (count_or_none(about.get(key)) for key in ("tokensOut", "cacheReads"))
        self.meter.spent(Tokens(sum(given) if given else None, output, read), cost_or_none(about.get("cost")))
        self.answers += 1
        self._last_said = ""
        self.session.ending, self.session.ending_detail = end_of(_WORDS["cancelled"], str(about.get("cancelReason")))
        sent, context = texts.without_context(text_of(about.get("request")))
        rest = self._settle(sent, time)
        if "<task>" not in rest and "<feedback>" not in rest:
            self.note(rest, time)
        self.note(context, time)

    def _settle(self, sent: str, time: float | None) -> str:
        """Give the open calls their results; return what was sent besides."""
        calls, self._open = self._open, []
        rest, answers = texts.answers_in(sent, [tool for _, tool in calls])
        for number, ((call, tool), answer) in enumerate(zip(calls, answers, strict=True)):
            shown = answer[1] if answer is not None else "\n".join(filter(str.strip, self._shown.get(number, ())))
            if answer is not None and {answer[0], tool} <= texts.EDITS:
                call.name = answer[0]
            if answer is not None or number in self._shown:
                self.session.events.append(texts.result_of(call.id, shown, time))
        self._shown = {}
        return rest


def _tool_arguments(about: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a tool row; its `content` is the text to write only where something is written."""
    arguments = {key: value for key, value in about.items() if key not in _WORDS["hidden"] and value is not None}
    if about.get("tool") != "newFileCreated":
        arguments.pop("content", None)
    if about.get("tool") in ("editedExistingFile", "appliedDiff"):
        diff = string_at(about, ("diff", "content"))
        arguments.pop("diff", None)
        if diff is not None:
            edits = texts.edits_of(diff)
            arguments |= {"content": diff} if "diff" in edits else edits
    return arguments
