"""Cline's conversations with the model as one session: `api_conversation_history.json`, and the newer
`*.messages.json`.

Calls are either blocks or XML in the model's text; results are either blocks or text under a head that names the tool.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.formats.cline import text as texts
from analyzer.formats.loading.interface import expressions_of
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.record.fields import arguments_of, dict_of, first_count, list_of, parse_time, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.usage import asked_by, cost_or_none, dollars, together
from analyzer.model.session import Compaction, Event, Session, Tokens, ToolCall, Usage
from analyzer.model.words import MAIN_LANE

OPENING = "<environment_details>"
_SAYS = expressions_of(__file__)


def apart(words: list[str], *, answered: bool) -> tuple[list[str], list[str], list[dict[str, str]], bool]:
    """The texts of a message, of several descriptions only the last; what of them the user says after a tool's result;
    all descriptions, in their order; and whether the user's words come before the first of them. `answered` says that a
    result is in the message beside its texts."""
    described = [text for text in words if text.lstrip().startswith(OPENING)]
    kept: list[str] = []
    new: list[str] = []
    spoke_first = False
    for text in words:
        if text in described:
            spoke_first = spoke_first or (bool(new) and text == described[0])
        else:
            (new if (kept or answered) and text.lstrip().startswith(_NEW) else kept).append(text)
    found = [[pair for one in _SAYS["around"].finditer(text) for pair in one.groupdict().items()] for text in described]
    told = [{key: value for key, value in reversed(pairs) if value and value.strip()} for pairs in found]
    return [*kept, *described[-1:]], new, told, spoke_first


_NEW = ("New instructions for task continuation:", "<user_message>")
_FINISHES = frozenset({texts.FINISH, "submit_and_exit"})
_MODEL = ("modelInfo.modelId", "modelInfo.id")
_SILENT = frozenset({"redacted_thinking", "image", "media"})


class MessagesReader(RecordReader):
    """Goes through one conversation once."""

    def __init__(self, session: Session, lane: str = MAIN_LANE, *, plain_users: bool = False) -> None:
        super().__init__(session)
        self._lane = lane
        self._plain_users = plain_users
        self._open: list[tuple[ToolCall, str]] = []
        self._around: dict[str, str] = {}

    def read(self, messages: list[Any], where: str = "", dropped: Sequence[tuple[int, float | None]] = ()) -> None:
        """Read a conversation, which was shortened before some of its messages, each by its number."""
        for number, message in enumerate(messages):
            self.session.events += [Compaction(time) for before, time in dropped if before == number]
            self._message(f"{where}message {number}", message)
        self.close()

    def _message(self, place: str, message: object) -> None:
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant"):
            self.log.add(place, "no message of the user or the assistant; skipped")
            return
        time, content = self.clock(message.get("ts")), message.get("content")
        blocks = content if isinstance(content, list) else [content]
        if message.get("isSummary") is True:
            # What the conversation was before it was condensed is in no other place of the file.
            self._add(Compaction(time))
            self.note(text_of(content).strip(), time, self._lane)
        elif message["role"] == "assistant":
            self.answers += 1
            self._usage(message)
            first = len(self.session.events)
            for block in blocks:
                self._said(place, block, time)
            asked_by(self.session.events, first, string_at(message, _MODEL) or self._around.get("model"))
        else:
            self._sent(blocks, time)

    def close(self) -> None:
        """Store what is known at the end."""
        if self._lane == MAIN_LANE:
            self.session.user_messages, self.session.assistant_messages = self.users, self.answers
        own = Usage(self.meter.tokens(), self.meter.cost())
        total = together(Usage(self.session.tokens, self.session.cost_usd), own)
        self.session.tokens, self.session.cost_usd = total.tokens, total.cost_usd
        so_far = dollars(self._around.get("cost", ""))
        if total.cost_usd is None and so_far and self._lane == MAIN_LANE:
            # The answer to the last description isn't in the sum that it names.
            self.session.cost_usd, self.session.cost_is_partial = so_far, True
        self.meter.settle()
        self.session.warnings += self.log.warnings()

    def _add(self, event: Event) -> None:
        event.lane = self._lane
        self.session.events.append(event)

    def _said(self, place: str, block: object, time: float | None) -> None:
        part, kind = dict_of(block), block.get("type") if isinstance(block, dict) else "text"
        if kind == "tool_use":
            name, given = str_or_none(part.get("name")) or "unknown", arguments_of(part.get("input"))
            shown, arguments = texts.named(name, given) if isinstance(given, dict) else (name, given)
            self._call(str_or_none(part.get("id")), name, shown, arguments, time)
        elif kind in ("thinking", "reasoning"):
            self.say(text_of(part.get("thinking") or part.get("text")).strip(), time, self._lane, thought=True)
        elif kind == "text":
            text, start = text_of(block), 0
            for asked in texts.calls_in(text):
                self._words(text[start : asked.start], time)
                self._call(None, asked.tool, asked.name, asked.arguments, time)
                start = asked.end
            self._words(text[start:], time)
        else:
            self.unknown(place, "content block", kind, _SILENT)

    def _words(self, text: str, time: float | None) -> None:
        found = _SAYS["cut_off"].search(text := text.strip())
        end = found.start() if found is not None else len(text)
        self.say(text[:end].rstrip(), time, self._lane)
        self.note(text[end:].strip(), time, self._lane)

    def _call(self, ident: str | None, tool: str, name: str, given: dict[str, Any] | str, time: float | None) -> None:
        number, done = self.numbered("call-"), tool in _FINISHES
        call = ToolCall(ident or number, name, given, time, batch=f"reply-{self.answers}", task_done=done)
        self._open.append((call, tool))
        self._add(call)

    def _sent(self, blocks: list[Any], time: float | None) -> None:
        native = [block for block in map(dict_of, blocks) if block.get("type") == "tool_result"]
        words = [text_of(block) for block in blocks if dict_of(block).get("type") != "tool_result"]
        words, new, around, spoke_first = apart(words, answered=bool(native))
        for one in around:  # what is left out stays as it was
            self._around |= one
        if self._lane == MAIN_LANE:
            self.session.model = self._around.get("model", "").strip() or self.session.model
            self.place(self._around, folder="working directory")
        ready = parse_time(around[0].get("time")) if around and not spoke_first else None
        waited = None if new and ready is None else time
        for block in native:
            call_id, text = str_or_none(block.get("tool_use_id")), text_of(block.get("content"))
            asked = next((call.time for call, _ in self._open if call.id == call_id), None)
            self._open = [entry for entry in self._open if entry[0].id != call_id]
            result = texts.result_of(call_id, text, _ready(text, asked, ready, waited))
            if isinstance(block.get("is_error"), bool):
                result.is_error = block["is_error"]
            self._add(result)
        text, context = texts.without_context("\n".join(part for part in words if part))
        calls, self._open = self._open, []
        rest, answers = texts.answers_in(text, [tool for _, tool in calls])
        for (call, _), answer in zip(calls, answers, strict=True):
            if answer is not None:
                self._add(texts.result_of(call.id, answer[1], _ready(answer[1], call.time, ready, waited)))
        self._heard(rest if calls else text, time)
        self._heard("\n".join(new), time)
        for answer in answers:
            for said in _SAYS["feedback"].findall(answer[1]) if answer else ():
                self._user(said, time)
        self.note(context, time, self._lane)

    def _heard(self, text: str, time: float | None) -> None:
        """What the user said in a message, and apart from it what Cline put there."""
        said = [*_SAYS["task"].findall(text), *_SAYS["feedback"].findall(text)] if "<" in text else []
        for part in dict.fromkeys(said or [text] if said or self._plain_users else []):
            self._user(part, time)
        if not said and not self._plain_users:
            self.note(text.strip(), time, self._lane)

    def _user(self, text: str, time: float | None) -> None:
        theirs = self._lane == MAIN_LANE
        self.note(text.strip(), time, self._lane, "user" if theirs else "harness")
        if theirs and text.strip():
            self.users += 1
            self.session.task = self.session.task or text.strip()

    def _usage(self, message: dict[str, Any]) -> None:
        if self._lane == MAIN_LANE:
            self.session.model = string_at(message, _MODEL) or self.session.model
        metrics = dict_of(message.get("metrics"))
        counts = {**dict_of(metrics.get("tokens")), **metrics}
        given, read = first_count(counts, "inputTokens", "prompt"), first_count(counts, "cacheReadTokens", "cached")
        written = first_count(counts, "cacheWriteTokens")
        sent = None if given is None and read is None else (given or 0) + (read or 0) + (written or 0)
        used = Tokens(sent, first_count(counts, "outputTokens", "completion"), read, written)
        self.meter.spent(used, cost_or_none(metrics.get("cost")), lane=self._lane)


def is_history(value: object) -> bool:
    """Whether the value is a conversation that Cline kept for the model: its first message wraps the task."""
    first = dict_of(next(iter(list_of(value)), None))
    text = text_of(list_of(first.get("content"))[:6])
    return first.get("role") == "user" and OPENING in text and _SAYS["task"].search(text) is not None


def _ready(answer: str, asked: float | None, described: float | None, sent: float | None) -> float | None:
    """When a result was there: where the surroundings were described after it, else when the message was sent; unknown
    where that waited for what the user says in it."""
    if _SAYS["feedback"].search(answer):
        return None
    timely = described is not None and sent is not None and (asked or described) <= described <= sent
    return described if timely or sent is None else sent
