"""The same conversation as agent frameworks write it down: a question, a call that fails, a call that works, the
answer."""

from __future__ import annotations

import json
from typing import Any

ASKED, ANSWER = "What is in the basket?", "Two apples."
FIRST, SECOND = {"shelf": "upper"}, {"shelf": "lower"}
REFUSED, FOUND = "there is no such shelf", "apple, apple"
BROKEN, FINE = "call-a", "call-b"


def _openai(call_id: str, given: dict[str, str]) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "look", "arguments": json.dumps(given)}}


def langchain() -> Any:
    """Messages as `messages_to_dict` and LangGraph's states have them."""
    return [
        {"type": "human", "content": ASKED, "id": "m1"},
        {
            "type": "ai",
            "content": "",
            "tool_calls": [{"name": "look", "args": FIRST, "id": BROKEN, "type": "tool_call"}],
        },
        {"type": "tool", "content": REFUSED, "tool_call_id": BROKEN, "status": "error"},
        {"type": "ai", "data": {"content": "", "tool_calls": [{"name": "look", "args": SECOND, "id": FINE}]}},
        {"type": "tool", "content": FOUND, "tool_call_id": FINE, "status": "success"},
        {"type": "ai", "content": ANSWER},
    ]


def langchain_constructors() -> Any:
    """Messages as LangChain's own serialisation has them; an answer's calls stand in its content as well."""

    def made(name: str, **kwargs: Any) -> dict[str, Any]:
        return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": kwargs}

    def called(call_id: str, given: dict[str, str]) -> dict[str, Any]:
        block = {"type": "tool_use", "id": call_id, "name": "look", "input": {}}
        return made("AIMessage", content=[block], tool_calls=[{"name": "look", "args": given, "id": call_id}])

    return [
        made("HumanMessage", content=ASKED),
        called(BROKEN, FIRST),
        made("ToolMessage", content=REFUSED, tool_call_id=BROKEN, status="error"),
        called(FINE, SECOND),
        made("ToolMessage", content=FOUND, tool_call_id=FINE),
        made("AIMessage", content=ANSWER),
    ]


def langgraph_state() -> Any:
    """A state with its messages."""
    return {"values": {"messages": langchain(), "remaining_steps": 20}, "next": [], "config": {"thread_id": "t-1"}}


def vercel_parts() -> Any:
    """Messages of a user interface, whose parts are tools with their states."""
    failing = {"type": "tool-look", "toolCallId": BROKEN, "state": "output-error", "input": FIRST, "errorText": REFUSED}
    working = {"type": "dynamic-tool", "toolName": "look", "toolCallId": FINE, "state": "output-available"}
    return [
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": ASKED}]},
        {
            "id": "2",
            "role": "assistant",
            "parts": [
                {"type": "step-start"},
                failing,
                {**working, "input": SECOND, "output": FOUND},
                {"type": "text", "text": ANSWER},
            ],
        },
    ]


def vercel_invocations() -> Any:
    """Messages of the older user interface, with `toolInvocations` beside the text."""
    refused = {"state": "output-error", "toolCallId": BROKEN, "toolName": "look", "args": FIRST, "errorText": REFUSED}
    return [
        {"role": "user", "content": ASKED, "createdAt": "2026-01-01T00:00:00Z"},
        {"role": "assistant", "content": "", "toolInvocations": [refused]},
        {
            "role": "assistant",
            "content": "",
            "parts": [
                {
                    "type": "tool-invocation",
                    "toolInvocation": {
                        "state": "result",
                        "toolCallId": FINE,
                        "toolName": "look",
                        "args": SECOND,
                        "result": FOUND,
                    },
                }
            ],
        },
        {"role": "assistant", "content": ANSWER},
    ]


