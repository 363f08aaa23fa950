"""OpenTelemetry traces of agents: OTLP JSON or JSON lines, and the flat spans that SDKs print.

Spans arrive in any order and are shown in the order in which they started. A tool's span is a call with its result; a
call that a model asked for and no tool's span shows is a call of its own. Agents below other agents have lanes of their
own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from analyzer.formats.container.document import Document
from analyzer.formats.otlp.messages import Announced, Said, cost_of, inputs_of, outputs_of, tokens_of
from analyzer.formats.otlp.requests import ROLES, asked, requested_by
from analyzer.formats.otlp.shape import check_export
from analyzer.formats.otlp.spans import Span, is_export, is_flat_span, parsed, span_of, spans_of
from analyzer.formats.otlp.twins import tool_name, without_twins
from analyzer.formats.record.fields import arguments_of, int_or_none, str_or_none, text_of, unused_name
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.usage import Meter, asked_by
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, ReadWarning, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Ending, Mark

_TOOL_IDS = ("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id", "tool.id")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "tool.parameters",
    "traceloop.entity.input",
    "input.value",
)
_RESULTS = (
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "gen_ai.tool.message",
    "traceloop.entity.output",
    "output.value",
)
_INPUT_WORDS = frozenset({"input", "inputs", "arguments", "args", "parameters", "params", "request", "payload"})
_OUTPUT_WORDS = frozenset({"output", "outputs", "result", "response", "return", "observation"})
"""Last words of attributes that producers with conventions of their own give what goes into a tool and comes out."""
_MODELS = ("gen_ai.request.model", "gen_ai.response.model", "llm.model_name", "ai.model.id")
_EXIT_CODES = ("process.exit.code", "process.exit_code", "exit_code")


class Otlp:
    """Reads a trace's spans as one session per conversation, or per trace where no conversation is named."""

    name = "otlp"
    title = "OpenTelemetry GenAI spans"
    versions = "GenAI semantic conventions, OpenInference (also Phoenix), Monocle; OpenLLMetry as published"
    not_recorded: tuple[str, ...] = (
        "whether the task was solved",
        "messages and results (only with content capture)",
        "compactions",
    )

    def sniff(self, document: Document) -> bool:
        """Whether the document is an export of spans, or holds spans of an agent as an SDK prints them."""
        return any(is_export(record) or is_flat_span(record) for record in sample_of(document, 10))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the sessions in the order in which they started."""
        warnings: list[ReadWarning] = []
        warning_log = WarningLog()
        spans = list(_spans(document, warnings, warning_log))
        sessions = sessions_of(spans, document.stem)
        if not sessions:
            what = f"holds {len(spans)} spans, none of an agent, a model or a tool."
            raise UnreadableInput(what, where=document.name)
        sessions[0].warnings[:0] = [*warnings, *warning_log.warnings()]
        yield from sessions


def sessions_of(spans: list[Span], stem: str) -> list[Session]:
    """Return the sessions of some spans in the order in which they started: one per conversation, or per trace where no
    conversation is named. `stem` is the id of one without any. Empty where no span is an agent's, a model's or a
    tool's."""
    _link(spans)
    taken: set[str] = set()
    return [_Reader(unused_name(name or stem, taken), group).session() for name, group in _conversations(spans).items()]


FORMAT = Otlp()
_OTHER_SIGNALS = frozenset({"attributes", "resourceMetrics", "resourceLogs"})


def _spans(document: Document, warnings: list[ReadWarning], warning_log: WarningLog) -> Iterator[Span]:
    seen: set[tuple[str, str]] = set()
    for entry in records_of(document, warnings):
        place, record = entry.place, entry.value
        if not is_export(record) and not is_flat_span(record):
            if _OTHER_SIGNALS.isdisjoint(record):
                warning_log.add(place, "neither an export nor a span; skipped")
            continue
        check_export(place, record, warning_log)
        for raw, resource in spans_of(record):
            if not isinstance(raw, dict):
                warning_log.wrong_type(place, raw, "a span")
                continue
            span = span_of(raw, resource)
            key = (span.trace, span.id)
            if span.id and "redacted" not in span.id.lower() and key in seen:
                warning_log.add(place, "a span that was exported before; skipped")
                continue
            seen.add(key)
            yield span


