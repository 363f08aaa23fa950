"""The messages of agent frameworks: LangChain, the Vercel AI SDK, the OpenAI Agents SDK, Pydantic AI, AutoGen, Agno,
Gemini, Bedrock and what is written like them, recognised by the shape of a message rather than by who wrote it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.formats.loading.interface import words_of
from analyzer.formats.record.fields import dict_of, first_of, list_of, str_or_none
from analyzer.formats.record.shapes.parts import Block, blocks, invocation, is_part, result, text, thought, use

Plain = dict[str, Any]
_WORDS = words_of(__file__)
_ROLES = frozenset({"user", "assistant", "system", "model", "tool", "developer", "human", "ai", "function"})
_CONTAINERS = ("parts", "blocks", "content")


def plain(item: object) -> list[Plain] | None:
    """Return the message in our shape: a role, and a content of blocks. None for what is no framework's message, or is
    in the shape of a model's API already."""
    if not isinstance(item, dict):
        return None
    return next((found for shape in _SHAPES if (found := shape(item)) is not None), None)


def _message(item: dict[str, Any], role: str, content: object, **more: object) -> Plain:
    kept = {key: item[key] for key in _WORDS["kept"] if item.get(key) is not None}
    return {**kept, "role": role, "content": content} | {key: it for key, it in more.items() if it is not None}


def _langchain(item: dict[str, Any]) -> list[Plain] | None:
    """Messages of LangChain and LangGraph, plain (`type: ai`), nested in `data`, or as constructors."""
    if item.get("lc") is not None and isinstance(item.get("kwargs"), dict):
        name = list_of(item.get("id"))[-1:]
        role = _WORDS["classes"].get(str(name[0])) if name else None
        return _of_langchain(item["kwargs"], role) if role is not None else None
    role = _WORDS["langchain"].get(str(item.get("type")))
    if role is None or "role" in item:
        return None
    inner = item.get("data") if isinstance(item.get("data"), dict) else item
    return _of_langchain(dict_of(inner), role) if "content" in dict_of(inner) else None


def _of_langchain(item: dict[str, Any], role: str) -> list[Plain]:
    more = dict_of(item.get("additional_kwargs"))
    counted = dict_of(item.get("usage_metadata"))
    model = str_or_none(dict_of(item.get("response_metadata")).get("model_name"))
    if role == "tool":
        flag = {"error": True, "success": None}.get(str(item.get("status")))
        return [_message(item, "user", [result(item.get("tool_call_id"), item.get("content"), flag)])]
    calls = list_of(item.get("tool_calls")) or list_of(more.get("tool_calls"))
    content = item.get("content")
    if isinstance(content, list):
        # Some models' calls are in the content as well.
        content = [part for part in content if not (calls and dict_of(part).get("type") == "tool_use")]
        content = [block for part in content for block in blocks(part)]
    return [_message(item, role, content, tool_calls=calls or None, usage=counted or None, model=model)]


def _pydantic_ai(item: dict[str, Any]) -> list[Plain] | None:
    """Requests and responses of Pydantic AI, whose parts have kinds."""
    parts = item.get("parts")
    if item.get("kind") not in ("request", "response") or not isinstance(parts, list):
        return None
    answered = item["kind"] == "response"
    usage = dict_of(item.get("usage"))
    counted = {
        "input_tokens": first_of(usage, "input_tokens", "request_tokens"),
        "output_tokens": first_of(usage, "output_tokens", "response_tokens"),
    }
    found: list[Plain] = []
    for part in filter(None, map(dict_of, parts)):
        kind = part.get("part_kind")
        asked = kind == "retry-prompt" and not part.get("tool_name")
        said = [text(part.get("content"))] if asked else blocks(part)
        role = "assistant" if answered else "system" if kind in ("system-prompt", "retry-prompt") and asked else "user"
        role = "system" if kind == "system-prompt" else role
        if found and found[-1]["role"] == role:
            found[-1]["content"] += said
        else:
            found.append(_message({**part, **item}, role, said))
    if found and answered:
        found[0] |= {"usage": counted, "model": item.get("model_name")}
    return found