def vercel_model_messages() -> Any:
    """Messages for the model: `tool-call` and `tool-result` parts."""

    def answered(call_id: str, output: dict[str, str]) -> dict[str, Any]:
        return {
            "role": "tool",
            "content": [{"type": "tool-result", "toolCallId": call_id, "toolName": "look", "output": output}],
        }

    def called(call_id: str, given: dict[str, str]) -> dict[str, Any]:
        part = {"type": "tool-call", "toolCallId": call_id, "toolName": "look", "input": given}
        return {"role": "assistant", "content": [part]}

    return {
        "messages": [
            {"role": "user", "content": ASKED},
            called(BROKEN, FIRST),
            answered(BROKEN, {"type": "error-text", "value": REFUSED}),
            called(FINE, SECOND),
            answered(FINE, {"type": "text", "value": FOUND}),
            {"role": "assistant", "content": ANSWER},
        ]
    }


def pydantic_ai() -> Any:
    """Requests and responses with parts of kinds."""

    def response(*parts: dict[str, Any]) -> dict[str, Any]:
        usage = {"requests": 1, "request_tokens": 30, "response_tokens": 4}
        return {"kind": "response", "parts": list(parts), "model_name": "m-1", "usage": usage}

    def called(call_id: str, given: dict[str, str]) -> dict[str, Any]:
        return {"part_kind": "tool-call", "tool_name": "look", "args": json.dumps(given), "tool_call_id": call_id}

    back = {"part_kind": "tool-return", "tool_name": "look", "content": FOUND, "tool_call_id": FINE}
    retry = {"part_kind": "retry-prompt", "tool_name": "look", "content": REFUSED, "tool_call_id": BROKEN}
    return [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": ASKED}]},
        response(called(BROKEN, FIRST)),
        {"kind": "request", "parts": [retry]},
        response(called(FINE, SECOND)),
        {"kind": "request", "parts": [back]},
        response({"part_kind": "text", "content": ANSWER}),
    ]


def autogen() -> Any:
    """Events of a team: requests and executions of calls, and their summary."""

    def called(call_id: str, given: dict[str, str]) -> dict[str, Any]:
        usage = {"prompt_tokens": 30, "completion_tokens": 4}
        content = [{"id": call_id, "name": "look", "arguments": json.dumps(given)}]
        return {"source": "helper", "type": "ToolCallRequestEvent", "content": content, "models_usage": usage}

    def ran(call_id: str, text: str, failed: bool) -> dict[str, Any]:
        content = [{"call_id": call_id, "content": text, "name": "look", "is_error": failed}]
        return {"source": "helper", "type": "ToolCallExecutionEvent", "content": content}

    return [
        {"source": "user", "type": "TextMessage", "content": ASKED},
        called(BROKEN, FIRST),
        ran(BROKEN, REFUSED, failed=True),
        {"source": "helper", "type": "ToolCallSummaryMessage", "content": REFUSED},
        called(FINE, SECOND),
        ran(FINE, FOUND, failed=False),
        {"source": "helper", "type": "TextMessage", "content": ANSWER},
    ]


def agno() -> Any:
    """A stored session with a run; the next run repeats its messages and marks them."""
    said = [
        {"role": "user", "content": ASKED, "created_at": 1_767_225_600},
        {"role": "assistant", "content": "", "tool_calls": [_openai(BROKEN, FIRST)]},
        {"role": "tool", "content": REFUSED, "tool_call_id": BROKEN, "tool_name": "look", "tool_call_error": True},
        {"role": "assistant", "content": "", "tool_calls": [_openai(FINE, SECOND)]},
        {"role": "tool", "content": FOUND, "tool_call_id": FINE, "tool_name": "look", "tool_call_error": False},
        {"role": "assistant", "content": ANSWER},
    ]
    return {"session_id": "s-1", "runs": [{"run_id": "r-1", "messages": said}]}


