"""OpenClaw telemetry: JSON lines of what a gateway and its agents do.

Calls have no ids: a `tool.end` answers the oldest open `tool.start` of the same tool in the same session, and says only
whether the call succeeded. Where an `agent.start` or `agent.end` brings the agent's messages along, the calls in them
are the same calls, with their ids, results and the words between them; every one of them repeats all messages so far.

A message has the time at which the model began it, a `tool.start` the time of the call itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from analyzer.formats.loading.interface import described, words_of
from analyzer.formats.record.fields import dict_of, first_count, int_or_none, list_of, parse_time, str_or_none, text_of
from analyzer.formats.record.prompts import opened
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.records import recorded_duration, since_answer_began
from analyzer.formats.record.usage import cost_or_none, together
from analyzer.model.session import Event, Message, Session, Tokens, ToolCall, ToolResult, Usage
from analyzer.model.words import MAIN_LANE, Ending

_WORDS = words_of(__file__)
_KNOWN = _WORDS["known"]
_BY_GATEWAY = tuple(_WORDS["by_gateway"])
_SUBAGENT = ":subagent:"
_COUNTS = _WORDS["counts"]
"""The keys of what was sent, received, read from a cache and put into one."""


@dataclass
class _Open:
    """A call that was reported, its answer once it has ended, and the slots of both among the events."""

    call: ToolCall
    slot: int
    result: ToolResult | None = None
    result_slot: int = -1


@dataclass
class _Agent:
    """What is known of one session key: its lane, its reported calls, and how far its own messages have been read."""

    lane: str
    calls: list[_Open] = field(default_factory=list)
    announced: list[_Open] = field(default_factory=list)
    began: dict[str | None, ToolCall] = field(default_factory=dict)
    prompts: dict[str, int] = field(default_factory=dict)
    known: set[tuple[str, str, str]] = field(default_factory=set)
    slot: int = -1
    used: Usage | None = None


class _Reader(RecordReader):
    """Goes through one file once. Events are kept in slots, which make up the session at the end, so that what is
    recorded later finds its place among what was reported."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._slots: list[list[Event]] = []
        self._agents: dict[str, _Agent] = {}
        self._said: set[str] = set()

    def take(self, place: str, record: dict[str, Any]) -> None:
        kind, name = record.get("type"), str_or_none(record.get("toolName")) or "unknown"
        if kind not in _KNOWN:
            self.unknown(place, "record type", kind)
            return
        time, agent = self.clock(record.get("ts"), record.get("timestamp")), self._agent(record)
        if kind == "tool.start":
            call = self.call(place, self.numbered("call-"), name, record.get("params"), time, agent.lane)
            agent.calls.append(_Open(call, self._add(call)))
        elif kind == "tool.end":
            self._ended(place, record, name, agent, time)
        elif kind in ("agent.start", "message.in", "agent.end"):
            if kind != "agent.end":
                self._prompt(agent, text_of(record.get("prompt" if kind == "agent.start" else "content")), time)
            self._messages(place, list_of(record.get("messages")), agent)
            if kind == "agent.end" and record.get("success") is False and agent.lane == MAIN_LANE:
                self.ended(None, Ending.CRASHED, text_of(record.get("error")) or "the agent ended with an error")
        elif kind == "llm.usage":
            self._usage(record, agent)
        elif (text := text_of(record.get("content"))).strip() and text not in self._said:
            # A message to the user is reported when it is about to be sent, and when it was.
            self._said.add(text)
            self.answers += 1
            self._add(Message("assistant", text, time))

    def close(self) -> None:
        self.session.events = [event for slot in self._slots for event in slot]
        # The task is the prompt that the agent worked on: of several channels another one's may be in the file, and a
        # prompt of the gateway is what the run was about where no prompt of a person was worked on.
        prompt: Message | None = None
        served: list[Message] = []
        for event in (event for event in self.session.events if event.lane == MAIN_LANE):
            if isinstance(event, Message) and event.role in ("user", "harness") and event.text.strip():
                prompt = event
            elif isinstance(event, ToolCall) and prompt is not None and prompt not in served[-1:]:
                served.append(prompt)
        chosen = next((message for message in served if message.role == "user"), None)
        if chosen is None and (by := [message for message in served if message.text.startswith(_BY_GATEWAY)]):
            chosen = by[0]
            chosen.role = "user"
            self.users += 1
        if chosen is not None:
            self.session.task = chosen.text.strip()
        super().close()

    def _add(self, *events: Event) -> int:
        self._slots.append([*events])
        return len(self._slots) - 1

    def _put(self, agent: _Agent, *events: Event) -> None:
        """Add events after the last one of the agent's that has a place."""
        if agent.slot < 0:
            agent.slot = self._add()
        self._slots[agent.slot] += events

    def _agent(self, record: dict[str, Any]) -> _Agent:
        key = str_or_none(record.get("sessionKey")) or ""
        lane = f"agent-{key.rpartition(':')[2][:8]}" if _SUBAGENT in key else MAIN_LANE
        return self._agents.setdefault(key if _SUBAGENT in key else MAIN_LANE, _Agent(lane))

    def _prompt(self, agent: _Agent, text: str, time: float | None) -> None:
        """What the agent is asked; the gateway and the agent report it both, the agent twice."""
        if text.strip() and text not in agent.prompts:
            self.ended()
            agent.prompts[text] = self._add(self._asked(agent, text, time))

    def _asked(self, agent: _Agent, text: str, time: float | None) -> Message:
        words, _ = opened(text)
        if agent.lane != MAIN_LANE or text.startswith(_BY_GATEWAY) or not words.strip():
            return Message("harness", text, time, agent.lane)
        self.users += 1
        self.session.task = self.session.task or words.strip()
        return Message("user", words, time, agent.lane)

    def _ended(self, place: str, record: dict[str, Any], name: str, agent: _Agent, time: float | None) -> None:
        reported = (*agent.announced, *agent.calls)
        found = next((entry for entry in reported if entry.result is None and entry.call.name == name), None)
        if found is None:
            self.log.add(place, "the end of a call that was never started; left out")
            return
        success, text = record.get("success"), text_of(record.get("error") or record.get("result"))
        result = ToolResult(found.call.id, text, time=time, lane=agent.lane, duration=recorded_duration(record))
        result.is_error = not success if isinstance(success, bool) else None
        found.result, found.result_slot = result, self._add(result)

    def _messages(self, place: str, messages: list[Any], agent: _Agent) -> None:
        """Merge the agent's own messages with what was reported of it."""
        for item in map(dict_of, messages):
            text, role, time = text_of(item.get("content")), item.get("role"), parse_time(item.get("timestamp"))
            key = (str(role), str(item.get("timestamp")), text + str(item.get("toolCallId")))
            if key in agent.known:
                continue
            agent.known.add(key)
            if role == "assistant":
                self._reply(item, agent, time)
            elif role == "toolResult":
                self._answer(item, agent, time)
            elif role not in ("user", "custom"):
                self.unknown(place, "role", role)
            elif prompts := [slot for prompt, slot in agent.prompts.items() if prompt in text]:
                agent.slot = max(agent.slot, prompts[0])
            elif text.strip():
                asked = self._asked(agent, text, time) if role == "user" else None
                self._put(agent, asked or Message("harness", text, time, agent.lane))

    def _reply(self, item: dict[str, Any], agent: _Agent, time: float | None) -> None:
        model, content = str_or_none(item.get("model")), item.get("content")
        if agent.lane == MAIN_LANE:
            self.session.model = model or self.session.model
            self.answers += 1
        self._usage(dict_of(item.get("usage")), agent)
        calls, said = 0, list[Message]()
        for block in content if isinstance(content, list) else [content]:
            kind = dict_of(block).get("type")
            if kind == "toolCall":
                self._called(dict_of(block), agent, said, time).model = model
                said, calls = [], calls + 1
            elif (text := text_of(block)) and text not in self._said:
                if kind != "thinking":
                    self._said.add(text)
                said.append(Message("assistant", text, time, agent.lane, kind == "thinking"))
        if not calls:
            # An answer without a call is no part of the next one, which may be days later.
            used, agent.used = agent.used, None
            for message in said[:1]:
                message.usage = used
        if said:
            self._put(agent, *said)

    def _called(self, block: dict[str, Any], agent: _Agent, said: list[Message], time: float | None) -> ToolCall:
        batch = f"message-{len(agent.known)}"
        name, call_id = str_or_none(block.get("name")) or "unknown", str_or_none(block.get("id"))
        known = next((entry for entry in agent.calls if entry.call.name == name), None)
        used, agent.used = agent.used, None
        if known is None:
            call = self.call("", call_id, name, block.get("arguments"), time, agent.lane, batch)
            call.usage = used
            self._put(agent, *said, call)
            agent.began[call_id] = call
            return call
        agent.calls.remove(known)
        agent.announced.append(known)
        known.call.batch, known.call.usage = batch, used
        if call_id:
            known.call.id = call_id
            if known.result:
                known.result.call_id = call_id
        self._slots[known.slot][:0] = said
        agent.slot = max(agent.slot, known.slot)
        return known.call

    def _answer(self, item: dict[str, Any], agent: _Agent, time: float | None) -> None:
        call_id, details = str_or_none(item.get("toolCallId")), dict_of(item.get("details"))
        known = next((entry for entry in agent.announced if entry.call.id == call_id and entry.result), None)
        result = known.result if known and known.result else ToolResult(call_id, "", time=time, lane=agent.lane)
        result.text, result.exit_code = text_of(item.get("content")), int_or_none(details.get("exitCode"))
        result.is_error = item["isError"] if isinstance(item.get("isError"), bool) else result.is_error
        result.duration = recorded_duration(details) if result.duration is None else result.duration
        if call_id is not None and (call := agent.began.pop(call_id, None)) is not None:
            since_answer_began(call, result)
        if known:
            agent.slot = max(known.result_slot, agent.slot)
        else:
            self._put(agent, result)

    def _usage(self, usage: dict[str, Any], agent: _Agent) -> None:
        given, output, read, written = (first_count(usage, *keys) or 0 for keys in _COUNTS)
        if given or output:
            tokens = Tokens(given + read + written, output, read, written)
            used = Usage(tokens, cost_or_none(dict_of(usage.get("cost")).get("total")))
            total = together(Usage(self.session.tokens, self.session.cost_usd), used)
            self.session.tokens, self.session.cost_usd = total.tokens, total.cost_usd
            agent.used = together(agent.used, used)


class OpenClawTelemetry(RecordFormat):
    """Reads one telemetry file as one session, with a lane for every sub-agent."""

    reader = _Reader


FORMAT = described(__file__, OpenClawTelemetry)
