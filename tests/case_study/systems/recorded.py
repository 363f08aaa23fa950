"""What one run printed, written as the formats that agents of its kind are recorded in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

Json = dict[str, Any]
_PACE = timedelta(milliseconds=1_250)


@dataclass(frozen=True)
class Recorded:
    """One run: the system and its version, its number, the day, the task, and what happened in order."""

    system: str
    version: str
    number: int
    day: str
    task: str
    events: list[Json]

    @property
    def id(self) -> str:
        """The session's name."""
        return f"{self.system}-{self.number}"

    def timed(self) -> Iterator[tuple[datetime, Json]]:
        """The events, each with a time of an even clock."""
        start = datetime.fromisoformat(f"{self.day}T08:15:00").replace(tzinfo=UTC)
        return ((start + _PACE * number, event) for number, event in enumerate(self.events))

    def own(self) -> Json:
        """The project's own form."""
        messages: list[Json] = []
        actions: list[Json] = []
        times = [time for time, _ in self.timed()]
        for time, event in self.timed():
            if "said" in event:
                messages.append(
                    {"role": event["by"], "text": event["said"], "time": _text(time), "before_action": len(actions) + 1}
                )
                continue
            actions.append(
                {
                    "tool": event["tool"],
                    "arguments": event["arguments"],
                    "result": event["result"],
                    "is_error": event["failed"],
                    "started_at": _text(time),
                    "duration_seconds": 0.5,
                }
            )
        for message in messages:
            if message["before_action"] > len(actions):
                del message["before_action"]
        header = {
            "id": self.id,
            "agent": self.system,
            "agent_version": self.version,
            "model": "scripted",
            "task": self.task,
            "started_at": _text(times[0]),
            "ended_at": _text(times[-1]),
        }
        return {"format": "analyze-session/1", "session": header, "messages": messages, "actions": actions}

    def chat(self) -> Json:
        """Messages as the chat completions of model APIs have them, without any flag."""
        messages: list[Json] = []
        for number, event in enumerate(self.events):
            if "said" in event:
                messages.append({"role": event["by"], "content": event["said"]})
                continue
            given = json.dumps(event["arguments"], ensure_ascii=False)
            called = {"name": event["tool"], "arguments": given}
            call = {"id": f"call_{number}", "type": "function", "function": called}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": event["result"]})
        return {"id": self.id, "model": "scripted", "messages": messages}

    def otlp(self) -> Json:
        """Spans of OpenTelemetry: one of the agent, one per answer of the model, one per call."""
        times = [time for time, _ in self.timed()]
        root = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": self.system}
        spans = [_span(self.id, 0, times[0], times[-1] + _PACE, root | {"gen_ai.conversation.id": self.id})]
        for number, (time, event) in enumerate(self.timed(), 1):
            if "said" in event:
                key = "gen_ai.input.messages" if event["by"] == "user" else "gen_ai.output.messages"
                said = [{"role": event["by"], "parts": [{"type": "text", "content": event["said"]}]}]
                attributes = {
                    "gen_ai.operation.name": "chat",
                    key: json.dumps(said),
                    "gen_ai.request.model": "scripted",
                }
                spans.append(_span(self.id, number, time, time, attributes))
                continue
            attributes = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": event["tool"],
                "gen_ai.tool.call.id": f"call_{number}",
                "gen_ai.tool.call.arguments": json.dumps(event["arguments"], ensure_ascii=False),
                "gen_ai.tool.call.result": event["result"],
            }
            status = {"status": {"code": 2}} if event["failed"] else {}
            spans.append(_span(self.id, number, time, time + _PACE / 2, attributes) | status)
        resource = {"service.name": self.system, "service.version": self.version}
        described = {"attributes": [_attribute(*entry) for entry in resource.items()]}
        return {"resourceSpans": [{"resource": described, "scopeSpans": [{"spans": spans}]}]}


def _span(trace: str, number: int, start: datetime, end: datetime, attributes: dict[str, str]) -> Json:
    return {
        "traceId": trace,
        "spanId": f"s{number}",
        "parentSpanId": "s0" if number else "",
        "name": " ".join(filter(None, (attributes["gen_ai.operation.name"], attributes.get("gen_ai.tool.name")))),
        "startTimeUnixNano": _nanoseconds(start),
        "endTimeUnixNano": _nanoseconds(end),
        "attributes": [_attribute(*entry) for entry in attributes.items()],
    }


def _attribute(key: str, value: str) -> Json:
    return {"key": key, "value": {"stringValue": value}}


def _nanoseconds(time: datetime) -> str:
    return str(round(time.timestamp() * 1_000) * 1_000_000)


def _text(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