def gemini() -> Any:
    """Contents with calls and responses; they have no ids."""
    return {
        "contents": [
            {"role": "user", "parts": [{"text": ASKED}]},
            {"role": "model", "parts": [{"functionCall": {"name": "look", "args": FIRST}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"error": REFUSED}}}]},
            {"role": "model", "parts": [{"functionCall": {"name": "look", "args": SECOND}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"result": FOUND}}}]},
            {"role": "model", "parts": [{"text": ANSWER}]},
        ]
    }


def bedrock() -> Any:
    """Messages of Bedrock's Converse API."""

    def answered(call_id: str, text: str, status: str) -> dict[str, Any]:
        back = {"toolUseId": call_id, "content": [{"text": text}], "status": status}
        return {"role": "user", "content": [{"toolResult": back}]}

    def called(call_id: str, given: dict[str, str]) -> dict[str, Any]:
        return {"role": "assistant", "content": [{"toolUse": {"toolUseId": call_id, "name": "look", "input": given}}]}

    return [
        {"role": "user", "content": [{"text": ASKED}]},
        called(BROKEN, FIRST),
        answered(BROKEN, REFUSED, "error"),
        called(FINE, SECOND),
        answered(FINE, FOUND, "success"),
        {"role": "assistant", "content": [{"text": ANSWER}]},
    ]


def genai_parts() -> Any:
    """Messages of OpenTelemetry's conventions."""

    def called(call_id: str, given: dict[str, str]) -> dict[str, Any]:
        part = {"type": "tool_call", "id": call_id, "name": "look", "arguments": given}
        return {"role": "assistant", "parts": [part]}

    def answered(call_id: str, text: str, **flag: bool) -> dict[str, Any]:
        return {"role": "tool", "parts": [{"type": "tool_call_response", "id": call_id, "response": text, **flag}]}

    return [
        {"role": "user", "parts": [{"type": "text", "content": ASKED}]},
        called(BROKEN, FIRST),
        answered(BROKEN, REFUSED, is_error=True),
        called(FINE, SECOND),
        answered(FINE, FOUND),
        {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]},
    ]


def agents_sdk_items() -> Any:
    """Run items around those of the responses API."""

    def called(call_id: str, given: dict[str, str]) -> dict[str, Any]:
        raw = {"type": "function_call", "call_id": call_id, "name": "look", "arguments": json.dumps(given)}
        return {"type": "tool_call_item", "raw_item": raw}

    def answered(call_id: str, text: str) -> dict[str, Any]:
        raw = {"type": "function_call_output", "call_id": call_id, "output": text}
        return {"type": "tool_call_output_item", "output": text, "raw_item": raw}

    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]}
    return [
        {"role": "user", "content": ASKED},
        called(BROKEN, FIRST),
        answered(BROKEN, f"An error occurred while running the tool: {REFUSED}"),
        called(FINE, SECOND),
        answered(FINE, FOUND),
        {"type": "message_output_item", "raw_item": said},
    ]


def letta() -> Any:
    """Messages with a `message_type`."""

    def called(call_id: str, given: dict[str, str]) -> dict[str, Any]:
        call = {"name": "look", "arguments": json.dumps(given), "tool_call_id": call_id}
        return {"message_type": "tool_call_message", "tool_call": call}

    def answered(call_id: str, text: str, status: str) -> dict[str, Any]:
        return {"message_type": "tool_return_message", "tool_return": text, "status": status, "tool_call_id": call_id}

    return [
        {"message_type": "user_message", "content": ASKED},
        called(BROKEN, FIRST),
        answered(BROKEN, REFUSED, "error"),
        called(FINE, SECOND),
        answered(FINE, FOUND, "success"),
        {"message_type": "assistant_message", "content": ANSWER},
    ]


FRAMEWORKS = {
    made.__name__: made
    for made in (
        langchain,
        langchain_constructors,
        langgraph_state,
        vercel_parts,
        vercel_invocations,
        vercel_model_messages,
        pydantic_ai,
        autogen,
        agno,
        gemini,
        bedrock,
        genai_parts,
        agents_sdk_items,
        letta,
    )
}
"""The conversation by the name of who writes it so."""
