"""Traces as tracing services export them, made by hand: a question, two calls of which one fails, an answer."""

from __future__ import annotations

import json
from typing import Any

TRACE = "trace-1"
ASKED, ANSWER = "How high are the two towers?", "One is 90 m high; the other isn't known."


def observation(ident: str, sort: str, name: str, second: int, **more: Any) -> dict[str, Any]:
    """One observation of Langfuse; it lasts two seconds."""
    base = {
        "id": ident,
        "traceId": TRACE,
        "type": sort,
        "name": name,
        "level": "DEFAULT",
        "statusMessage": None,
        "startTime": f"2026-01-01T10:00:{second:02}.000Z",
        "endTime": f"2026-01-01T10:00:{second + 2:02}.000Z",
        "parentObservationId": "root",
    }
    return {**base, **more}


def langfuse() -> dict[str, Any]:
    """An export with its observations in no order; the tools are an observation of their own and a plain span."""
    asked = [{"role": "user", "content": ASKED}]
    calls = [
        {"id": "c1", "type": "function", "function": {"name": "height_of", "arguments": '{"tower": "north"}'}},
        {"id": "c2", "type": "function", "function": {"name": "height_of", "arguments": '{"tower": "south"}'}},
    ]
    answered = [{"role": "tool", "tool_call_id": "c1", "content": "90 m"}]
    used = {"input": 100, "output": 10, "total": 110, "input_cache_read": 40}
    model = {"model": "m-1", "usageDetails": used, "costDetails": {"total": 0.001}}
    observations = [
        observation("g2", "GENERATION", "chat", 8, input=json.dumps([*asked, *answered]), output=ANSWER, **model),
        observation("t2", "SPAN", "height_of", 6, input='{"tower": "south"}', level="ERROR", statusMessage="no data"),
        observation("t1", "TOOL", "height_of", 4, input='{"tower": "north"}', output="90 m"),
        observation(
            "g1",
            "GENERATION",
            "chat",
            1,
            input=json.dumps(asked),
            output=json.dumps({"role": "assistant", "content": "", "tool_calls": calls}),
            **model,
        ),
        observation("root", "AGENT", "surveyor", 0, parentObservationId=None, endTime="2026-01-01T10:00:11.000Z"),
        observation("s1", "SPAN", "load settings", 0),
    ]
    return {"trace": {"id": TRACE, "name": "survey", "sessionId": None}, "observations": observations}


def run(ident: str, sort: str, name: str, second: int, **more: Any) -> dict[str, Any]:
    """One run of LangSmith; it lasts two seconds."""
    base = {
        "id": ident,
        "trace_id": "root",
        "run_type": sort,
        "name": name,
        "start_time": f"2026-01-01T10:00:{second:02}.000000",
        "end_time": f"2026-01-01T10:00:{second + 2:02}.000000",
        "parent_run_id": "root",
        "error": None,
    }
    return {**base, **more}


def langsmith() -> list[dict[str, Any]]:
    """Runs of a chain with two calls of a model and two of a tool."""

    def message(name: str, **kwargs: Any) -> dict[str, Any]:
        return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": kwargs}

    asked = message("HumanMessage", content=ASKED)
    calls = [
        {"name": "height_of", "args": {"tower": "north"}, "id": "c1"},
        {"name": "height_of", "args": {"tower": "south"}, "id": "c2"},
    ]
    first = message("AIMessage", content="", tool_calls=calls)
    last = message("AIMessage", content=ANSWER)
    back = message("ToolMessage", content="90 m", tool_call_id="c1", status="success")
    extra = {"metadata": {"ls_model_name": "m-1", "thread_id": "thread-7"}}
    counted = {"prompt_tokens": 100, "completion_tokens": 10, "total_cost": "0.001", "extra": extra}
    return [
        run("root", "chain", "surveyor", 0, parent_run_id=None, inputs={"messages": [asked]}, extra=extra),
        run(
            "m1",
            "llm",
            "Chat",
            1,
            inputs={"messages": [[asked]]},
            outputs={"generations": [[{"text": "", "message": first}]]},
            **counted,
        ),
        run("t1", "tool", "height_of", 4, inputs={"input": "{'tower': 'north'}"}, outputs={"output": back}),
        run("t2", "tool", "height_of", 6, inputs={"tower": "south"}, error="ValueError('no data')", outputs=None),
        run(
            "m2",
            "llm",
            "Chat",
            8,
            inputs={"messages": [[asked, first, back]]},
            outputs={"generations": [[{"text": ANSWER, "message": last}]]},
            **counted,
        ),
    ]