def _typed(item: dict[str, Any]) -> list[Plain] | None:
    """Messages that say in `type` or `message_type` what they are, as AutoGen and Letta write them."""
    kind = str(item.get("message_type") or item.get("type"))
    if kind not in _TYPED:
        return None
    role, key, sort = _TYPED[kind]
    held = item.get(key) if key else item
    parts = held if isinstance(held, list) else [held]
    if kind == "AssistantMessage" and isinstance(held, list):
        sort = "tool-call"
    if role == "nobody":
        return []
    if not sort or (sort != "thought" and not all(isinstance(part, dict) for part in parts)):
        said = held
        speaks = role == "source" and not str(item.get("source")).startswith("user")
        role = "assistant" if speaks else "user" if role == "source" else role
    else:
        before = [thought(item["thought"])] if sort == "tool-call" and str_or_none(item.get("thought")) else []
        typed = [{**(part if isinstance(part, dict) else {"text": part}), "type": sort} for part in parts]
        said = [*before, *(block for part in typed for block in blocks(part))]
    return [_message(item, role, said, usage=item.get("models_usage"))]


_TYPED: dict[str, list[str]] = _WORDS["typed"]
"""What a message of a kind is: whose it is (`source` says it; nobody's is left out), the key of what it holds (its own
keys without one), and of what sort the parts are that stand there, which are words without a sort."""


def _run_item(item: dict[str, Any]) -> list[Plain] | None:
    """Items of the OpenAI Agents SDK around those of the model's API, and calls that the API answers by itself."""
    kind, raw = str(item.get("type")), item.get("raw_item")
    if isinstance(raw, dict) and kind.endswith("_item"):
        return plain(raw) or [raw]
    if not kind.endswith("_call") or kind in ("function_call", "local_shell_call", "custom_tool_call", "tool_call"):
        return None
    if not {"id", "status", "call_id"} & item.keys():
        return None
    name = str_or_none(item.get("name")) or kind.removesuffix("_call")
    given = first_of(item, "arguments", "action", "code", "queries", "query")
    given = {"code": given} if kind == "code_interpreter_call" else given
    call_id = item.get("call_id") or item.get("id")
    said = [use(call_id, name, {"queries": given} if isinstance(given, list) else given)]
    back, error = first_of(item, "output", "outputs", "results"), item.get("error")
    if error:
        said.append(result(call_id, error, True))
    elif back is not None and kind != "computer_call":
        said.append(result(call_id, back))
    return [_message(item, "assistant", said)]


def _of_parts(item: dict[str, Any]) -> list[Plain] | None:
    """A role with parts, of which at least one has a framework's shape, or with the invocations of tools beside."""
    role = item.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        return None
    held = item.get("content")
    if isinstance(held, dict) and isinstance(held.get("parts"), list):
        item = {**item, "parts": held["parts"]}
    key = next((key for key in _CONTAINERS if isinstance(item.get(key), list)), None)
    parts = list_of(item.get(key)) if key is not None else []
    spoken = key in ("parts", "blocks") and any(isinstance(dict_of(part).get("text"), str) for part in parts)
    known = spoken or any(map(is_part, parts))
    invoked = [dict_of(entry) for entry in list_of(item.get("toolInvocations")) if dict_of(entry).get("toolName")]
    if not known and not invoked:
        return None
    said: list[Block] = [block for part in parts for block in blocks(part)]
    if not said and str_or_none(item.get("content")):
        said = [text(item["content"])]
    if not any(block.get("type") == "tool_use" for block in said):
        said += [block for entry in invoked for block in invocation(entry, entry["toolName"])]
    answered = said and all(block.get("type") == "tool_result" for block in said)
    counted = dict_of(item.get("usageMetadata") or item.get("usage_metadata"))
    usage = {"input_tokens": counted.get("promptTokenCount"), "output_tokens": counted.get("candidatesTokenCount")}
    calls = None if any(block.get("type") == "tool_use" for block in said) else item.get("tool_calls")
    more = {"usage": usage} if counted else {}
    return [
        _message(item, "user" if answered or role in ("tool", "function") else role, said, tool_calls=calls, **more)
    ]


def _results(item: dict[str, Any]) -> list[Plain] | None:
    """Messages of a model's API with Agno's flags (an error of a tool, and copies of earlier runs' messages), or with
    the results of several calls, as AutoGen's older agents send them."""
    answers, flag = item.get("tool_responses"), item.get("tool_call_error")
    if item.get("from_history") is True and "role" in item:
        return []
    if not (isinstance(answers, list) and answers and isinstance(item.get("role"), str)):
        if item.get("role") != "tool" or not isinstance(flag, bool):
            return None
        answers = [{**item, "is_error": flag}]
    entries = (dict_of(entry) for entry in answers)
    found = [result(entry.get("tool_call_id"), entry.get("content"), entry.get("is_error")) for entry in entries]
    return [_message(item, "user", found)]


_SHAPES: tuple[Callable[[dict[str, Any]], list[Plain] | None], ...] = (
    _langchain,
    _pydantic_ai,
    _typed,
    _run_item,
    _results,
    _of_parts,
)
