"""The parts of a message, whichever framework wrote them, as blocks: `text`, `thinking`, `tool_use`, `tool_result`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.formats.record.fields import dict_of, first_of, first_text, text_of
from analyzer.text.names import name_set, names

Block = dict[str, Any]
_NAMES = ("name", "toolName", "tool_name")
_IDS = ("id", "toolCallId", "tool_call_id", "toolUseId", "call_id", "callId")
_GIVEN = ("input", "args", "arguments", "parameters", "tool_args", "rawInput")
_BACK = ("output", "result", "content", "response", "tool_return", "errorText", "error")
_CALLS = name_set("tool-call tool_call toolCall function_call")
_RESULTS = name_set(
    "tool-result tool_result tool_call_response tool-return retry-prompt toolResult function_call_output"
)
_SILENT = name_set("step-start step_start source-url source source-document")
_THOUGHTS = name_set("reasoning thinking thought")
_HELD_CALLS = names("functionCall function_call toolUse tool_call")
_HELD_RESULTS = names("functionResponse function_response toolResult tool_call_result")
"""The one key of a part that holds a call or a result: of Gemini's contents, Bedrock's Converse API and Haystack."""
_FAILED = name_set("failed error denied")


def text(said: object) -> Block:
    """A block of text."""
    return {"type": "text", "text": text_of(said)}


def thought(said: object) -> Block:
    """A block of what the model thought."""
    return {"type": "thinking", "thinking": text_of(said)}


def use(call_id: object, name: object, given: object) -> Block:
    """A block that calls a tool."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result(call_id: object, content: object, failed: bool | None = None) -> Block:
    """A block with a tool's result."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": failed}


def blocks(part: object) -> list[Block]:
    """Return the blocks that a part of a message is; an invocation is a call and its result. A part of no known shape
    is kept as it is."""
    if not isinstance(part, dict):
        return [text(part)]
    return next((found for shape in _SHAPES if (found := shape(part)) is not None), [part])


def is_part(part: object) -> bool:
    """Whether the value is a part of a message in one of the frameworks' shapes."""
    return isinstance(part, dict) and any(shape(part) is not None for shape in _SHAPES)


def invocation(part: dict[str, Any], name: object) -> list[Block]:
    """A call with its state, as user interfaces keep it."""
    call_id = first_of(part, *_IDS)
    found = [use(call_id, name, first_of(part, *_GIVEN))]
    state = str(part.get("state"))
    if "error" in state or part.get("errorText") is not None:
        found.append(result(call_id, first_of(part, "errorText", "error", "output", "result"), True))
    elif "result" in state or "output" in state:
        found.append(result(call_id, _unwrapped(first_of(part, "output", "result"))))
    return found


def _of_kinds(part: dict[str, Any]) -> list[Block] | None:
    """Parts that say in `type`, `part_kind` or `block_type` what they are."""
    kind = first_text(part, "part_kind", "block_type", "type")
    if kind is None or kind in ("tool_use", "server_tool_use") or "tool_use_id" in part:
        return None
    inner = part.get("toolInvocation")
    if kind == "tool-invocation" and isinstance(inner, dict):
        return invocation(inner, inner.get("toolName"))
    if kind == "dynamic-tool" or (kind.startswith("tool-") and "state" in part and "toolCallId" in part):
        return invocation(part, part.get("toolName") or kind.removeprefix("tool-"))
    if kind in _CALLS and first_of(part, *_NAMES) is not None:
        return [use(first_of(part, *_IDS), first_of(part, *_NAMES), first_of(part, *_GIVEN))]
    if kind in _RESULTS:
        failed = True if kind == "retry-prompt" else _failed(part)
        return [result(first_of(part, *_IDS), _unwrapped(first_of(part, *_BACK)), failed)]
    if kind in _SILENT:
        return []
    if kind in _THOUGHTS and "thinking" not in part:
        return [thought(first_of(part, "text", "reasoning", "content", "summary"))]
    if kind in ("text", "user-prompt", "system-prompt", "TextPart") and "text" not in part:
        return [text(part.get("content"))]
    return None


def _failed(part: dict[str, Any]) -> bool | None:
    flag = next((flag for key in ("isError", "is_error", "error") if isinstance(flag := part.get(key), bool)), None)
    outcome = str(part.get("outcome") or part.get("status") or "")
    if outcome in _FAILED or str(dict_of(part.get("output")).get("type")).startswith("error"):
        return True
    return False if flag is None and outcome == "success" else flag


def _unwrapped(value: object) -> object:
    """The value of an output that says of what type it is."""
    if isinstance(value, dict) and "value" in value and value.keys() <= {"type", "value", "reason"}:
        return value["value"]
    return value


def _of_one_key(part: dict[str, Any]) -> list[Block] | None:
    """Parts of which one key says what they are."""
    called, back = dict_of(first_of(part, *_HELD_CALLS)), dict_of(first_of(part, *_HELD_RESULTS))
    if (name := first_of(called, *_NAMES)) is not None and not ("tool_call" in part and "type" in part):
        return [use(first_of(called, *_IDS) or name, name, first_of(called, *_GIVEN))]
    if back:
        answer = back.get("response")
        failed = True if dict_of(answer).get("error") or dict_of(answer).get("isError") is True else _failed(back)
        call_id = first_of(dict_of(back.get("origin")) or back, *_IDS) or back.get("name")
        return [result(call_id, _answer(answer if "response" in back else first_of(back, "content", "result")), failed)]
    if part.get("thought") is True or isinstance(part.get("reasoningContent"), dict):
        reasons = dict_of(dict_of(part.get("reasoningContent")).get("reasoningText"))
        return [thought((reasons or part).get("text"))]
    if code := dict_of(first_of(part, "executableCode", "executable_code")):
        return [use(None, "code_execution", {"code": code.get("code")})]
    if ran := dict_of(first_of(part, "codeExecutionResult", "code_execution_result")):
        return [result(None, ran.get("output"), None if "OK" in str(ran.get("outcome")) else True)]
    return None


def _answer(value: object) -> object:
    """What a tool returned, without the objects that the framework puts around it."""
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("result", "output", "error", "content"):
        return next(iter(value.values()))
    if isinstance(value, list):
        return [inner["json"] if isinstance(inner, dict) and "json" in inner else inner for inner in value]
    return value


_SHAPES: tuple[Callable[[dict[str, Any]], list[Block] | None], ...] = (_of_kinds, _of_one_key)
