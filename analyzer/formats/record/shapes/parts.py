"""The parts of a message, whichever framework wrote them, as blocks: `text`, `thinking`, `tool_use`, `tool_result`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from analyzer.formats.record.fields import dict_of, first_of, list_of, str_or_none, text_of
from analyzer.text.names import name_set

Block = dict[str, Any]
_NAMES = ("name", "toolName", "tool_name")
_IDS = ("id", "toolCallId", "tool_call_id", "toolUseId", "call_id", "callId")
_GIVEN = ("input", "args", "arguments", "parameters", "tool_args", "rawInput")
_BACK = ("output", "result", "content", "response", "tool_return", "errorText", "error")
_CALLS = frozenset({"tool-call", "tool_call", "toolCall", "function_call"})
_RESULTS = name_set(
    "tool-result tool_result tool_call_response tool-return retry-prompt toolResult function_call_output"
)
_SILENT = frozenset({"step-start", "step_start", "source-url", "source", "source-document"})
_THOUGHTS = frozenset({"reasoning", "thinking", "thought"})


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
    for shape in _SHAPES:
        found = shape(part)
        if found is not None:
            return found
    return [part]


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
    kind = str_or_none(part.get("part_kind")) or str_or_none(part.get("block_type")) or str_or_none(part.get("type"))
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
        return [result(first_of(part, *_IDS), _unwrapped(first_of(part, *_BACK)), _failed(part, kind))]
    if kind in _SILENT:
        return []
    if kind in _THOUGHTS and "thinking" not in part:
        return [thought(first_of(part, "text", "reasoning", "content", "summary"))]
    if kind in ("text", "user-prompt", "system-prompt", "TextPart") and "text" not in part:
        return [text(part.get("content"))]
    return None


def _failed(part: dict[str, Any], kind: str) -> bool | None:
    """Whether a result says that its call failed."""
    flags = (part.get(key) for key in ("isError", "is_error", "error"))
    flag = next((flag for flag in flags if isinstance(flag, bool)), None)
    outcome = str(part.get("outcome") or part.get("status") or "")
    wrapped = str(dict_of(part.get("output")).get("type"))
    if kind == "retry-prompt" or wrapped.startswith("error") or outcome in ("failed", "error", "denied"):
        return True
    return False if flag is None and outcome == "success" else flag


def _unwrapped(value: object) -> object:
    """The value of an output that says of what type it is."""
    if isinstance(value, dict) and "value" in value and value.keys() <= {"type", "value", "reason"}:
        return value["value"]
    return value


def _of_gemini(part: dict[str, Any]) -> list[Block] | None:
    """Parts of Gemini's contents: one key says what the part is."""
    called = dict_of(part.get("functionCall") or part.get("function_call"))
    if str_or_none(called.get("name")):
        return [use(called.get("id") or called.get("name"), called["name"], called.get("args"))]
    back = dict_of(part.get("functionResponse") or part.get("function_response"))
    if str_or_none(back.get("name")):
        answer = back.get("response")
        failed = True if dict_of(answer).get("error") or dict_of(answer).get("isError") is True else None
        return [result(back.get("id") or back.get("name"), _answer(answer), failed)]
    if part.get("thought") is True:
        return [thought(part.get("text"))]
    code = dict_of(part.get("executableCode") or part.get("executable_code"))
    if code:
        return [use(None, "code_execution", {"code": code.get("code")})]
    ran = dict_of(part.get("codeExecutionResult") or part.get("code_execution_result"))
    if ran:
        failed = None if "OK" in str(ran.get("outcome")) else True
        return [result(None, ran.get("output"), failed)]
    return None


def _answer(value: object) -> object:
    """The one thing that a tool returned, without the object that the framework puts around it."""
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("result", "output", "error", "content"):
        return next(iter(value.values()))
    return value


def _of_converse(part: dict[str, Any]) -> list[Block] | None:
    """Parts of Bedrock's Converse API."""
    called, back = part.get("toolUse"), part.get("toolResult")
    if isinstance(called, dict):
        return [use(called.get("toolUseId"), called.get("name"), called.get("input"))]
    if isinstance(back, dict):
        status = back.get("status")
        return [
            result(back.get("toolUseId"), list(_contents(back)), {"error": True, "success": False}.get(str(status)))
        ]
    if isinstance(part.get("reasoningContent"), dict):
        return [thought(dict_of(part["reasoningContent"].get("reasoningText")).get("text"))]
    return None


def _contents(back: dict[str, Any]) -> Iterator[object]:
    for inner in list_of(back.get("content")):
        yield inner["json"] if isinstance(inner, dict) and "json" in inner else inner


def _of_haystack(part: dict[str, Any]) -> list[Block] | None:
    """Parts whose one key is `tool_call` or `tool_call_result`."""
    called, back = part.get("tool_call"), part.get("tool_call_result")
    if isinstance(called, dict) and "type" not in part:
        return [use(called.get("id"), first_of(called, *_NAMES), first_of(called, *_GIVEN))]
    if isinstance(back, dict):
        origin = dict_of(back.get("origin"))
        failed = back.get("error") if isinstance(back.get("error"), bool) else None
        return [result(origin.get("id"), back.get("result"), failed)]
    return None


_SHAPES: tuple[Callable[[dict[str, Any]], list[Block] | None], ...] = (
    _of_kinds,
    _of_gemini,
    _of_converse,
    _of_haystack,
)
