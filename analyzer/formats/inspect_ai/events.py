"""The events of an Inspect sample as a session's events.

A model's event names its whole input again and the calls that it asks for; a tool's event is the result of such a call,
or a call of its own. Where tools run outside of Inspect, their results stand only in the input of the next model's
event.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from operator import itemgetter
from typing import Any

from analyzer.formats.inspect_ai.lanes import Lanes
from analyzer.formats.inspect_ai.messages import call_of, events_of, key_of, parts_of, result_of, text_in, usage_of
from analyzer.formats.inspect_ai.store import Stored
from analyzer.formats.loading.interface import words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, list_of, parse_time, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.usage import asked_by
from analyzer.model.session import Compaction, Message, Session, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE

_SILENT = frozenset(words_of(__file__)["silent"])
"""Events in which the agent does and says nothing, or that others repeat."""
_FROM_USER = frozenset({"input", "operator", "user"})
_DEEPEST = 20
_PREFIX = 200
_WHEN = itemgetter(0)


class EventReader(RecordReader):
    """Goes through one sample's events once."""

    def __init__(self, session: Session, sample: Stored) -> None:
        super().__init__(session)
        if sample.messages and not any(dict_of(event).get("event") in ("model", "tool") for event in sample.events):
            sample.events = events_of(sample, self.log)
        self.grading: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.limit: dict[str, Any] = {}
        self.score: dict[str, Any] = {}
        self.error: str | None = None
        self._sample = sample
        self._events = [(index, event) for index, event in enumerate(sample.events) if isinstance(event, dict)]
        self._lanes = Lanes(self._events)
        of_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for _, event in self._events:
            of_kind[str(event.get("event"))].append(event)
        self._typed = {text_of(sample.resolved(event.get("input"))).strip() for event in of_kind["input"]}
        self._executed = Counter(string_at(event, "id") for event in of_kind["tool"])
        self._commands: dict[tuple[str | None, str], list[tuple[float, dict[str, Any]]]] = defaultdict(list)
        for event in of_kind["sandbox"]:
            span = self._lanes.spans.get(string_at(event, "span_id") or "")
            if span is not None and span.type == "tool":
                self._commands[span.parent, span.name].append((parse_time(event.get("timestamp")) or 0.0, event))
        for commands in self._commands.values():
            commands.sort(key=_WHEN)
        self._waiting: dict[str | None, list[str]] = defaultdict(list)
        self._known: Counter[tuple[str, str]] = Counter()
        self._inputs: dict[str, tuple[list[Any], Counter[tuple[str, str]]]] = {}
        self._answered: set[str] = set()
        self._scoring = 0

    def read(self) -> None:
        """Add the sample's events to the session."""
        last = {string_at(event, "uuid"): index for index, event in self._events}
        for index, event in self._events:
            uuid = string_at(event, "uuid")
            if event.get("pending") is not True or uuid is None or last[uuid] == index:
                self._take(f"{self._sample.place}, event {index + 1}", index, event, None, 0)
        if odd := len(self._sample.events) - len(self._events):
            self.log.add(f"{self._sample.place}, events", f"{odd} values that are no events; skipped")
        self.meter.settle()

    def _take(self, place: str, index: int, event: dict[str, Any], aside: str | None, depth: int) -> None:
        kind = event.get("event")
        if kind == "step" and event.get("type") == "scorer":
            self._scoring += 1 if event.get("action") == "begin" else -1
        if kind == "model" and (self._scoring > 0 or self._lanes.scores(event)):
            # What a model uses that scores isn't the agent's.
            for usage in _usage_in(event):
                self.grading[string_at(event, "model") or ""].append(usage)
            return
        if self._scoring > 0 and kind != "score":
            return
        lane = aside or self._lanes.of(index, event)
        time = self.clock(event.get("timestamp"))
        if kind == "score":
            self.score = self.score if event.get("intermediate") is True else dict_of(event.get("score"))
        elif lane is None:
            return
        elif kind == "model":
            self._model(event, lane, time)
        elif kind == "tool":
            self._tool(event, lane, time)
        elif kind == "compaction":
            before, after = int_or_none(event.get("tokens_before")), int_or_none(event.get("tokens_after"))
            self.session.events.append(Compaction(time, lane, "auto", before, after))
        elif kind == "sample_limit":
            self.limit = event
            self.note(text_of(event.get("message")), time, lane)
        elif kind == "error":
            error = event.get("error")
            self.error = text_of(dict_of(error).get("message") or error)
            self.note(self.error, time, lane)
        elif kind != "subtask":
            self.unknown(place, "event", kind, _SILENT)
        # Older versions keep events inside a tool's or subtask's event.
        listed = list_of(event.get("events")) if kind in ("tool", "subtask") and depth < _DEEPEST else []
        inner = [item for item in listed if isinstance(item, dict)]
        if any(item.get("event") in ("model", "tool", "subtask") for item in inner):
            lane = self._lanes.aside(string_at(event, ("id", "name")) or "unnamed")
            for item in inner:
                self._take(place, index, item, lane, depth + 1)

    def _model(self, event: dict[str, Any], lane: str, time: float | None) -> None:
        self._given(list_of(event.get("input")) or self._sample.numbers(event.get("input_refs")), lane, time)
        output = dict_of(event.get("output"))
        for spent in map(usage_of, _usage_in(event)):
            self.meter.spent(spent.tokens, spent.cost_usd, lane=lane)
        if lane == MAIN_LANE and self.session.model is None:
            self.session.model = string_at(event, "model")
        done = self.clock(event.get("completed")) or time
        answer = dict_of(value_at(output, "choices.0.message"))
        known = self._known_as(answer, lane)
        if answer and not (string_at(answer, "id") and known[1] in self._answered):
            self._answered.add(known[1])
            self._known[known] += 1
            self.answers += lane == MAIN_LANE
            first = len(self.session.events)
            batch = string_at(event, "uuid") or f"message {len(self._answered)}"
            self._answer(self._sample.resolved(answer), done, lane, batch)
            asked_by(self.session.events, first, string_at(event, "model"))
        if error := string_at(event, "error"):
            self.note(error, done, lane)

    def _answer(self, answer: dict[str, Any], time: float | None, lane: str, batch: str) -> None:
        for part in parts_of(answer):
            part.lane, part.time = lane, time
            if isinstance(part, Message):
                self.session.say(part)
            elif isinstance(part, ToolCall):
                part.batch = batch
                self._waiting[part.id].append(lane)
                self.session.events.append(part)
            else:
                self._answers(part)

    def _answers(self, result: ToolResult) -> None:
        """Add a result to the lane of the call that it answers."""
        if lanes := self._waiting.get(result.call_id):
            result.lane = lanes.pop(0)
        self.session.events.append(result)

    def _known_as(self, message: dict[str, Any], lane: str) -> tuple[str, str]:
        """Return where and as what a message is known: by its id in all lanes, else in its own by its content, wherever
        that is kept."""
        if string_at(message, "id"):
            return "", key_of(message)
        return lane, key_of(message | {"content": self._sample.resolved(message.get("content"))})

    def _given(self, given: list[Any], lane: str, time: float | None) -> None:
        """Add what is new in a model's input, which repeats all that was said before: messages, or their places in the
        pool."""
        before, now = self._inputs.get(lane, ([], Counter()))
        if given[: len(before)] != before:
            before, now = [], Counter()
        self._inputs[lane] = (given, now)
        pool = self._sample.pool
        for item in given[len(before) :]:
            message = dict_of(pool[item] if isinstance(item, int) and 0 <= item < len(pool) else item)
            known = self._known_as(message, lane)
            now[known] += 1
            if now[known] <= self._known[known]:
                continue
            self._known[known] += 1
            role, text = message.get("role"), text_in(self._sample.resolved(message.get("content")))
            if role == "system":
                self.note(text, time, lane, "system")
            elif role == "user":
                # After the agent's first words it's mostly the harness that speaks with the user's role.
                asked = self.answers == 0 or str(message.get("source")) in _FROM_USER or text.strip() in self._typed
                self.note(text, time, lane, "user" if asked and lane == MAIN_LANE else "harness")
            elif role == "tool":
                call_id = string_at(message, "tool_call_id")
                if self._waiting.get(call_id) and not self._executed[call_id]:
                    error = self._sample.resolved(message.get("error") or message.get("tool_error"))
                    self._answers(result_of(call_id, text, error))

    def _tool(self, event: dict[str, Any], lane: str, time: float | None) -> None:
        asked = {key: event[key] for key in ("id", "function", "arguments") if key in event}
        call = call_of(self._sample.resolved(asked))
        if not self._waiting.get(call.id):
            call.lane, call.time = lane, time
            self.session.events.append(call)
            self._waiting[call.id].append(lane)
        if event.get("pending") is True and event.get("completed") is None:
            return
        result = result_of(call.id, *map(self._sample.resolved, (event.get("result"), event.get("error"))))
        result.is_error = True if event.get("failed") is True else result.is_error
        result.time = self.clock(event.get("completed"))
        result.duration = float_or_none(event.get("working_time"))
        if time is not None and result.time is not None:
            result.duration = max(0.0, result.time - time)
        result.exit_code = self._exit_code(event, call, time, result.time)
        self._executed[call.id] -= 1
        self._answers(result)

    def _exit_code(self, event: dict[str, Any], call: ToolCall, start: float | None, end: float | None) -> int | None:
        """Return the exit code of the one command that the sandbox ran for a call, where it's the command of the call
        itself."""
        arguments = call.arguments if isinstance(call.arguments, dict) else {"": call.arguments}
        wanted = [bare for value in arguments.values() if isinstance(value, str) and (bare := _bare(value))]
        ran_apart = self._commands.get((string_at(event, "span_id"), call.name), [])
        if start is not None and end is not None:
            first, last = (find(ran_apart, at, key=_WHEN) for find, at in ((bisect_left, start), (bisect_right, end)))
            ran_apart = ran_apart[first:last]
        within = [item for item in map(dict_of, list_of(event.get("events"))) if item.get("event") == "sandbox"]
        codes = []
        for command in (*within, *(item for _, item in ran_apart)):
            texts = (text_of(self._sample.resolved(command.get(key))) for key in ("cmd", "input"))
            ran = "".join(map(_bare, texts))
            if command.get("action") == "exec" and any(bare in ran for bare in wanted):
                codes.append(int_or_none(command.get("result")))
        return codes[0] if len(codes) == 1 else None


def _usage_in(event: dict[str, Any]) -> list[dict[str, Any]]:
    usage = value_at(event, "output.usage")
    return [usage] if isinstance(usage, dict) and event.get("cache") != "read" else []


def _bare(text: str) -> str:
    """Return the beginning of a command without blanks and quotes, which differ with every shell around it."""
    return "".join(char for char in text[: 4 * _PREFIX] if not char.isspace() and char not in "'\"\\")[:_PREFIX]
