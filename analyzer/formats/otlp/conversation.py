"""The spans of one conversation as a session.

Spans arrive in any order and are shown in the order in which they started. A tool's span is a call with its result; a
call that a model asked for and no tool's span shows is a call of its own. Agents below other agents have lanes of their
own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce

from analyzer.formats.loading.interface import words_of
from analyzer.formats.otlp.messages import Said, asked, cost_of, inputs_of, outputs_of, tokens_of
from analyzer.formats.otlp.spans import Span, parsed
from analyzer.formats.record.chat_messages import ROLES
from analyzer.formats.record.fields import arguments_of, first_int, str_or_none, text_of, unused_name
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.token_counts import added
from analyzer.formats.record.usage import asked_by
from analyzer.model.session import Message, Session, Tokens, ToolCall
from analyzer.model.words import MAIN_LANE, Ending, Mark

_WORDS = words_of(__file__)


class Conversation(RecordReader):
    """Turns one conversation's spans, without twins, into a session."""

    def __init__(self, name: str, spans: list[Span]) -> None:
        super().__init__(Session(name, user_messages=0))
        self._spans = spans
        self._models = [span for span in spans if span.kind == "model"]
        self._lanes: dict[str, str] = {}
        self._lane_of_span: dict[int, str] = {}
        self._names: set[str] = {MAIN_LANE}
        self._inputs = {id(span): inputs_of(span) for span in self._models}
        self._outputs = {id(span): outputs_of(span) for span in self._models}
        self._asked: dict[int, tuple[int, ToolCall, Span]] = {}
        """The calls that tools' spans show, with their places in the answers of the models' spans that asked for them:
        calls sent together may start in the same moment, and keep the order in which they were asked for."""
        self._open: Counter[tuple[str, str | None]] = Counter()
        self._heard: dict[str, Counter[tuple[str, str]]] = {}
        self._task: str | None = None
        """What the user says behind the answers of earlier turns, which the first input repeats."""
        returned = [pair for said in self._inputs.values() for one in said for pair in one.results]
        self._answers = {call: text for call, text in returned if call}

    def read(self) -> Session:
        """Return the conversation as a session."""
        session = self.session
        self._header()
        self._match()
        silent = not any(self._inputs.values())
        placed = list(enumerate(self._spans))
        moments = [(*span.when, self._asked.get(id(span), (number,))[0], False, span) for number, span in placed]
        moments += [(span.end, 0, number, True, span) for number, span in placed if span.kind == "agent" and span.end]
        for *_, ends, span in sorted(moments, key=lambda moment: moment[:4]):
            lane = self._lane_of(span)
            if span.kind == "model":
                self._model(span, lane)
            elif span.kind == "tool":
                self._tool(span, lane)
            elif silent:
                self._agent(span, lane, ends=ends)
        self.meter.settle()
        session.assistant_messages = sum(self._lane_of(span) == MAIN_LANE for span in self._models)
        spoken = [event for event in session.events if isinstance(event, Message) and event.role == "user"]
        session.user_messages, session.task = len(spoken), self._task or (spoken[0].text if spoken else None)
        main = [span for span in self._spans if self._lane_of(span) == MAIN_LANE]
        last = [span for span in main if span.kind == "agent" and span.above not in main]
        last = last or [span for span in main if span.kind == "model"]
        if last and last[-1].failed:
            self.ended("error", Ending.CRASHED, (last[-1].error or "").strip().rpartition("\n")[2] or None)
        return session

    def _header(self) -> None:
        session = self.session
        main = [span for span in self._spans if span.kind == "agent" and self._lane_of(span) == MAIN_LANE]
        resource = self._spans[0].resource
        session.agent = _first(main, "gen_ai.agent.name", "agent.name") or str_or_none(resource.get("service.name"))
        version = _first(main, "gen_ai.agent.version")
        session.agent_version = version or str_or_none(resource.get("service.version"))
        session.model = _first([*self._models, *main], *_WORDS["models"])
        if runtime := str_or_none(resource.get("process.runtime.name")):
            version = str_or_none(resource.get("process.runtime.version")) or ""
            session.environment["runtime"] = f"{runtime} {version}".strip()
        session.started_at = min((span.start for span in self._spans if span.start is not None), default=None)
        session.ended_at = max((span.end for span in self._spans if span.end is not None), default=None)
        metered = self._models
        if all(tokens_of(span) == Tokens() for span in metered):
            metered = [span for span in main if span.above not in main]
        session.tokens = reduce(added, map(tokens_of, metered), Tokens())
        session.cost_usd = sum(cost_of(span) or 0.0 for span in metered) or None

    def _lane_of(self, span: Span) -> str:
        """Return the lane: an agent's own where it works for another agent or inside a tool, else that of what is
        around it."""
        if id(span) not in self._lane_of_span:
            # Until it's known, should the parents of a damaged trace run in circles.
            self._lane_of_span[id(span)] = MAIN_LANE
            self._lane_of_span[id(span)] = self._find_lane(span)
        return self._lane_of_span[id(span)]

    def _find_lane(self, span: Span) -> str:
        in_tool = False
        for above in span.ancestors():
            in_tool = in_tool or (above.kind == "tool" and span.kind != "tool")
            if above.kind == "tool" and span.kind == "model":
                return self._named(above)
            if above.kind != "agent":
                continue
            if span.kind != "agent":
                return self._lane_of(above)
            works = any(below.kind in ("model", "tool") for below in above.within(all_agents=False))
            return self._named(span) if in_tool or works else self._lane_of(above)
        return self._named(span) if in_tool and span.kind == "agent" else MAIN_LANE

    def _named(self, span: Span) -> str:
        key = f"{span.trace} {span.id}"
        if key not in self._lanes:
            self._lanes[key] = unused_name(f"agent-{span.id[:8] or 'unnamed'}", self._names)
        return self._lanes[key]

    def _match(self) -> None:
        """Find the tool's span of every call that a model asked for."""
        waiting: dict[str, list[tuple[int, ToolCall, Span]]] = {}
        for span in self._spans:
            lane = waiting.setdefault(self._lane_of(span), [])
            if span.kind == "model":
                calls = [call for said in self._outputs[id(span)] for call in said.calls]
                lane += [(place, call, span) for place, call in enumerate(calls)]
            elif span.kind == "tool":
                call_id, given = span.text(*_WORDS["tool_ids"]), arguments_of(span.first(*_WORDS["arguments"]))
                found = next((asked for asked in lane if call_id and asked[1].id == call_id), None)
                alike = (asked for asked in lane if asked[1].name == span.tool)
                same = (one for one in alike if not call_id or not one[1].id or one[1].arguments == given)
                if found := found or next(same, None):
                    lane.remove(found)
                    self._asked[id(span)] = found

    def _model(self, span: Span, lane: str) -> None:
        self._given(span, self._inputs[id(span)], lane)
        self.meter.spent(tokens_of(span), cost_of(span), lane=lane)
        first, shown = len(self.session.events), {id(call) for _, call, _ in self._asked.values()}
        for said in self._outputs[id(span)]:
            self.say(said.thought, span.end, lane, thought=True)
            self.say(said.text, span.end, lane)
            for call in said.calls:
                if id(call) not in shown:
                    call.time, call.lane, call.batch = span.end, lane, span.id or None
                    self.session.events.append(call)
                    self._open[lane, call.id] += 1
        asked_by(self.session.events, first, span.text(*_WORDS["models"]))
        if span.failed:
            self.note(span.error or "the model's service failed", span.end, lane)

    def _given(self, span: Span, messages: list[Said], lane: str) -> None:
        """Add what is new in a model's input, which repeats all that was said before. What the user said in earlier
        turns is context that the program puts there."""
        before: frozenset[int] = frozenset()
        if lane == MAIN_LANE and lane not in self._heard:
            self._task, before = asked(messages)
        heard = self._heard.setdefault(lane, Counter())
        now: Counter[tuple[str, str]] = Counter()
        for place, said in enumerate(messages):
            for call_id, text in said.results:
                if self._open[lane, call_id] > 0:
                    self._open[lane, call_id] -= 1
                    self.result(call_id, text, lane=lane)
            role = ROLES.get(said.role)
            if role in (None, "assistant") or not said.text.strip():
                continue
            now[role, said.text] += 1
            if now[role, said.text] > heard[role, said.text]:
                theirs = role == "user" and (lane != MAIN_LANE or place in before)
                self.note(said.text, span.start, lane, "harness" if theirs else role)
        heard |= now

    def _tool(self, span: Span, lane: str) -> None:
        _, announced, asking = self._asked.get(id(span), (0, None, None))
        given = span.first(*_WORDS["arguments"])
        arguments = arguments_of(given) if given is not None or announced is None else announced.arguments
        call_id = f"span {span.trace} {span.id} {'' if span.id else len(self.session.events)}"
        call = ToolCall(call_id, span.tool, arguments, span.start, lane)
        self.session.events.append(call)
        if asking is not None:
            call.batch, call.model = asking.id, asking.text(*_WORDS["models"])
        recorded = span.first(*_WORDS["results"])
        text = text_of(recorded) if recorded is not None else None
        known = span.text(*_WORDS["tool_ids"]) or (announced.id if announced else None)
        text = self._answers.get(known) if text is None and known else text
        if span.failed and span.error and span.error not in (text or ""):
            text = "\n".join(filter(None, (text, span.error)))
        if text is None and span.failed is None:
            return
        result = self.result(call_id, text or "", span.failed, span.end, lane)
        result.exit_code = first_int(span.attributes, *_WORDS["exit_codes"])
        kind = (span.text("error.type") or "").lower()
        result.mark = Mark.TIMEOUT if "timeout" in kind else Mark.INTERRUPTED if "cancel" in kind else None

    def _agent(self, span: Span, lane: str, *, ends: bool) -> None:
        """Take an agent's own input and output where its models' messages were not captured."""
        if ends:
            for said in outputs_of(span) or [Said("assistant", text_of(parsed(span.first("output.value"))))]:
                self.say(said.text, span.end, lane)
        else:
            self._given(span, inputs_of(span) or [Said("user", text_of(parsed(span.first("input.value"))))], lane)


def _first(spans: Iterable[Span], *keys: str) -> str | None:
    return next((text for span in spans if (text := span.text(*keys))), None)