def _link(spans: list[Span]) -> None:
    known = {(span.trace, span.id): span for span in spans if span.id}
    for span in spans:
        above = known.get((span.trace, span.parent)) if span.parent else None
        if above is not None and above is not span:
            span.above = above
            above.below.append(span)


def _conversations(spans: list[Span]) -> dict[str, list[Span]]:
    of_trace: dict[str, str] = {}
    for span in spans:
        if span.conversation:
            of_trace.setdefault(span.trace, span.conversation)
    groups: dict[str, list[Span]] = {}
    for span in sorted((span for span in spans if span.kind), key=_when):
        around = next((above.conversation for above in span.ancestors() if above.conversation), None)
        groups.setdefault(span.conversation or around or of_trace.get(span.trace) or span.trace, []).append(span)
    return groups


def _when(span: Span) -> tuple[float, int]:
    around = list(span.ancestors())
    start = next((one.start for one in (span, *around) if one.start is not None), 0.0)
    return start, len(around)


class _Reader:
    """Turns one conversation's spans into a session."""

    def __init__(self, name: str, spans: list[Span]) -> None:
        self._session = Session(name, user_messages=0)
        self._spans = without_twins(spans)
        self._models = [span for span in self._spans if span.kind == "model"]
        self._lanes: dict[str, str] = {}
        self._lane_of_span: dict[int, str] = {}
        self._names: set[str] = {MAIN_LANE}
        self._meter = Meter(self._session.events)
        self._inputs = {id(span): inputs_of(span) for span in self._models}
        self._outputs = {id(span): outputs_of(span) for span in self._models}
        self._asked: dict[int, tuple[Announced, str]] = {}
        self._asked_by: dict[int, str | None] = {}
        self._shown: set[int] = set()
        self._order: dict[int, int] = {}
        self._open: Counter[tuple[str, str | None]] = Counter()
        self._heard: dict[str, Counter[tuple[str, str]]] = {}
        self._task: str | None = None
        """What the user says behind the answers of earlier turns, which the first input repeats."""
        self._answers = {
            call: text for said in self._inputs.values() for one in said for call, text in one.results if call
        }

    def session(self) -> Session:
        """Return the conversation as a session."""
        session = self._session
        self._header()
        self._match()
        silent = not any(self._inputs.values())
        moments = [
            (*_when(span), self._order.get(id(span), number), False, span) for number, span in enumerate(self._spans)
        ]
        moments += [
            (span.end, 0, number, True, span)
            for number, span in enumerate(self._spans)
            if span.kind == "agent" and span.end
        ]
        for *_, ends, span in sorted(moments, key=lambda moment: moment[:4]):
            lane = self._lane_of(span)
            if span.kind == "model":
                self._model(span, lane)
            elif span.kind == "tool":
                self._tool(span, lane)
            elif silent:
                self._agent(span, lane, ends=ends)
        self._meter.settle()
        session.assistant_messages = sum(self._lane_of(span) == MAIN_LANE for span in self._models)
        spoken = [event for event in session.events if isinstance(event, Message) and event.role == "user"]
        session.user_messages, session.task = len(spoken), self._task or (spoken[0].text if spoken else None)
        self._end()
        return session

    def _header(self) -> None:
        session = self._session
        main = [span for span in self._spans if span.kind == "agent" and self._lane_of(span) == MAIN_LANE]
        resource = self._spans[0].resource
        service = str_or_none(resource.get("service.name"))
        session.agent = (
            next((name for span in main if (name := span.text("gen_ai.agent.name", "agent.name"))), None) or service
        )
        session.agent_version = next((text for span in main if (text := span.text("gen_ai.agent.version"))), None)
        session.agent_version = session.agent_version or str_or_none(resource.get("service.version"))
        session.model = next((model for span in [*self._models, *main] if (model := span.text(*_MODELS))), None)
        if runtime := str_or_none(resource.get("process.runtime.name")):
            session.environment["runtime"] = (
                f"{runtime} {str_or_none(resource.get('process.runtime.version')) or ''}".strip()
            )
        session.started_at = min((span.start for span in self._spans if span.start is not None), default=None)
        session.ended_at = max((span.end for span in self._spans if span.end is not None), default=None)
        metered = (
            self._models
            if any(tokens_of(span) != Tokens() for span in self._models)
            else [span for span in main if span.above not in main]
        )
        session.tokens = _total([tokens_of(span) for span in metered])
        session.cost_usd = sum(cost_of(span) or 0.0 for span in metered) or None

    def _lane_of(self, span: Span) -> str:
        """Return the lane: an agent's own where it works for another agent or inside a tool, else that of what is
        around it."""
        if id(span) not in self._lane_of_span:
            self._lane_of_span[id(span)] = (
                MAIN_LANE  # until it's known, should the parents of a damaged trace run in circles
            )
            self._lane_of_span[id(span)] = self._find_lane(span)
        return self._lane_of_span[id(span)]

    def _find_lane(self, span: Span) -> str:
        inner: Span = span
        in_tool = False
        for above in span.ancestors():
            if above.kind == "tool" and inner.kind != "tool":
                in_tool = True
            if above.kind == "tool" and span.kind == "model" and any(above.own("model")):
                return self._named(above)
            if above.kind != "agent":
                continue
            if span.kind != "agent":
                return self._lane_of(above)
            works = any(above.own("model")) or any(above.own("tool"))
            return self._named(span) if in_tool or works else self._lane_of(above)
        return self._named(span) if in_tool and span.kind == "agent" else MAIN_LANE

    def _named(self, span: Span) -> str:
        key = f"{span.trace} {span.id}"
        if key not in self._lanes:
            self._lanes[key] = unused_name(f"agent-{span.id[:8] or 'unnamed'}", self._names)
        return self._lanes[key]

    def _match(self) -> None:
        """Find the tool's span of every call that a model asked for."""
        waiting: dict[str, list[tuple[Announced, Span]]] = {}
        place: dict[int, int] = {}
        for span in self._spans:
            lane = waiting.setdefault(self._lane_of(span), [])
            if span.kind == "model":
                calls = [call for said in self._outputs[id(span)] for call in said.calls]
                lane += [(call, span) for call in calls]
                place |= {id(call): index for index, call in enumerate(calls)}
            elif span.kind == "tool":
                name, call_id = tool_name(span), span.text(*_TOOL_IDS)
                given = arguments_of(span.first(*_ARGUMENTS))
                found = next((pair for pair in lane if call_id and pair[0].id == call_id), None)
                same = (
                    pair
                    for pair in lane
                    if pair[0].name == name and (not call_id or not pair[0].id or pair[0].arguments == given)
                )
                found = found or next(same, None)
                if found:
                    lane.remove(found)
                    self._asked[id(span)] = (found[0], found[1].id)
                    self._asked_by[id(span)] = found[1].text(*_MODELS)
                    self._shown.add(id(found[0]))
                    # Calls sent together may start in the same moment; they keep the order in which they were asked
                    # for.
                    self._order[id(span)] = place[id(found[0])]

    def _model(self, span: Span, lane: str) -> None:
        self._given(span, self._inputs[id(span)], lane)
        self._meter.spent(tokens_of(span), cost_of(span), lane=lane)
        first = len(self._session.events)
        for said in self._outputs[id(span)]:
            self._session.say(Message("assistant", said.thought, span.end, lane, thought=True))
            self._session.say(Message("assistant", said.text, span.end, lane))
            for call in said.calls:
                if id(call) not in self._shown:
                    self._session.events.append(
                        ToolCall(call.id, call.name, call.arguments, span.end, lane, batch=span.id or None)
                    )
                    self._open[lane, call.id] += 1
        asked_by(self._session.events, first, span.text(*_MODELS))
        if span.failed:
            self._session.say(Message("harness", span.error or "the model's service failed", span.end, lane))

    def _given(self, span: Span, messages: list[Said], lane: str) -> None:
        """Add what is new in a model's input, which repeats all that was said before. What the user said in earlier
        turns is context that the program puts there."""
        before: frozenset[int] = frozenset()
        if lane == MAIN_LANE and lane not in self._heard:
            self._task, before = asked(messages, requested_by(span))
        heard = self._heard.setdefault(lane, Counter())
        now: Counter[tuple[str, str]] = Counter()
        for place, said in enumerate(messages):
            for call_id, text in said.results:
                if self._open[lane, call_id] > 0:
                    self._open[lane, call_id] -= 1
                    self._session.events.append(ToolResult(call_id, text, lane=lane))
            role = ROLES.get(said.role)
            if role is None or not said.text.strip():
                continue
            now[role, said.text] += 1
            if now[role, said.text] > heard[role, said.text]:
                theirs = role == "user" and (lane != MAIN_LANE or place in before)
                self._session.say(Message("harness" if theirs else role, said.text, span.start, lane))
        heard |= now

    def _tool(self, span: Span, lane: str) -> None:
        announced, batch = self._asked.get(id(span), (None, None))
        given = span.first(*_ARGUMENTS) or span.named(_INPUT_WORDS)
        arguments = arguments_of(given) if given is not None or announced is None else announced.arguments
        call_id = f"span {span.trace} {span.id} {id(span) if not span.id else ''}"
        self._session.events.append(ToolCall(call_id, tool_name(span), arguments, span.start, lane, batch=batch))
        asked_by(self._session.events, len(self._session.events) - 1, self._asked_by.get(id(span)))
        recorded = span.first(*_RESULTS)
        recorded = span.named(_OUTPUT_WORDS) if recorded is None else recorded
        text = text_of(recorded) if recorded is not None else None
        known = span.text(*_TOOL_IDS) or (announced.id if announced else None)
        text = self._answers.get(known) if text is None and known else text
        if span.failed and span.error and span.error not in (text or ""):
            text = f"{text}\n{span.error}" if text else span.error
        if text is None and span.failed is None:
            return
        result = ToolResult(call_id, text or "", span.failed, time=span.end, lane=lane)
        result.exit_code = next(
            (code for key in _EXIT_CODES if (code := int_or_none(span.first(key))) is not None), None
        )
        kind = (span.text("error.type") or "").lower()
        result.mark = Mark.TIMEOUT if "timeout" in kind else Mark.INTERRUPTED if "cancel" in kind else None
        self._session.events.append(result)

    def _agent(self, span: Span, lane: str, *, ends: bool) -> None:
        """Take an agent's own input and output where its models' messages were not captured."""
        if ends:
            for said in outputs_of(span) or [Said("assistant", text_of(parsed(span.first("output.value"))))]:
                self._session.say(Message("assistant", said.text, span.end, lane))
        else:
            given = inputs_of(span) or [Said("user", text_of(parsed(span.first("input.value"))))]
            self._given(span, given, lane)

    def _end(self) -> None:
        main = [span for span in self._spans if self._lane_of(span) == MAIN_LANE]
        last = next((span for span in reversed(main) if span.kind == "agent" and span.above not in main), None)
        last = last or next((span for span in reversed(main) if span.kind == "model"), None)
        if last is not None and last.failed:
            self._session.recorded_status, self._session.ending = "error", Ending.CRASHED
            self._session.ending_detail = (last.error or "").strip().rpartition("\n")[2] or None


def _total(parts: list[Tokens]) -> Tokens:
    def add(counts: list[int | None]) -> int | None:
        known = [count for count in counts if count is not None]
        return sum(known) if known else None

    return Tokens(
        add([part.input for part in parts]),
        add([part.output for part in parts]),
        add([part.cached for part in parts]),
        add([part.written for part in parts]),
    )
